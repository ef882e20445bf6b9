// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/export/sheet.h"
#include "widgets/pareto/pareto_model.h"

#include <QSortFilterProxyModel>
#include <QWidget>

class QTableView;
class QToolButton;

namespace poet {

/// The plans that are worth a row: not those found on the way to a better one or while a slider was dragged, unless they
/// are shown, pinned as B or named.
class PlansFilter : public QSortFilterProxyModel {
    Q_OBJECT
public:
    PlansFilter(DocumentState& state, ParetoModel& model, QObject* parent = nullptr);
    void setShowsAll(bool showsAll);
    [[nodiscard]] bool showsAll() const { return m_showsAll; }
    [[nodiscard]] const ParetoPoint& pointAt(const QModelIndex& index) const;

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    DocumentState& m_state;
    ParetoModel& m_model;
    bool m_showsAll = false;
};

/// Known plans as a table, strategies beside each other; a click shows the plan, a double click on its name names it.
class PlansTable : public QWidget {
    Q_OBJECT
public:
    PlansTable(DocumentState& state, ParetoModel& model, QWidget* parent = nullptr);

    [[nodiscard]] PlansFilter& filter() { return *m_filter; }
    [[nodiscard]] QTableView& table() { return *m_table; }
    /// All rows that the table has now.
    [[nodiscard]] SheetTable sheetTable() const;
    /// Buttons for the dock's title: all plans, pin.
    [[nodiscard]] QList<QWidget*> tools() const;

Q_SIGNALS:
    void planPicked(const poet::ParetoPoint& point);

private:
    void updateTools();

    DocumentState& m_state;
    PlansFilter* m_filter;
    QTableView* m_table = nullptr;
    QToolButton* m_all = nullptr;
    QToolButton* m_pin = nullptr;
};

}  // namespace poet

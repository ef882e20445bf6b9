// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/export/sheet.h"
#include "widgets/report/report_model.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QSortFilterProxyModel;
class QStackedWidget;
class QTableView;

namespace poet {

/// What was read from the model and how it was taken: the text of `poet inspect` as a table that can be searched. A row
/// that is about a node selects it.
class ReportPanel : public QWidget {
    Q_OBJECT
public:
    explicit ReportPanel(DocumentState& state, QWidget* parent = nullptr);

    /// For the dock's title: words to look for.
    [[nodiscard]] QLineEdit* searchField() const { return m_search; }
    [[nodiscard]] QTableView& table() const { return *m_table; }
    /// All rows, whatever is searched for; empty without a model.
    [[nodiscard]] QString csv() const;
    /// The rows that are shown, in their order.
    [[nodiscard]] SheetTable sheetTable() const;

private:
    void refresh();

    DocumentState& m_state;
    ReportModel* m_rows;
    QSortFilterProxyModel* m_found;
    QLineEdit* m_search = nullptr;
    QTableView* m_table = nullptr;
    QLabel* m_empty = nullptr;
    QStackedWidget* m_pages = nullptr;
};

}  // namespace poet

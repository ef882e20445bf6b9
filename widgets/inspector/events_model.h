// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document_state.h"

#include <QAbstractTableModel>

namespace poet {

/// Every step of the shown schedule as a table: the timeline for screen readers, and for sorting.
class EventsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { IndexColumn, StageColumn, KindColumn, NodeColumn, BytesColumn, StartColumn, DurationColumn, EnergyColumn, RamColumn, ColumnCount };
    static constexpr int kSortRole = Qt::UserRole;
    static constexpr int kStepRole = Qt::UserRole + 1;

    explicit EventsModel(DocumentState& state, QObject* parent = nullptr);
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QVariant value(const Step& step, int row, int column, bool isSort) const;

    DocumentState& m_state;
    PlanPtr m_plan;        ///< what the rows are of
    ProblemPtr m_problem;
};

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document_state.h"
#include "widgets/export/sheet.h"

#include <QAbstractTableModel>

#include <vector>

namespace poet {

/// The steps of a plan as rows, for whatever shows or writes them. A value, for any thread.
struct EventRows {
    enum Column { IndexColumn, StageColumn, KindColumn, NodeColumn, BytesColumn, StartColumn, DurationColumn, EnergyColumn, RamColumn, ColumnCount };

    ProblemPtr problem;      ///< null with `plan`: no rows
    PlanPtr plan;
    std::vector<int> order;  ///< steps in the order of the rows; empty: as they come

    [[nodiscard]] int count() const { return plan ? static_cast<int>(plan->replay.schedule.steps.size()) : 0; }
    /// A cell as it is shown, or as a raw number for sorting and for CSV.
    [[nodiscard]] QVariant cell(int step, int column, bool isRaw) const;
    [[nodiscard]] static QString head(int column);
    [[nodiscard]] static bool isNumber(int column) { return column != KindColumn && column != NodeColumn; }
    [[nodiscard]] QString csv() const;
    [[nodiscard]] SheetTable table() const;

private:
    [[nodiscard]] int stepOfRow(int row) const { return order.empty() ? row : order[static_cast<std::size_t>(row)]; }
};

/// Every step of the shown schedule as a table: the timeline for screen readers, and for sorting.
class EventsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    static constexpr int kSortRole = Qt::UserRole;
    static constexpr int kStepRole = Qt::UserRole + 1;

    explicit EventsModel(DocumentState& state, QObject* parent = nullptr);
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] const EventRows& rows() const { return m_rows; }

private:
    DocumentState& m_state;
    EventRows m_rows;
};

}  // namespace poet

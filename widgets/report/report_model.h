// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document_state.h"

#include <QAbstractTableModel>

#include <vector>

namespace poet {

/// The import report of the open problem as a table, in the order of reading.
class ReportModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { SectionColumn, ItemColumn, ValueColumn, ColumnCount };
    static constexpr int kSortRole = Qt::UserRole;      ///< figures by size
    static constexpr int kNodeRole = Qt::UserRole + 1;  ///< of the problem's graph, or -1

    explicit ReportModel(DocumentState& state, QObject* parent = nullptr);
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] const std::vector<ReportRow>& rows() const { return m_rows; }

private:
    void refresh();

    DocumentState& m_state;
    ProblemPtr m_problem;  ///< what the rows are of
    std::vector<ReportRow> m_rows;
};

}  // namespace poet

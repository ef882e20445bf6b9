// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/inspector/differences.h"

#include <QAbstractTableModel>
#include <QStringList>

namespace poet {

/// Lines of a comparison as a table. Rows that differ may be marked by a sign, by weight and by a tint: not by colour
/// alone. Thousands of tensors can differ: cells are made only when they are seen.
class DifferencesModel : public QAbstractTableModel {
    Q_OBJECT
public:
    /// `headers`: of the four columns.
    DifferencesModel(QStringList headers, bool marksDifferent, QObject* parent = nullptr);

    void setRows(std::vector<ComparedFigure> rows);
    [[nodiscard]] const std::vector<ComparedFigure>& rows() const { return m_rows; }
    [[nodiscard]] bool isMarked(int row) const { return m_marksDifferent && !m_rows[static_cast<std::size_t>(row)].difference.isEmpty(); }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QString cell(int row, int column) const;

    QStringList m_headers;
    bool m_marksDifferent;
    std::vector<ComparedFigure> m_rows;
};

}  // namespace poet

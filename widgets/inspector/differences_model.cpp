// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/differences_model.h"

#include "widgets/style/colors.h"

#include <QApplication>
#include <QFont>
#include <QPalette>

#include <utility>

namespace poet {

DifferencesModel::DifferencesModel(QStringList headers, bool marksDifferent, QObject* parent)
    : QAbstractTableModel(parent), m_headers(std::move(headers)), m_marksDifferent(marksDifferent)
{
}

void DifferencesModel::setRows(std::vector<ComparedFigure> rows)
{
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

int DifferencesModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_rows.size()); }

int DifferencesModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_headers.size()); }

QString DifferencesModel::cell(int row, int column) const
{
    const ComparedFigure& figure = m_rows[static_cast<std::size_t>(row)];
    switch (column) {
    case 0: return isMarked(row) ? QStringLiteral("\u2260 ") + figure.name : figure.name;
    case 1: return figure.a;
    case 2: return figure.b;
    default: return figure.difference;
    }
}

QVariant DifferencesModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole)
        return cell(index.row(), index.column());
    if (role == Qt::BackgroundRole && isMarked(index.row())) {
        const QPalette palette = QApplication::palette();
        return style::mix(palette.color(QPalette::Base), style::color(style::Meaning::Recompute, palette), 0.18);
    }
    if (role == Qt::FontRole && isMarked(index.row()) && index.column() > 0) {
        QFont bold = QApplication::font();
        bold.setBold(true);
        return bold;
    }
    return {};
}

QVariant DifferencesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    return role == Qt::DisplayRole && orientation == Qt::Horizontal ? QVariant(m_headers.value(section)) : QVariant();
}

}  // namespace poet

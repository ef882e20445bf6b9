// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/export/table_text.h"

#include <QItemSelectionModel>
#include <QTableView>

#include <algorithm>
#include <utility>

namespace poet {

namespace {

QStringList shownCells(const QAbstractItemModel& model, int row)
{
    QStringList cells;
    for (int column = 0; column < model.columnCount(); ++column)
        cells << model.index(row, column).data().toString();
    return cells;
}

}  // namespace

QString selectedRows(const QTableView& table)
{
    QModelIndexList rows = table.selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end());
    QString text;
    for (const QModelIndex& row : std::as_const(rows))
        text += shownCells(*table.model(), row.row()).join(u'\t') + u'\n';
    return text;
}

SheetTable sheetTableOf(const QAbstractItemModel& model, std::vector<bool> isNumber)
{
    SheetTable table;
    for (int column = 0; column < model.columnCount(); ++column)
        table.head << model.headerData(column, Qt::Horizontal).toString();
    table.isNumber = std::move(isNumber);
    for (int row = 0; row < model.rowCount(); ++row)
        table.rows.push_back(shownCells(model, row));
    return table;
}

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/export/sheet.h"

#include <QString>

#include <vector>

class QAbstractItemModel;
class QTableView;

/// What table views show, as texts. GUI thread.
namespace poet {

/// The selected rows in the order shown, cells separated by tabs, as spreadsheets take them; empty without a selection.
[[nodiscard]] QString selectedRows(const QTableView& table);
/// Every row of `model` as shown, for paper. `isNumber` as in SheetTable.
[[nodiscard]] SheetTable sheetTableOf(const QAbstractItemModel& model, std::vector<bool> isNumber);

}  // namespace poet

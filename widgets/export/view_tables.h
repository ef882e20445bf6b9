// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document_state.h"
#include "widgets/inspector/compare_panel.h"
#include "widgets/pareto/heat_grid.h"
#include "widgets/teaching/break_even_view.h"
#include "widgets/teaching/side_by_side.h"

/// What the views show, as CSV: one line of names, then raw numbers in bytes, seconds and joules, with a decimal point
/// whatever the locale. A problem must be open.
namespace poet {

/// One line of CSV; cells with commas, quotes or line ends are quoted (RFC 4180).
[[nodiscard]] QString csvLine(const QStringList& cells);

/// One row a node: what it is, costs and what the shown plan does with it.
[[nodiscard]] QString nodesCsv(const DocumentState& state);
/// One row a cell.
[[nodiscard]] QString heatGridCsv(const HeatGrid& grid);
/// One row a strategy; empty numbers where no plan is known.
[[nodiscard]] QString strategiesCsv(const DocumentState& state, const std::vector<SideBySide::Column>& columns);
/// One row a tensor: its size, what computing it again and what paging it costs.
[[nodiscard]] QString breakEvenCsv(const DocumentState& state, const std::vector<BreakEvenView::Point>& points, const TransferLine& line);
/// One row a key figure of the shown plan, keep-all and, if one is pinned, plan B.
[[nodiscard]] QString summaryCsv(const DocumentState& state);
/// One row a figure, as shown.
[[nodiscard]] QString comparisonCsv(const std::vector<ComparedFigure>& figures);

}  // namespace poet

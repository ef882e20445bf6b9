// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/inspector/compare_panel.h"
#include "widgets/pareto/heat_grid.h"
#include "widgets/teaching/break_even_view.h"
#include "widgets/teaching/side_by_side.h"

/// What the views show, as CSV: one line of names, then raw numbers in bytes, seconds and joules, with a decimal point
/// whatever the locale. Pure: for any thread.
namespace poet {

/// One line of CSV; cells with commas, quotes or line ends are quoted (RFC 4180).
[[nodiscard]] QString csvLine(const QStringList& cells);

/// One row a node: what it is, costs and what a plan does with it (`fates` empty: no plan).
[[nodiscard]] QString nodesCsv(const Problem& problem, const std::vector<Fate>& fates);
/// One row a cell.
[[nodiscard]] QString heatGridCsv(const HeatGrid& grid);
/// One row a strategy; empty numbers where no plan is known.
[[nodiscard]] QString strategiesCsv(const Problem& problem, const std::vector<SideBySide::Column>& columns);
/// One row a tensor: its size, what computing it again and what paging it costs.
[[nodiscard]] QString breakEvenCsv(const Problem& problem, const std::vector<BreakEvenView::Point>& points, const TransferLine& line);
/// One row a key figure of a plan, keep-all and, if there is one, the pinned plan.
[[nodiscard]] QString summaryCsv(const Problem& problem, const Plan& plan, const Plan* pinned);
/// One row a figure, as shown.
[[nodiscard]] QString comparisonCsv(const std::vector<ComparedFigure>& figures);

}  // namespace poet

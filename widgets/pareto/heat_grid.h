// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/plan_cache.h"

#include <utility>
#include <vector>

namespace poet {

/// What is known at one memory and one deadline.
struct HeatCell {
    enum class State { Unknown, Known, Infeasible };
    State state = State::Unknown;
    PlanPtr plan;                ///< Known: the cheapest that fits
    double overheadPercent = 0;  ///< over keep-all
    double gapPercent = 0;       ///< against the proven bound
};

/// Energy over memory and deadline. Columns by rising memory, rows by falling deadline (the tightest at the bottom).
struct HeatGrid {
    std::vector<std::int64_t> memories;  ///< per column, bytes
    std::vector<double> deadlines;       ///< per row, seconds
    std::vector<HeatCell> cells;         ///< row by row
    double largestOverhead = 0;          ///< percent, over all known cells

    [[nodiscard]] const HeatCell& at(int column, int row) const { return cells[static_cast<std::size_t>(row) * memories.size() + static_cast<std::size_t>(column)]; }
    /// The column and row whose limits are the largest that the question allows, clamped into the grid; none: the loosest row.
    [[nodiscard]] std::pair<int, int> cellOf(const PlanQuery& query) const;
};

/// Looks up every cell in the cache; no search. `size` columns and rows where `poet sweep --over grid` puts its points.
/// Cost: O(size^2 x known plans).
[[nodiscard]] HeatGrid makeHeatGrid(const Problem& problem, const PlanCache& cache, Strategy strategy, int size);

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pareto/heat_grid.h"

#include "widgets/document/sweep_grid.h"

#include <algorithm>

namespace poet {

std::pair<int, int> HeatGrid::cellOf(const PlanQuery& query) const
{
    int column = 0;
    for (std::size_t i = 0; i < memories.size(); ++i)
        if (memories[i] <= query.memoryBytes)
            column = static_cast<int>(i);
    int row = 0;
    if (query.deadlineSeconds)
        for (std::size_t i = 0; i < deadlines.size(); ++i)
            if (*query.deadlineSeconds <= deadlines[i] * (1 + 1e-9))
                row = static_cast<int>(i);
    return {column, row};
}

HeatGrid makeHeatGrid(const Problem& problem, const PlanCache& cache, Strategy strategy, int size)
{
    HeatGrid grid;
    for (int i = size - 1; i >= 0; --i)
        grid.memories.push_back(sweepMemory(problem, i, size));
    for (int i = 0; i < size; ++i)
        grid.deadlines.push_back(sweepDeadline(problem, i, size));
    const double reference = problem.keepAll->replay.energyJoules;
    for (const double deadline : grid.deadlines)
        for (const std::int64_t memory : grid.memories) {
            const PlanQuery query{memory, deadline, strategy};
            HeatCell cell;
            if (PlanPtr plan = cache.best(problem, query)) {
                const double energy = plan->replay.energyJoules;
                cell.state = HeatCell::State::Known;
                cell.overheadPercent = reference > 0 ? (energy - reference) / reference * 100 : 0;
                cell.gapPercent = energy > 0 ? std::max(0.0, (energy - cache.bound(problem, query)) / energy * 100) : 0;
                cell.plan = std::move(plan);
                grid.largestOverhead = std::max(grid.largestOverhead, cell.overheadPercent);
            } else if (cache.infeasible(problem, query)) {
                cell.state = HeatCell::State::Infeasible;
            }
            grid.cells.push_back(std::move(cell));
        }
    return grid;
}

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planning/planner.h"

#include <cstddef>
#include <string>
#include <vector>

namespace poet::planning {

/// One operating point of a device: the same nodes with other costs, under the same memory and deadline.
struct PointProblem {
    std::string name;
    Problem problem;
};

/// The plan of least energy over all points. `plan.points` says what became of each, `plan.boundJoules` holds for all.
struct PointsAnswer {
    Plan plan;
    std::size_t chosen = 0;  ///< index into the points: the graph that the plan is for
};

/// Finds the point that keeps memory and deadline with the least energy, and proves it: every point is solved, or cut
/// off because keeping everything there (active energy + idle) already costs as much as the best plan, or left as soon
/// as its bound does. The cheapest by that measure comes first; each gets an equal share of the time that is left, and what
/// the others did not need goes to those that are still open.
/// Infeasible only when every point is; the reason is then that of the point with the smallest deadline.
/// Errors: BadUsage without points; as solve. Source: devices.md, section 2.
[[nodiscard]] Expected<PointsAnswer> solveBestPoint(const std::vector<PointProblem>& points, const SolveParams& params, ProgressSink& sink);

}  // namespace poet::planning

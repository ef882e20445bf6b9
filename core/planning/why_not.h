// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planning/planner.h"
#include "core/schedule/alternatives.h"

namespace poet::planning {

/// The best plan in which one tensor may not be dropped any other way: Keep forbids both ways, Page forbids recomputing
/// it, Recompute forbids paging it. Everything else is free, so this is what another decision really costs. Keeping it
/// stays allowed. `known` is a schedule to start from, used if it fits. Errors: as solve. Cost: one solve.
[[nodiscard]] Expected<Plan> solveWithChoice(const Problem& problem, SolveParams params, NodeId node, Choice choice, const Schedule& known, ProgressSink& sink);

}  // namespace poet::planning

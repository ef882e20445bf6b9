// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planning/planner.h"

#include <functional>
#include <vector>

namespace poet {

/// Solves problems in child processes, `jobs` at a time: CBC keeps state of its own and is safest alone in a process,
/// and a crash costs one point. `done` gets each plan (or error) with the index of its problem as it arrives;
/// `params(index)` is asked just before a problem starts, so that starts can come from what is known by then.
/// When `wasInterrupted()` becomes true the children are ended and the call returns.
/// Errors: Internal when no process can be made.
[[nodiscard]] Expected<void> solveForked(const std::vector<planning::Problem>& problems, int jobs,
                                         const std::function<planning::SolveParams(std::size_t index)>& params,
                                         const std::function<void(std::size_t index, const Expected<Plan>& plan)>& done);

}  // namespace poet

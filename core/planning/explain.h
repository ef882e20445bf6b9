// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planning/planner.h"

namespace poet::planning {

/// The graph whose energy is the time of `problem`'s graph, so that planning for least energy finds the least time:
/// every joule is gone and idling takes one watt (in `paper`, which has no idle power, a run costs its seconds).
[[nodiscard]] CostGraph timeGraph(const Problem& problem);

/// The smallest deadline that a problem's memory allows, in seconds: a schedule of that length exists, and none is
/// shorter by more than `gap`. Nothing when that is not proven within `seconds`. Errors: as solve.
[[nodiscard]] Expected<std::optional<double>> smallestDeadline(const Problem& problem, double gap, double seconds, ProgressSink& sink);

}  // namespace poet::planning

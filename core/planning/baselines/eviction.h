// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planning/baselines/baselines.h"
#include "core/planning/baselines/gap_plan.h"

#include <functional>

namespace poet::planning {

/// One way to take a tensor out of RAM between two uses; the lowest score goes first. Keep means: not possible.
struct Eviction {
    Gap gap;
    GapChoice choice = GapChoice::Keep;
    double score = 0;
};

/// Replays the plan, and while it is over the budget drops, of all tensors that are only held over the first stage that
/// is over it, those with the lowest scores; where none is left, what that stage recomputes is paged instead. Every plan
/// on the way is offered to `best`. Stops when one fits, nothing is left to drop, or `wantsStop` (may be empty) says so.
/// Ties: lower node id. Cost: one schedule and replay a round. Errors: Internal.
[[nodiscard]] Expected<void> evictUntilItFits(GapPlan& plan, BestSchedule& best, const CostGraph& graph, TransferModel model, std::int64_t budgetBytes,
                                              const std::function<Eviction(const GapPlan&, const Gap&)>& score,
                                              const std::function<bool()>& wantsStop);

}  // namespace poet::planning

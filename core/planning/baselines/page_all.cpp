// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/planning/baselines/baselines.h"
#include "core/planning/baselines/gap_plan.h"

namespace poet::planning {

Expected<Schedule> pageAllSchedule(const CostGraph& graph, TransferModel model, std::int64_t budgetBytes)
{
    GapPlan plan(graph, model);
    for (NodeId node = 0; node < graph.size(); ++node)
        for (const Gap& gap : plan.gaps(node))
            if (plan.mayPage(node))
                plan.choose(gap, GapChoice::Page);
    POET_TRY(schedule, plan.schedule());
    BestSchedule best(graph, model, budgetBytes);
    POET_CHECK(best.offer(schedule));
    return best.take();
}

}  // namespace poet::planning

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/planning/baselines/baselines.h"
#include "core/planning/baselines/eviction.h"

#include <limits>

namespace poet::planning {
namespace {

/// Joules per byte-second of the cheaper way back, with the idle power over the time that it adds.
Eviction cheaperWay(const GapPlan& plan, const CostGraph& graph, TransferModel model, const Gap& gap)
{
    const CostNode& node = graph.nodes[static_cast<std::size_t>(gap.node)];
    const double idleWatts = graph.device.idleWattsOfTime(model);
    const double byteSeconds = static_cast<double>(node.bytes) * plan.idleSeconds(gap);
    Eviction best{gap, GapChoice::Keep, std::numeric_limits<double>::infinity()};
    const auto consider = [&](GapChoice choice, double joules) {
        const double score = byteSeconds > 0 ? joules / byteSeconds : joules * std::numeric_limits<float>::max();
        if (score < best.score)
            best = {gap, choice, score};
    };
    if (plan.mayPage(gap.node)) {
        const double joules = node.pageIn.joules + (plan.isStored(gap.node) ? 0 : node.pageOut.joules);
        const double seconds = model == TransferModel::Blocking ? node.pageIn.seconds + node.pageOut.seconds : 0;
        consider(GapChoice::Page, joules + idleWatts * seconds);
    }
    if (plan.mayRecompute(gap.node)) {
        const Cost cost = plan.recomputeCost(gap.node, gap.end);
        consider(GapChoice::Recompute, cost.joules + idleWatts * cost.seconds);
    }
    return best;
}

}  // namespace

Expected<Schedule> greedySchedule(const CostGraph& graph, TransferModel model, std::int64_t budgetBytes, const std::function<bool()>& wantsStop)
{
    BestSchedule best(graph, model, budgetBytes);
    GapPlan plan(graph, model);
    POET_CHECK(evictUntilItFits(plan, best, graph, model, budgetBytes,
                                [&](const GapPlan& now, const Gap& gap) { return cheaperWay(now, graph, model, gap); }, wantsStop));
    return best.take();
}

}  // namespace poet::planning

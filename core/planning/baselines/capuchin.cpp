// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/planning/baselines/baselines.h"
#include "core/planning/baselines/eviction.h"

#include <algorithm>
#include <limits>

namespace poet::planning {
namespace {

/// Swaps that fit into the tensor's idle time come first, the longest free time before all others (negative scores);
/// the rest is ranked by the delay per byte. Without times (an unmeasured graph) joules stand in for them.
Eviction measuredWay(const GapPlan& plan, const CostGraph& graph, TransferModel model, const Gap& gap)
{
    const CostNode& node = graph.nodes[static_cast<std::size_t>(gap.node)];
    const double bytes = std::max(1.0, static_cast<double>(node.bytes));
    Eviction best{gap, GapChoice::Keep, std::numeric_limits<double>::infinity()};
    const double swapSeconds = node.pageIn.seconds + (plan.isStored(gap.node) ? 0 : node.pageOut.seconds);
    const bool isTimed = swapSeconds > 0;
    if (plan.mayPage(gap.node)) {
        const double freeSeconds = plan.idleSeconds(gap) - swapSeconds;
        const bool isHidden = isTimed && model != TransferModel::Blocking && freeSeconds > 0;
        const double exposed = model == TransferModel::Blocking ? swapSeconds : -freeSeconds;
        const double joules = node.pageIn.joules + node.pageOut.joules;
        best = {gap, GapChoice::Page, isHidden ? -freeSeconds : (isTimed ? exposed : joules) / bytes};
    }
    if (plan.mayRecompute(gap.node)) {
        const Cost cost = plan.recomputeCost(gap.node, gap.end);
        const double score = (isTimed ? cost.seconds : cost.joules) / bytes;
        if (score < best.score)
            best = {gap, GapChoice::Recompute, score};
    }
    return best;
}

}  // namespace

Expected<Schedule> capuchinSchedule(const CostGraph& graph, TransferModel model, std::int64_t budgetBytes, const std::function<bool()>& wantsStop)
{
    BestSchedule best(graph, model, budgetBytes);
    for (const bool isPrefetching : {true, false}) {
        if (isPrefetching && model != TransferModel::Dma)
            continue;
        GapPlan plan(graph, model);
        plan.setPrefetching(isPrefetching);
        POET_CHECK(evictUntilItFits(plan, best, graph, model, budgetBytes,
                                    [&](const GapPlan& now, const Gap& gap) { return measuredWay(now, graph, model, gap); }, wantsStop));
        if (best.hasFitting())
            break;
    }
    return best.take();
}

}  // namespace poet::planning

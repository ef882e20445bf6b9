// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/planning/baselines/baselines.h"
#include "core/planning/baselines/gap_plan.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace poet::planning {
namespace {

/// Nodes before the first backward node.
int forwardCount(const CostGraph& graph)
{
    const auto first = std::find_if(graph.nodes.begin(), graph.nodes.end(), [](const CostNode& n) { return n.phase == Phase::Backward; });
    return static_cast<int>(first - graph.nodes.begin());
}

/// Segment lengths to try: sqrt(n) first, then shorter and longer ones at about equal ratios.
std::vector<int> segmentLengths(int forward)
{
    constexpr int kLengths = 40;
    std::set<int> lengths{static_cast<int>(std::lround(std::sqrt(forward)))};
    for (int k = 0; k <= kLengths; ++k)
        lengths.insert(static_cast<int>(std::lround(std::pow(forward, static_cast<double>(k) / kLengths))));
    return {lengths.begin(), lengths.end()};
}

Expected<Schedule> withSegments(const CostGraph& graph, TransferModel model, int forward, int length)
{
    GapPlan plan(graph, model);
    const auto segment = [&](NodeId node) { return node < forward ? node / length : -1; };
    for (NodeId node = 0; node < forward; ++node) {
        const std::vector<Gap> gaps = plan.gaps(node);
        const bool crosses = std::any_of(gaps.begin(), gaps.end(), [&](const Gap& gap) { return gap.end < forward && segment(gap.end) != segment(node); });
        if (crosses || !plan.mayRecompute(node))
            continue;
        for (const Gap& gap : gaps)
            if (gap.begin < forward && gap.end >= forward)
                plan.choose(gap, GapChoice::Recompute);
    }
    plan.setRetained([=](NodeId node, int stage) { return node < forward && stage >= forward; });
    return plan.schedule();
}

}  // namespace

Expected<Schedule> sqrtSchedule(const CostGraph& graph, TransferModel model, std::int64_t budgetBytes)
{
    const int forward = forwardCount(graph);
    BestSchedule best(graph, model, budgetBytes);
    POET_CHECK(best.offer(keepAllSchedule(graph)));
    if (forward > 0)
        for (const int length : segmentLengths(forward)) {
            POET_TRY(schedule, withSegments(graph, model, forward, length));
            POET_CHECK(best.offer(schedule));
        }
    return best.take();
}

}  // namespace poet::planning

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/planning/baselines/eviction.h"

#include <algorithm>

namespace poet::planning {
namespace {

/// The gap of `node` that covers `stage` without using it, if it is kept.
const Gap* heldOver(const std::vector<Gap>& gaps, const GapPlan& plan, int stage)
{
    for (const Gap& gap : gaps)
        if (gap.begin < stage && stage < gap.end && plan.choice(gap) == GapChoice::Keep)
            return &gap;
    return nullptr;
}

/// Bytes of the tensor that was dropped; 0 when none is left.
std::int64_t dropOne(GapPlan& plan, const CostGraph& graph, int stage, const std::function<Eviction(const GapPlan&, const Gap&)>& score)
{
    std::optional<Eviction> lowest;
    for (NodeId node = 0; node < std::min(stage, graph.size()); ++node) {
        if (graph.nodes[static_cast<std::size_t>(node)].bytes == 0)
            continue;
        const std::vector<Gap> gaps = plan.gaps(node);
        const Gap* held = heldOver(gaps, plan, stage);
        if (!held)
            continue;
        const Eviction eviction = score(plan, *held);
        if (eviction.choice != GapChoice::Keep && (!lowest || eviction.score < lowest->score))
            lowest = eviction;
    }
    if (!lowest)
        return 0;
    plan.choose(lowest->gap, lowest->choice);
    return graph.nodes[static_cast<std::size_t>(lowest->gap.node)].bytes;
}

/// Pages instead of recomputing whatever the stage recomputes and may page.
bool pageWhatIsRecomputed(GapPlan& plan, const Schedule& schedule, int stage)
{
    bool hasChanged = false;
    for (const Step& step : schedule.steps) {
        if (step.stage != stage || step.kind != StepKind::Recompute || !plan.mayPage(step.node))
            continue;
        for (const Gap& gap : plan.gaps(step.node))
            if (plan.choice(gap) == GapChoice::Recompute) {
                plan.choose(gap, GapChoice::Page);
                hasChanged = true;
            }
    }
    return hasChanged;
}

}  // namespace

Expected<void> evictUntilItFits(GapPlan& plan, BestSchedule& best, const CostGraph& graph, TransferModel model, std::int64_t budgetBytes,
                                const std::function<Eviction(const GapPlan&, const Gap&)>& score, const std::function<bool()>& wantsStop)
{
    while (!wantsStop || !wantsStop()) {
        POET_TRY(schedule, plan.schedule());
        POET_TRY(fits, best.offer(schedule));
        if (fits)
            return {};
        POET_TRY(report, replay(graph, model, schedule));
        // The first stage over budget, not the highest: later ones may vanish with it.
        int stage = -1;
        std::int64_t excess = 0;
        for (std::size_t i = 0; i < report.duringBytes.size(); ++i) {
            if (stage >= 0 ? report.schedule.steps[i].stage != stage : report.duringBytes[i] <= budgetBytes)
                continue;
            stage = report.schedule.steps[i].stage;
            excess = std::max(excess, report.duringBytes[i] - budgetBytes);
        }
        bool hasChanged = false;
        while (excess > 0) {
            const std::int64_t dropped = dropOne(plan, graph, stage, score);
            if (dropped == 0)
                break;
            excess -= dropped;
            hasChanged = true;
        }
        if (!hasChanged && !pageWhatIsRecomputed(plan, schedule, stage))
            return {};
    }
    return {};
}

}  // namespace poet::planning

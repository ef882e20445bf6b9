// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/plan_facts.h"

#include <algorithm>

namespace poet {

PlanFacts makePlanFacts(const CostGraph& graph, const Plan& plan)
{
    const std::vector<Step>& steps = plan.replay.schedule.steps;
    PlanFacts facts;
    const std::size_t n = graph.nodes.size();
    facts.stepsOf.resize(n);
    facts.fates = fatesOf(graph, plan.replay.schedule);
    facts.residenciesOf.resize(n);
    facts.lastUseStep.resize(n, -1);
    std::vector<int> open(n, -1);
    const auto close = [&](std::size_t node, int step, double seconds) {
        if (open[node] < 0)
            return;
        Residency& stay = facts.residencies[static_cast<std::size_t>(open[node])];
        stay.endStep = step;
        stay.endSeconds = seconds;
        open[node] = -1;
    };
    for (std::size_t s = 0; s < steps.size(); ++s) {
        const Step& step = steps[s];
        const auto node = static_cast<std::size_t>(step.node);
        const int index = static_cast<int>(s);
        if (step.kind == StepKind::Free) {
            close(node, index, step.endSeconds);
            continue;
        }
        facts.stepsOf[node].push_back(index);
        facts.lastUseStep[node] = index;
        if (step.kind == StepKind::PageOut)
            continue;
        if (step.kind != StepKind::PageIn)
            for (NodeId input : graph.nodes[node].inputs)
                facts.lastUseStep[static_cast<std::size_t>(input)] = index;
        close(node, index, step.startSeconds);
        open[node] = static_cast<int>(facts.residencies.size());
        facts.residenciesOf[node].push_back(open[node]);
        facts.residencies.push_back({step.node, index, static_cast<int>(steps.size()), step.startSeconds, plan.replay.seconds,
                                     graph.nodes[node].bytes, step.offset});
    }
    return facts;
}

TensorState PlanFacts::stateAt(const Schedule& schedule, NodeId node, int step) const
{
    const auto i = static_cast<std::size_t>(node);
    bool isWritten = false;
    bool isMade = false;
    for (int s : stepsOf[i]) {
        const Step& own = schedule.steps[static_cast<std::size_t>(s)];
        if (s > step)
            break;
        isMade = true;
        if (s == step && own.kind == StepKind::PageOut)
            return TensorState::MovingOut;
        if (s == step && own.kind == StepKind::PageIn)
            return TensorState::MovingIn;
        isWritten = isWritten || own.kind == StepKind::PageOut;
    }
    if (!isMade)
        return TensorState::NotYet;
    for (int r : residenciesOf[i]) {
        const Residency& stay = residencies[static_cast<std::size_t>(r)];
        if (stay.beginStep <= step && step < stay.endStep)
            return isWritten ? TensorState::InRamWithCopy : TensorState::InRam;
    }
    if (lastUseStep[i] <= step)
        return TensorState::Dead;
    // What comes next decides: a page-in needs a copy in the store, a recompute does not.
    for (int s : stepsOf[i])
        if (s > step)
            return schedule.steps[static_cast<std::size_t>(s)].kind == StepKind::PageIn ? TensorState::Flash : TensorState::Nowhere;
    return isWritten ? TensorState::Flash : TensorState::Dead;
}

std::vector<NodeId> PlanFacts::residentAt(const CostGraph& graph, int step) const
{
    std::vector<NodeId> found;
    for (const Residency& stay : residencies) {
        if (stay.beginStep > step)
            break;
        if (step < stay.endStep && stay.bytes > 0)
            found.push_back(stay.node);
    }
    std::sort(found.begin(), found.end(), [&](NodeId a, NodeId b) {
        const std::int64_t left = graph.nodes[static_cast<std::size_t>(a)].bytes;
        const std::int64_t right = graph.nodes[static_cast<std::size_t>(b)].bytes;
        return left != right ? left > right : a < b;
    });
    return found;
}

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/why.h"

#include <algorithm>
#include <numeric>

namespace poet {

namespace {

/// How often a schedule runs and moves one tensor.
struct Traffic {
    int runs = 0;
    int pageOuts = 0;
    int pageIns = 0;
};

Traffic trafficOf(const Schedule& schedule, NodeId node)
{
    Traffic traffic;
    for (const Step& step : schedule.steps) {
        if (step.node != node)
            continue;
        traffic.runs += step.kind == StepKind::Compute || step.kind == StepKind::Recompute ? 1 : 0;
        traffic.pageOuts += step.kind == StepKind::PageOut ? 1 : 0;
        traffic.pageIns += step.kind == StepKind::PageIn ? 1 : 0;
    }
    return traffic;
}

/// `now` moves until the energies meet: `extra` joules at `share` joules per unit of relative change. Nothing when no
/// value that is not negative does it.
std::optional<double> threshold(double now, double extra, double share)
{
    if (now <= 0 || share == 0)
        return {};
    const double value = now * (1 - extra / share);
    return value > 0 ? std::optional<double>(value) : std::nullopt;
}

Verdict judge(const CostGraph& graph, const Plan& plan, const PlanLimits& limits, NodeId node, const Alternative& item)
{
    Verdict verdict;
    if (!item.isPossible)
        return verdict;
    const DeviceTerms& device = graph.device;
    const ReplayReport& report = item.replay;
    verdict.extraJoules = item.isChosen ? 0 : report.energyJoules - plan.replay.energyJoules;
    verdict.missingBytes = std::max<std::int64_t>(0, report.peakBytes + device.residentBytes - limits.memoryBytes);
    if (limits.deadlineSeconds && report.seconds > *limits.deadlineSeconds * (1 + 1e-9))
        verdict.lateSeconds = report.seconds - *limits.deadlineSeconds;
    verdict.isStoreOver = (device.storeCapacityBytes && report.storeBytes > *device.storeCapacityBytes) ||
                          (device.writeLimitBytesPerStep && report.writtenBytes > *device.writeLimitBytesPerStep);
    if (item.isChosen || verdict.extraJoules <= 0)
        return verdict;
    const CostNode& costs = graph.nodes[static_cast<std::size_t>(node)];
    const Traffic mine = trafficOf(report.schedule, node);
    const Traffic plans = trafficOf(plan.replay.schedule, node);
    verdict.runJoules = threshold(costs.compute.joules, verdict.extraJoules, (mine.runs - plans.runs) * costs.compute.joules);
    verdict.roundTripJoules = threshold(costs.pageIn.joules + costs.pageOut.joules, verdict.extraJoules,
                                        (mine.pageOuts - plans.pageOuts) * costs.pageOut.joules + (mine.pageIns - plans.pageIns) * costs.pageIn.joules);
    return verdict;
}

/// Fills in the life of a tensor: where it begins and ends, and how long it is in RAM.
void addLife(const CostGraph& graph, const Plan& plan, Why& why)
{
    const auto& steps = plan.replay.schedule.steps;
    std::optional<double> since;
    bool hasBegun = false;
    for (std::size_t s = 0; s < steps.size(); ++s) {
        const Step& step = steps[s];
        const bool isRun = step.kind == StepKind::Compute || step.kind == StepKind::Recompute;
        const auto& inputs = graph.nodes[static_cast<std::size_t>(step.node)].inputs;
        const bool isUse = isRun && std::ranges::find(inputs, why.node) != inputs.end();
        why.uses += isUse ? 1 : 0;
        if (step.node != why.node && !isUse)
            continue;
        if (!hasBegun) {
            hasBegun = true;
            why.beginStep = static_cast<int>(s);
            why.beginSeconds = step.startSeconds;
        }
        why.endStep = static_cast<int>(s) + 1;
        why.endSeconds = step.endSeconds;
        if (step.node != why.node || step.kind == StepKind::PageOut)
            continue;
        if (step.kind != StepKind::Free) {
            since = since.value_or(step.startSeconds);
        } else if (since) {
            why.ramSeconds += step.endSeconds - *since;
            since.reset();
        }
    }
    if (since)
        why.ramSeconds += why.endSeconds - *since;
}

/// Byte-seconds of RAM of each tensor in one pass.
std::vector<double> occupation(const CostGraph& graph, const Plan& plan)
{
    std::vector<double> total(graph.nodes.size(), 0.0);
    std::vector<std::optional<double>> since(graph.nodes.size());
    const auto close = [&](std::size_t node, double end) {
        if (since[node])
            total[node] += static_cast<double>(graph.nodes[node].bytes) * (end - *since[node]);
        since[node].reset();
    };
    for (const Step& step : plan.replay.schedule.steps) {
        const auto node = static_cast<std::size_t>(step.node);
        if (step.kind == StepKind::Free)
            close(node, step.endSeconds);
        else if (step.kind != StepKind::PageOut && !since[node])
            since[node] = step.startSeconds;
    }
    for (std::size_t node = 0; node < since.size(); ++node)
        close(node, plan.replay.seconds);
    return total;
}

}  // namespace

PlanLimits limitsOf(const Plan& plan) { return {plan.memoryBytes, plan.deadlineSeconds}; }

Why explainTensor(const CostGraph& graph, const Plan& plan, const PlanLimits& limits, NodeId node)
{
    Why why;
    why.node = node;
    why.fate = fatesOf(graph, plan.replay.schedule)[static_cast<std::size_t>(node)];
    addLife(graph, plan, why);
    why.isAtPeak = std::ranges::count(tensorsInRam(plan.replay.schedule, graph, plan.replay.peakStep), node) > 0;
    why.alternatives = alternativesFor(graph, plan.transfer, plan.replay.schedule, node);
    for (const Alternative& item : why.alternatives)
        why.verdicts.push_back(judge(graph, plan, limits, node, item));
    return why;
}

std::vector<NodeId> tensorsOfInterest(const CostGraph& graph, const Plan& plan, std::size_t mostKept)
{
    const auto fates = fatesOf(graph, plan.replay.schedule);
    const auto weight = occupation(graph, plan);
    std::vector<NodeId> keptOnes;
    std::vector<NodeId> chosen;
    for (NodeId node = 0; node < graph.size(); ++node)
        (fates[static_cast<std::size_t>(node)] == Fate::Kept ? keptOnes : chosen).push_back(node);
    std::ranges::stable_sort(keptOnes, [&](NodeId a, NodeId b) { return weight[static_cast<std::size_t>(a)] > weight[static_cast<std::size_t>(b)]; });
    keptOnes.resize(std::min(keptOnes.size(), mostKept));
    chosen.insert(chosen.end(), keptOnes.begin(), keptOnes.end());
    std::ranges::sort(chosen);
    return chosen;
}

std::vector<NodeId> tensorsInRam(const Schedule& schedule, const CostGraph& graph, int step)
{
    std::vector<bool> isInRam(graph.nodes.size(), false);
    for (int s = 0; s <= step && s < static_cast<int>(schedule.steps.size()); ++s) {
        const Step& at = schedule.steps[static_cast<std::size_t>(s)];
        if (at.kind == StepKind::Free)
            isInRam[static_cast<std::size_t>(at.node)] = false;
        else if (at.kind != StepKind::PageOut)
            isInRam[static_cast<std::size_t>(at.node)] = true;
    }
    std::vector<NodeId> found;
    for (NodeId node = 0; node < graph.size(); ++node)
        if (isInRam[static_cast<std::size_t>(node)] && graph.nodes[static_cast<std::size_t>(node)].bytes > 0)
            found.push_back(node);
    std::ranges::stable_sort(found, [&](NodeId a, NodeId b) { return graph.nodes[static_cast<std::size_t>(a)].bytes > graph.nodes[static_cast<std::size_t>(b)].bytes; });
    return found;
}

}  // namespace poet

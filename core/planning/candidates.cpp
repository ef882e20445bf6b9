// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/planning/candidates.h"
#include "core/planning/linear_program.h"

#include <algorithm>

namespace poet::planning {
namespace {

/// A tensor below this part of the budget is tiny.
constexpr std::int64_t kTinyShare = 2048;

/// True when paging `id` out and in again is never worse than running it again.
bool isDominated(const Problem& problem, const Charges& charges, NodeId id, bool withTimeRule)
{
    const CostNode& node = problem.graph->nodes[static_cast<std::size_t>(id)];
    if (charges.recompute(id) < charges.pageIn(id) + charges.pageOut(id))
        return false;
    if (withTimeRule && charges.transfersTakeTime)
        return node.compute.seconds >= node.pageIn.seconds + node.pageOut.seconds;
    return true;
}

/// Per tensor the last stage in which it may be read: by a main node, or by the recompute of a tensor that is needed; -1 = none.
std::vector<int> lastNeeds(const CostGraph& graph, const Choices& choices)
{
    const std::vector<bool>& expands = choices.expanding();
    std::vector<int> lastNeed(graph.nodes.size(), -1);
    for (NodeId reader = graph.size() - 1; reader >= 0; --reader) {
        const std::size_t r = static_cast<std::size_t>(reader);
        const int reads = expands[r] ? std::max(reader, lastNeed[r]) : reader;
        for (const NodeId input : graph.nodes[r].inputs)
            lastNeed[static_cast<std::size_t>(input)] = std::max(lastNeed[static_cast<std::size_t>(input)], reads);
    }
    return lastNeed;
}

}  // namespace

Choices findChoices(const Problem& problem, bool useDominance, bool withTimeRule)
{
    const CostGraph& graph = *problem.graph;
    const bool pages = problem.strategy == Strategy::Integrated || problem.strategy == Strategy::Paging;
    const bool recomputes = problem.strategy == Strategy::Integrated || problem.strategy == Strategy::Recompute;
    const bool hasStoreLimits = graph.device.storeCapacityBytes || graph.device.writeLimitBytesPerStep;
    const Charges charges(problem);
    const auto consumers = graph.consumers();
    Choices choices{std::vector<bool>(graph.nodes.size()), std::vector<bool>(graph.nodes.size())};
    for (NodeId id = 0; id < graph.size(); ++id) {
        const std::size_t i = static_cast<std::size_t>(id);
        if (consumers[i].empty())
            continue;
        const bool fits = !graph.device.storeCapacityBytes || graph.nodes[i].bytes <= *graph.device.storeCapacityBytes;
        choices.mayPage[i] = pages && graph.nodes[i].pageable && fits;
        choices.mayRecompute[i] = recomputes && graph.mayRecompute(id, problem.transfer);
        if (useDominance && !hasStoreLimits && choices.mayPage[i] && choices.mayRecompute[i] && isDominated(problem, charges, id, withTimeRule))
            choices.mayRecompute[i] = false;
    }
    return choices;
}

void dropTooExpensive(const Problem& problem, double overheadJoules, double keepAllSeconds, Choices& choices)
{
    const Charges charges(problem);
    const double slack = problem.deadlineSeconds ? (*problem.deadlineSeconds - keepAllSeconds) * (1 + 1e-6) + 1e-12 : kInfinity;
    // In dma a transfer may hide behind compute: then only its joules are sure.
    const bool mayHide = problem.transfer == TransferModel::Dma;
    for (NodeId id = 0; id < problem.graph->size(); ++id) {
        const std::size_t i = static_cast<std::size_t>(id);
        const CostNode& node = problem.graph->nodes[i];
        if (charges.recompute(id) > overheadJoules || node.compute.seconds > slack)
            choices.mayRecompute[i] = false;
        const double page = mayHide ? node.pageIn.joules + node.pageOut.joules : charges.pageIn(id) + charges.pageOut(id);
        const double seconds = mayHide || !charges.transfersTakeTime ? 0 : node.pageIn.seconds + node.pageOut.seconds;
        if (page > overheadJoules || seconds > slack)
            choices.mayPage[i] = false;
    }
}

bool relaxTiny(const Problem& problem, Choices& choices)
{
    const CostGraph& graph = *problem.graph;
    choices.isTiny.assign(graph.nodes.size(), false);
    bool hasTiny = false;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        if (graph.nodes[i].bytes > problem.budgetBytes() / kTinyShare)
            continue;
        choices.isTiny[i] = hasTiny = true;
        choices.mayPage[i] = choices.mayRecompute[i] = false;
    }
    return hasTiny;
}

std::int64_t countEveryCandidate(const CostGraph& graph, const Choices& choices, std::int64_t most)
{
    const std::vector<int> lastNeed = lastNeeds(graph, choices);
    std::int64_t count = 0;
    for (NodeId id = 0; id < graph.size() && count <= most; ++id)
        if (choices.mayRecompute[static_cast<std::size_t>(id)])
            count += std::max(0, lastNeed[static_cast<std::size_t>(id)] - id);
    return std::min(count, most + 1);
}

Events findEvents(const CostGraph& graph, const Choices& choices, CandidateSets sets, const std::function<bool()>& wantsStop)
{
    const std::vector<int> lastNeed = lastNeeds(graph, choices);
    Events events;
    events.candidates.resize(graph.nodes.size());
    events.stages.resize(graph.nodes.size());
    const std::vector<bool>& expands = choices.expanding();
    std::vector<int> memberOf(graph.nodes.size(), -1);
    std::vector<NodeId> work;
    for (int stage = 0; stage < graph.size() && events.isComplete; ++stage) {
        events.isComplete = !(wantsStop && wantsStop());
        auto& members = events.candidates[static_cast<std::size_t>(stage)];
        const auto add = [&](NodeId id) {
            if (memberOf[static_cast<std::size_t>(id)] == stage || choices.tiny(id))
                return;
            memberOf[static_cast<std::size_t>(id)] = stage;
            members.push_back(id);
            work.push_back(id);
        };
        const bool isForward = graph.nodes[static_cast<std::size_t>(stage)].phase == Phase::Forward;
        for (const NodeId input : graph.nodes[static_cast<std::size_t>(stage)].inputs)
            add(input);
        for (NodeId id = 0; sets == CandidateSets::Every && id < stage; ++id)
            if (choices.mayRecompute[static_cast<std::size_t>(id)] && lastNeed[static_cast<std::size_t>(id)] > stage)
                add(id);
        while (!work.empty()) {
            const NodeId id = work.back();
            work.pop_back();
            if (!expands[static_cast<std::size_t>(id)] || (sets == CandidateSets::Restricted && isForward && id == stage - 1))
                continue;
            for (const NodeId input : graph.nodes[static_cast<std::size_t>(id)].inputs)
                add(input);
        }
        // It may pay to recompute early, while the inputs happen to be in RAM. What has no inputs can wait; with it, everything
        // computed from it would be a candidate everywhere (three times the program in `paper`).
        for (NodeId id = 0; sets == CandidateSets::Ready && id < stage; ++id) {
            const auto& inputs = graph.nodes[static_cast<std::size_t>(id)].inputs;
            if (inputs.empty() || !choices.mayRecompute[static_cast<std::size_t>(id)] || lastNeed[static_cast<std::size_t>(id)] <= stage ||
                memberOf[static_cast<std::size_t>(id)] == stage)
                continue;
            if (std::all_of(inputs.begin(), inputs.end(), [&](NodeId input) { return choices.tiny(input) || memberOf[static_cast<std::size_t>(input)] == stage; })) {
                memberOf[static_cast<std::size_t>(id)] = stage;
                members.push_back(id);
            }
        }
        std::sort(members.begin(), members.end());
    }
    for (int stage = 0; stage < graph.size(); ++stage) {
        events.stages[static_cast<std::size_t>(stage)].insert(events.stages[static_cast<std::size_t>(stage)].begin(), stage);
        for (const NodeId id : events.candidates[static_cast<std::size_t>(stage)])
            events.stages[static_cast<std::size_t>(id)].push_back(stage);
    }
    return events;
}

}  // namespace poet::planning

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/support/hand_made.h"

#include <algorithm>

namespace poet::test {

CostGraph chainGraph(int length, TransferModel transfer)
{
    CostGraph graph;
    graph.name = "chain";
    graph.device.transfer = transfer;
    graph.device.residentBytes = 2048;
    const auto add = [&](const std::string& name, Phase phase, std::vector<NodeId> inputs, std::int64_t bytes) {
        CostNode node;
        node.name = name;
        node.phase = phase;
        node.inputs = std::move(inputs);
        node.bytes = bytes;
        node.compute = {1e-3, 1e-3};
        node.pageIn = {0.5e-3, 2e-3};
        node.pageOut = {0.5e-3, 2e-3};
        node.recomputable = phase == Phase::Forward && !node.inputs.empty();
        graph.nodes.push_back(node);
    };
    for (int i = 0; i < length; ++i)
        add("op" + std::to_string(i), Phase::Forward, i > 0 ? std::vector<NodeId>{i - 1} : std::vector<NodeId>{}, 1024 * (1 + i % 8));
    for (int i = length - 1; i > 0; --i) {
        std::vector<NodeId> inputs{i - 1, i};
        if (i < length - 1)
            inputs.push_back(graph.size() - 1);
        add("op" + std::to_string(i) + "\u2032", Phase::Backward, inputs, 1024 * (1 + (i - 1) % 8));
    }
    return graph;
}

ProblemPtr chainProblem(int length, TransferModel transfer, bool hasBlocks)
{
    auto problem = makeProblem(chainGraph(length, transfer), nullptr, QStringLiteral("chain.json"), QString(), {}, {});
    if (!problem)
        qFatal("%s", problem.error().text().c_str());
    if (!hasBlocks)
        return *problem;
    auto changed = std::make_shared<Problem>(**problem);
    for (std::size_t i = 0; i < changed->facts.size(); ++i) {
        const int forward = changed->facts[i].place.forward >= 0 ? changed->facts[i].place.forward : static_cast<int>(i);
        changed->facts[i].block = QStringLiteral("block%1").arg(forward / 3);
    }
    return changed;
}

Schedule pagedSchedule(const CostGraph& graph, const std::set<NodeId>& paged)
{
    const auto consumers = graph.consumers();
    const auto firstBackward = [&](NodeId node) {
        for (NodeId reader : consumers[static_cast<std::size_t>(node)])
            if (graph.nodes[static_cast<std::size_t>(reader)].phase == Phase::Backward)
                return reader;
        return -1;
    };
    const auto lastForward = [&](NodeId node) {
        NodeId last = node;
        for (NodeId reader : consumers[static_cast<std::size_t>(node)])
            if (graph.nodes[static_cast<std::size_t>(reader)].phase == Phase::Forward)
                last = reader;
        return last;
    };
    Schedule schedule;
    for (NodeId t = 0; t < graph.size(); ++t) {
        for (NodeId node : paged)
            if (firstBackward(node) == t)
                schedule.steps.push_back({.stage = t, .kind = StepKind::PageIn, .node = node});
        schedule.steps.push_back({.stage = t, .kind = StepKind::Compute, .node = t});
        if (paged.contains(t))
            schedule.steps.push_back({.stage = t, .kind = StepKind::PageOut, .node = t});
        for (NodeId node : paged)
            if (lastForward(node) == t)
                schedule.steps.push_back({.stage = t, .kind = StepKind::Free, .node = node});
        for (NodeId input : graph.nodes[static_cast<std::size_t>(t)].inputs)
            if (consumers[static_cast<std::size_t>(input)].back() == t)
                schedule.steps.push_back({.stage = t, .kind = StepKind::Free, .node = input});
        if (consumers[static_cast<std::size_t>(t)].empty())
            schedule.steps.push_back({.stage = t, .kind = StepKind::Free, .node = t});
    }
    return schedule;
}

PlanPtr planOf(const Problem& problem, const Schedule& schedule, Strategy strategy)
{
    auto report = replay(*problem.graph, problem.graph->device.transfer, schedule);
    if (!report)
        qFatal("%s", report.error().text().c_str());
    auto plan = std::make_shared<Plan>();
    plan->status = SolveStatus::Feasible;
    plan->strategy = strategy;
    plan->transfer = problem.graph->device.transfer;
    plan->replay = std::move(*report);
    plan->memoryBytes = plan->replay.peakBytes + problem.residentBytes();
    plan->keepAllEnergyJoules = problem.keepAll->replay.energyJoules;
    plan->keepAllSeconds = problem.keepAll->replay.seconds;
    plan->keepAllPeakBytes = problem.keepAllPeakBytes;
    plan->largestWorkingSetBytes = problem.wallBytes;
    return plan;
}

PlanPtr scriptedAnswer(const Problem& problem, std::int64_t memoryBytes)
{
    PlanPtr best = problem.keepAllPeakBytes <= memoryBytes ? problem.keepAll : nullptr;
    std::set<NodeId> paged;
    for (NodeId node = 1; node + 2 < problem.graph->size() / 2 && !best; ++node) {
        paged.insert(node);
        PlanPtr plan = planOf(problem, pagedSchedule(*problem.graph, paged));
        if (memoryNeed(*problem.graph, *plan) <= memoryBytes)
            best = plan;
    }
    return best;
}

}  // namespace poet::test

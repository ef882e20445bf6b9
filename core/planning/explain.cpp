// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/planning/explain.h"

#include "core/base/units.h"
#include "core/planning/baselines/baselines.h"
#include "core/schedule/why.h"

#include <algorithm>
#include <limits>

namespace poet::planning {
namespace {

constexpr double kTolerance = 1 + 1e-9;  ///< of deadlines, as in fitsLimits

}  // namespace

CostGraph timeGraph(const Problem& problem)
{
    CostGraph graph = *problem.graph;
    const bool isPaper = problem.transfer == TransferModel::Paper;
    for (CostNode& node : graph.nodes) {
        node.compute.joules = isPaper ? node.compute.seconds : 0;
        node.pageIn.joules = node.pageOut.joules = 0;
    }
    graph.device.idleWatts = isPaper ? 0 : 1;
    graph.device.periodSeconds.reset();
    return graph;
}

Problem timeProblem(const Problem& problem)
{
    Problem timed = problem;
    timed.graph = std::make_shared<const CostGraph>(timeGraph(problem));
    timed.deadlineSeconds.reset();
    return timed;
}

Expected<DeadlineRange> findSmallestDeadline(const Problem& problem, double gap, double seconds, ProgressSink& sink)
{
    SolveParams params;
    params.gap = gap;
    params.timeLimitSeconds = seconds;
    StopOnly quiet(sink);
    POET_TRY(plan, solve(timeProblem(problem), params, quiet));
    DeadlineRange range;
    range.bound = plan.isRestrictedProof ? plan.keepAllSeconds : plan.boundJoules;
    if (plan.hasSchedule())
        range.best = plan.replay.seconds;
    range.isProven = plan.status == SolveStatus::Optimal && !plan.isRestrictedProof;
    return range;
}

Expected<std::optional<double>> smallestDeadline(const Problem& problem, double gap, double seconds, ProgressSink& sink)
{
    POET_TRY(range, findSmallestDeadline(problem, gap, seconds, sink));
    return range.isProven ? range.best : std::optional<double>{};
}

Expected<MemoryRange> findSmallestMemory(const Problem& problem, double seconds, ProgressSink& sink)
{
    StopOnly quiet(sink);
    SolveParams params;
    params.gap = 1e-6;
    params.timeLimitSeconds = seconds;
    // Joules of the graph of times are seconds.
    const double most = problem.deadlineSeconds ? *problem.deadlineSeconds * kTolerance : std::numeric_limits<double>::max();
    return findMemoryWithin(timeProblem(problem), most, params, quiet);
}

namespace {

/// While `node` runs with these tensors in RAM: what there is, largest first.
void tellRam(const CostGraph& graph, NodeId id, bool isRun, const std::vector<NodeId>& tensors, InfeasibleReason& why)
{
    const CostNode& node = graph.nodes[static_cast<std::size_t>(id)];
    why.node = node.name;
    why.inRam.clear();
    for (const NodeId tensor : tensors)
        why.inRam.push_back({graph.nodes[static_cast<std::size_t>(tensor)].name, graph.nodes[static_cast<std::size_t>(tensor)].bytes});
    if (isRun && node.workspaceBytes > 0)
        why.inRam.push_back({"workspace", node.workspaceBytes});
    if (graph.device.residentBytes > 0)
        why.inRam.push_back({"resident", graph.device.residentBytes});
    std::ranges::stable_sort(why.inRam, std::greater<>(), &RamItem::bytes);
}

/// The working set of the wall's node where not even that fits, else the peak of the plan of smallest memory.
void tellMoment(const Problem& problem, const ProblemFacts& facts, const ReplayReport& smallest, InfeasibleReason& why)
{
    const CostGraph& graph = *problem.graph;
    if (problem.memoryBytes < facts.largestWorkingSetBytes && facts.broughtTensor < 0) {
        std::vector<NodeId> tensors = graph.nodes[static_cast<std::size_t>(facts.largestWorkingSetNode)].inputs;
        tensors.push_back(facts.largestWorkingSetNode);
        tellRam(graph, facts.largestWorkingSetNode, true, tensors, why);
        return;
    }
    const Step& at = smallest.schedule.steps[static_cast<std::size_t>(smallest.peakStep)];
    tellRam(graph, at.node, at.kind == StepKind::Compute || at.kind == StepKind::Recompute, tensorsInRam(smallest.schedule, graph, smallest.peakStep), why);
}

}  // namespace

Expected<void> explainInfeasible(const Problem& problem, double gap, double seconds, ProgressSink& sink, Plan& plan)
{
    if (plan.status != SolveStatus::Infeasible || !plan.infeasible || isBaseline(problem.strategy))
        return {};
    InfeasibleReason& why = *plan.infeasible;
    POET_TRY(memory, findSmallestMemory(problem, seconds / 2, sink));
    why.smallestMemoryBytes.reset();
    if (!memory.isImpossible) {
        why.smallestMemoryBytes = memory.best;
        if (!memory.isProven())
            why.memoryBoundBytes = memory.bound;
        POET_TRY(facts, findFacts(*problem.graph, problem.transfer));
        tellMoment(problem, facts, memory.plan, why);
    }
    if (!problem.deadlineSeconds || problem.memoryBytes < plan.largestWorkingSetBytes)
        return {};
    // The planner proves it itself, except where it only compares with the operations' own time.
    const bool isKnown = why.smallestDeadlineSeconds && (plan.keepAllSeconds <= *problem.deadlineSeconds || problem.memoryBytes >= plan.keepAllPeakBytes);
    if (isKnown)
        return {};
    POET_TRY(range, findSmallestDeadline(problem, std::min(gap, 1e-4), seconds / 2, sink));
    why.smallestDeadlineSeconds = range.best;
    if (!range.isProven)
        why.deadlineBoundSeconds = range.bound;
    return {};
}

std::optional<InfeasibleReason> impossibleAtOnce(const Problem& problem, const ProblemFacts& facts)
{
    const CostGraph& graph = *problem.graph;
    const auto nameOf = [&](NodeId id) { return graph.nodes[static_cast<std::size_t>(id)].name; };
    if (problem.memoryBytes < facts.largestWorkingSetBytes) {
        const std::string node = nameOf(facts.largestWorkingSetNode);
        const std::string resident = formatBytes(graph.device.residentBytes) + " resident); the memory is " +
                                     formatBytesBeside(problem.memoryBytes, facts.largestWorkingSetBytes) + ".";
        const std::string needs = formatBytesBeside(facts.largestWorkingSetBytes, problem.memoryBytes);
        const std::string reason = facts.broughtTensor < 0
                                       ? "'" + node + "' needs " + needs + " at once (output, inputs, workspace and " + resident
                                       : "'" + node + "' reads '" + nameOf(facts.broughtTensor) + "', and bringing it there needs " + needs +
                                             " in one of the stages between (" + resident;
        InfeasibleReason why{reason, node, {}, {}};
        if (problem.strategy == Strategy::KeepAll)
            why.smallestMemoryBytes = facts.keepAllPeakBytes;
        else if (isBaseline(problem.strategy))
            why.memoryBoundBytes = facts.largestWorkingSetBytes;  // it may well need more than the wall
        else
            why.smallestMemoryBytes = facts.largestWorkingSetBytes;
        return why;
    }
    if (problem.deadlineSeconds && facts.keepAll.seconds > *problem.deadlineSeconds * kTolerance)
        return InfeasibleReason{"The operations alone take " + formatSecondsBeside(facts.keepAll.seconds, *problem.deadlineSeconds) + "; the deadline is " +
                                    formatSecondsBeside(*problem.deadlineSeconds, facts.keepAll.seconds) + ".",
                                "", {}, facts.keepAll.seconds};
    if (problem.strategy == Strategy::KeepAll && !fitsLimits(problem, facts.keepAll)) {
        const auto& peak = facts.keepAll.schedule.steps[static_cast<std::size_t>(facts.keepAll.peakStep)];
        return InfeasibleReason{"Keeping everything needs " + formatBytesBeside(facts.keepAllPeakBytes, problem.memoryBytes) + "; the memory is " +
                                    formatBytesBeside(problem.memoryBytes, facts.keepAllPeakBytes) + ".", nameOf(peak.node),
                                facts.keepAllPeakBytes, {}};
    }
    return std::nullopt;
}

}  // namespace poet::planning

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/planning/problem.h"

#include <algorithm>

namespace poet::planning {

namespace {

/// Least RAM of the stage of `node`. In `paper` the tensor of the stage before stays through this stage when it is held or
/// paged out, so it counts when somebody needs it later and it cannot be had again.
std::int64_t stageBytes(const CostGraph& graph, TransferModel transfer, const std::vector<std::vector<NodeId>>& consumers, NodeId node)
{
    const std::int64_t bytes = graph.workingSetBytes(node);
    if (transfer != TransferModel::Paper || node == 0)
        return bytes;
    const NodeId before = node - 1;
    const auto& inputs = graph.nodes[static_cast<std::size_t>(node)].inputs;
    const auto& readers = consumers[static_cast<std::size_t>(before)];
    const bool isRead = std::ranges::find(inputs, before) != inputs.end();
    const bool isNeeded = !readers.empty() && readers.back() > node;
    return bytes + (!isRead && isNeeded && !graph.mayRecompute(before, transfer) ? graph.nodes[static_cast<std::size_t>(before)].bytes : 0);
}

}  // namespace

Expected<ProblemFacts> findFacts(const CostGraph& graph, TransferModel transfer)
{
    POET_CHECK(validate(graph));
    POET_TRY(keepAll, replay(graph, transfer, keepAllSchedule(graph)));
    const auto consumers = graph.consumers();
    ProblemFacts facts;
    facts.keepAllPeakBytes = keepAll.peakBytes + graph.device.residentBytes;
    facts.keepAll = std::move(keepAll);
    for (NodeId node = 0; node < graph.size(); ++node) {
        const std::int64_t bytes = stageBytes(graph, transfer, consumers, node) + graph.device.residentBytes;
        if (facts.largestWorkingSetNode < 0 || bytes > facts.largestWorkingSetBytes) {
            facts.largestWorkingSetNode = node;
            facts.largestWorkingSetBytes = bytes;
        }
    }
    return facts;
}

Charges::Charges(const Problem& problem)
    : idleWatts(problem.transfer == TransferModel::Paper ? 0 : problem.graph->device.idleWatts),
      transfersTakeTime(problem.transfer != TransferModel::Paper), m_graph(*problem.graph)
{
}

double Charges::recompute(NodeId node) const
{
    const Cost& cost = m_graph.nodes[static_cast<std::size_t>(node)].compute;
    return cost.joules + idleWatts * cost.seconds;
}

double Charges::pageIn(NodeId node) const
{
    const Cost& cost = m_graph.nodes[static_cast<std::size_t>(node)].pageIn;
    return cost.joules + idleWatts * cost.seconds;
}

double Charges::pageOut(NodeId node) const
{
    const Cost& cost = m_graph.nodes[static_cast<std::size_t>(node)].pageOut;
    return cost.joules + idleWatts * cost.seconds;
}

bool fitsLimits(const Problem& problem, const ReplayReport& report)
{
    const DeviceTerms& device = problem.graph->device;
    if (report.peakBytes > problem.budgetBytes())
        return false;
    if (problem.deadlineSeconds && report.seconds > *problem.deadlineSeconds * (1 + 1e-9))
        return false;
    if (device.storeCapacityBytes && report.storeBytes > *device.storeCapacityBytes)
        return false;
    return !device.writeLimitBytesPerStep || report.writtenBytes <= *device.writeLimitBytesPerStep;
}

}  // namespace poet::planning

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/planning/problem.h"

#include "core/schedule/stage_bytes.h"

namespace poet::planning {

Expected<ProblemFacts> findFacts(const CostGraph& graph, TransferModel transfer)
{
    POET_CHECK(validate(graph));
    POET_TRY(keepAll, replay(graph, transfer, keepAllSchedule(graph)));
    const Wall wall = findWall(graph, transfer);
    ProblemFacts facts;
    facts.keepAllPeakBytes = keepAll.peakBytes + graph.device.residentBytes;
    facts.keepAll = std::move(keepAll);
    facts.largestWorkingSetNode = wall.node;
    facts.largestWorkingSetBytes = wall.bytes + graph.device.residentBytes;
    facts.broughtTensor = wall.brought;
    return facts;
}

Charges::Charges(const Problem& problem)
    : idleWatts(problem.graph->device.idleWattsOfTime(problem.transfer)),
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

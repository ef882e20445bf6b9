// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/planning/explain.h"

namespace poet::planning {
namespace {

/// Passes on only the wish to stop: schedules and bounds of the time problem are not those of the caller's.
class StopOnly : public ProgressSink {
public:
    explicit StopOnly(ProgressSink& outer) : m_outer(outer) {}
    bool wantsStop() override { return m_outer.wantsStop(); }

private:
    ProgressSink& m_outer;
};

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
    return graph;
}

Expected<std::optional<double>> smallestDeadline(const Problem& problem, double gap, double seconds, ProgressSink& sink)
{
    Problem timed = problem;
    timed.graph = std::make_shared<const CostGraph>(timeGraph(problem));
    timed.deadlineSeconds.reset();
    SolveParams params;
    params.gap = gap;
    params.timeLimitSeconds = seconds;
    StopOnly quiet(sink);
    POET_TRY(plan, solve(timed, params, quiet));
    if (plan.status != SolveStatus::Optimal)
        return std::optional<double>{};
    return std::optional<double>{plan.replay.seconds};
}

}  // namespace poet::planning

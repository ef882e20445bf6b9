// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/planning/why_not.h"

namespace poet::planning {

Expected<Plan> solveWithChoice(const Problem& problem, SolveParams params, NodeId node, Choice choice, const Schedule& known, ProgressSink& sink)
{
    CostGraph graph = *problem.graph;
    CostNode& chosen = graph.nodes[static_cast<std::size_t>(node)];
    chosen.pageable = chosen.pageable && choice == Choice::Page;
    chosen.recomputable = chosen.recomputable && choice == Choice::Recompute;
    Problem limited = problem;
    limited.graph = std::make_shared<const CostGraph>(std::move(graph));
    params.start.reset();
    if (!known.steps.empty() && replay(*limited.graph, limited.transfer, known))
        params.start = known;
    return solve(limited, params, sink);
}

}  // namespace poet::planning

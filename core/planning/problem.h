// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/graph/cost_graph.h"
#include "core/schedule/plan.h"
#include "core/schedule/replay.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace poet::planning {

/// What to plan: a graph and its limits.
struct Problem {
    std::shared_ptr<const CostGraph> graph;
    TransferModel transfer = TransferModel::Blocking;
    Strategy strategy = Strategy::Integrated;
    std::int64_t memoryBytes = 0;           ///< all RAM, resident bytes included
    std::optional<double> deadlineSeconds;  ///< of one training step

    /// RAM that is left for planning; negative when the resident bytes alone do not fit.
    [[nodiscard]] std::int64_t budgetBytes() const { return memoryBytes - graph->device.residentBytes; }
};

/// What is true of a graph whatever the limits. Sizes include resident bytes.
struct ProblemFacts {
    ReplayReport keepAll;                     ///< replay of keepAllSchedule
    std::int64_t keepAllPeakBytes = 0;        ///< above this nothing improves
    std::int64_t largestWorkingSetBytes = 0;  ///< the wall: below this nothing is feasible
    NodeId largestWorkingSetNode = -1;
    NodeId broughtTensor = -1;                ///< not -1: the wall is what bringing this tensor to the node needs (Wall)
};
/// Errors: BadModel for an invalid graph.
[[nodiscard]] Expected<ProblemFacts> findFacts(const CostGraph& graph, TransferModel transfer);

/// Costs as the objective sees them: active energy plus idle power over the time that a choice adds.
struct Charges {
    explicit Charges(const Problem& problem);
    [[nodiscard]] double recompute(NodeId node) const;
    [[nodiscard]] double pageIn(NodeId node) const;   ///< on demand
    [[nodiscard]] double pageOut(NodeId node) const;  ///< immediate
    double idleWatts = 0;                             ///< that a longer step costs; 0 in `paper` and within a fixed period
    bool transfersTakeTime = true;                    ///< false in `paper`

private:
    const CostGraph& m_graph;
};

/// True when a replayed schedule keeps every limit of the problem (memory, deadline with 1e-9 relative tolerance, store).
[[nodiscard]] bool fitsLimits(const Problem& problem, const ReplayReport& report);

}  // namespace poet::planning

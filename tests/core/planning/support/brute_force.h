// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/graph/cost_graph.h"
#include "core/schedule/plan.h"

#include <cstdint>
#include <optional>

namespace poet::testing {

/// A tiny planning problem, solved by enumerating what may be in RAM and in the page store.
struct BruteForceProblem {
    const CostGraph* graph = nullptr;      ///< at most 14 nodes; up to 9 take well under a second
    TransferModel transfer = TransferModel::Blocking;
    Strategy strategy = Strategy::Integrated;  ///< Integrated, Paging or Recompute
    std::int64_t budgetBytes = 0;          ///< without resident bytes
    std::optional<double> deadlineSeconds = std::nullopt;
    /// `paper` only: page-outs in any stage at whose start the tensor is in RAM, as the published program allows.
    /// Such an answer carries no schedule.
    bool isLatePageOutAllowed = false;
    /// Recompute i in stage t only if i is in the candidate set C(t) of planning.md, section 3.
    bool isRecomputeOnlyOfCandidates = false;
};

struct BruteForceAnswer {
    double energyJoules = 0;  ///< with idle power, except in `paper`
    double seconds = 0;
    Schedule schedule;
};

/// The cheapest schedule there is, or nothing if none fits. Exact: a dynamic program over (stage, slot, tensors in
/// RAM, tensors in the store), with Pareto labels of energy and time when there is a deadline. Within a stage earlier
/// tensors are acquired in topological order, each at its own slot, as planning.md, section 1, demands.
/// Shares no code with the planner or the replay.
[[nodiscard]] std::optional<BruteForceAnswer> bruteForce(const BruteForceProblem& problem);

/// The smallest time of any schedule that fits the budget, or nothing if none does.
[[nodiscard]] std::optional<double> bruteForceFastest(const BruteForceProblem& problem);

}  // namespace poet::testing

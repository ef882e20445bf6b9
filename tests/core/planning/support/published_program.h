// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/graph/cost_graph.h"
#include "core/schedule/plan.h"

#include <cstdint>
#include <optional>

namespace poet::testing {

enum class PublishedStatus { Optimal, Infeasible, Stopped };

struct PublishedAnswer {
    PublishedStatus status = PublishedStatus::Stopped;
    double overheadJoules = 0;  ///< over keep-all; of the best schedule found
    double boundJoules = 0;     ///< no schedule has less overhead
    bool hasSchedule = false;
    double seconds = 0;         ///< wall time in CBC
    int variables = 0;
    int rows = 0;
};

/// The published integer program of POET (Patil et al., ICML 2022, section 4) as in planning.md, appendix, solved
/// with CBC. Only a yardstick: it is far too large for real networks. `paper` transfer model; backward nodes run
/// once; `strategy` is Integrated, Paging (no recompute) or Recompute (no transfers); `budgetBytes` is without resident
/// bytes; the objective is scaled so that keep-all energy is 1000. Threads: one at a time.
[[nodiscard]] PublishedAnswer solvePublished(const CostGraph& graph, Strategy strategy, std::int64_t budgetBytes,
                                             std::optional<double> deadlineSeconds, double timeLimitSeconds,
                                             double relativeGap = 0);

}  // namespace poet::testing

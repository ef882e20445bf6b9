// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/graph/cost_graph.h"
#include "core/schedule/schedule.h"

#include <vector>

namespace poet::planning {

/// How an earlier tensor comes back into RAM in a stage.
enum class AcquireKind { Recompute, Demand, Prefetch };

/// One acquisition; the slots of a stage are its acquisitions in the order of their nodes.
struct Acquire {
    int stage = 0;
    NodeId node = 0;
    AcquireKind kind = AcquireKind::Recompute;
};

/// A tensor stays in RAM from stage `from` (where it is available) to stage `to` > from.
struct Hold {
    NodeId node = 0;
    int from = 0;
    int to = 0;
};

/// How a tensor gets into the store.
enum class OutKind { None, Immediate, Background };

/// All that a plan decides; what follows from it (order, frees) is `lower`'s.
struct Decisions {
    std::vector<Acquire> acquires;
    std::vector<Hold> holds;
    std::vector<OutKind> outs;  ///< per node
};

/// Lays decisions out as steps: in each stage the acquisitions in node order, then the main node, each tensor freed
/// after the last slot that reads it unless it is held. In `paper`, page-ins stand first and page-outs end the stage
/// after the producing one. Cost: O(n + acquisitions + holds, each times their inputs). Source: planning.md, section 1.
[[nodiscard]] Schedule lower(const CostGraph& graph, TransferModel model, const Decisions& decisions);

/// The decisions behind a schedule that the replay accepts; holds that nothing reads are left out, so that `lower` of
/// them needs no more RAM than the schedule.
[[nodiscard]] Decisions decisionsOf(const CostGraph& graph, TransferModel model, const Schedule& schedule);

}  // namespace poet::planning

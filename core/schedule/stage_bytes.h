// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/graph/cost_graph.h"

#include <cstdint>

namespace poet {

/// The wall: least RAM, without resident bytes, that every schedule needs at one instant, and the first node that sets it.
struct Wall {
    NodeId node = -1;  ///< -1 for an empty graph
    std::int64_t bytes = 0;
};
/// The largest working set; in `paper` the tensor of the stage before stays through a stage when it is held or paged out,
/// so it counts there when somebody needs it later and it cannot be had again. Source: planning.md, section 1.
[[nodiscard]] Wall findWall(const CostGraph& graph, TransferModel transfer);

/// A higher wall where several stages together need more than any one: in `paper` a tensor comes to a later reader over the
/// stage behind its own (held or paged out), by a recompute there, or held from a recompute in between; the least of these
/// for every reader. Equals findWall in the other models. Cost: O(edges * stages).
[[nodiscard]] Wall findReachableWall(const CostGraph& graph, TransferModel transfer);
[[nodiscard]] inline std::int64_t largestStageBytes(const CostGraph& graph, TransferModel transfer) { return findWall(graph, transfer).bytes; }

}  // namespace poet

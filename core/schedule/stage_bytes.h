// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/graph/cost_graph.h"

#include <cstdint>

namespace poet {

/// The wall: least RAM, without resident bytes, that every schedule needs at one instant, and the node that sets it.
struct Wall {
    NodeId node = -1;     ///< -1 for an empty graph
    std::int64_t bytes = 0;
    NodeId brought = -1;  ///< an input of `node` that cannot be brought there in less; -1: the node's own stage needs it all
};
/// What `N%span`, the sliders and every report mean by the smallest memory. It is the largest working set; in `paper` two
/// things raise it: the tensor of the stage before stays through a stage when it is held or paged out, so it counts there
/// when somebody needs it later and it cannot be had again; and a tensor comes to a later reader over the stage behind its
/// own (held or paged out), by a recompute there, or held from a recompute in between, the least of which counts.
/// Source: planning.md, section 1. Cost: O(nodes + edges); in `paper` O(edges * stages) at worst, for edges that may raise it.
[[nodiscard]] Wall findWall(const CostGraph& graph, TransferModel transfer);

}  // namespace poet

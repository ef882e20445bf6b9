// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/graph/cost_graph.h"

#include <cstdint>

namespace poet {

/// The wall: least RAM, without resident bytes, that every schedule needs at one instant. The largest working set; in
/// `paper` the tensor of the stage before stays through a stage when it is held or paged out, so it counts there when
/// somebody needs it later and it cannot be had again. 0 for an empty graph. Source: planning.md, section 1.
[[nodiscard]] std::int64_t largestStageBytes(const CostGraph& graph, TransferModel transfer);

}  // namespace poet

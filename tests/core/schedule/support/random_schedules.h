// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/graph/cost_graph.h"
#include "core/schedule/schedule.h"

#include <random>

namespace poet::testing {

/// A graph with every field of the format in use: names with quotes and letters beyond ASCII, skip connections, sizes
/// up to terabytes, costs over thirty powers of ten, device terms present or absent. Valid by construction.
[[nodiscard]] CostGraph anyGraph(std::mt19937& random);

/// A random schedule of `graph` that is valid in `model` by construction: some tensors stay, others are paged or
/// recomputed, in the ways that the model has. It knows the rules of planning.md, section 1, but not the replay.
[[nodiscard]] Schedule anySchedule(const CostGraph& graph, TransferModel model, std::mt19937& random);

}  // namespace poet::testing

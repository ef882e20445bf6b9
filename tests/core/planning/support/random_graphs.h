// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/graph/cost_graph.h"

#include <cstdint>

namespace poet::testing {

/// What kind of random training graph is wanted.
struct RandomGraphOptions {
    int minNodes = 5;
    int maxNodes = 9;                     ///< of the whole graph, backward nodes included
    TransferModel transfer = TransferModel::Blocking;
    bool allPageable = false;             ///< otherwise about one node in eight cannot be paged
    int minSpanPercent = 15;              ///< the keep-all peak lies at least this much above the largest working set
    bool withStoreLimits = false;         ///< adds a store capacity, a write limit or both, which may bind
    bool withIdlePower = true;            ///< idle watts above zero in half of the graphs (never in `paper`)
};

/// A small training step: a forward chain with skip connections, a loss, backward nodes that read saved activations,
/// and accumulate nodes where gradients meet; one graph in five is a loose random DAG instead.
/// Sizes, joules and seconds are small integers times a scale, chosen so that keeping, paging and recomputing
/// all occur in optima. The same seed and options give the same graph on every platform.
[[nodiscard]] CostGraph randomTrainingGraph(std::uint32_t seed, const RandomGraphOptions& options);

/// The RAM peak when everything is kept until its last use, without resident bytes; found independently of replay.
[[nodiscard]] std::int64_t keepAllPeak(const CostGraph& graph);
/// The largest of the nodes' working sets, without resident bytes.
[[nodiscard]] std::int64_t largestWorkingSet(const CostGraph& graph);
/// Energy and time of the schedule that keeps everything, as the transfer model counts them (no idle power in `paper`).
[[nodiscard]] double keepAllJoules(const CostGraph& graph, TransferModel transfer);
[[nodiscard]] double keepAllSeconds(const CostGraph& graph);

/// A budget from `percent` of the way between the largest working set (0) and the keep-all peak (100).
[[nodiscard]] std::int64_t spanBudget(const CostGraph& graph, int percent);

}  // namespace poet::testing

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/graph/cost_graph.h"

#include <string>
#include <utility>
#include <vector>

namespace poet {

/// The columns of a ladder, from left to right. A forward operation and its gradient share a row.
enum class LayoutColumn { Forward, Side, Backward, Accumulate };

/// One box to be placed.
struct GraphViewNode {
    double width = 1;                             ///< pixels at 100 %, > 0
    double height = 1;                            ///< pixels at 100 %, > 0
    int row = 0;                                  ///< rung of the ladder, >= 0
    LayoutColumn column = LayoutColumn::Forward;  ///< which side of the ladder
    int pair = -1;                                ///< Backward, Side: index of the forward node of the same rung; else -1
};

/// What a layout engine sees: boxes and arrows, nothing of tensors.
struct GraphView {
    std::vector<GraphViewNode> nodes;
    std::vector<std::pair<int, int>> edges;  ///< from producer to reader, indices into `nodes`
};

struct LayoutPoint {
    double x = 0;
    double y = 0;
    bool operator==(const LayoutPoint&) const = default;
};

/// Where everything goes. Pixels at 100 %, x to the right, y down, all boxes inside [0,width) x [0,height).
struct Layout {
    std::string engine;                            ///< "ladder" or "graphviz"
    double width = 0;
    double height = 0;
    std::vector<LayoutPoint> centers;              ///< one per node
    std::vector<std::vector<LayoutPoint>> edges;   ///< one per edge: 2 points = line, 3k+1 points = cubic Bezier curves
    bool operator==(const Layout&) const = default;
};

/// Column of a node and the forward node on whose rung it stands; from the training graph when it is known.
struct LadderPlace {
    LayoutColumn column = LayoutColumn::Forward;
    NodeId forward = -1;  ///< Backward, Side: the paired forward node; -1 if none
};

/// Guesses places for a cost graph that came without a training graph: a backward node pairs by name ("conv1" with
/// "conv1" + prime), else with the latest forward node it reads; a second claim on the same forward node becomes
/// Accumulate. Cost: O(V + E).
[[nodiscard]] std::vector<LadderPlace> guessLadderPlaces(const CostGraph& graph);

/// Rows from places, in execution order: every forward node opens a rung, pairs share it, and what has no pair stands
/// on the rung of its first reader. `sizes` are box sizes, one per node. Cost: O(V + E).
[[nodiscard]] GraphView makeGraphView(const CostGraph& graph, const std::vector<LadderPlace>& places,
                                      const std::vector<std::pair<double, double>>& sizes);

/// Checks that indices are in range, sizes finite and > 0, rows >= 0. Errors: BadModel naming the node or edge.
[[nodiscard]] Expected<void> validate(const GraphView& view);

}  // namespace poet

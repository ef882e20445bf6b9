// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/layout/graph_view.h"

namespace poet {

/// The fallback engine: x from the column, y from the row, no search. Pairs share a row, boxes never overlap, edges
/// end on box borders, arrows that skip rungs bow outwards. Deterministic. Cost: O(V + E).
/// Errors: those of validate(GraphView).
[[nodiscard]] Expected<Layout> ladderLayout(const GraphView& view);

/// The curve of one arrow between two boxes as Bezier points; boxes given by centre and size. Arrows between
/// neighbouring rungs are straight lines; longer ones in one column bow to the outer side by `bow` pixels (left for
/// forward, right for backward).
[[nodiscard]] std::vector<LayoutPoint> ladderEdge(const GraphViewNode& from, LayoutPoint fromCenter, const GraphViewNode& to,
                                                  LayoutPoint toCenter, double bow);

}  // namespace poet

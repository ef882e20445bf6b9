// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/graph/forward_graph.h"

#include <string>
#include <vector>

namespace poet::training {

/// Replaces what exporters spell out by the one operation that a framework runs, where backward keeps less that way.
/// Adds one note a kind of pattern. Source: training-graph.md, "Reading", point 5.
[[nodiscard]] ForwardGraph recognisePatterns(const ForwardGraph& graph, std::vector<std::string>& notes);

}  // namespace poet::training

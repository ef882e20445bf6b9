// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/layout/graph_view.h"

namespace poet {

/// The ladder by Graphviz `dot`: pairs get rank=same, backward arrows are handed over reversed, each column is one
/// straight group. Not thread-safe (Graphviz is not, even with one context a thread): one call at a time in a process
/// of its own. Cannot be interrupted. Errors: those of validate(GraphView); Internal when Graphviz fails.
[[nodiscard]] Expected<Layout> graphvizLayout(const GraphView& view);

}  // namespace poet

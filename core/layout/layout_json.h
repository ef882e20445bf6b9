// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/layout/graph_view.h"

#include <string>
#include <string_view>

/// What travels to and from the `poet layout` worker: `poet-layout-graph` and `poet-layout`, both version 1.
/// {"format":"poet-layout-graph","version":1,"nodes":[{"width":w,"height":h,"row":r,"column":"forward","pair":-1}...],
///  "edges":[[from,to]...]}
/// {"format":"poet-layout","version":1,"engine":"graphviz","width":w,"height":h,"centers":[[x,y]...],
///  "edges":[[x0,y0,x1,y1,...]...]}
namespace poet {

[[nodiscard]] std::string toJson(const GraphView& view);
/// Strict. `where` names the source in messages. Errors: BadModel.
[[nodiscard]] Expected<GraphView> parseGraphView(std::string_view json, std::string_view where);

[[nodiscard]] std::string toJson(const Layout& layout);
/// Strict; the answer must have as many nodes and edges as `view`. Errors: WorkerFailed.
[[nodiscard]] Expected<Layout> parseLayout(std::string_view json, const GraphView& view);

}  // namespace poet

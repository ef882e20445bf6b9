// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/stage_bytes.h"

#include <algorithm>

namespace poet {

Wall findWall(const CostGraph& graph, TransferModel transfer)
{
    const auto consumers = graph.consumers();
    Wall wall;
    for (NodeId node = 0; node < graph.size(); ++node) {
        std::int64_t bytes = graph.workingSetBytes(node);
        const NodeId before = node - 1;
        if (transfer == TransferModel::Paper && before >= 0 && !graph.mayRecompute(before, transfer)) {
            const auto& inputs = graph.nodes[static_cast<std::size_t>(node)].inputs;
            const auto& readers = consumers[static_cast<std::size_t>(before)];
            const bool isRead = std::ranges::find(inputs, before) != inputs.end();
            const bool isNeeded = !readers.empty() && readers.back() > node;
            bytes += !isRead && isNeeded ? graph.nodes[static_cast<std::size_t>(before)].bytes : 0;
        }
        if (wall.node < 0 || bytes > wall.bytes)
            wall = {node, bytes};
    }
    return wall;
}

}  // namespace poet

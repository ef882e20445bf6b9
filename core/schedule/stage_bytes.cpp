// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/stage_bytes.h"

#include <algorithm>
#include <vector>

namespace poet {

namespace {

/// What one stage alone needs.
Wall largestStage(const CostGraph& graph, TransferModel transfer)
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
            wall = {.node = node, .bytes = bytes};
    }
    return wall;
}

/// What a tensor needs at least to be there for a later reader, in `paper`.
class LateReader {
public:
    explicit LateReader(const CostGraph& graph) : m_graph(graph)
    {
        for (NodeId id = 0; id < graph.size(); ++id)
            m_stages.push_back(graph.workingSetBytes(id));
    }

    /// At most `enough`, which ends the search, counts as 0.
    std::int64_t leastBytes(NodeId tensor, NodeId reader, std::int64_t enough) const
    {
        if (reader == tensor + 1)
            return 0;
        std::int64_t least = with(tensor, tensor + 1), held = m_stages[at(reader)];  // over the next stage
        for (NodeId stage = reader; stage > tensor + 1; --stage) {
            if (least <= enough)
                return 0;
            if (stage != reader)
                held = std::max(held, with(tensor, stage));
            if (m_graph.mayRecompute(tensor, TransferModel::Paper))
                least = std::min(least, std::max(recomputeBytes(tensor, stage), held));
        }
        return least;
    }

private:
    static std::size_t at(NodeId id) { return static_cast<std::size_t>(id); }

    /// RAM while `stage`'s node runs and `tensor` is there too.
    std::int64_t with(NodeId tensor, NodeId stage) const { return m_stages[at(stage)] + (m_graph.reads(stage, tensor) ? 0 : m_graph.nodes[at(tensor)].bytes); }

    /// RAM while `tensor` runs again inside `stage`: beside its own inputs stand those of the stage that only paging or
    /// holding brings, from the stage's start on.
    std::int64_t recomputeBytes(NodeId tensor, NodeId stage) const
    {
        std::int64_t bytes = m_graph.workingSetBytes(tensor);
        for (const NodeId other : m_graph.nodes[at(stage)].inputs)
            if (other != tensor && !m_graph.reads(tensor, other) && !m_graph.mayRecompute(other, TransferModel::Paper))
                bytes += m_graph.nodes[at(other)].bytes;
        return bytes;
    }

    const CostGraph& m_graph;
    std::vector<std::int64_t> m_stages;  ///< working set of each
};

}  // namespace

Wall findWall(const CostGraph& graph, TransferModel transfer)
{
    Wall wall = largestStage(graph, transfer);
    if (transfer != TransferModel::Paper)
        return wall;
    const LateReader late(graph);
    for (NodeId node = 0; node < graph.size(); ++node)
        for (const NodeId tensor : graph.nodes[static_cast<std::size_t>(node)].inputs)
            if (const std::int64_t bytes = late.leastBytes(tensor, node, wall.bytes); bytes > wall.bytes)
                wall = {.node = node, .bytes = bytes, .brought = tensor};
    return wall;
}

}  // namespace poet

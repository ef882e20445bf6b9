// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/planning/baselines/stage_walk.h"

#include <algorithm>

namespace poet::planning {

StageWalk::StageWalk(const CostGraph& graph, TransferModel model) : m_graph(graph), m_model(model), m_until(graph.nodes.size(), -1)
{
    m_decisions.outs.assign(graph.nodes.size(), OutKind::None);
}

void StageWalk::begin(int stage)
{
    m_stage = stage;
    m_acquired.clear();
}

void StageWalk::recompute(NodeId node)
{
    m_decisions.acquires.push_back({m_stage, node, AcquireKind::Recompute});
    m_until[static_cast<std::size_t>(node)] = m_stage;
    m_acquired.push_back(node);
}

void StageWalk::pageIn(NodeId node, bool isPrefetched)
{
    int& until = m_until[static_cast<std::size_t>(node)];
    if (m_model != TransferModel::Blocking && until == m_stage - 1) {
        m_decisions.holds.push_back({node, m_stage - 1, m_stage});
    } else {
        const bool prefetches = isPrefetched && m_model == TransferModel::Dma;
        m_decisions.acquires.push_back({m_stage, node, prefetches ? AcquireKind::Prefetch : AcquireKind::Demand});
    }
    until = m_stage;
    m_acquired.push_back(node);
}

void StageWalk::runMain()
{
    m_until[static_cast<std::size_t>(m_stage)] = m_stage;
}

void StageWalk::pageOut()
{
    const bool hasBackground = m_model != TransferModel::Blocking;
    m_decisions.outs[static_cast<std::size_t>(m_stage)] = hasBackground ? OutKind::Background : OutKind::Immediate;
    if (hasBackground)
        holdTo(m_stage, std::min(m_stage + 1, m_graph.size() - 1));
}

void StageWalk::holdTo(NodeId node, int until)
{
    int& known = m_until[static_cast<std::size_t>(node)];
    if (until <= known)
        return;
    m_decisions.holds.push_back({node, m_stage, until});
    known = until;
}

}  // namespace poet::planning

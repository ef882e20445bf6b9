// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planning/decisions.h"

#include <vector>

namespace poet::planning {

/// Collects decisions stage by stage while knowing what is in RAM. Use: `begin(t)`, acquire what node t reads,
/// `runMain()`, hold what is wanted later, next stage; at the end `take()`.
class StageWalk {
public:
    StageWalk(const CostGraph& graph, TransferModel model);

    void begin(int stage);
    [[nodiscard]] int stage() const { return m_stage; }
    /// In RAM in the current stage: held up to it, acquired in it, or its main tensor after runMain.
    [[nodiscard]] bool isAvailable(NodeId node) const { return m_until[static_cast<std::size_t>(node)] >= m_stage; }
    /// Inputs must be available.
    void recompute(NodeId node);
    /// The tensor must have been paged out in an earlier stage. Where transfers overlap compute, a tensor that was in
    /// RAM in the stage before is held instead: it could not have left in between.
    void pageIn(NodeId node, bool isPrefetched);
    void runMain();
    /// Writes the current main tensor to the store: in the background where the model can, else at once.
    void pageOut();
    /// Keeps an available tensor in RAM up to and including stage `until`.
    void holdTo(NodeId node, int until);
    /// What was acquired in the current stage, in the order of the calls.
    [[nodiscard]] const std::vector<NodeId>& acquired() const { return m_acquired; }

    [[nodiscard]] Decisions take() { return std::move(m_decisions); }

private:
    const CostGraph& m_graph;
    TransferModel m_model;
    int m_stage = -1;
    std::vector<int> m_until;  ///< last stage in which each tensor is in RAM so far
    std::vector<NodeId> m_acquired;
    Decisions m_decisions;
};

}  // namespace poet::planning

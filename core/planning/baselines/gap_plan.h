// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/planning/baselines/stage_walk.h"

#include <functional>
#include <vector>

namespace poet::planning {

/// What happens to a tensor between two uses.
enum class GapChoice { Keep, Page, Recompute };

/// The time between two consecutive uses of a tensor by main nodes; the first use is its own stage.
struct Gap {
    NodeId node = 0;
    int index = 0;  ///< of the gap in its tensor, from 0
    int begin = 0;  ///< stage of the earlier use
    int end = 0;    ///< stage of the later use
};

/// One choice for every gap of every tensor, and how that becomes a schedule. What a recompute needs is brought back
/// too: paged in if it was paged out for another reason, else recomputed, else kept.
class GapPlan {
public:
    /// Everything is kept at first.
    GapPlan(const CostGraph& graph, TransferModel model);

    [[nodiscard]] std::vector<Gap> gaps(NodeId node) const;
    [[nodiscard]] GapChoice choice(const Gap& gap) const;
    /// Page needs a pageable tensor, Recompute one that may run again. Gaps between neighbouring stages stay in RAM.
    void choose(const Gap& gap, GapChoice choice);
    [[nodiscard]] bool mayPage(NodeId node) const { return m_graph.nodes[static_cast<std::size_t>(node)].pageable; }
    [[nodiscard]] bool mayRecompute(NodeId node) const { return m_graph.mayRecompute(node, m_model); }
    /// Some gap of the tensor is paged, so that it is written to the store anyway.
    [[nodiscard]] bool isStored(NodeId node) const;
    /// Page-ins run behind the main node before (dma only).
    void setPrefetching(bool isOn) { m_isPrefetching = isOn; }
    /// Tensors that, brought back only for a recompute, stay until their own next use: (node, current stage).
    void setRetained(std::function<bool(NodeId, int)> isRetained) { m_isRetained = std::move(isRetained); }

    /// Active joules and seconds to bring `node` back in `stage` by running it again, with what that needs
    /// under the current choices. An estimate: inputs shared with other recomputes are counted in full.
    [[nodiscard]] Cost recomputeCost(NodeId node, int stage) const;
    /// Seconds of the main nodes strictly between the two uses.
    [[nodiscard]] double idleSeconds(const Gap& gap) const;

    /// Valid for any choices. Cost: O(n + acquisitions x inputs), a few times over when choices contradict each other.
    /// Errors: Internal if no consistent schedule exists (a broken invariant).
    [[nodiscard]] Expected<Schedule> schedule() const;

private:
    /// Per node the last stage up to which it must be kept because a recompute needs it; -1 for none.
    using KeepUntil = std::vector<int>;
    [[nodiscard]] bool bringBack(StageWalk& walk, NodeId node, KeepUntil& keepUntil) const;
    [[nodiscard]] bool walkAll(StageWalk& walk, KeepUntil& keepUntil) const;
    void holdForLater(StageWalk& walk, NodeId node, const KeepUntil& keepUntil) const;
    [[nodiscard]] int nextUse(NodeId node, int stage) const;
    [[nodiscard]] bool isKeptOver(NodeId node, int stage) const;
    void addCost(NodeId node, int stage, std::vector<bool>& isCounted, Cost& sum) const;

    const CostGraph& m_graph;
    TransferModel m_model;
    std::vector<std::vector<int>> m_uses;           ///< per node: own stage, then its readers
    std::vector<std::vector<GapChoice>> m_choices;  ///< per node and gap
    std::vector<double> m_startSeconds;             ///< of each main node in keep-all
    std::function<bool(NodeId, int)> m_isRetained;
    bool m_isPrefetching = false;
};

}  // namespace poet::planning

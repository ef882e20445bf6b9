// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/planning/overlap.h"

#include "core/schedule/replay.h"

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

namespace poet::planning {
namespace {

constexpr double kSeenInDma = 0.2;  ///< of the time of transfers

/// A transfer that has been moved behind the main node of `stage`; RAM pays for it in that stage and, for a prefetch, in the next.
struct MovedTransfer {
    int stage = 0;
    bool isPrefetch = false;
    std::size_t acquire = 0;  ///< of a prefetch: its index among the acquisitions
    NodeId node = 0;
    std::int64_t bytes = 0;

    [[nodiscard]] bool touches(int other) const { return other == stage || (isPrefetch && other == stage + 1); }
};

class Overlap {
public:
    Overlap(const Problem& problem, const Decisions& decisions) : m_problem(problem), m_graph(*problem.graph), m_decisions(decisions)
    {
        moveAll();
    }

    /// Moves transfers back until the plan fits. False when that leads nowhere.
    bool fit(const std::function<bool()>& wantsStop)
    {
        while (!(wantsStop && wantsStop())) {
            const auto report = replay(m_graph, m_problem.transfer, lower(m_graph, m_problem.transfer, m_decisions));
            if (!report)
                return false;
            std::map<int, std::int64_t> over;  // bytes, per stage
            for (std::size_t i = 0; i < report->duringBytes.size(); ++i)
                if (const std::int64_t bytes = report->duringBytes[i] - m_problem.budgetBytes(); bytes > 0)
                    over[report->schedule.steps[i].stage] = std::max(over[report->schedule.steps[i].stage], bytes);
            if (over.empty())
                return true;
            bool hasMoved = false;
            for (const auto& [stage, bytes] : over)
                hasMoved = moveBackIn(stage, bytes) || hasMoved;
            if (!hasMoved)
                return false;
        }
        return false;
    }

    Decisions take() { return std::move(m_decisions); }

private:
    void moveAll()
    {
        const std::size_t nodes = m_graph.nodes.size();
        std::vector<std::vector<int>> isThere(nodes);  // stages in which a tensor is in RAM as an event ends there
        std::vector<int> firstPageIn(nodes, m_graph.size());
        for (const Hold& hold : m_decisions.holds)
            isThere[static_cast<std::size_t>(hold.node)].push_back(hold.to);
        for (const Acquire& acquire : m_decisions.acquires) {
            isThere[static_cast<std::size_t>(acquire.node)].push_back(acquire.stage);
            if (acquire.kind != AcquireKind::Recompute)
                firstPageIn[static_cast<std::size_t>(acquire.node)] = std::min(firstPageIn[static_cast<std::size_t>(acquire.node)], acquire.stage);
        }
        for (std::size_t a = 0; a < m_decisions.acquires.size(); ++a) {
            Acquire& acquire = m_decisions.acquires[a];
            const auto& there = isThere[static_cast<std::size_t>(acquire.node)];
            const bool isThereBefore = std::find(there.begin(), there.end(), acquire.stage - 1) != there.end();
            if (acquire.kind != AcquireKind::Demand || acquire.stage <= acquire.node + 1 || isThereBefore || m_graph.reads(acquire.stage - 1, acquire.node))
                continue;
            acquire.kind = AcquireKind::Prefetch;
            m_moved.push_back({acquire.stage - 1, true, a, acquire.node, bytesOf(acquire.node)});
        }
        for (NodeId id = 0; id + 1 < m_graph.size(); ++id) {
            OutKind& out = m_decisions.outs[static_cast<std::size_t>(id)];
            if (out != OutKind::Immediate || firstPageIn[static_cast<std::size_t>(id)] <= id + 2)
                continue;  // a prefetch could begin before the page-out has ended
            out = OutKind::Background;
            m_moved.push_back({id + 1, false, 0, id, bytesOf(id)});
        }
    }

    std::int64_t bytesOf(NodeId id) const { return m_graph.nodes[static_cast<std::size_t>(id)].bytes; }

    /// Moves back the smallest transfer in the stage that frees enough, or the largest.
    bool moveBackIn(int stage, std::int64_t bytes)
    {
        auto best = m_moved.end();
        for (auto it = m_moved.begin(); it != m_moved.end(); ++it) {
            if (!it->touches(stage))
                continue;
            const bool isBetter = best == m_moved.end() || (best->bytes < bytes ? it->bytes > best->bytes : it->bytes >= bytes && it->bytes < best->bytes);
            best = isBetter ? it : best;
        }
        if (best == m_moved.end())
            return false;
        if (best->isPrefetch)
            m_decisions.acquires[best->acquire].kind = AcquireKind::Demand;
        else
            m_decisions.outs[static_cast<std::size_t>(best->node)] = OutKind::Immediate;
        m_moved.erase(best);
        return true;
    }

    const Problem& m_problem;
    const CostGraph& m_graph;
    Decisions m_decisions;
    std::vector<MovedTransfer> m_moved;
};

}  // namespace

Decisions overlapTransfers(const Problem& problem, const Decisions& decisions, const std::function<bool()>& wantsStop)
{
    if (problem.transfer != TransferModel::Dma)
        return decisions;
    Overlap overlap(problem, decisions);
    return overlap.fit(wantsStop) ? overlap.take() : decisions;
}

Problem weighTime(const Problem& problem, double joulesPerSecond)
{
    CostGraph graph = *problem.graph;
    const double ofTransfers = problem.transfer == TransferModel::Paper ? 0 : problem.transfer == TransferModel::Dma ? kSeenInDma : 1;
    for (CostNode& node : graph.nodes) {
        node.compute.joules += joulesPerSecond * node.compute.seconds;
        node.pageIn.joules += joulesPerSecond * ofTransfers * node.pageIn.seconds;
        node.pageOut.joules += joulesPerSecond * ofTransfers * node.pageOut.seconds;
    }
    Problem weighted = problem;
    weighted.graph = std::make_shared<const CostGraph>(std::move(graph));
    return weighted;
}

}  // namespace poet::planning

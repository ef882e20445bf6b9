// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/planning/baselines/baselines.h"

#include <algorithm>

namespace poet::planning {
namespace {

/// Recomputes per node after which eviction stops: thrashing has no end otherwise. DTR would run out of time as well.
constexpr int kMostRunsPerNode = 60;

/// Runs the step online; see dtrSchedule.
class OnlineEviction {
public:
    OnlineEviction(const CostGraph& graph, TransferModel model, std::int64_t budgetBytes)
        : m_graph(graph), m_model(model), m_budgetBytes(budgetBytes), m_isInRam(graph.nodes.size(), false), m_pins(graph.nodes.size(), 0),
          m_lastAccess(graph.nodes.size(), 0)
    {
        findLastNeeds();
    }

    Schedule run()
    {
        for (m_stage = 0; m_stage < m_graph.size(); ++m_stage) {
            execute(m_stage, StepKind::Compute);
            for (NodeId i = 0; i <= m_stage; ++i)
                if (m_isInRam[static_cast<std::size_t>(i)] && m_lastUse[static_cast<std::size_t>(i)] <= m_stage && mayLeave(i))
                    evict(i);
        }
        return std::move(m_schedule);
    }

private:
    const CostNode& node(NodeId i) const { return m_graph.nodes[static_cast<std::size_t>(i)]; }

    /// Last main reader, and the last stage in which a tensor can be read at all: by a main node, or by the recompute
    /// of a tensor that is itself needed.
    void findLastNeeds()
    {
        m_consumers = m_graph.consumers();
        for (NodeId k = 0; k < m_graph.size(); ++k) {
            m_lastUse.push_back(m_consumers[static_cast<std::size_t>(k)].empty() ? k : m_consumers[static_cast<std::size_t>(k)].back());
            m_isLocked.push_back(!m_graph.mayRecompute(k, m_model));
        }
        m_lastNeed.resize(m_graph.nodes.size());
        for (NodeId k = 0; k < m_graph.size(); ++k)
            m_lastNeed[static_cast<std::size_t>(k)] = k;
        for (NodeId k = m_graph.size() - 1; k >= 0; --k)
            for (const NodeId u : node(k).inputs) {
                const int reads = m_graph.mayRecompute(k, m_model) ? m_lastNeed[static_cast<std::size_t>(k)] : k;
                m_lastNeed[static_cast<std::size_t>(u)] = std::max(m_lastNeed[static_cast<std::size_t>(u)], reads);
            }
    }

    /// A tensor that no main node reads any more. If it can run again it is evicted at once; if not, it is banished when
    /// all that might be recomputed from it is in RAM, and that is locked from then on (DTR, section 4, banishing).
    bool mayLeave(NodeId i)
    {
        if (!m_isLocked[static_cast<std::size_t>(i)])
            return true;
        const auto isAtRisk = [&](NodeId k) {
            return k <= m_stage && !m_isLocked[static_cast<std::size_t>(k)] && m_lastNeed[static_cast<std::size_t>(k)] > m_stage;
        };
        const auto& consumers = m_consumers[static_cast<std::size_t>(i)];
        if (std::any_of(consumers.begin(), consumers.end(), [&](NodeId k) { return isAtRisk(k) && !m_isInRam[static_cast<std::size_t>(k)]; }))
            return false;
        for (const NodeId k : consumers)
            if (isAtRisk(k))
                m_isLocked[static_cast<std::size_t>(k)] = true;
        return true;
    }

    void write(StepKind kind, NodeId i) { m_schedule.steps.push_back({.stage = m_stage, .kind = kind, .node = i, .offset = std::nullopt}); }

    void evict(NodeId i)
    {
        write(StepKind::Free, i);
        m_isInRam[static_cast<std::size_t>(i)] = false;
        m_ram -= node(i).bytes;
    }

    /// h = cost / (bytes x staleness); the clock ticks at least once an operation, so that staleness is never 0.
    double score(NodeId i) const
    {
        const double staleness = m_clock - m_lastAccess[static_cast<std::size_t>(i)];
        return node(i).compute.seconds / (static_cast<double>(node(i).bytes) * staleness);
    }

    void makeRoom(std::int64_t bytes)
    {
        while (m_ram + bytes > m_budgetBytes && m_runs < kMostRunsPerNode * m_graph.size()) {
            NodeId victim = -1;
            for (NodeId i = 0; i < m_stage; ++i)
                if (m_isInRam[static_cast<std::size_t>(i)] && m_pins[static_cast<std::size_t>(i)] == 0 && node(i).bytes > 0 &&
                    !m_isLocked[static_cast<std::size_t>(i)] && (victim < 0 || score(i) < score(victim)))
                    victim = i;
            if (victim < 0)
                return;
            evict(victim);
        }
    }

    void execute(NodeId i, StepKind kind)
    {
        const CostNode& now = node(i);
        // What is there already is pinned first, so that bringing back one input does not evict another.
        for (const NodeId u : now.inputs)
            ++m_pins[static_cast<std::size_t>(u)];
        for (const NodeId u : now.inputs)
            if (!m_isInRam[static_cast<std::size_t>(u)])
                execute(u, StepKind::Recompute);
        makeRoom(now.bytes + now.workspaceBytes);
        write(kind, i);
        ++m_runs;
        m_isInRam[static_cast<std::size_t>(i)] = true;
        m_ram += now.bytes;
        m_clock += std::max(now.compute.seconds, kTickSeconds);
        m_lastAccess[static_cast<std::size_t>(i)] = m_clock - kTickSeconds;
        for (const NodeId u : now.inputs) {
            m_lastAccess[static_cast<std::size_t>(u)] = m_clock - kTickSeconds;
            --m_pins[static_cast<std::size_t>(u)];
        }
    }

    static constexpr double kTickSeconds = 1e-9;

    const CostGraph& m_graph;
    TransferModel m_model;
    std::int64_t m_budgetBytes;
    std::vector<bool> m_isInRam;
    std::vector<int> m_pins;
    std::vector<double> m_lastAccess;
    std::vector<std::vector<NodeId>> m_consumers;
    std::vector<bool> m_isLocked;  ///< cannot be brought back: never evicted
    std::vector<int> m_lastUse;
    std::vector<int> m_lastNeed;
    Schedule m_schedule;
    int m_stage = 0;
    int m_runs = 0;
    std::int64_t m_ram = 0;
    double m_clock = 0;
};

}  // namespace

Expected<Schedule> dtrSchedule(const CostGraph& graph, TransferModel model, std::int64_t budgetBytes)
{
    BestSchedule best(graph, model, budgetBytes);
    // Without pressure nothing is evicted; what eager eviction would hold back for recomputes is then not needed either.
    POET_CHECK(best.offer(keepAllSchedule(graph)));
    POET_CHECK(best.offer(OnlineEviction(graph, model, budgetBytes).run()));
    return best.take();
}

}  // namespace poet::planning

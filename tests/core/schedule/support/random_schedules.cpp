// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/schedule/support/random_schedules.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace poet::testing {
namespace {

int below(std::mt19937& random, int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }

Cost anyCost(std::mt19937& random)
{
    const auto value = [&] { return below(random, 6) == 0 ? 0.0 : std::ldexp(1 + below(random, 1 << 20), below(random, 60) - 60); };
    return {value(), value()};
}

/// What the maker of a schedule knows: where each tensor is, and since which stage.
struct State {
    std::vector<bool> isInRam;
    std::vector<bool> isStored;
    std::vector<int> ramSince;
    std::vector<int> freedIn;
};

class Maker {
public:
    Maker(const CostGraph& graph, TransferModel model, std::mt19937& random)
        : m_graph(graph), m_model(model), m_random(random), m_lastUse(graph.nodes.size(), -1)
    {
        const std::size_t n = graph.nodes.size();
        m_state = {std::vector<bool>(n), std::vector<bool>(n), std::vector<int>(n, -1), std::vector<int>(n, -2)};
        for (NodeId id = 0; id < graph.size(); ++id)
            for (const NodeId input : node(id).inputs)
                m_lastUse[at(input)] = id;
    }

    Schedule run()
    {
        for (NodeId t = 0; t < m_graph.size(); ++t) {
            m_stage = t;
            const std::vector<Step> acquired = acquisition(t).value();
            for (const Step& arriving : acquired) {
                m_schedule.steps.push_back(arriving);
                arrive(arriving.node);
            }
            const auto moving = m_model == TransferModel::Dma ? startTransfers() : std::vector<Step>{};
            add(StepKind::Compute, t);
            arrive(t);
            for (const Step& moved : moving)
                (moved.kind == StepKind::PageOut ? m_state.isStored : m_state.isInRam)[at(moved.node)] = true;
            clean(t);
        }
        return std::move(m_schedule);
    }

private:
    static std::size_t at(NodeId id) { return static_cast<std::size_t>(id); }
    const CostNode& node(NodeId id) const { return m_graph.nodes[at(id)]; }
    bool hasChance(int in) { return below(m_random, in) == 0; }

    Step step(StepKind kind, NodeId id, TransferMode mode = TransferMode::Blocking) const
    {
        return {.stage = m_stage, .kind = kind, .mode = mode, .node = id};
    }
    void add(StepKind kind, NodeId id, TransferMode mode = TransferMode::Blocking) { m_schedule.steps.push_back(step(kind, id, mode)); }
    void arrive(NodeId id)
    {
        m_state.isInRam[at(id)] = true;
        m_state.ramSince[at(id)] = m_stage;
    }

    /// The steps that bring the inputs of `t` into RAM in stage t: page-ins first, then recomputes in order.
    std::optional<std::vector<Step>> acquisition(NodeId t) const
    {
        std::set<NodeId> wanted(node(t).inputs.begin(), node(t).inputs.end());
        std::vector<Step> pageIns;
        std::vector<Step> recomputes;
        const bool isPaper = m_model == TransferModel::Paper;
        for (NodeId id = t - 1; id >= 0; --id) {
            if (!wanted.contains(id) || m_state.isInRam[at(id)])
                continue;
            if (m_state.isStored[at(id)] && !(isPaper && m_state.freedIn[at(id)] == t - 1)) {
                pageIns.push_back({.stage = t, .kind = StepKind::PageIn, .mode = isPaper ? TransferMode::Prefetch : TransferMode::Blocking, .node = id});
            } else if (m_graph.mayRecompute(id, m_model)) {
                recomputes.insert(recomputes.begin(), {.stage = t, .kind = StepKind::Recompute, .node = id});
                wanted.insert(node(id).inputs.begin(), node(id).inputs.end());
            } else {
                return std::nullopt;
            }
        }
        pageIns.insert(pageIns.end(), recomputes.begin(), recomputes.end());
        return pageIns;
    }

    /// Transfers while the main node of this stage runs.
    std::vector<Step> startTransfers()
    {
        std::vector<Step> moving;
        for (NodeId id = 0; id < m_stage; ++id) {
            if (m_state.isInRam[at(id)] && !m_state.isStored[at(id)] && node(id).pageable && hasChance(5))
                moving.push_back(step(StepKind::PageOut, id, TransferMode::Background));
            else if (!m_state.isInRam[at(id)] && m_state.isStored[at(id)] && m_lastUse[at(id)] > m_stage && hasChance(3))
                moving.push_back(step(StepKind::PageIn, id, TransferMode::Prefetch));
        }
        m_schedule.steps.insert(m_schedule.steps.end(), moving.begin(), moving.end());
        return moving;
    }

    /// After the main node: blocking or paper page-outs, and frees of what can come back or is not needed any more.
    void clean(NodeId t)
    {
        for (NodeId id = 0; id <= t; ++id) {
            if (!m_state.isInRam[at(id)])
                continue;
            const bool mayLeave = m_model != TransferModel::Paper || m_state.ramSince[at(id)] < t;
            if (node(id).pageable && !m_state.isStored[at(id)] && mayLeave && hasChance(4)) {
                add(StepKind::PageOut, id, m_model == TransferModel::Paper ? TransferMode::Background : TransferMode::Blocking);
                m_state.isStored[at(id)] = true;
            }
            const bool canReturn = m_state.isStored[at(id)] || m_graph.mayRecompute(id, m_model);
            if (!canReturn || !hasChance(2))
                continue;
            const State before = m_state;
            m_state.isInRam[at(id)] = false;
            m_state.freedIn[at(id)] = t;
            if (t + 1 < m_graph.size() && !canGoOn(t + 1))
                m_state = before;
            else
                add(StepKind::Free, id);
        }
    }
    /// True when stage `t` can begin although node t - 1 may just have run.
    bool canGoOn(NodeId t) const { return acquisition(t).has_value(); }

    const CostGraph& m_graph;
    TransferModel m_model;
    std::mt19937& m_random;
    State m_state;
    std::vector<int> m_lastUse;
    Schedule m_schedule;
    int m_stage = 0;
};

}  // namespace

CostGraph anyGraph(std::mt19937& random)
{
    CostGraph graph;
    graph.name = below(random, 3) == 0 ? "" : "Größe \"1\"\\n\t€";
    graph.device.transfer = std::vector{TransferModel::Paper, TransferModel::Blocking, TransferModel::Dma}[static_cast<std::size_t>(below(random, 3))];
    graph.device.idleWatts = below(random, 2) == 0 ? 0 : anyCost(random).joules;
    graph.device.residentBytes = below(random, 2) == 0 ? 0 : below(random, 1 << 30);
    graph.device.alignment = 1 << below(random, 7);
    graph.device.storeBlockBytes = 1 << below(random, 13);
    if (below(random, 2) == 0)
        graph.device.storeCapacityBytes = std::int64_t{1} << below(random, 50);
    if (below(random, 2) == 0)
        graph.device.writeLimitBytesPerStep = below(random, 1 << 20);
    const int count = 1 + below(random, 12);
    for (NodeId id = 0; id < count; ++id) {
        CostNode node;
        node.name = "node " + std::to_string(id) + (below(random, 4) == 0 ? "/☃\"" : "");
        node.phase = id > count / 2 ? Phase::Backward : Phase::Forward;
        for (NodeId input = 0; input < id; ++input)
            if (input == id - 1 ? below(random, 8) != 0 : below(random, 4) == 0)
                node.inputs.push_back(input);
        std::shuffle(node.inputs.begin(), node.inputs.end(), random);
        node.bytes = below(random, 8) == 0 ? 0 : std::int64_t{1 + below(random, 1 << 16)} << below(random, 26);
        node.workspaceBytes = below(random, 3) == 0 ? below(random, 1 << 20) : 0;
        node.compute = anyCost(random);
        node.pageIn = anyCost(random);
        node.pageOut = anyCost(random);
        node.recomputable = node.phase == Phase::Forward && below(random, 4) != 0;
        node.pageable = below(random, 6) != 0;
        graph.nodes.push_back(std::move(node));
    }
    return graph;
}

Schedule anySchedule(const CostGraph& graph, TransferModel model, std::mt19937& random)
{
    return Maker(graph, model, random).run();
}

}  // namespace poet::testing

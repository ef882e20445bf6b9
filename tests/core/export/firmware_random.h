// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/export/firmware/program.h"
#include "core/schedule/replay.h"

#include <algorithm>
#include <random>
#include <vector>

/// Random training graphs and random valid schedules for the tests of the firmware export.
namespace poet::firmware::test {

inline unsigned below(std::mt19937& random, unsigned n) { return static_cast<unsigned>(random() % n); }

/// Forward nodes with skip connections, then one backward node each, last first, that reads the gradient behind it and
/// some forward tensors. Node 0 is the input.
inline CostGraph randomGraph(std::mt19937& random, int forward)
{
    CostGraph graph;
    graph.name = "random";
    graph.device.alignment = 4;
    const auto add = [&](Phase phase, std::vector<NodeId> inputs) {
        CostNode node;
        node.name = "n" + std::to_string(graph.nodes.size());
        node.phase = phase;
        node.inputs = std::move(inputs);
        node.bytes = 4 * (1 + below(random, 12));
        node.workspaceBytes = below(random, 4) == 0 ? 4 * (1 + below(random, 6)) : 0;
        node.compute = node.pageIn = node.pageOut = {1, 1};
        node.recomputable = phase == Phase::Forward && !node.inputs.empty() && below(random, 5) != 0;
        node.pageable = below(random, 8) != 0;
        graph.nodes.push_back(std::move(node));
    };
    add(Phase::Forward, {});
    graph.nodes[0].workspaceBytes = 0;
    for (int i = 1; i < forward; ++i) {
        std::vector<NodeId> inputs{i - 1};
        for (int k = 0; k < 2; ++k)
            if (const int other = static_cast<int>(below(random, static_cast<unsigned>(i))); std::ranges::find(inputs, other) == inputs.end() && below(random, 2) == 0)
                inputs.push_back(other);
        add(Phase::Forward, inputs);
    }
    for (int i = forward - 1; i >= 0; --i) {
        std::vector<NodeId> inputs{graph.size() - 1};
        for (int k = 0; k < 2; ++k)
            if (const int other = static_cast<int>(below(random, static_cast<unsigned>(i + 1))); std::ranges::find(inputs, other) == inputs.end())
                inputs.push_back(other);
        add(Phase::Backward, inputs);
    }
    return graph;
}

/// Keeps a random part of the tensors, pages or recomputes the others; valid by construction in `blocking`.
class RandomScheduler {
public:
    RandomScheduler(const CostGraph& graph, std::mt19937& random) : m_graph(graph), m_random(random), m_isInRam(graph.nodes.size(), false), m_isStored(graph.nodes.size(), false) {}

    Schedule run()
    {
        const auto consumers = m_graph.consumers();
        for (NodeId t = 0; t < m_graph.size(); ++t) {
            m_stage = t;
            for (const NodeId input : m_graph.nodes[static_cast<std::size_t>(t)].inputs)
                acquire(input);
            add(StepKind::Compute, t);
            m_isInRam[static_cast<std::size_t>(t)] = true;
            for (NodeId i = 0; i <= t; ++i) {
                const auto& later = consumers[static_cast<std::size_t>(i)];
                const bool isNeeded = std::ranges::any_of(later, [&](NodeId c) { return c > t; });
                if (m_isInRam[static_cast<std::size_t>(i)] && (!isNeeded ? below(m_random, 3) != 0 : mayDrop(i)))
                    drop(i, isNeeded);
            }
        }
        return std::move(m_schedule);
    }

private:
    const CostNode& node(NodeId id) const { return m_graph.nodes[static_cast<std::size_t>(id)]; }
    void add(StepKind kind, NodeId id) { m_schedule.steps.push_back({.stage = m_stage, .kind = kind, .node = id, .offset = {}}); }
    bool canRecompute(NodeId id) const { return m_graph.mayRecompute(id, TransferModel::Blocking); }
    bool mayDrop(NodeId id) { return (node(id).pageable || canRecompute(id) || m_isStored[static_cast<std::size_t>(id)]) && below(m_random, 2) == 0; }

    void drop(NodeId id, bool isNeeded)
    {
        const auto at = static_cast<std::size_t>(id);
        const bool recomputes = canRecompute(id) && (!node(id).pageable || below(m_random, 2) == 0);
        // What can neither be paged nor recomputed again stays where others may be made from it.
        if (!m_isStored[at] && node(id).pageable && (isNeeded ? !recomputes : below(m_random, 2) == 0)) {
            add(StepKind::PageOut, id);
            m_isStored[at] = true;
        }
        if (!m_isStored[at] && !canRecompute(id))
            return;
        add(StepKind::Free, id);
        m_isInRam[at] = false;
    }

    void acquire(NodeId id)
    {
        const auto at = static_cast<std::size_t>(id);
        if (m_isInRam[at])
            return;
        if (m_isStored[at]) {
            add(StepKind::PageIn, id);
        } else {
            for (const NodeId input : node(id).inputs)
                acquire(input);
            add(StepKind::Recompute, id);
        }
        m_isInRam[at] = true;
    }

    const CostGraph& m_graph;
    std::mt19937& m_random;
    std::vector<bool> m_isInRam, m_isStored;
    Schedule m_schedule;
    int m_stage = 0;
};

/// Moves some transfers behind the next main node, as `dma` allows; keeps the change only when the replay does.
inline Schedule overlapTransfers(const CostGraph& graph, Schedule schedule, std::mt19937& random)
{
    for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
        const Step step = schedule.steps[i];
        if ((step.kind != StepKind::PageOut && step.kind != StepKind::PageIn) || below(random, 2) == 0)
            continue;
        Schedule changed = schedule;
        changed.steps.erase(changed.steps.begin() + static_cast<std::ptrdiff_t>(i));
        // A page-out goes to the next stage, a page-in to the stage before: just before its main node.
        const int stage = step.kind == StepKind::PageOut ? step.stage + 1 : step.stage - 1;
        const auto main = std::ranges::find_if(changed.steps, [&](const Step& s) { return s.kind == StepKind::Compute && s.stage == stage; });
        if (main == changed.steps.end())
            continue;
        Step moved = step;
        moved.stage = stage;
        moved.mode = step.kind == StepKind::PageOut ? TransferMode::Background : TransferMode::Prefetch;
        auto place = main - changed.steps.begin();
        changed.steps.insert(changed.steps.begin() + place, moved);
        if (moved.kind == StepKind::PageOut) {  // its free comes after the transfer
            const auto free = std::find_if(changed.steps.begin(), changed.steps.begin() + place, [&](const Step& s) { return s.kind == StepKind::Free && s.node == step.node && s.stage == step.stage; });
            if (free != changed.steps.begin() + place) {
                Step later = *free;
                later.stage = stage;
                changed.steps.erase(free);
                changed.steps.insert(changed.steps.begin() + place + 1, later);
            }
        }
        if (replay(graph, TransferModel::Dma, changed))
            schedule = std::move(changed);
    }
    return schedule;
}

/// A plan around a schedule, as the planner would give it.
inline Plan planOf(const CostGraph& graph, TransferModel model, const Schedule& schedule)
{
    Plan plan;
    plan.status = SolveStatus::Feasible;
    plan.transfer = model;
    auto report = replay(graph, model, schedule);
    if (!report)
        return plan;
    plan.replay = std::move(*report);
    plan.memoryBytes = plan.replay.peakBytes * 3 / 2 + 64;
    return plan;
}

}  // namespace poet::firmware::test

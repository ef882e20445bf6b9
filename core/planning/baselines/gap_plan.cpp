// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/planning/baselines/gap_plan.h"

#include <algorithm>

namespace poet::planning {

GapPlan::GapPlan(const CostGraph& graph, TransferModel model) : m_graph(graph), m_model(model), m_uses(graph.consumers())
{
    double now = 0;
    m_choices.resize(graph.nodes.size());
    for (NodeId i = 0; i < graph.size(); ++i) {
        auto& uses = m_uses[static_cast<std::size_t>(i)];
        uses.insert(uses.begin(), i);
        m_choices[static_cast<std::size_t>(i)].assign(uses.size() - 1, GapChoice::Keep);
        m_startSeconds.push_back(now);
        now += graph.nodes[static_cast<std::size_t>(i)].compute.seconds;
    }
    m_startSeconds.push_back(now);
}

std::vector<Gap> GapPlan::gaps(NodeId node) const
{
    const auto& uses = m_uses[static_cast<std::size_t>(node)];
    std::vector<Gap> result;
    for (std::size_t k = 0; k + 1 < uses.size(); ++k)
        result.push_back({node, static_cast<int>(k), uses[k], uses[k + 1]});
    return result;
}

GapChoice GapPlan::choice(const Gap& gap) const
{
    return m_choices[static_cast<std::size_t>(gap.node)][static_cast<std::size_t>(gap.index)];
}

void GapPlan::choose(const Gap& gap, GapChoice choice)
{
    m_choices[static_cast<std::size_t>(gap.node)][static_cast<std::size_t>(gap.index)] = gap.end == gap.begin + 1 ? GapChoice::Keep : choice;
}

double GapPlan::idleSeconds(const Gap& gap) const
{
    return m_startSeconds[static_cast<std::size_t>(gap.end)] - m_startSeconds[static_cast<std::size_t>(gap.begin) + 1];
}

int GapPlan::nextUse(NodeId node, int stage) const
{
    const auto& uses = m_uses[static_cast<std::size_t>(node)];
    const auto next = std::upper_bound(uses.begin(), uses.end(), stage);
    return next == uses.end() ? -1 : *next;
}

/// True when the choices keep `node` in RAM in `stage`, which lies inside one of its gaps, or when the stage uses it.
bool GapPlan::isKeptOver(NodeId node, int stage) const
{
    const auto& uses = m_uses[static_cast<std::size_t>(node)];
    const auto next = std::lower_bound(uses.begin(), uses.end(), stage);
    if (next == uses.end())
        return false;
    return *next == stage || m_choices[static_cast<std::size_t>(node)][static_cast<std::size_t>(next - uses.begin()) - 1] == GapChoice::Keep;
}

void GapPlan::addCost(NodeId node, int stage, std::vector<bool>& isCounted, Cost& sum) const
{
    if (isCounted[static_cast<std::size_t>(node)])
        return;
    isCounted[static_cast<std::size_t>(node)] = true;
    const CostNode& now = m_graph.nodes[static_cast<std::size_t>(node)];
    sum.joules += now.compute.joules;
    sum.seconds += now.compute.seconds;
    for (const NodeId input : now.inputs) {
        if (isKeptOver(input, stage))
            continue;
        if (isStored(input) || !mayRecompute(input)) {
            sum.joules += m_graph.nodes[static_cast<std::size_t>(input)].pageIn.joules;
            sum.seconds += m_graph.nodes[static_cast<std::size_t>(input)].pageIn.seconds;
        } else {
            addCost(input, stage, isCounted, sum);
        }
    }
}

Cost GapPlan::recomputeCost(NodeId node, int stage) const
{
    Cost sum;
    std::vector<bool> isCounted(m_graph.nodes.size(), false);
    addCost(node, stage, isCounted, sum);
    return sum;
}

bool GapPlan::isStored(NodeId node) const
{
    const auto& choices = m_choices[static_cast<std::size_t>(node)];
    return std::find(choices.begin(), choices.end(), GapChoice::Page) != choices.end();
}

/// False when something must be kept for longer than planned: the walk starts again.
bool GapPlan::bringBack(StageWalk& walk, NodeId node, KeepUntil& keepUntil) const
{
    if (walk.isAvailable(node))
        return true;
    if (isStored(node)) {
        walk.pageIn(node, m_isPrefetching);
        return true;
    }
    if (mayRecompute(node)) {
        for (const NodeId input : m_graph.nodes[static_cast<std::size_t>(node)].inputs)
            if (!bringBack(walk, input, keepUntil))
                return false;
        walk.recompute(node);
        return true;
    }
    keepUntil[static_cast<std::size_t>(node)] = walk.stage();
    return false;
}

void GapPlan::holdForLater(StageWalk& walk, NodeId node, const KeepUntil& keepUntil) const
{
    const int stage = walk.stage();
    if (keepUntil[static_cast<std::size_t>(node)] > stage)
        walk.holdTo(node, keepUntil[static_cast<std::size_t>(node)]);
    const int next = nextUse(node, stage);
    if (next < 0)
        return;
    const auto& uses = m_uses[static_cast<std::size_t>(node)];
    const bool isUse = std::binary_search(uses.begin(), uses.end(), stage);
    if (next == stage + 1 || (isUse ? isKeptOver(node, next - 1) : m_isRetained && m_isRetained(node, stage)))
        walk.holdTo(node, next);
}

bool GapPlan::walkAll(StageWalk& walk, KeepUntil& keepUntil) const
{
    for (int stage = 0; stage < m_graph.size(); ++stage) {
        walk.begin(stage);
        for (const NodeId input : m_graph.nodes[static_cast<std::size_t>(stage)].inputs)
            if (!bringBack(walk, input, keepUntil))
                return false;
        walk.runMain();
        if (isStored(stage))
            walk.pageOut();
        holdForLater(walk, stage, keepUntil);
        for (const NodeId input : m_graph.nodes[static_cast<std::size_t>(stage)].inputs)
            holdForLater(walk, input, keepUntil);
        const std::vector<NodeId> acquired = walk.acquired();
        for (const NodeId node : acquired)
            holdForLater(walk, node, keepUntil);
    }
    return true;
}

Expected<Schedule> GapPlan::schedule() const
{
    KeepUntil keepUntil(m_graph.nodes.size(), -1);
    const int mostRounds = m_graph.size() * m_graph.size() + 1;
    for (int round = 0; round < mostRounds; ++round) {
        StageWalk walk(m_graph, m_model);
        if (walkAll(walk, keepUntil))
            return lower(m_graph, m_model, walk.take());
    }
    return fail(ErrorCode::Internal, "The choices of a comparison strategy contradict each other.", "Please report this with the graph.");
}

}  // namespace poet::planning

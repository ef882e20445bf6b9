// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/planning/support/brute_force_search.h"

#include <algorithm>

namespace poet::testing {

Search::Search(const BruteForceProblem& problem, bool isForTime)
    : m_problem(problem), m_nodes(problem.graph->nodes), m_count(problem.graph->size()), m_isForTime(isForTime),
      m_isPaper(problem.transfer == TransferModel::Paper), m_isDma(problem.transfer == TransferModel::Dma),
      m_idleWatts(m_isPaper ? 0 : problem.graph->device.idleWatts),
      m_forgetsStore(!problem.graph->device.storeCapacityBytes && !problem.graph->device.writeLimitBytesPerStep)
{
    for (NodeId i = 0; i < m_count; ++i) {
        Mask inputs = 0;
        for (const NodeId u : node(i).inputs)
            inputs |= bit(u);
        m_inputs.push_back(inputs);
        const bool isSource = node(i).inputs.empty() && !m_isPaper;
        if (problem.strategy != Strategy::Paging && node(i).recomputable && node(i).phase == Phase::Forward && !isSource)
            m_recomputable |= bit(i);
    }
    findUses();
    findCandidates();
}

std::int64_t Search::bytes(Mask set) const
{
    std::int64_t sum = 0;
    for (NodeId i = 0; i < m_count; ++i)
        if (set & bit(i))
            sum += node(i).bytes;
    return sum;
}

bool Search::mayPage(NodeId i) const
{
    return m_problem.strategy != Strategy::Recompute && node(i).pageable;
}

/// The sum of what was ever written; a copy stays valid, so space and wear are the same sum.
bool Search::storeHolds(Mask set) const
{
    const DeviceTerms& device = m_problem.graph->device;
    std::int64_t sum = 0;
    for (NodeId i = 0; i < m_count; ++i)
        if (set & bit(i))
            sum += (node(i).bytes + device.storeBlockBytes - 1) / device.storeBlockBytes * device.storeBlockBytes;
    return sum <= device.storeCapacityBytes.value_or(sum) && sum <= device.writeLimitBytesPerStep.value_or(sum);
}

double Search::cost(double joules, double seconds) const
{
    return m_isForTime ? seconds : joules + m_idleWatts * seconds;
}

void Search::findUses()
{
    m_useful.assign(static_cast<std::size_t>(m_count), 0);
    for (int t = 0; t < m_count; ++t) {
        Mask readers = 0;
        for (NodeId k = t + 1; k < m_count; ++k)
            readers |= bit(k);
        Mask useful = 0;
        for (Mask before = ~Mask{0}; before != useful;) {
            before = useful;
            for (NodeId k = 0; k < m_count; ++k)
                if (((readers | (useful & m_recomputable)) & bit(k)) != 0)
                    useful |= m_inputs[static_cast<std::size_t>(k)];
        }
        m_useful[static_cast<std::size_t>(t)] = useful;
    }
}

/// C(t) by its definition in planning.md, section 3, taken literally.
void Search::findCandidates()
{
    for (int t = 0; t < m_count; ++t) {
        Mask set = m_inputs[static_cast<std::size_t>(t)];
        for (Mask before = 0; before != set;) {
            before = set;
            for (NodeId i = 0; i < t; ++i) {
                const Mask inputs = m_inputs[static_cast<std::size_t>(i)];
                if ((m_recomputable & bit(i)) == 0)
                    continue;
                if (set & bit(i))
                    set |= inputs;
                else if ((m_useful[static_cast<std::size_t>(t)] & bit(i)) && (inputs & ~set) == 0)
                    set |= bit(i);
            }
        }
        m_candidates.push_back(set);
    }
}

void Search::keep(Front& front, int label)
{
    const Label& added = m_labels[static_cast<std::size_t>(label)];
    const bool hasDeadline = m_problem.deadlineSeconds.has_value();
    const auto beats = [&](const Label& a, const Label& b) { return a.cost <= b.cost && (!hasDeadline || a.seconds <= b.seconds); };
    for (const int other : front)
        if (beats(m_labels[static_cast<std::size_t>(other)], added))
            return;
    std::erase_if(front, [&](int other) { return beats(added, m_labels[static_cast<std::size_t>(other)]); });
    front.push_back(label);
}

void Search::addTo(Layer& layer, const State& state, int parent, double joules, double seconds, const Action& action)
{
    Label label;
    if (parent >= 0) {
        label.cost = m_labels[static_cast<std::size_t>(parent)].cost;
        label.seconds = m_labels[static_cast<std::size_t>(parent)].seconds;
    }
    label.cost += cost(joules, seconds);
    label.seconds += seconds;
    label.parent = parent;
    label.action = action;
    if (m_problem.deadlineSeconds && label.seconds > *m_problem.deadlineSeconds * (1 + 1e-12))
        return;
    m_labels.push_back(label);
    keep(layer[state], static_cast<int>(m_labels.size()) - 1);
}

Schedule Search::schedule(int label) const
{
    std::vector<Action> actions;
    for (int at = label; at > 0; at = m_labels[static_cast<std::size_t>(at)].parent)
        actions.push_back(m_labels[static_cast<std::size_t>(at)].action);
    std::reverse(actions.begin(), actions.end());
    Schedule schedule;
    bool isPagingOut = false;
    const auto step = [&](int stage, StepKind kind, NodeId i, TransferMode mode = TransferMode::Blocking) {
        schedule.steps.push_back({.stage = stage, .kind = kind, .mode = mode, .node = i, .offset = std::nullopt});
    };
    const auto stepsOf = [&](int stage, StepKind kind, Mask set, TransferMode mode) {
        for (NodeId i = 0; i < m_count; ++i)
            if (set & bit(i))
                step(stage, kind, i, mode);
    };
    for (const Action& a : actions) {
        if (a.kind == StepKind::PageIn && m_isPaper)
            stepsOf(a.stage, StepKind::PageIn, a.pagedIn, TransferMode::Prefetch);
        else if (a.kind != StepKind::Compute)
            step(a.stage, a.kind, a.node);
        if (a.kind == StepKind::Compute) {
            if (m_isDma && isPagingOut)
                step(a.stage, StepKind::PageOut, a.node - 1, TransferMode::Background);
            stepsOf(a.stage, StepKind::PageIn, a.pagedIn, TransferMode::Prefetch);
            step(a.stage, StepKind::Compute, a.node);
            if (m_isPaper && isPagingOut)
                step(a.stage, StepKind::PageOut, a.node - 1, TransferMode::Background);
            if (a.out == Out::Immediate)
                step(a.stage, StepKind::PageOut, a.node);
            isPagingOut = a.out == Out::Background;
        }
        stepsOf(a.stage, StepKind::Free, a.freed, TransferMode::Blocking);
    }
    return schedule;
}

std::optional<BruteForceAnswer> Search::run()
{
    Layer layer;
    m_labels.push_back(Label{});
    layer[State{}] = {0};
    for (int stage = 0; stage < m_count; ++stage) {
        if (m_isPaper)
            paperPageIns(stage, layer);
        if (m_isPaper && m_problem.isLatePageOutAllowed && m_problem.strategy != Strategy::Recompute)
            latePageOuts(stage, layer);
        for (NodeId k = 0; k < stage; ++k)
            acquire(stage, k, layer);
        layer = runMain(stage, layer);
    }
    int best = -1;
    for (const auto& [state, front] : layer)
        for (const int label : front)
            if (best < 0 || m_labels[static_cast<std::size_t>(label)].cost < m_labels[static_cast<std::size_t>(best)].cost)
                best = label;
    if (best < 0)
        return std::nullopt;
    const Label& found = m_labels[static_cast<std::size_t>(best)];
    return BruteForceAnswer{found.cost, found.seconds, m_problem.isLatePageOutAllowed ? Schedule{} : schedule(best)};
}

std::optional<BruteForceAnswer> bruteForce(const BruteForceProblem& problem)
{
    return Search(problem, false).run();
}

std::optional<double> bruteForceFastest(const BruteForceProblem& problem)
{
    BruteForceProblem free = problem;
    free.deadlineSeconds.reset();
    const auto answer = Search(free, true).run();
    return answer ? std::optional(answer->seconds) : std::nullopt;
}

}  // namespace poet::testing

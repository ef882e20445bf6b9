// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/planning/support/brute_force_search.h"

#include <algorithm>

namespace poet::testing {

namespace {

template <class F>
void forEachSubset(Mask set, F&& visit)
{
    for (Mask sub = set;; sub = (sub - 1) & set) {
        visit(sub);
        if (sub == 0)
            break;
    }
}

}  // namespace

void Search::latePageOuts(int stage, Layer& layer)
{
    Layer result = layer;
    for (const auto& [state, front] : layer) {
        Mask possible = 0;
        for (NodeId i = 0; i < stage; ++i)
            if (mayPage(i) && (state.ram & ~state.store & bit(i)))
                possible |= bit(i);
        forEachSubset(possible, [&](Mask out) {
            if (out == 0)
                return;
            double joules = 0;
            for (NodeId i = 0; i < stage; ++i)
                joules += out & bit(i) ? node(i).pageOut.joules : 0;
            State next = state;
            next.store |= out;
            for (const int label : front)
                addTo(result, next, label, joules, 0, Action{});
        });
    }
    layer = std::move(result);
}

/// `paper`: page-ins stand at the start of the stage; what was in RAM in the stage before would have stayed there.
void Search::paperPageIns(int stage, Layer& layer)
{
    Layer result;
    for (const auto& [state, front] : layer) {
        const Mask possible = state.store & ~state.ram & ~state.extra;
        forEachSubset(possible, [&](Mask in) {
            State next = state;
            next.ram |= in;
            next.extra = 0;
            double joules = 0;
            for (NodeId i = 0; i < stage; ++i)
                joules += in & bit(i) ? node(i).pageIn.joules : 0;
            for (const int label : front) {
                if (in == 0)
                    keep(result[next], label);
                else
                    addTo(result, next, label, joules, 0, Action{stage, StepKind::PageIn, 0, in, 0, Out::None, false});
            }
        });
    }
    layer = std::move(result);
}

/// Slot k of the stage: leave tensor k alone, page it in on demand, or recompute it.
void Search::acquire(int stage, NodeId k, Layer& layer)
{
    Layer result = layer;
    for (const auto& [state, front] : layer) {
        if (state.ram & bit(k))
            continue;
        for (const int label : front) {
            if (!m_isPaper && (state.store & bit(k)) && bytes(state.ram) + node(k).bytes <= m_problem.budgetBytes) {
                State next = state;
                next.ram |= bit(k);
                addTo(result, next, label, node(k).pageIn.joules, node(k).pageIn.seconds,
                      Action{stage, StepKind::PageIn, k, 0, 0, Out::None, false});
            }
            recompute(stage, k, state, label, result);
        }
    }
    layer = std::move(result);
}

void Search::recompute(int stage, NodeId k, const State& state, int label, Layer& out)
{
    const Mask inputs = m_inputs[static_cast<std::size_t>(k)];
    const std::int64_t during = bytes(state.ram) + node(k).bytes + node(k).workspaceBytes;
    const bool isCandidate = !m_problem.isRecomputeOnlyOfCandidates || (m_candidates[static_cast<std::size_t>(stage)] & bit(k));
    if ((m_recomputable & bit(k)) == 0 || (inputs & ~state.ram) != 0 || during > m_problem.budgetBytes || !isCandidate)
        return;
    const Mask pinned = state.isPagingOut ? bit(stage - 1) : 0;
    forEachSubset(inputs & ~pinned, [&](Mask freed) {
        State next = state;
        next.ram = (state.ram | bit(k)) & ~freed;
        if (m_isDma)
            next.extra &= ~inputs;
        if (m_isPaper)
            next.extra |= freed;
        addTo(out, next, label, node(k).compute.joules, node(k).compute.seconds,
              Action{stage, StepKind::Recompute, k, 0, freed, Out::None, false});
    });
}

Layer Search::runMain(int stage, const Layer& layer)
{
    Layer result;
    for (const auto& [state, front] : layer)
        for (const int label : front)
            runMainOf(stage, state, label, result);
    return result;
}

/// The main node, with what moves meanwhile (dma).
void Search::runMainOf(int stage, const State& state, int label, Layer& out)
{
    const Mask inputs = m_inputs[static_cast<std::size_t>(stage)];
    if ((inputs & ~state.ram) != 0 || (m_isDma && (state.extra & ~inputs) != 0))
        return;
    const std::int64_t during = bytes(state.ram) + node(stage).bytes + node(stage).workspaceBytes;
    if (during > m_problem.budgetBytes)
        return;
    const Mask possible = m_isDma && stage + 1 < m_count ? state.store & ~state.ram & m_useful[static_cast<std::size_t>(stage)] : 0;
    forEachSubset(possible, [&](Mask in) {
        if (during + bytes(in) > m_problem.budgetBytes)
            return;
        double joules = node(stage).compute.joules;
        double moving = m_isDma && state.isPagingOut ? node(stage - 1).pageOut.seconds : 0;
        for (NodeId i = 0; i < stage; ++i)
            if (in & bit(i)) {
                joules += node(i).pageIn.joules;
                moving += node(i).pageIn.seconds;
            }
        State next = state;
        if (state.isPagingOut)
            next.store |= bit(stage - 1);
        if (!m_isPaper)
            next.extra = in;
        next.isPagingOut = false;
        leaveStage(stage, next, label, {joules, slowedStage(node(stage).compute.seconds, moving)},
                   Action{stage, StepKind::Compute, stage, in, 0, Out::None, state.isPagingOut}, out);
    });
}

/// Page-out of the main tensor, and every choice of what is held for later stages. `state`: after the main run.
void Search::leaveStage(int stage, const State& state, int label, Cost run, Action action, Layer& out)
{
    const Mask useful = m_useful[static_cast<std::size_t>(stage)];
    const Mask arriving = m_isPaper ? 0 : state.extra;
    const Mask present = state.ram | bit(stage);
    for (const Out kind : {Out::None, Out::Immediate, Out::Background}) {
        const bool isWrongModel = kind == Out::Immediate ? m_isPaper : kind == Out::Background && !mayBackground();
        const bool isPossible = mayPage(stage) && (useful & bit(stage)) && storeHolds(state.store | bit(stage));
        if (isWrongModel || (kind != Out::None && !isPossible))
            continue;
        State next = state;
        next.isPagingOut = kind == Out::Background;
        if (kind == Out::Immediate)
            next.store |= bit(stage);
        if (m_forgetsStore)
            next.store &= useful;
        const double joules = run.joules + (kind == Out::None ? 0 : node(stage).pageOut.joules);
        const double seconds = run.seconds + (kind == Out::Immediate ? node(stage).pageOut.seconds : 0);
        const Mask pinned = next.isPagingOut ? bit(stage) : 0;
        forEachSubset(present & useful & ~pinned, [&](Mask held) {
            next.ram = held | pinned | arriving;
            action.freed = present & ~(held | pinned);
            action.out = kind;
            addTo(out, next, label, joules, seconds, action);
        });
    }
}

}  // namespace poet::testing

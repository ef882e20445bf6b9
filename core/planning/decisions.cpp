// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/planning/decisions.h"

#include <algorithm>

namespace poet::planning {
namespace {

/// Writes the steps stage by stage, keeping track of what is in RAM and until when.
class Lowering {
public:
    Lowering(const CostGraph& graph, TransferModel model, const Decisions& decisions)
        : m_graph(graph), m_model(model), m_outs(decisions.outs), m_acquires(graph.nodes.size()), m_holds(graph.nodes.size()),
          m_heldUntil(graph.nodes.size(), -1), m_isInRam(graph.nodes.size(), false), m_lastUse(graph.nodes.size(), -1)
    {
        for (const Acquire& acquire : decisions.acquires)
            m_acquires[static_cast<std::size_t>(acquire.stage)].push_back(acquire);
        for (const Hold& hold : decisions.holds)
            m_holds[static_cast<std::size_t>(hold.from)].push_back(hold);
        for (auto& slots : m_acquires)
            std::sort(slots.begin(), slots.end(), [](const Acquire& a, const Acquire& b) { return a.node < b.node; });
    }

    Schedule run()
    {
        for (int stage = 0; stage < m_graph.size(); ++stage)
            writeStage(stage);
        return std::move(m_schedule);
    }

private:
    const std::vector<NodeId>& inputs(NodeId node) const { return m_graph.nodes[static_cast<std::size_t>(node)].inputs; }
    OutKind out(NodeId node) const { return m_outs.empty() ? OutKind::None : m_outs[static_cast<std::size_t>(node)]; }

    void write(int stage, StepKind kind, NodeId node, TransferMode mode = TransferMode::Blocking)
    {
        m_schedule.steps.push_back({.stage = stage, .kind = kind, .mode = mode, .node = node});
    }

    void enter(NodeId node)
    {
        m_isInRam[static_cast<std::size_t>(node)] = true;
        m_live.push_back(node);
    }

    bool isHeld(NodeId node, int stage) const
    {
        if (m_heldUntil[static_cast<std::size_t>(node)] > stage)
            return true;
        // A tensor on its way to the store in the background stays through the stage after its own.
        return out(node) == OutKind::Background && stage == node;
    }

    void freeIfDone(NodeId node, int stage, int slot)
    {
        if (!m_isInRam[static_cast<std::size_t>(node)] || m_lastUse[static_cast<std::size_t>(node)] > slot || isHeld(node, stage))
            return;
        if (out(node) == OutKind::Background && stage == node + 1 && slot != kEndOfStage)
            return;
        m_isInRam[static_cast<std::size_t>(node)] = false;
        write(stage, StepKind::Free, node);
    }

    void writeStage(int stage)
    {
        const auto& slots = m_acquires[static_cast<std::size_t>(stage)];
        const int mainSlot = static_cast<int>(slots.size());
        for (int slot = 0; slot < mainSlot; ++slot)
            if (slots[static_cast<std::size_t>(slot)].kind == AcquireKind::Recompute)
                for (const NodeId input : inputs(slots[static_cast<std::size_t>(slot)].node))
                    m_lastUse[static_cast<std::size_t>(input)] = slot;
        for (const NodeId input : inputs(stage))
            m_lastUse[static_cast<std::size_t>(input)] = mainSlot;
        for (const Hold& hold : m_holds[static_cast<std::size_t>(stage)])
            m_heldUntil[static_cast<std::size_t>(hold.node)] = std::max(m_heldUntil[static_cast<std::size_t>(hold.node)], hold.to);
        freeUnused(stage);
        if (m_model == TransferModel::Paper)
            for (const Acquire& acquire : slots)
                if (acquire.kind != AcquireKind::Recompute)
                    acquireNow(acquire, stage);
        for (int slot = 0; slot < mainSlot; ++slot)
            writeSlot(slots[static_cast<std::size_t>(slot)], stage, slot);
        writeMain(stage, mainSlot);
        for (int slot = 0; slot < mainSlot; ++slot) {
            m_lastUse[static_cast<std::size_t>(slots[static_cast<std::size_t>(slot)].node)] = -1;
            for (const NodeId input : inputs(slots[static_cast<std::size_t>(slot)].node))
                m_lastUse[static_cast<std::size_t>(input)] = -1;
        }
        for (const NodeId input : inputs(stage))
            m_lastUse[static_cast<std::size_t>(input)] = -1;
    }

    void acquireNow(const Acquire& acquire, int stage)
    {
        const bool isPaper = m_model == TransferModel::Paper;
        write(stage, StepKind::PageIn, acquire.node, isPaper ? TransferMode::Prefetch : TransferMode::Blocking);
        enter(acquire.node);
    }

    void writeSlot(const Acquire& acquire, int stage, int slot)
    {
        if (acquire.kind == AcquireKind::Recompute) {
            write(stage, StepKind::Recompute, acquire.node);
            enter(acquire.node);
            for (const NodeId input : inputs(acquire.node))
                freeIfDone(input, stage, slot);
            freeIfDone(acquire.node, stage, slot);
        } else if (m_model != TransferModel::Paper && acquire.kind == AcquireKind::Demand) {
            acquireNow(acquire, stage);
        }
    }

    void writeMain(int stage, int mainSlot)
    {
        const bool hasBackgroundOut = stage > 0 && out(stage - 1) == OutKind::Background;
        if (m_model == TransferModel::Dma) {
            if (hasBackgroundOut)
                write(stage, StepKind::PageOut, stage - 1, TransferMode::Background);
            if (stage + 1 < m_graph.size())
                for (const Acquire& acquire : m_acquires[static_cast<std::size_t>(stage) + 1])
                    if (acquire.kind == AcquireKind::Prefetch) {
                        write(stage, StepKind::PageIn, acquire.node, TransferMode::Prefetch);
                        enter(acquire.node);
                        auto& until = m_heldUntil[static_cast<std::size_t>(acquire.node)];
                        until = std::max(until, stage + 1);
                    }
        }
        write(stage, StepKind::Compute, stage);
        enter(stage);
        for (const NodeId input : inputs(stage))
            freeIfDone(input, stage, mainSlot);
        if (out(stage) == OutKind::Immediate)
            write(stage, StepKind::PageOut, stage);
        if (hasBackgroundOut) {
            if (m_model == TransferModel::Paper)
                write(stage, StepKind::PageOut, stage - 1, TransferMode::Background);
            freeIfDone(stage - 1, stage, kEndOfStage);
        }
        freeIfDone(stage, stage, mainSlot);
    }

    /// What was held up to this stage but is neither used in it nor held on leaves at once.
    void freeUnused(int stage)
    {
        std::erase_if(m_live, [&](NodeId node) {
            freeIfDone(node, stage, -1);
            return !m_isInRam[static_cast<std::size_t>(node)];
        });
        std::sort(m_live.begin(), m_live.end());
        m_live.erase(std::unique(m_live.begin(), m_live.end()), m_live.end());
    }

    static constexpr int kEndOfStage = 1 << 30;

    const CostGraph& m_graph;
    TransferModel m_model;
    const std::vector<OutKind>& m_outs;
    std::vector<std::vector<Acquire>> m_acquires;  ///< per stage, by node
    std::vector<std::vector<Hold>> m_holds;        ///< per first stage
    std::vector<int> m_heldUntil;
    std::vector<bool> m_isInRam;
    std::vector<int> m_lastUse;                    ///< slot of the current stage that reads it last
    std::vector<NodeId> m_live;
    Schedule m_schedule;
};

}  // namespace

Decisions decisionsOf(const CostGraph& graph, TransferModel model, const Schedule& schedule)
{
    Decisions decisions;
    decisions.outs.assign(graph.nodes.size(), OutKind::None);
    std::vector<int> lastEvent(graph.nodes.size(), 0);
    for (const Step& step : schedule.steps) {
        const std::size_t i = static_cast<std::size_t>(step.node);
        if (step.kind == StepKind::PageOut)
            decisions.outs[i] = step.mode == TransferMode::Background ? OutKind::Background : OutKind::Immediate;
        if (step.kind == StepKind::PageIn) {
            const bool isEarly = model == TransferModel::Dma && step.mode == TransferMode::Prefetch;
            lastEvent[i] = step.stage + (isEarly ? 1 : 0);
            decisions.acquires.push_back({lastEvent[i], step.node, isEarly ? AcquireKind::Prefetch : AcquireKind::Demand});
        }
        if (step.kind != StepKind::Compute && step.kind != StepKind::Recompute)
            continue;
        for (const NodeId input : graph.nodes[i].inputs) {
            int& last = lastEvent[static_cast<std::size_t>(input)];
            if (last < step.stage)
                decisions.holds.push_back({input, last, step.stage});
            last = step.stage;
        }
        lastEvent[i] = step.stage;
        if (step.kind == StepKind::Recompute)
            decisions.acquires.push_back({step.stage, step.node, AcquireKind::Recompute});
    }
    return decisions;
}

Schedule lower(const CostGraph& graph, TransferModel model, const Decisions& decisions)
{
    return Lowering(graph, model, decisions).run();
}

}  // namespace poet::planning

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/planning/construct.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace poet::planning {
namespace {

/// What the walk changes.
struct State {
    struct Tensor {
        bool isInRam = false;
        bool canBeStored = true;   ///< it stayed in RAM long enough for a page-out, or is written at once
        int since = 0;             ///< the event from which it is held
        int neededIn = -1;         ///< latest stage that reads it (main node or recompute)
        int lastSlot = -1;         ///< last slot of that stage that reads it; the main node is slot n
        int acquiredIn = -1;
    };
    std::vector<Tensor> m_tensors;
    std::vector<NodeId> m_live;
    std::int64_t m_ram = 0;
    Decisions m_decisions;
};

/// The walk: what is in RAM before the stage at hand, since which event, and whether it could be in the store.
class Walk : private State {
public:
    Walk(const Problem& problem, const Choices& choices, const ConstructStyle& style, const std::function<bool()>& wantsStop)
        : m_wantsStop(wantsStop), m_problem(problem), m_graph(*problem.graph), m_choices(choices), m_style(style), m_charges(problem), m_consumers(m_graph.consumers()),
          m_nextUseAt(m_graph.nodes.size(), 0)
    {
        m_tensors.resize(m_graph.nodes.size());
        m_decisions.outs.assign(m_graph.nodes.size(), OutKind::None);
    }

    std::optional<Decisions> run()
    {
        for (int stage = 0; stage < m_graph.size(); ++stage) {
            const State before = *this;
            if (runStage(stage))
                continue;
            // What the stage reads may stand in the way of getting the rest: once more from nearly empty RAM.
            static_cast<State&>(*this) = before;
            if (stops())
                return std::nullopt;
            dropAllRecomputable(stage);
            if (!runStage(stage))
                return std::nullopt;
        }
        return std::move(m_decisions);
    }

    void dropAllRecomputable(int stage)
    {
        const std::vector<NodeId> live = m_live;
        for (const NodeId id : live)
            if (m_choices.mayRecompute[static_cast<std::size_t>(id)])
                leave(id, stage);
    }

private:
    bool stops() const { return m_wantsStop && m_wantsStop(); }
    Tensor& tensor(NodeId id) { return m_tensors[static_cast<std::size_t>(id)]; }
    const CostNode& node(NodeId id) const { return m_graph.nodes[static_cast<std::size_t>(id)]; }

    /// The first stage after `stage` whose main node reads the tensor; -1 if none.
    int nextUse(NodeId id, int stage)
    {
        const auto& uses = m_consumers[static_cast<std::size_t>(id)];
        auto& at = m_nextUseAt[static_cast<std::size_t>(id)];
        while (at < uses.size() && uses[at] <= stage)
            ++at;
        return at < uses.size() ? uses[at] : -1;
    }

    double pageCost(NodeId id)
    {
        if (!m_choices.mayPage[static_cast<std::size_t>(id)] || !tensor(id).canBeStored)
            return std::numeric_limits<double>::infinity();
        const bool isOut = m_decisions.outs[static_cast<std::size_t>(id)] != OutKind::None;
        return m_charges.pageIn(id) + (isOut ? 0 : m_charges.pageOut(id));
    }

    /// Cost of recomputing a tensor with what that needs beyond RAM; infinite where it is not allowed. Stops counting at
    /// `limit`. Its direct inputs are free when the stage acquires them anyway (kNoStage: it does not); further down that
    /// is not looked at, which gave slightly better plans.
    double recomputeCost(NodeId id, int stage, int depth, double limit)
    {
        if (!m_choices.mayRecompute[static_cast<std::size_t>(id)] || (m_style.prefersPaging && std::isfinite(limit)))
            return std::numeric_limits<double>::infinity();
        double again = m_charges.recompute(id);
        for (const NodeId input : node(id).inputs) {
            if (again >= limit)
                break;
            if (!tensor(input).isInRam && tensor(input).acquiredIn != stage)
                again += acquireCost(input, depth + 1);
        }
        return again;
    }

    /// Cheapest way of getting a tensor that is not in RAM; follows recomputes a bounded way down.
    double acquireCost(NodeId id, int depth)
    {
        const double page = pageCost(id);
        return depth > kDeepest ? page : std::min(page, recomputeCost(id, kNoStage, depth, page));
    }

    /// Adds `id` and all it needs to the acquisitions of the stage. False when there is no way to get it.
    bool plan(NodeId id, int stage, std::vector<Acquire>& slots)
    {
        if (tensor(id).isInRam || tensor(id).acquiredIn == stage)
            return true;
        const double page = pageCost(id);
        const double again = recomputeCost(id, stage, 0, page);
        if (std::isinf(page) && !m_choices.mayRecompute[static_cast<std::size_t>(id)])
            return false;
        tensor(id).acquiredIn = stage;
        if (page <= again && std::isfinite(page)) {
            slots.push_back({stage, id, AcquireKind::Demand});
            m_decisions.outs[static_cast<std::size_t>(id)] = m_problem.transfer == TransferModel::Paper ? OutKind::Background : OutKind::Immediate;
            return true;
        }
        slots.push_back({stage, id, AcquireKind::Recompute});
        return std::all_of(node(id).inputs.begin(), node(id).inputs.end(), [&](NodeId input) { return plan(input, stage, slots); });
    }

    void enter(NodeId id, int stage)
    {
        tensor(id).isInRam = true;
        tensor(id).since = stage;
        m_ram += node(id).bytes;
        m_live.push_back(id);
    }

    void leave(NodeId id, int stage)
    {
        // In the paper model a tensor cannot be stored before the stage after its own is over.
        if (m_problem.transfer == TransferModel::Paper && stage <= id + 1)
            tensor(id).canBeStored = false;
        tensor(id).isInRam = false;
        m_ram -= node(id).bytes;
        m_live.erase(std::find(m_live.begin(), m_live.end(), id));
    }

    /// What dropping the tensor now is worth: bytes for the stages that they stay free, per joule of getting it back.
    double worth(NodeId id, int stage)
    {
        const int use = nextUse(id, stage - 1);
        if (use < 0)
            return std::numeric_limits<double>::infinity();
        tensor(id).isInRam = false;
        const double cost = acquireCost(id, 0);
        tensor(id).isInRam = true;
        const double bytes = static_cast<double>(std::max<std::int64_t>(node(id).bytes, 0));
        return std::pow(bytes, m_style.bytesExponent) * std::pow(use - stage + 1, m_style.distanceExponent) / (cost + 1e-30);
    }

    /// Drops tensors that this stage does not read until `need` more bytes fit. False when there are not enough.
    bool makeRoom(std::int64_t need, int stage)
    {
        while (m_ram + need > m_problem.budgetBytes()) {
            NodeId best = -1;
            double most = -1;
            for (const NodeId id : m_live) {
                if (tensor(id).neededIn == stage || node(id).bytes == 0)
                    continue;
                const double value = worth(id, stage);
                if (value > most) {
                    most = value;
                    best = id;
                }
            }
            if (best < 0 || most <= 0 || stops())
                return false;
            leave(best, stage);
        }
        return true;
    }

    bool runStage(int stage)
    {
        std::vector<Acquire> slots;
        for (const NodeId input : node(stage).inputs)
            if (!plan(input, stage, slots))
                return false;
        std::sort(slots.begin(), slots.end(), [](const Acquire& a, const Acquire& b) { return a.node < b.node; });
        markUses(stage, slots);
        if (m_problem.transfer == TransferModel::Paper)  // page-ins stand at the start of the stage
            std::stable_partition(slots.begin(), slots.end(), [](const Acquire& a) { return a.kind != AcquireKind::Recompute; });
        for (const Acquire& acquire : slots) {
            const bool isRecompute = acquire.kind == AcquireKind::Recompute;
            if (!makeRoom(node(acquire.node).bytes + (isRecompute ? node(acquire.node).workspaceBytes : 0), stage))
                return false;
            enter(acquire.node, stage);
            m_decisions.acquires.push_back(acquire);
            if (isRecompute)
                for (const NodeId input : node(acquire.node).inputs)
                    dropIfUseless(input, stage, acquire.node);
        }
        if (!makeRoom(node(stage).bytes + node(stage).workspaceBytes, stage))
            return false;
        enter(stage, stage);
        for (const NodeId input : node(stage).inputs)
            dropIfUseless(input, stage, stage);
        dropIfUseless(stage, stage, stage);
        return true;
    }

    /// Records what the stage reads, and turns the stay in RAM up to here into a hold.
    void markUses(int stage, const std::vector<Acquire>& slots)
    {
        const auto mark = [&](NodeId id, int slot) {
            Tensor& used = tensor(id);
            if (used.neededIn != stage && used.isInRam && used.since < stage) {
                m_decisions.holds.push_back({id, used.since, stage});
                used.since = stage;
            }
            used.neededIn = stage;
            used.lastSlot = slot;
        };
        for (const Acquire& acquire : slots) {
            mark(acquire.node, acquire.node);
            if (acquire.kind == AcquireKind::Recompute)
                for (const NodeId input : node(acquire.node).inputs)
                    mark(input, acquire.node);
        }
        for (const NodeId input : node(stage).inputs)
            mark(input, stage);
    }

    /// After the slot of node `slot`: a tensor that no later slot and no later stage reads leaves.
    void dropIfUseless(NodeId id, int stage, NodeId slot)
    {
        if (!tensor(id).isInRam || (tensor(id).neededIn == stage && tensor(id).lastSlot > slot))
            return;
        if (tensor(id).neededIn == stage)
            tensor(id).neededIn = -1;  // it may be dropped from here on
        if (nextUse(id, stage) < 0 && !m_choices.tiny(id))
            leave(id, stage);
    }

    static constexpr int kDeepest = 40;
    static constexpr int kNoStage = -2;  ///< equal to no tensor's acquiredIn

    const std::function<bool()>& m_wantsStop;
    const Problem& m_problem;
    const CostGraph& m_graph;
    const Choices& m_choices;
    ConstructStyle m_style;
    Charges m_charges;
    std::vector<std::vector<NodeId>> m_consumers;
    std::vector<std::size_t> m_nextUseAt;
};

}  // namespace

std::optional<Decisions> construct(const Problem& problem, const Choices& choices, const ConstructStyle& style, const std::function<bool()>& wantsStop)
{
    return Walk(problem, choices, style, wantsStop).run();
}

}  // namespace poet::planning

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/planning/baselines/baselines.h"
#include "core/planning/baselines/stage_walk.h"

#include <algorithm>
#include <set>

namespace poet::planning {
namespace {

/// Steps that `snaps` checkpoints can reverse with at most `repeats` runs of each: C(snaps + repeats, snaps), capped.
/// Source: Griewank and Walther, section 2.
std::int64_t reach(int snaps, int repeats)
{
    if (snaps < 0 || repeats < 0)
        return 0;
    constexpr std::int64_t kCap = std::int64_t{1} << 40;
    std::int64_t result = 1;
    for (int k = 1; k <= snaps && result < kCap; ++k)
        result = result * (repeats + k) / k;
    return result;
}

/// Which of the equally good places a checkpoint takes: they differ where tensors differ in size.
enum class Placement { Early, Late };

/// How far to advance before the next checkpoint when `steps` are to be reversed with `snaps` free checkpoints.
int advance(int steps, int snaps, Placement placement)
{
    int repeats = 0;
    while (reach(snaps, repeats) < steps)
        ++repeats;
    const std::int64_t least = std::max<std::int64_t>(reach(snaps, repeats - 2), steps - reach(snaps - 1, repeats));
    const std::int64_t most = std::min<std::int64_t>(reach(snaps, repeats - 1), steps - reach(snaps - 1, repeats - 1));
    return static_cast<int>(std::clamp<std::int64_t>(placement == Placement::Early ? least : most, 1, std::max(1, steps - 1)));
}

/// The forward part as a chain: step k ends with its articulation tensor and computes the nodes since the one before.
struct Chain {
    int forward = 0;            ///< number of forward nodes
    std::vector<NodeId> ends;   ///< articulation tensor of each step, ascending; the last is the last forward node
    std::vector<int> stepOf;    ///< per forward node
    std::vector<int> lastUse;   ///< per node: last main node that reads it; itself if none
    std::vector<int> stepEnd;   ///< per step: last main node that reads any of its tensors
};

Chain findChain(const CostGraph& graph, TransferModel model)
{
    Chain chain;
    const auto first = std::find_if(graph.nodes.begin(), graph.nodes.end(), [](const CostNode& n) { return n.phase == Phase::Backward; });
    chain.forward = static_cast<int>(first - graph.nodes.begin());
    chain.lastUse.resize(graph.nodes.size());
    std::vector<int> lastForwardUse(graph.nodes.size());
    for (NodeId k = 0; k < graph.size(); ++k) {
        chain.lastUse[static_cast<std::size_t>(k)] = lastForwardUse[static_cast<std::size_t>(k)] = k;
        for (const NodeId u : graph.nodes[static_cast<std::size_t>(k)].inputs) {
            chain.lastUse[static_cast<std::size_t>(u)] = k;
            if (k < chain.forward)
                lastForwardUse[static_cast<std::size_t>(u)] = k;
        }
    }
    // Tensors that cannot run again are always kept, so that edges from them do not cross anything.
    int crossing = -1;
    for (NodeId k = 0; k < chain.forward; ++k) {
        chain.stepOf.push_back(static_cast<int>(chain.ends.size()));
        if (crossing <= k || k + 1 == chain.forward)
            chain.ends.push_back(k);
        if (graph.mayRecompute(k, model))
            crossing = std::max(crossing, lastForwardUse[static_cast<std::size_t>(k)]);
    }
    chain.stepEnd.assign(chain.ends.size(), 0);
    for (NodeId k = 0; k < chain.forward; ++k) {
        int& end = chain.stepEnd[static_cast<std::size_t>(chain.stepOf[static_cast<std::size_t>(k)])];
        end = std::max(end, chain.lastUse[static_cast<std::size_t>(k)]);
    }
    return chain;
}

/// One walk over the training step with a given number of checkpoints. `keepUntil`: per node the last stage for which
/// a tensor that cannot run again must be kept; a walk that finds one missing raises it, and must be done again.
class Reversal {
public:
    Reversal(const CostGraph& graph, TransferModel model, const Chain& chain, int snaps, Placement placement, std::vector<int>& keepUntil)
        : m_graph(graph), m_model(model), m_chain(chain), m_snaps(snaps), m_placement(placement), m_keepUntil(keepUntil), m_walk(graph, model) {}

    /// Nothing when `keepUntil` was raised.
    std::optional<Schedule> run()
    {
        placeCheckpoints(-1, static_cast<int>(m_chain.ends.size()) - 1);
        for (int stage = 0; stage < m_graph.size(); ++stage) {
            m_walk.begin(stage);
            for (const NodeId input : m_graph.nodes[static_cast<std::size_t>(stage)].inputs)
                if (!m_walk.isAvailable(input) && !reverse(input))
                    return std::nullopt;
            m_walk.runMain();
            holdMain(stage);
        }
        return lower(m_graph, m_model, m_walk.take());
    }

private:
    /// Chooses the ends of steps in (from, to) that the next sweep keeps; from -1 is the start of the chain.
    void placeCheckpoints(int from, int to)
    {
        int used = 0;
        for (const int at : m_checkpoints)
            used += at < to;
        for (int at = from; used < m_snaps && to - at > 1; ++used) {
            at += advance(to - at, m_snaps - used, m_placement);
            m_checkpoints.insert(at);
        }
    }

    /// Last stage in which a recompute may still read `node`: the ends of the steps of its readers.
    int lastNeed(NodeId node) const
    {
        int last = m_chain.lastUse[static_cast<std::size_t>(node)];
        for (NodeId k = node + 1; k < m_chain.forward; ++k)
            if (std::binary_search(m_graph.nodes[static_cast<std::size_t>(k)].inputs.begin(), m_graph.nodes[static_cast<std::size_t>(k)].inputs.end(), node))
                last = std::max(last, m_chain.stepEnd[static_cast<std::size_t>(m_chain.stepOf[static_cast<std::size_t>(k)])]);
        return last;
    }

    bool isCheckpoint(NodeId node) const
    {
        const int step = m_chain.stepOf[static_cast<std::size_t>(node)];
        return m_chain.ends[static_cast<std::size_t>(step)] == node && m_checkpoints.contains(step);
    }

    int lastForwardUse(NodeId node) const
    {
        int last = node;
        for (NodeId k = node + 1; k < m_chain.forward; ++k)
            for (const NodeId u : m_graph.nodes[static_cast<std::size_t>(k)].inputs)
                if (u == node)
                    last = k;
        return last;
    }

    void holdMain(int stage)
    {
        if (stage >= m_chain.forward) {
            m_walk.holdTo(stage, m_chain.lastUse[static_cast<std::size_t>(stage)]);
            return;
        }
        const bool isLastStep = m_chain.stepOf[static_cast<std::size_t>(stage)] + 1 == static_cast<int>(m_chain.ends.size());
        if (!m_graph.mayRecompute(stage, m_model))
            m_walk.holdTo(stage, std::max(lastNeed(stage), m_keepUntil[static_cast<std::size_t>(stage)]));
        else if (isCheckpoint(stage))
            m_walk.holdTo(stage, lastNeed(stage));
        else
            m_walk.holdTo(stage, isLastStep ? m_chain.lastUse[static_cast<std::size_t>(stage)] : lastForwardUse(stage));
    }

    bool bringBack(NodeId node)
    {
        if (m_walk.isAvailable(node))
            return true;
        if (!m_graph.mayRecompute(node, m_model)) {
            m_keepUntil[static_cast<std::size_t>(node)] = m_walk.stage();
            return false;
        }
        for (const NodeId input : m_graph.nodes[static_cast<std::size_t>(node)].inputs)
            if (!bringBack(input))
                return false;
        m_walk.recompute(node);
        return true;
    }

    /// A backward node reads `node`: sweep from the nearest checkpoint, keeping new ones on the way, then keep the
    /// whole step of `node` until it is used up.
    bool reverse(NodeId node)
    {
        const int step = m_chain.stepOf[static_cast<std::size_t>(node)];
        int from = step - 1;
        while (from >= 0 && !m_walk.isAvailable(m_chain.ends[static_cast<std::size_t>(from)]))
            --from;
        std::erase_if(m_checkpoints, [&](int at) { return !m_walk.isAvailable(m_chain.ends[static_cast<std::size_t>(at)]); });
        placeCheckpoints(from, step);
        for (int at = from + 1; at < step; ++at) {
            const NodeId end = m_chain.ends[static_cast<std::size_t>(at)];
            if (!m_checkpoints.contains(at))
                continue;
            if (!bringBack(end))
                return false;
            m_walk.holdTo(end, lastNeed(end));
        }
        for (NodeId k = 0; k < m_chain.forward; ++k) {
            if (m_chain.stepOf[static_cast<std::size_t>(k)] != step || m_chain.lastUse[static_cast<std::size_t>(k)] < m_walk.stage())
                continue;
            if (m_chain.lastUse[static_cast<std::size_t>(k)] < m_chain.forward)
                continue;
            if (!bringBack(k))
                return false;
            m_walk.holdTo(k, m_chain.lastUse[static_cast<std::size_t>(k)]);
        }
        return true;
    }

    const CostGraph& m_graph;
    TransferModel m_model;
    const Chain& m_chain;
    int m_snaps;
    Placement m_placement;
    std::vector<int>& m_keepUntil;
    StageWalk m_walk;
    std::set<int> m_checkpoints;  ///< steps whose end is kept; steps after the one now reversed no longer matter
};

}  // namespace

Expected<Schedule> revolveSchedule(const CostGraph& graph, TransferModel model, std::int64_t budgetBytes)
{
    BestSchedule best(graph, model, budgetBytes);
    const Chain chain = findChain(graph, model);
    const int steps = static_cast<int>(chain.ends.size());
    constexpr int kMostTried = 64;
    POET_CHECK(best.offer(keepAllSchedule(graph)));
    // Few checkpoints first; beyond a few dozen only every so-many-th number is tried.
    for (int snaps = 0; snaps <= steps; snaps += std::max(1, steps / kMostTried))
        for (const Placement placement : {Placement::Early, Placement::Late}) {
            std::vector<int> keepUntil(graph.nodes.size(), -1);
            std::optional<Schedule> schedule;
            while (!schedule)
                schedule = Reversal(graph, model, chain, snaps, placement, keepUntil).run();
            POET_CHECK(best.offer(*schedule));
        }
    return best.take();
}

}  // namespace poet::planning

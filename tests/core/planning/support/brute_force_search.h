// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/core/planning/support/brute_force.h"

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

/// The inside of brute_force.h: a dynamic program over what is in RAM and in the store.
namespace poet::testing {

using Mask = std::uint32_t;

[[nodiscard]] constexpr Mask bit(NodeId i) { return Mask{1} << i; }

/// What the search remembers between two slots.
struct State {
    Mask ram = 0;
    Mask store = 0;         ///< written and finished
    Mask extra = 0;         ///< dma: prefetched and not yet read in this stage; paper: left RAM in mid-stage
    bool isPagingOut = false;  ///< the tensor of the stage before is being paged out in the background
    bool operator==(const State&) const = default;
};

struct StateHash {
    std::size_t operator()(const State& s) const
    {
        const std::uint64_t low = s.ram | (std::uint64_t{s.store} << 20) | (std::uint64_t{s.extra} << 40);
        return std::hash<std::uint64_t>{}((low * 0x9E3779B97F4A7C15ULL) ^ (s.isPagingOut ? 0x5851F42D4C957F2DULL : 0) ^ (low >> 29));
    }
};

enum class Out { None, Immediate, Background };

/// One decision, enough to write its steps.
struct Action {
    int stage = 0;
    StepKind kind = StepKind::Compute;  ///< Compute, Recompute, PageIn
    NodeId node = 0;
    Mask pagedIn = 0;   ///< Compute in dma: prefetched meanwhile; PageIn in paper: all at the start of the stage
    Mask freed = 0;     ///< right after
    Out out = Out::None;
    bool isPagingOut = false;  ///< Compute: the tensor of the stage before leaves meanwhile
};

struct Label {
    double cost = 0;
    double seconds = 0;
    int parent = -1;
    Action action;
};

using Front = std::vector<int>;  ///< indices of labels, none dominated
using Layer = std::unordered_map<State, Front, StateHash>;

/// One search; states are merged slot by slot, labels keep the decisions for the schedule.
class Search {
public:
    Search(const BruteForceProblem& problem, bool isForTime);
    std::optional<BruteForceAnswer> run();

private:
    const CostNode& node(NodeId i) const { return m_nodes[static_cast<std::size_t>(i)]; }
    std::int64_t bytes(Mask set) const;
    bool mayPage(NodeId i) const;
    bool mayBackground() const { return m_isDma || (m_isPaper && !m_problem.isLatePageOutAllowed); }
    bool storeHolds(Mask set) const;
    double cost(double joules, double seconds) const;
    /// From the work that is left when the bytes have moved.
    double slowedStage(double compute, double moving) const
    {
        const double doneWhileMoving = moving / m_problem.graph->device.transferSlowdown;
        return doneWhileMoving >= compute ? moving : moving + (compute - doneWhileMoving);
    }
    void findUses();
    void findCandidates();
    void addTo(Layer& layer, const State& state, int parent, double joules, double seconds, const Action& action);
    void keep(Front& front, int label);
    void latePageOuts(int stage, Layer& layer);
    void paperPageIns(int stage, Layer& layer);
    void acquire(int stage, NodeId k, Layer& layer);
    void recompute(int stage, NodeId k, const State& state, int label, Layer& out);
    Layer runMain(int stage, const Layer& layer);
    void runMainOf(int stage, const State& state, int label, Layer& out);
    void leaveStage(int stage, const State& state, int label, Cost run, Action action, Layer& out);
    Schedule schedule(int label) const;

    const BruteForceProblem& m_problem;
    const std::vector<CostNode>& m_nodes;
    const int m_count;
    const bool m_isForTime;
    const bool m_isPaper;
    const bool m_isDma;
    double m_idleWatts;
    std::vector<Mask> m_inputs;
    std::vector<Mask> m_useful;      ///< [t]: tensors that may still be read after stage t
    std::vector<Mask> m_candidates;  ///< [t]: C(t)
    Mask m_recomputable = 0;
    bool m_forgetsStore;             ///< no limit on the store: entries that nobody reads any more do not matter
    std::vector<Label> m_labels;
};

}  // namespace poet::testing

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/graph/cost_graph.h"
#include "core/schedule/plan.h"
#include "core/schedule/schedule.h"

#include <cstdint>
#include <functional>
#include <optional>

/// Strategies to compare with: what people do without an integer program (planning.md, section 5). Each returns a
/// schedule that the replay accepts, for a budget in bytes without resident bytes. A strategy that finds nothing
/// within the budget returns its schedule with the lowest peak: compare the replayed peak with the budget.
/// None of them knows deadlines or store limits. Errors: Internal when a strategy breaks its own invariants.
/// Threads: pure. Deterministic: ties are broken by node id. Those that may take long ask `wantsStop` (may be empty)
/// between rounds and then return the best so far.
namespace poet::planning {

/// Naive swap: every pageable tensor leaves RAM between uses that are not in neighbouring stages. Has no parameter
/// and does not look at the budget. Source: the "page everything" reference of planning.md, section 5; the idea is
/// that of vDNN-all (Rhu et al., MICRO 2016).
[[nodiscard]] Expected<Schedule> pageAllSchedule(const CostGraph& graph, TransferModel model, std::int64_t budgetBytes);

/// Checkpoints between segments of equal length, everything inside a segment is recomputed once when its backward
/// part starts. Tries segment lengths around sqrt(n) and takes the cheapest that fits. Source: Chen et al., "Training
/// Deep Nets with Sublinear Memory Cost" (2016), section 4; on graphs that are no chains a segment keeps every tensor
/// that crosses its end.
[[nodiscard]] Expected<Schedule> sqrtSchedule(const CostGraph& graph, TransferModel model, std::int64_t budgetBytes);

/// Binomial checkpointing, optimal for chains of equal steps; on other graphs the steps lie between articulation
/// points of the forward part. Takes the number of checkpoints that fits at the least energy.
/// Source: Griewank and Walther, "Algorithm 799: Revolve" (ACM TOMS 2000).
[[nodiscard]] Expected<Schedule> revolveSchedule(const CostGraph& graph, TransferModel model, std::int64_t budgetBytes);

/// Starting from keep-all, repeatedly drops the tensor over the peak that costs the fewest joules per byte-second,
/// by paging or recompute, whichever is cheaper. Source: planning.md, section 5.
[[nodiscard]] Expected<Schedule> greedySchedule(const CostGraph& graph, TransferModel model, std::int64_t budgetBytes,
                                                const std::function<bool()>& wantsStop);

/// Swaps first what can move within its idle time, longest first; after that swap or recompute, whichever delays the
/// step less per byte. Costs are times, as measured. Source: Peng et al., "Capuchin" (ASPLOS 2020), section 4.
[[nodiscard]] Expected<Schedule> capuchinSchedule(const CostGraph& graph, TransferModel model, std::int64_t budgetBytes,
                                                  const std::function<bool()>& wantsStop);

/// Online: runs the step, and whenever memory is short evicts the recomputable tensor with the least
/// cost / (bytes x staleness), recomputing on demand. Source: Kirisame et al., "Dynamic Tensor Rematerialization"
/// (ICLR 2021), with the local part of its heuristic; dead tensors are evicted at once, or banished if they cannot
/// run again.
[[nodiscard]] Expected<Schedule> dtrSchedule(const CostGraph& graph, TransferModel model, std::int64_t budgetBytes);

/// True for the strategies that `baselineSchedule` knows: all but the three with an integer program.
[[nodiscard]] bool isBaseline(Strategy strategy);

/// The schedule of any strategy without integer program, keep-all included.
/// Errors: BadUsage for the strategies with one; Internal as above.
[[nodiscard]] Expected<Schedule> baselineSchedule(Strategy strategy, const CostGraph& graph, TransferModel model, std::int64_t budgetBytes,
                                                  const std::function<bool()>& wantsStop = {});

/// Collects schedules and keeps the best: the least energy among those within the budget, else the lowest peak.
/// All are replayed; one that the replay refuses is an Internal error.
class BestSchedule {
public:
    BestSchedule(const CostGraph& graph, TransferModel model, std::int64_t budgetBytes)
        : m_graph(graph), m_model(model), m_budgetBytes(budgetBytes) {}
    /// Errors: Internal. Returns whether the schedule fits the budget.
    [[nodiscard]] Expected<bool> offer(const Schedule& schedule);
    [[nodiscard]] bool hasFitting() const { return m_best && m_best->peakBytes <= m_budgetBytes; }
    /// The best so far. Errors: Internal if none was offered.
    [[nodiscard]] Expected<Schedule> take() const;

private:
    const CostGraph& m_graph;
    TransferModel m_model;
    std::int64_t m_budgetBytes;
    std::optional<ReplayReport> m_best;
};

}  // namespace poet::planning

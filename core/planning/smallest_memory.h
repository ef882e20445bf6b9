// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planning/operating_points.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace poet::planning {

/// Peaks of schedules are sums of tensors and workspaces, hence multiples of this many bytes (before resident bytes).
[[nodiscard]] std::int64_t peakStepBytes(const CostGraph& graph);

/// What is known of the smallest memory that is enough; bytes with resident bytes.
struct MemoryRange {
    std::optional<std::int64_t> best;  ///< a schedule with this peak exists
    std::int64_t bound = 0;            ///< no schedule needs less
    bool coversEverySchedule = true;   ///< the bound is of every schedule, see Plan::coversEverySchedule
    ReplayReport plan;                 ///< that schedule, with the costs of the graph that was searched
    bool isImpossible = false;         ///< proven: no memory is enough for the deadline and the page store
    [[nodiscard]] bool isProven() const { return isImpossible || (best && *best == bound); }
};

/// Told what happens while a smallest memory is looked for. `incumbent` gets the schedule of each smaller memory.
class MemorySink : public ProgressSink {
public:
    /// The range has become smaller.
    virtual void narrowed(const MemoryRange& range) { static_cast<void>(range); }
};

/// Passes on only the wish to stop: for a search within another, whose schedules and bounds are no news of the outer one.
class StopOnly : public MemorySink {
public:
    /// `outer` must outlive this.
    explicit StopOnly(ProgressSink& outer) : m_outer(outer) {}
    bool wantsStop() override { return m_outer.wantsStop(); }

private:
    ProgressSink& m_outer;
};

/// The smallest memory in which some schedule needs at most `mostJoules` (energy as the replay counts it) and keeps the
/// problem's deadline and store limits; its own memory is ignored. Bisection over the peaks that sums of the graph's sizes
/// can take; each step asks the planner for such a schedule, or for a proof that there is none. A memory that stays open
/// is stepped over: both sides of it are narrowed first, then it is tried again for longer. Ends within
/// `params.timeLimitSeconds` with what is known then. Errors: as solve.
/// `known` is where to begin: its `bound` holds for this problem; its `best` may be of another one (an operating point),
/// so that only smaller memories are looked for, and `best` stays empty where there is none.
[[nodiscard]] Expected<MemoryRange> findMemoryWithin(const Problem& problem, double mostJoules, const SolveParams& params, MemorySink& sink,
                                                     const MemoryRange& known = {});

/// The plan of least energy in the smallest memory at which the overhead over keep-all stays under a limit: the answer
/// to "how little RAM is enough if I accept 5 % more energy?".
struct OverheadAnswer {
    MemoryRange range;
    /// In `range.best` bytes, with `overheadLimit` filled in. Infeasible, with the reason, when no memory is enough (a
    /// deadline below keep-all time).
    Plan plan;
};

/// `overheadRatio` is 0.05 for 5 %; the problem's own memory is ignored. Nine tenths of the time limit go to the smallest
/// memory, what is left to the least energy in it. Strategies without integer program have no such question.
/// Errors: BadUsage for those and for a negative ratio; as solve.
[[nodiscard]] Expected<OverheadAnswer> findSmallestMemoryForOverhead(const Problem& problem, double overheadRatio, const SolveParams& params, MemorySink& sink);

/// The same over all operating points of a device, of which `chosen` needs least energy in the memory that was found. The
/// overhead is over the cheapest point that keeps everything within the deadline, so that a costly point cannot make up
/// for memory. Proven when no point has a plan in less. The points are of one graph: only costs may differ.
struct OverheadPointsAnswer {
    MemoryRange range;
    Plan plan;
    std::size_t chosen = 0;
};
/// Errors: as findSmallestMemoryForOverhead; BadUsage without points.
[[nodiscard]] Expected<OverheadPointsAnswer> findSmallestMemoryAtAnyPoint(const std::vector<PointProblem>& points, double overheadRatio, const SolveParams& params,
                                                                          MemorySink& sink);

}  // namespace poet::planning

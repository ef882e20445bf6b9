// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planning/smallest_memory.h"

#include <cstdint>
#include <optional>

namespace poet::planning {

/// The graph whose energy is the time of `problem`'s graph, so that planning for least energy finds the least time:
/// every joule is gone and idling takes one watt (in `paper`, which has no idle power, a run costs its seconds).
[[nodiscard]] CostGraph timeGraph(const Problem& problem);

/// The problem of least time in the same memory: that graph, and no deadline. Its energies are seconds.
[[nodiscard]] Problem timeProblem(const Problem& problem);

/// What is known of the smallest deadline at a memory.
struct DeadlineRange {
    std::optional<double> best;  ///< seconds; a schedule of that length exists
    double bound = 0;            ///< seconds; none is shorter
    bool isProven = false;       ///< best lies within the asked gap of bound
};

/// The smallest deadline that a problem's memory allows; its own deadline is ignored. Stops after `seconds` with what is
/// known then. Errors: as solve.
[[nodiscard]] Expected<DeadlineRange> findSmallestDeadline(const Problem& problem, double gap, double seconds, ProgressSink& sink);

/// The same when it is proven, else nothing.
[[nodiscard]] Expected<std::optional<double>> smallestDeadline(const Problem& problem, double gap, double seconds, ProgressSink& sink);

/// The smallest memory at which the problem's deadline (if any) and store limits can be kept, found by
/// findMemoryWithin on the graph of times; its own memory is ignored. Stops after `seconds` with what is known then.
/// Errors: as solve.
[[nodiscard]] Expected<MemoryRange> findSmallestMemory(const Problem& problem, double seconds, ProgressSink& sink);

/// Completes the reason of an infeasible plan of a strategy with an integer program: smallest memory at this deadline,
/// smallest deadline at this memory, the node and what is in RAM at that moment. Takes about `seconds` at most.
/// Plans that are not infeasible stay as they are. Errors: as solve.
[[nodiscard]] Expected<void> explainInfeasible(const Problem& problem, double gap, double seconds, ProgressSink& sink, Plan& plan);

/// Why no schedule can keep the limits, where a glance shows it: a working set over the memory, operations that alone take
/// longer than the deadline, keep-all over the memory when the strategy is keep-all. Nothing where a search is needed.
[[nodiscard]] std::optional<InfeasibleReason> impossibleAtOnce(const Problem& problem, const ProblemFacts& facts);

}  // namespace poet::planning

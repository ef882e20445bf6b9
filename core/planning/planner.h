// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/planning/problem.h"
#include "core/schedule/plan.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace poet::planning {

/// How to search. The defaults are what the command and the window use; the switches exist for tests and benchmarks.
struct SolveParams {
    double gap = 1e-4;               ///< proven when (energy - bound) / energy is at most this
    double timeLimitSeconds = 60;    ///< elapsed, not processor time; the call returns within it
    int threads = 1;                 ///< of the solver; results are deterministic with 1
    bool useDominance = true;        ///< leave out recomputes that paging always beats
    bool useLazyStages = true;       ///< add in-stage memory rows only where a replay asks for them
    bool useHeuristic = true;        ///< start from a quickly found plan
    /// Where every recompute of every stage together are at most so many, all are offered and the proof is of every schedule;
    /// where they are more, those of planning.md's candidate sets, which very rarely leave out a better schedule.
    std::int64_t mostCandidates = 1000;
    bool isRestricted = false;       ///< solve the restricted program: smaller, its proof is not of the full problem
    std::optional<Schedule> start;   ///< a known schedule; used if it fits the limits
    /// Only asks whether some schedule needs at most so much energy: ends with such a schedule, or a bound above this.
    std::optional<double> questionJoules = {};
    std::function<double()> now = {};  ///< seconds of a clock other than the system's, for tests
};

/// Told what happens while a search runs. Calls come from the searching thread or its watcher, one at a time.
class ProgressSink {
public:
    virtual ~ProgressSink() = default;
    /// A better schedule, already replayed and within all limits.
    virtual void incumbent(const ReplayReport& report) { static_cast<void>(report); }
    /// A better lower bound on the energy of every schedule within the limits.
    virtual void bound(double joules) { static_cast<void>(joules); }
    /// Asked about every 50 ms; true ends the search with the best plan known.
    [[nodiscard]] virtual bool wantsStop() { return false; }
};

/// Finds the schedule of least energy within memory, deadline and store limits, and proves it (planning.md).
/// The returned plan's schedule has been replayed; status Optimal only with a proof within `gap`. An infeasible
/// problem is an answer (status Infeasible with the reason), not an error.
/// Errors: BadModel for an invalid graph, Internal when a replay contradicts the program.
/// Threads: may be called from several threads at once; uses one helper thread.
[[nodiscard]] Expected<Plan> solve(const Problem& problem, const SolveParams& params, ProgressSink& sink);

}  // namespace poet::planning

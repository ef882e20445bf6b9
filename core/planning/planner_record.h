// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planning/decisions.h"
#include "core/planning/planner.h"
#include "core/planning/search_clock.h"

namespace poet::planning {

/// What one search knows, and how much time it has: the best replayed plan so far and the best bound so far. All steps
/// of the search write into it; what it reports to the sink has been replayed or proven.
struct SearchRecord {
    SearchRecord(const Problem& problem, const SolveParams& params, ProgressSink& sink, ProblemFacts facts);

    const Problem& problem;
    const SolveParams& params;
    ProgressSink& sink;
    const ProblemFacts facts;
    SearchClock clock;
    Plan plan;
    Decisions best;  ///< of the best plan

    /// Nothing further is to begin: the time is over or the caller wants to stop.
    [[nodiscard]] bool stops() const { return clock.isOver() || sink.wantsStop(); }
    /// What runs must end now.
    [[nodiscard]] bool mustEnd() const { return clock.mustEnd() || sink.wantsStop(); }

    /// Takes over a replayed schedule if it fits and is better than the best known. Returns whether it did.
    bool offer(const ReplayReport& report);
    bool offer(const Decisions& decisions, const Expected<ReplayReport>& report);
    /// A schedule from elsewhere; replayed before anything of it is used.
    void offer(const Schedule& schedule);
    [[nodiscard]] Expected<ReplayReport> replayOf(const Decisions& decisions);

    void raiseBound(double joules);
    /// The bound of a program that turned out not to be the whole one, or the end of that: no news for the sink.
    void resetBound(double joules) { plan.boundJoules = joules; }

    /// The gap that was asked for is reached.
    [[nodiscard]] bool isProven() const;
    /// Nothing is left to find out: proven, or the question (SolveParams::questionJoules) has its answer.
    [[nodiscard]] bool isSettled() const;
    /// No schedule with a larger overhead is of interest, joules; infinite while nothing is known.
    [[nodiscard]] double mostOverheadJoules() const;
    /// That comes from the question, not from a plan.
    [[nodiscard]] bool isCutByQuestion() const { return params.questionJoules && !(plan.hasSchedule() && plan.replay.energyJoules < *params.questionJoules); }
    /// Sets the status from what is known at the end; Infeasible stays.
    void conclude();
};

}  // namespace poet::planning

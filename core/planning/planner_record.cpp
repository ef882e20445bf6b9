// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/planning/planner_record.h"

#include "core/planning/linear_program.h"

#include <algorithm>

namespace poet::planning {
namespace {

constexpr double kBeyondQuestion = 1e-7;  ///< of its joules

}  // namespace

SearchRecord::SearchRecord(const Problem& itsProblem, const SolveParams& itsParams, ProgressSink& itsSink, ProblemFacts itsFacts)
    : problem(itsProblem), params(itsParams), sink(itsSink), facts(std::move(itsFacts)),
      clock(itsParams.timeLimitSeconds, itsParams.now ? itsParams.now : SearchClock::steadySeconds)
{
    plan.strategy = problem.strategy;
    plan.transfer = problem.transfer;
    plan.memoryBytes = problem.memoryBytes;
    plan.deadlineSeconds = problem.deadlineSeconds;
    plan.keepAllEnergyJoules = facts.keepAll.energyJoules;
    plan.keepAllSeconds = facts.keepAll.seconds;
    plan.keepAllPeakBytes = facts.keepAllPeakBytes;
    plan.largestWorkingSetBytes = facts.largestWorkingSetBytes;
    plan.boundJoules = facts.keepAll.energyJoules;
    plan.isRestrictedProof = params.isRestricted;
    plan.coversEverySchedule = !params.isRestricted;  // until a program leaves some out
}

bool SearchRecord::offer(const ReplayReport& report)
{
    if (!fitsLimits(problem, report) || (plan.hasSchedule() && report.energyJoules >= plan.replay.energyJoules))
        return false;
    plan.replay = report;
    sink.incumbent(report);
    return true;
}

bool SearchRecord::offer(const Decisions& decisions, const Expected<ReplayReport>& report)
{
    if (!report || !offer(*report))
        return false;
    best = decisions;
    return true;
}

void SearchRecord::offer(const Schedule& schedule)
{
    const auto report = replay(*problem.graph, problem.transfer, schedule);
    if (report && offer(*report))
        best = decisionsOf(*problem.graph, problem.transfer, schedule);
}

Expected<ReplayReport> SearchRecord::replayOf(const Decisions& decisions)
{
    const double begin = clock.elapsed();
    auto report = replay(*problem.graph, problem.transfer, lower(*problem.graph, problem.transfer, decisions));
    clock.noteStep(clock.elapsed() - begin);
    return report;
}

void SearchRecord::raiseBound(double joules)
{
    if (joules <= plan.boundJoules)
        return;
    plan.boundJoules = joules;
    sink.bound(joules);
}

bool SearchRecord::isProven() const
{
    constexpr double kRounding = 1e-12;  // of sums of energies: a gap of 0 is met by equal ones
    return plan.hasSchedule() && plan.replay.energyJoules - plan.boundJoules <= (params.gap * (1 + 1e-6) + kRounding) * plan.replay.energyJoules;
}

bool SearchRecord::isSettled() const
{
    if (!params.questionJoules)
        return isProven();
    return (plan.hasSchedule() && plan.replay.energyJoules <= *params.questionJoules) || plan.boundJoules > *params.questionJoules;
}

double SearchRecord::mostOverheadJoules() const
{
    double most = plan.hasSchedule() ? plan.overheadJoules() : kInfinity;
    if (params.questionJoules)  // a little more, so that its proof says more than "equal"
        most = std::min(most, *params.questionJoules - facts.keepAll.energyJoules + kBeyondQuestion * *params.questionJoules);
    return most;
}

void SearchRecord::conclude()
{
    if (plan.status == SolveStatus::Infeasible)
        return;
    if (plan.hasSchedule())
        plan.boundJoules = std::min(plan.boundJoules, plan.replay.energyJoules);
    plan.status = isProven() ? SolveStatus::Optimal : plan.hasSchedule() ? SolveStatus::Feasible : SolveStatus::Stopped;
}

}  // namespace poet::planning

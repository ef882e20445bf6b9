// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "app/poet/sweep_search.h"

#include "app/poet/event_stream.h"
#include "app/poet/forked_solve.h"
#include "app/poet/model_options.h"
#include "core/planning/explain.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace poet {

namespace {

constexpr double kJustUnder = 1 - 1e-6;     ///< of a time; deadlines are kept to 1e-9
constexpr double kLongestDeadline = 3;      ///< times the keep-all time
constexpr int kUnknownSteps = 100;          ///< of the range that a point without answer skips

}  // namespace

SweepFile emptySweep(const CostGraph& graph, const planning::ProblemFacts& facts, TransferModel transfer, const std::string& device)
{
    SweepFile file;
    file.graph = graph.name;
    file.graphSha256 = hexSha256(toJson(graph));
    file.device = device;
    file.transfer = transfer;
    file.residentBytes = graph.device.residentBytes;
    file.wallBytes = facts.largestWorkingSetBytes;
    file.keepAllPeakBytes = facts.keepAllPeakBytes;
    file.keepAllEnergyJoules = facts.keepAll.energyJoules;
    file.keepAllSeconds = facts.keepAll.seconds;
    return file;
}

SweepSearch::SweepSearch(const SweepRequest& request, const planning::ProblemFacts& facts, const planning::SolveParams& params, std::vector<SweepPoint>& known,
                         std::function<void(const Plan&)> arrived)
    : m_request(request), m_facts(facts), m_params(params), m_known(known), m_arrived(std::move(arrived))
{
}

Expected<void> SweepSearch::run(const planning::Problem& base)
{
    m_step = planning::peakStepBytes(*base.graph);
    m_solves = 0;
    if (!m_request.isExact) {
        POET_TRY(longest, longestStep(base));
        return solveAll(gridOf(base, longest));
    }
    if (m_request.over == "memory")
        return walkMemory(base);
    return m_request.over == "deadline" ? walkDeadline(base) : walkBoth(base);
}

Expected<double> SweepSearch::longestStep(const planning::Problem& base)
{
    const double loose = kLongestDeadline * m_facts.keepAll.seconds;
    if (m_request.over == "memory")
        return loose;
    planning::Problem problem = base;
    problem.deadlineSeconds = loose;
    if (m_request.over == "grid")
        problem.memoryBytes = m_facts.largestWorkingSetBytes;
    if (!at(problem))
        POET_CHECK(solveAll({problem}));
    const SweepPoint* known = at(problem);
    return known && known->seconds ? *known->seconds : loose;
}

std::vector<planning::Problem> SweepSearch::gridOf(const planning::Problem& base, double longest) const
{
    const bool hasMemory = m_request.over != "deadline";
    const bool hasDeadline = m_request.over != "memory";
    const double keepAll = m_facts.keepAll.seconds;
    // One that does not bind, then from just under the longest step down to the keep-all time in even ratios.
    const auto deadline = [&](int i) {
        return i == 0 || keepAll <= 0 ? kLongestDeadline * keepAll : keepAll * std::pow(longest / keepAll, 1 - static_cast<double>(i) / (m_request.points - 1));
    };
    const std::int64_t low = m_facts.largestWorkingSetBytes;
    const std::int64_t high = std::max(low, m_facts.keepAllPeakBytes);
    std::vector<planning::Problem> problems;
    for (int d = 0; d < (hasDeadline ? m_request.points : 1); ++d)
        for (int m = 0; m < (hasMemory ? m_request.points : 1); ++m) {
            planning::Problem problem = base;
            if (hasMemory)  // from the keep-all peak down to the wall
                problem.memoryBytes = m_request.points < 2 ? high : high - (high - low) * m / (m_request.points - 1);
            if (hasDeadline)
                problem.deadlineSeconds = deadline(d);
            const auto isSame = [&](const planning::Problem& other) { return other.memoryBytes == problem.memoryBytes && other.deadlineSeconds == problem.deadlineSeconds; };
            if (!at(problem) && std::ranges::none_of(problems, isSame))  // a short range has fewer sizes than points
                problems.push_back(problem);
        }
    return problems;
}

const SweepPoint* SweepSearch::at(const planning::Problem& problem) const
{
    const auto found = std::ranges::find_if(m_known, [&](const SweepPoint& point) {
        return point.memoryBytes == problem.memoryBytes && point.deadlineSeconds == problem.deadlineSeconds && point.strategy == problem.strategy;
    });
    return found == m_known.end() ? nullptr : &*found;
}

/// A known point whose answer holds here too: an optimum of larger limits that keeps these, or infeasible at larger ones.
const SweepPoint* SweepSearch::answerTo(const planning::Problem& problem) const
{
    const double deadline = problem.deadlineSeconds.value_or(kNoDeadline);
    for (const SweepPoint& point : m_known) {
        if (point.strategy != problem.strategy || point.memoryBytes < problem.memoryBytes || point.deadlineSeconds.value_or(kNoDeadline) < deadline)
            continue;
        const bool holds = point.status == SolveStatus::Optimal && *point.peakBytes <= problem.memoryBytes && *point.seconds <= deadline;
        if (holds || point.status == SolveStatus::Infeasible)
            return &point;
    }
    return at(problem);
}

planning::SolveParams SweepSearch::paramsFor(const planning::Problem& problem) const
{
    planning::SolveParams params = m_params;
    double best = std::numeric_limits<double>::infinity();
    for (const KnownPlan& plan : m_plans)
        if (plan.strategy == problem.strategy && plan.peakBytes <= problem.memoryBytes && plan.seconds <= problem.deadlineSeconds.value_or(kNoDeadline) &&
            plan.energyJoules < best) {
            best = plan.energyJoules;
            params.start = plan.schedule;
        }
    return params;
}

Expected<void> SweepSearch::solveAll(const std::vector<planning::Problem>& problems)
{
    std::optional<Error> first;
    m_solves += static_cast<int>(problems.size());
    POET_CHECK(solveForked(
        problems, m_request.jobs, [&](std::size_t index) { return paramsFor(problems[index]); },
        [&](std::size_t index, const Expected<Plan>& plan) {
            if (!plan) {
                first = first.value_or(plan.error());
                return;
            }
            const std::int64_t resident = problems[index].graph->device.residentBytes;
            m_known.push_back(sweepPoint(*plan, resident));
            if (plan->hasSchedule())
                m_plans.push_back({plan->strategy, plan->replay.peakBytes + resident, plan->replay.seconds, plan->replay.energyJoules, plan->replay.schedule});
            m_arrived(*plan);
        }));
    if (first)
        return std::unexpected<Error>(*first);
    return {};
}

void SweepSearch::advance(Walker& walker, const SweepPoint& point) const
{
    if (point.status == SolveStatus::Infeasible) {
        walker.isDone = true;
        return;
    }
    planning::Problem& problem = walker.problem;
    if (walker.isOverMemory) {
        const std::int64_t range = m_facts.keepAllPeakBytes - m_facts.largestWorkingSetBytes;
        const std::int64_t skipped = problem.memoryBytes - std::max(m_step, range / kUnknownSteps);
        problem.memoryBytes = point.peakBytes ? std::min(*point.peakBytes, problem.memoryBytes) - m_step : skipped;
        walker.isDone = static_cast<double>(problem.memoryBytes) < walker.lowest;
        return;
    }
    const double deadline = problem.deadlineSeconds.value_or(kNoDeadline);
    problem.deadlineSeconds = point.seconds ? std::min(*point.seconds, deadline) * kJustUnder : deadline * (1 - 1.0 / kUnknownSteps);
    walker.isDone = !(*problem.deadlineSeconds >= walker.lowest) || !std::isfinite(*problem.deadlineSeconds);
}

/// Side by side: each walker goes on over what is known, then the next points of all are solved together.
Expected<void> SweepSearch::walk(std::vector<Walker> walkers)
{
    while (!wasInterrupted()) {
        std::vector<planning::Problem> next;
        for (Walker& walker : walkers) {
            while (!walker.isDone) {
                const SweepPoint* known = answerTo(walker.problem);
                if (!known)
                    break;
                advance(walker, *known);
            }
            if (!walker.isDone)
                next.push_back(walker.problem);
        }
        if (next.empty())
            return {};
        if (m_solves >= m_request.mostSolves) {
            m_isCutShort = true;
            return {};
        }
        POET_CHECK(solveAll(next));
    }
    return {};
}

Expected<void> SweepSearch::walkMemory(const planning::Problem& base)
{
    const std::int64_t low = m_facts.largestWorkingSetBytes;
    const std::int64_t range = std::max<std::int64_t>(0, m_facts.keepAllPeakBytes - low);
    std::vector<Walker> walkers;
    for (int i = 0; i < m_request.jobs && (i == 0 || range > 0); ++i) {
        Walker walker{base, true, static_cast<double>(low + range / m_request.jobs * (m_request.jobs - 1 - i)), false};
        walker.problem.memoryBytes = low + (i == 0 ? range : range / m_request.jobs * (m_request.jobs - i));
        walkers.push_back(std::move(walker));
    }
    return walk(std::move(walkers));
}

Expected<void> SweepSearch::walkDeadline(const planning::Problem& base)
{
    planning::Problem first = base;
    first.deadlineSeconds.reset();
    if (!at(first))
        POET_CHECK(solveAll({first}));
    const SweepPoint* unlimited = at(first);
    if (!unlimited || !unlimited->seconds)
        return {};
    const double low = m_facts.keepAll.seconds;
    const double high = std::max(low, *unlimited->seconds);
    std::vector<Walker> walkers;
    for (int i = 0; i < m_request.jobs && (i == 0 || high > low); ++i) {
        const auto cut = [&](int part) { return low + (high - low) * part / m_request.jobs; };
        Walker walker{base, false, cut(m_request.jobs - 1 - i), false};
        walker.problem.deadlineSeconds = i == 0 ? high * kJustUnder : cut(m_request.jobs - i);
        if (*walker.problem.deadlineSeconds >= walker.lowest)
            walkers.push_back(std::move(walker));
    }
    return walk(std::move(walkers));
}

Expected<void> SweepSearch::walkBoth(const planning::Problem& base)
{
    planning::Problem level = base;
    level.deadlineSeconds.reset();
    double longest = kNoDeadline;
    while (!wasInterrupted() && !m_isCutShort) {
        POET_CHECK(walkMemory(level));
        // The plans of this level: those that answer it.
        const double deadline = level.deadlineSeconds.value_or(kNoDeadline);
        longest = 0;
        for (const SweepPoint& point : m_known)
            if (point.strategy == base.strategy && point.seconds && *point.seconds <= deadline)
                longest = std::max(longest, *point.seconds);
        level.deadlineSeconds = std::min(longest, deadline) * kJustUnder;
        if (*level.deadlineSeconds < m_facts.keepAll.seconds)
            break;
    }
    return {};
}

}  // namespace poet

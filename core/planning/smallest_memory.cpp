// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/planning/smallest_memory.h"

#include "core/planning/baselines/baselines.h"
#include "core/planning/search_clock.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <vector>

namespace poet::planning {
namespace {

constexpr double kFirstSlice = 0.08;   ///< of the time, for one memory
constexpr double kShortestSlice = 1;   ///< seconds
constexpr int kOpenParts = 64;         ///< of the range: nearer to an open memory nothing is tried in the same round
constexpr double kRounding = 1e-9;     ///< of energies, so that a limit of 0 % is met by keep-all
constexpr double kSearchShare = 0.9;   ///< of the time; the rest is for the least energy in the memory that was found

enum class MemoryVerdict { Enough, TooSmall, Open };

/// The bisection: [bound, best] shrinks, `m_open` are memories between them that stayed undecided in this round.
class MemoryBisection {
public:
    MemoryBisection(const Problem& problem, double mostJoules, const SolveParams& params, MemorySink& sink, const MemoryRange& known)
        : m_problem(problem), m_mostJoules(mostJoules), m_params(params), m_sink(sink), m_clock(params.timeLimitSeconds),
          m_step(peakStepBytes(*problem.graph)), m_slice(std::max(kShortestSlice, kFirstSlice * params.timeLimitSeconds)),
          m_high(known.best.value_or(std::numeric_limits<std::int64_t>::max()))
    {
        m_range.bound = known.bound;
    }

    Expected<MemoryRange> run()
    {
        POET_TRY(facts, findFacts(*m_problem.graph, m_problem.transfer));
        m_range.bound = std::max(m_range.bound, facts.largestWorkingSetBytes);
        m_problem.memoryBytes = facts.keepAllPeakBytes;
        // Keeping everything moves nothing, so no store limit is in its way, and no schedule needs less energy or time.
        if (facts.keepAll.energyJoules > m_mostJoules || !fitsLimits(m_problem, facts.keepAll)) {
            m_range.isImpossible = true;
            return std::move(m_range);
        }
        std::int64_t probe = m_range.bound;  // the wall: often enough already, and if not, mostly soon known
        if (facts.keepAllPeakBytes < m_high)
            take(facts.keepAll);
        else  // whether anything smaller is enough at all
            probe = std::max(m_range.bound, m_high - m_step);
        while (m_high > m_range.bound && !m_clock.isOver() && !m_sink.wantsStop()) {
            POET_CHECK(ask(probe));
            probe = next();
        }
        m_range.bound = std::min(m_range.bound, m_high);
        return std::move(m_range);
    }

private:
    std::int64_t middle(std::int64_t low, std::int64_t high) const { return low + (high - low) / 2 / m_step * m_step; }

    void take(const ReplayReport& report)
    {
        m_high = report.peakBytes + m_problem.graph->device.residentBytes;
        m_range.best = m_high;
        m_range.plan = report;
        m_sink.incumbent(report);
        m_sink.narrowed(m_range);
    }

    Expected<void> ask(std::int64_t memory)
    {
        ReplayReport plan;
        POET_TRY(verdict, decide(memory, plan));
        if (verdict == MemoryVerdict::Enough) {
            take(plan);
        } else if (verdict == MemoryVerdict::TooSmall) {
            m_range.bound = memory + m_step;
            if (m_range.best)
                m_sink.narrowed(m_range);
        } else {
            m_open.push_back(memory);
        }
        std::erase_if(m_open, [&](std::int64_t open) { return open < m_range.bound || open >= m_high; });
        return {};
    }

    Expected<MemoryVerdict> decide(std::int64_t memory, ReplayReport& plan)
    {
        m_problem.memoryBytes = memory;
        SolveParams params = m_params;
        params.questionJoules = m_mostJoules;
        params.timeLimitSeconds = std::min(m_slice, m_clock.left());
        StopOnly quiet(m_sink);
        POET_TRY(answer, solve(m_problem, params, quiet));
        if (answer.hasSchedule() && answer.replay.energyJoules <= m_mostJoules) {
            plan = std::move(answer.replay);
            return MemoryVerdict::Enough;
        }
        const bool isTooSmall = answer.status == SolveStatus::Infeasible || (!answer.isRestrictedProof && answer.boundJoules > m_mostJoules);
        m_range.coversEverySchedule &= answer.coversEverySchedule || !isTooSmall;
        return isTooSmall ? MemoryVerdict::TooSmall : MemoryVerdict::Open;
    }

    /// The memory to ask about next: the middle of the wider part beside the open ones; with both narrow, the open ones
    /// again, for longer.
    std::int64_t next()
    {
        const std::int64_t low = m_range.bound;
        const std::int64_t high = m_high;
        if (m_open.empty())
            return middle(low, high);
        const auto [first, last] = std::ranges::minmax(m_open);
        const std::int64_t below = first - low;
        const std::int64_t above = high - last - m_step;
        const std::int64_t resolution = std::max(m_step, (high - low) / kOpenParts);
        if (std::max(below, above) >= resolution)
            return below > above ? middle(low, first) : last + std::max(m_step, (high - last) / 2 / m_step * m_step);
        m_open.clear();
        m_slice *= 2;
        return middle(low, high);
    }

    Problem m_problem;
    double m_mostJoules;
    const SolveParams& m_params;
    MemorySink& m_sink;
    SearchClock m_clock;
    std::int64_t m_step;
    double m_slice;       ///< seconds for one memory
    std::int64_t m_high;  ///< enough, here or elsewhere
    MemoryRange m_range;
    std::vector<std::int64_t> m_open;
};

/// What keeping everything costs over all operating points.
struct PointsKeepAll {
    std::vector<double> joules;     ///< of each point; infinite where even this is over the deadline
    std::vector<std::size_t> order;  ///< of the points, cheapest first
    std::int64_t peakBytes = 0;      ///< the same at every point, as the wall is
    std::int64_t wallBytes = 0;
};

Expected<PointsKeepAll> keepAllOfPoints(const std::vector<PointProblem>& points)
{
    PointsKeepAll all;
    for (const PointProblem& point : points) {
        Problem problem = point.problem;
        POET_TRY(facts, findFacts(*problem.graph, problem.transfer));
        problem.memoryBytes = all.peakBytes = facts.keepAllPeakBytes;
        all.wallBytes = facts.largestWorkingSetBytes;
        all.joules.push_back(fitsLimits(problem, facts.keepAll) ? facts.keepAll.energyJoules : std::numeric_limits<double>::infinity());
    }
    all.order.resize(points.size());
    std::iota(all.order.begin(), all.order.end(), std::size_t{0});
    std::ranges::stable_sort(all.order, [&](std::size_t a, std::size_t b) { return all.joules[a] < all.joules[b]; });
    return all;
}

double mostJoulesFor(double overheadRatio, double keepAllJoules) { return (1 + overheadRatio) * (1 + kRounding) * keepAllJoules; }

/// One bisection a point, each below what the points before it need. The range of all is narrowed by every news of one.
class PointsBisection : public MemorySink {
public:
    PointsBisection(const std::vector<PointProblem>& points, const PointsKeepAll& keepAll, double overheadRatio, const SolveParams& params, MemorySink& sink)
        : m_points(points), m_keepAll(keepAll), m_ratio(overheadRatio), m_params(params), m_sink(sink)
    {
    }

    Expected<MemoryRange> run(double seconds)
    {
        const SearchClock clock(seconds);
        m_range.bound = m_keepAll.wallBytes;
        const double most = m_points.empty() ? 0 : mostJoulesFor(m_ratio, m_keepAll.joules[m_keepAll.order.front()]);
        std::vector<std::size_t> open;  // the others cost too much with everything kept
        std::ranges::copy_if(m_keepAll.order, std::back_inserter(open), [&](std::size_t index) { return std::isfinite(most) && m_keepAll.joules[index] <= most; });
        std::vector<std::int64_t> bounds(m_points.size(), m_keepAll.wallBytes);
        POET_CHECK(searchAll(open, most, clock, bounds));
        // What some points did not need of their time goes to those that are not proven.
        std::vector<std::size_t> unproven;
        std::ranges::copy_if(open, std::back_inserter(unproven), [&](std::size_t index) { return bounds[index] < *m_range.best; });
        if (!clock.isOver() && !m_sink.wantsStop())
            POET_CHECK(searchAll(unproven, most, clock, bounds));
        m_range.isImpossible = !m_range.best;
        m_range.bound = m_range.best.value_or(0);
        for (const std::size_t index : open)
            m_range.bound = std::min(m_range.bound, bounds[index]);
        if (m_range.best)
            m_sink.narrowed(m_range);
        return std::move(m_range);
    }

    void incumbent(const ReplayReport& report) override { m_sink.incumbent(report); }
    /// Of one point; what all points need at least is known only at the end, and is the wall until then.
    void narrowed(const MemoryRange& range) override
    {
        m_range.best = range.best;
        m_range.plan = range.plan;
        m_sink.narrowed(m_range);
    }
    bool wantsStop() override { return m_sink.wantsStop(); }

private:
    /// Each point in an equal share of the time that is left; raises their bounds.
    Expected<void> searchAll(const std::vector<std::size_t>& points, double mostJoules, const SearchClock& clock, std::vector<std::int64_t>& bounds)
    {
        for (std::size_t i = 0; i < points.size(); ++i) {
            SolveParams params = m_params;
            params.timeLimitSeconds = clock.left() / static_cast<double>(points.size() - i);
            std::int64_t& bound = bounds[points[i]];
            POET_TRY(range, findMemoryWithin(m_points[points[i]].problem, mostJoules, params, *this, {.best = m_range.best, .bound = bound, .plan = {}}));
            bound = range.bound;
            m_range.coversEverySchedule &= range.coversEverySchedule;
        }
        return {};
    }

    const std::vector<PointProblem>& m_points;
    const PointsKeepAll& m_keepAll;
    double m_ratio;
    const SolveParams& m_params;
    MemorySink& m_sink;
    MemoryRange m_range;  ///< over all points
};

/// Errors: BadUsage for a strategy that has no such question, and for a negative limit.
Expected<void> checkOverheadQuestion(Strategy strategy, double overheadRatio)
{
    if (isBaseline(strategy))
        return fail(ErrorCode::BadUsage, "The strategy " + std::string(name(strategy)) + " does not look for the smallest memory.",
                    "Use integrated, paging or recompute.");
    if (!(overheadRatio >= 0))
        return fail(ErrorCode::BadUsage, "An overhead limit below 0 asks for less energy than keeping everything.", "Give a limit such as 5%.");
    return {};
}

/// For the least energy in the memory that was found: from its plan, in the time that is left.
SolveParams withinRange(SolveParams params, const MemoryRange& range, const SearchClock& clock)
{
    params.timeLimitSeconds = clock.left();
    if (range.best)
        params.start = range.plan.schedule;
    return params;
}

void addLimit(Plan& plan, const MemoryRange& range, double overheadRatio)
{
    if (range.best)
        plan.overheadLimit = OverheadLimit{100 * overheadRatio, range.bound};
    plan.coversEverySchedule &= range.coversEverySchedule;
}

}  // namespace

std::int64_t peakStepBytes(const CostGraph& graph)
{
    std::int64_t step = 0;
    for (const CostNode& node : graph.nodes)
        step = std::gcd(std::gcd(step, node.bytes), node.workspaceBytes);
    return std::max<std::int64_t>(step, 1);
}

Expected<MemoryRange> findMemoryWithin(const Problem& problem, double mostJoules, const SolveParams& params, MemorySink& sink, const MemoryRange& known)
{
    return MemoryBisection(problem, mostJoules, params, sink, known).run();
}

Expected<OverheadAnswer> findSmallestMemoryForOverhead(const Problem& problem, double overheadRatio, const SolveParams& params, MemorySink& sink)
{
    POET_CHECK(checkOverheadQuestion(problem.strategy, overheadRatio));
    const SearchClock clock(params.timeLimitSeconds);
    POET_TRY(facts, findFacts(*problem.graph, problem.transfer));
    SolveParams search = params;
    search.timeLimitSeconds = kSearchShare * clock.left();
    OverheadAnswer answer;
    POET_TRY(range, findMemoryWithin(problem, mostJoulesFor(overheadRatio, facts.keepAll.energyJoules), search, sink));
    answer.range = std::move(range);
    Problem final = problem;
    final.memoryBytes = answer.range.best.value_or(facts.keepAllPeakBytes);
    POET_TRY(plan, solve(final, withinRange(params, answer.range, clock), sink));
    plan.solveSeconds = clock.elapsed();
    addLimit(plan, answer.range, overheadRatio);
    answer.plan = std::move(plan);
    return answer;
}

Expected<OverheadPointsAnswer> findSmallestMemoryAtAnyPoint(const std::vector<PointProblem>& points, double overheadRatio, const SolveParams& params,
                                                            MemorySink& sink)
{
    if (!points.empty())
        POET_CHECK(checkOverheadQuestion(points.front().problem.strategy, overheadRatio));
    const SearchClock clock(params.timeLimitSeconds);
    POET_TRY(keepAll, keepAllOfPoints(points));
    OverheadPointsAnswer answer;
    POET_TRY(range, PointsBisection(points, keepAll, overheadRatio, params, sink).run(kSearchShare * clock.left()));
    answer.range = std::move(range);
    std::vector<PointProblem> final = points;
    for (PointProblem& point : final)
        point.problem.memoryBytes = answer.range.best.value_or(keepAll.peakBytes);
    POET_TRY(best, solveBestPoint(final, withinRange(params, answer.range, clock), sink));
    answer.plan = std::move(best.plan);
    answer.chosen = best.chosen;
    answer.plan.solveSeconds = clock.elapsed();
    addLimit(answer.plan, answer.range, overheadRatio);
    return answer;
}

}  // namespace poet::planning

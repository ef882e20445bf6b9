// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/planning/smallest_memory.h"

#include "core/planning/baselines/baselines.h"
#include "core/planning/search_clock.h"

#include <algorithm>
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
    MemoryBisection(const Problem& problem, double mostJoules, const SolveParams& params, MemorySink& sink)
        : m_problem(problem), m_mostJoules(mostJoules), m_params(params), m_sink(sink), m_clock(params.timeLimitSeconds),
          m_step(peakStepBytes(*problem.graph)), m_slice(std::max(kShortestSlice, kFirstSlice * params.timeLimitSeconds))
    {
    }

    Expected<MemoryRange> run()
    {
        POET_TRY(facts, findFacts(*m_problem.graph, m_problem.transfer));
        m_range.bound = facts.largestWorkingSetBytes;
        m_problem.memoryBytes = facts.keepAllPeakBytes;
        // Keeping everything moves nothing, so no store limit is in its way, and no schedule needs less energy or time.
        if (facts.keepAll.energyJoules > m_mostJoules || !fitsLimits(m_problem, facts.keepAll)) {
            m_range.isImpossible = true;
            return std::move(m_range);
        }
        take(facts.keepAll);
        std::int64_t probe = m_range.bound;  // the wall: often enough already, and if not, mostly soon known
        while (*m_range.best > m_range.bound && !m_clock.isOver() && !m_sink.wantsStop()) {
            POET_CHECK(ask(probe));
            probe = next();
        }
        m_range.bound = std::min(m_range.bound, *m_range.best);
        return std::move(m_range);
    }

private:
    std::int64_t middle(std::int64_t low, std::int64_t high) const { return low + (high - low) / 2 / m_step * m_step; }

    void take(const ReplayReport& report)
    {
        m_range.best = report.peakBytes + m_problem.graph->device.residentBytes;
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
            m_sink.narrowed(m_range);
        } else {
            m_open.push_back(memory);
        }
        std::erase_if(m_open, [&](std::int64_t open) { return open < m_range.bound || open >= *m_range.best; });
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
        const std::int64_t high = *m_range.best;
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
    double m_slice;  ///< seconds for one memory
    MemoryRange m_range;
    std::vector<std::int64_t> m_open;
};

}  // namespace

std::int64_t peakStepBytes(const CostGraph& graph)
{
    std::int64_t step = 0;
    for (const CostNode& node : graph.nodes)
        step = std::gcd(std::gcd(step, node.bytes), node.workspaceBytes);
    return std::max<std::int64_t>(step, 1);
}

Expected<MemoryRange> findMemoryWithin(const Problem& problem, double mostJoules, const SolveParams& params, MemorySink& sink)
{
    return MemoryBisection(problem, mostJoules, params, sink).run();
}

Expected<OverheadAnswer> findSmallestMemoryForOverhead(const Problem& problem, double overheadRatio, const SolveParams& params, MemorySink& sink)
{
    if (isBaseline(problem.strategy))
        return fail(ErrorCode::BadUsage, "The strategy " + std::string(name(problem.strategy)) + " does not look for the smallest memory.",
                    "Use integrated, paging or recompute.");
    if (!(overheadRatio >= 0))
        return fail(ErrorCode::BadUsage, "An overhead limit below 0 asks for less energy than keeping everything.", "Give a limit such as 5%.");
    const SearchClock clock(params.timeLimitSeconds);
    POET_TRY(facts, findFacts(*problem.graph, problem.transfer));
    SolveParams search = params;
    search.timeLimitSeconds = kSearchShare * clock.left();
    OverheadAnswer answer;
    POET_TRY(range, findMemoryWithin(problem, (1 + overheadRatio) * (1 + kRounding) * facts.keepAll.energyJoules, search, sink));
    answer.range = std::move(range);
    Problem final = problem;
    final.memoryBytes = answer.range.best.value_or(facts.keepAllPeakBytes);
    SolveParams last = params;
    last.timeLimitSeconds = clock.left();
    if (answer.range.best)
        last.start = answer.range.plan.schedule;
    POET_TRY(plan, solve(final, last, sink));
    plan.solveSeconds = clock.elapsed();
    if (answer.range.best)
        plan.overheadLimit = OverheadLimit{100 * overheadRatio, answer.range.bound};
    plan.coversEverySchedule &= answer.range.coversEverySchedule;
    answer.plan = std::move(plan);
    return answer;
}

}  // namespace poet::planning

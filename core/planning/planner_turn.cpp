// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/planning/planner_turn.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace poet::planning {
namespace {

constexpr std::size_t kManyColumns = 2000;  ///< more than that are reduced at the first try, too
constexpr double kRelaxationShare = 0.5;    ///< of the time left
constexpr double kLeastSeconds = 0.01;      ///< for a call of the solver

}  // namespace

Expected<TurnEnd> ProofTurn::run(double seconds)
{
    const double last = m_record.clock.elapsed() + seconds;
    if (!m_record.params.useLazyStages)
        for (int stage = 0; stage < m_program.stageCount(); ++stage)
            m_program.addStageRows(stage);
    while (last - m_record.clock.elapsed() > kLeastSeconds && !m_record.stops()) {
        POET_TRY(outcome, solveOnce(std::min(last - m_record.clock.elapsed(), m_record.clock.left())));
        if (outcome.status == MipStatus::Infeasible)
            return TurnEnd::Impossible;
        if (m_record.isSettled())
            return TurnEnd::Settled;
        if (outcome.solution.empty())
            return TurnEnd::TimeUp;
        POET_TRY(end, refine(outcome));
        if (end)
            return *end;
    }
    return m_record.isSettled() ? TurnEnd::Settled : TurnEnd::TimeUp;
}

Expected<MipResult> ProofTurn::solveOnce(double seconds)
{
    const double scale = m_program.objectiveScale();
    m_record.plan.variables = static_cast<int>(m_program.linear().columns.size());
    m_record.plan.rows = static_cast<int>(m_program.linear().rows.size());
    const double keepAll = m_record.facts.keepAll.energyJoules;
    MipLimits limits;
    limits.absoluteGap = 0.45 * m_record.params.gap * m_record.plan.boundJoules * scale;
    limits.seconds = seconds;
    limits.threads = m_record.params.threads;
    limits.isForProof = m_isHard && m_record.plan.hasSchedule();
    // Than a known plan, what is not better by the gap needs no look; a question wants the proof up to its limit.
    if (const double most = m_record.mostOverheadJoules(); std::isfinite(most))
        limits.cutoff = most * scale + (m_record.isCutByQuestion() ? limits.absoluteGap : -limits.absoluteGap);
    POET_TRY(reduced, reduceIfHard(limits));
    // What was fixed costs at least the cutoff in any other way: bounds of the rest hold up to there.
    const double most = limits.cutoff;
    const auto raise = [&](double bound) { m_record.raiseBound(keepAll + std::min(bound + reduced.constant, most) / scale); };
    limits.cutoff -= reduced.constant;
    MipEvents events;
    events.bound = raise;
    events.wantsStop = [&] { return m_record.mustEnd(); };
    POET_TRY(result, solveMip(reduced.program, limits, events));
    if (std::isfinite(result.bound))
        raise(result.bound);
    if (!result.solution.empty())
        result.solution = reduced.expand(result.solution);
    return result;
}

/// A small program stays as it is at the first try: CBC does well with it.
Expected<ReducedProgram> ProofTurn::reduceIfHard(MipLimits& limits)
{
    if (std::isinf(limits.cutoff) || (m_program.linear().columns.size() < kManyColumns && !m_isHard))
        return ReducedProgram(m_program.linear());
    const double begin = m_record.clock.elapsed();
    MipEvents events;
    events.bound = [&](double bound) {
        m_record.raiseBound(m_record.facts.keepAll.energyJoules + std::min(bound, limits.cutoff) / m_program.objectiveScale());
    };
    events.wantsStop = [&] { return m_record.mustEnd(); };
    // The bound of the relaxation counts at once: it may take longer than the limit.
    POET_TRY(reduced, reduceBelow(m_program, limits.cutoff, std::max(limits.seconds, kRelaxationShare * m_record.clock.left()), events));
    limits.seconds = std::clamp(limits.seconds - (m_record.clock.elapsed() - begin), kLeastSeconds, std::max(kLeastSeconds, m_record.clock.left()));
    return reduced;
}

/// Replays what the relaxed program found, its optimum or the best until its time was up; where that is over budget,
/// adds that stage's rows. Nothing: there is something new to solve, and time for it.
Expected<std::optional<TurnEnd>> ProofTurn::refine(const MipResult& outcome)
{
    using End = std::optional<TurnEnd>;
    const Decisions decisions = m_program.decode(outcome.solution);
    POET_TRY(report, m_record.replayOf(decisions));
    m_record.offer(decisions, report);
    if (m_record.isSettled())
        return End(TurnEnd::Settled);
    const bool isOver = report.peakBytes > m_record.problem.budgetBytes();
    if (m_program.addMissingRows(report))
        return outcome.status == MipStatus::Stopped ? End(TurnEnd::TimeUp) : End();
    if (isOver && !m_program.hasTiny())
        return fail(ErrorCode::Internal, "The replay needs " + std::to_string(report.peakBytes) + " bytes where the program promised " +
                                             std::to_string(m_record.problem.budgetBytes()) + ".",
                    "Please report the model and the limits.");
    if (isOver)
        return End(TurnEnd::TinyInTheWay);
    return End(outcome.status == MipStatus::Proven ? TurnEnd::Exhausted : TurnEnd::TimeUp);
}

}  // namespace poet::planning

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/planning/planner.h"

#include "core/base/units.h"
#include "core/planning/baselines/baselines.h"
#include "core/planning/cbc_driver.h"
#include "core/planning/construct.h"
#include "core/planning/explain.h"
#include "core/planning/neighbourhood.h"
#include "core/planning/program.h"
#include "core/planning/reduction.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>
#include <string>

namespace poet::planning {
namespace {

using Clock = std::chrono::steady_clock;

/// One search: the best replayed plan so far, the best bound so far, and the rounds that improve both.
class Search {
public:
    Search(const Problem& problem, const SolveParams& params, ProgressSink& sink, ProblemFacts facts)
        : m_problem(problem), m_params(params), m_sink(sink), m_facts(std::move(facts)), m_begin(Clock::now())
    {
        m_plan.strategy = problem.strategy;
        m_plan.transfer = problem.transfer;
        m_plan.memoryBytes = problem.memoryBytes;
        m_plan.deadlineSeconds = problem.deadlineSeconds;
        m_plan.keepAllEnergyJoules = m_facts.keepAll.energyJoules;
        m_plan.keepAllSeconds = m_facts.keepAll.seconds;
        m_plan.keepAllPeakBytes = m_facts.keepAllPeakBytes;
        m_plan.largestWorkingSetBytes = m_facts.largestWorkingSetBytes;
        m_plan.boundJoules = m_facts.keepAll.energyJoules;
        m_plan.isRestrictedProof = params.isRestricted;
    }

    Expected<Plan> run()
    {
        if (isBaseline(m_problem.strategy) && m_problem.strategy != Strategy::KeepAll)
            POET_CHECK(askBaseline());
        else if (!answerAtOnce())
            POET_CHECK(searchByProgram());
        m_plan.solveSeconds = secondsSoFar();
        return std::move(m_plan);
    }

private:
    double secondsSoFar() const { return std::chrono::duration<double>(Clock::now() - m_begin).count(); }
    double secondsLeft() const { return m_params.timeLimitSeconds - secondsSoFar(); }
    const CostGraph& graph() const { return *m_problem.graph; }

    /// Cases that need no program. Returns whether the question is answered.
    bool answerAtOnce()
    {
        if (auto reason = impossibleAtOnce(m_problem, m_facts)) {
            m_plan.status = SolveStatus::Infeasible;
            m_plan.infeasible = std::move(reason);
            return true;
        }
        if (!fitsLimits(m_problem, m_facts.keepAll))
            return false;
        offer(m_facts.keepAll);
        m_plan.status = SolveStatus::Optimal;
        m_plan.isRestrictedProof = false;
        return true;
    }

    /// A strategy without integer program gives its one schedule and proves nothing.
    Expected<void> askBaseline()
    {
        if (m_problem.memoryBytes < m_facts.largestWorkingSetBytes && answerAtOnce())
            return {};
        POET_TRY(schedule, baselineSchedule(m_problem.strategy, graph(), m_problem.transfer, m_problem.budgetBytes(),
                                            [&] { return secondsLeft() <= 0 || m_sink.wantsStop(); }));
        POET_TRY(report, replay(graph(), m_problem.transfer, schedule));
        m_plan.status = offer(report) ? SolveStatus::Feasible : SolveStatus::Stopped;
        return {};
    }

    /// Takes over a replayed schedule if it fits and is better than the best known.
    bool offer(const ReplayReport& report)
    {
        if (!fitsLimits(m_problem, report) || (m_plan.hasSchedule() && report.energyJoules >= m_plan.replay.energyJoules))
            return false;
        m_plan.replay = report;
        m_sink.incumbent(report);
        return true;
    }

    void raiseBound(double joules)
    {
        if (joules <= m_plan.boundJoules)
            return;
        m_plan.boundJoules = joules;
        m_sink.bound(joules);
    }

    bool isProven() const
    {
        constexpr double kRounding = 1e-12;  // of sums of energies: a gap of 0 is met by equal ones
        return m_plan.hasSchedule() && m_plan.replay.energyJoules - m_plan.boundJoules <= (m_params.gap * (1 + 1e-6) + kRounding) * m_plan.replay.energyJoules;
    }

    Expected<void> searchByProgram()
    {
        if (m_params.start)
            offerSchedule(*m_params.start);
        if (m_params.useHeuristic)
            constructPlans();
        // Without the deadline and with the energy rule alone the program is small; if its optimum is in time, it is
        // the optimum, otherwise its bound holds all the same.
        Problem timeless = m_problem;
        timeless.deadlineSeconds.reset();
        if (m_problem.deadlineSeconds && m_params.useDominance) {
            POET_CHECK(searchProgram(timeless, findChoices(m_problem, true, false)));
            if (m_plan.status == SolveStatus::Infeasible || isProven())
                return finish();
        }
        const Choices choices = findChoices(m_problem, m_params.useDominance, m_problem.deadlineSeconds.has_value());
        POET_CHECK(searchProgram(m_problem, choices));
        const Choices all = findChoices(m_problem, false, false);
        if (m_problem.transfer == TransferModel::Paper && choices.mayRecompute != all.mayRecompute)
            POET_CHECK(confirmWithoutDominance(all));
        return finish();
    }

    /// In the paper model, which has no demand paging, dominance is a heuristic: what it proves holds for the restricted
    /// program. The whole program gets as much time as has gone by, all that is left when nothing was found.
    Expected<void> confirmWithoutDominance(const Choices& all)
    {
        const double restrictedBound = m_plan.boundJoules;
        const bool wasProven = isProven();
        m_plan.boundJoules = m_facts.keepAll.energyJoules;
        m_plan.infeasible.reset();
        m_plan.status = SolveStatus::Stopped;
        if (m_plan.hasSchedule() && !wasProven) {
            m_plan.boundJoules = restrictedBound;
            m_plan.isRestrictedProof = true;
            return {};
        }
        Choices choices = worthwhile(m_problem, all);
        static_cast<void>(relaxTiny(m_problem, choices));
        Program program(m_problem, m_facts, choices, m_params.isRestricted);
        const double seconds = m_plan.hasSchedule() ? std::min(secondsLeft(), std::max(kShortestConfirmation, secondsSoFar())) : secondsLeft();
        POET_CHECK(searchRounds(program, seconds));
        if (m_plan.status == SolveStatus::Infeasible || isProven() || m_plan.replay.energyJoules < restrictedBound * (1 - 1e-9))
            return {};
        m_plan.boundJoules = restrictedBound;
        m_plan.isRestrictedProof = true;
        return {};
    }

    /// Quick plans from one walk each; the best of them is the first incumbent.
    void constructPlans()
    {
        const Choices choices = findChoices(m_problem, m_params.useDominance, false);
        for (const double bytesExponent : {1.0, 0.5, 2.0})
            for (const double distanceExponent : {1.0, 0.0, 0.5, 2.0})
                if (const auto decisions = construct(m_problem, choices, {distanceExponent, bytesExponent}))
                    offerDecisions(*decisions, replayOf(*decisions));
        const double end = secondsSoFar() + kLongestBaseline * m_params.timeLimitSeconds;
        const auto isOverdue = [&] { return secondsSoFar() > end || m_sink.wantsStop(); };
        if (m_problem.strategy == Strategy::Integrated)
            for (const Strategy strategy : {Strategy::Greedy, Strategy::Capuchin})
                if (const auto schedule = baselineSchedule(strategy, graph(), m_problem.transfer, m_problem.budgetBytes(), isOverdue))
                    offerSchedule(*schedule);
    }

    /// A schedule from elsewhere; replayed before anything of it is used.
    void offerSchedule(const Schedule& schedule)
    {
        const auto report = replay(graph(), m_problem.transfer, schedule);
        if (report && offer(*report))
            m_best = decisionsOf(graph(), m_problem.transfer, schedule);
    }

    Expected<ReplayReport> replayOf(const Decisions& decisions) const { return replay(graph(), m_problem.transfer, lower(graph(), m_problem.transfer, decisions)); }

    bool offerDecisions(const Decisions& decisions, const Expected<ReplayReport>& report)
    {
        if (!report || !offer(*report))
            return false;
        m_best = decisions;
        return true;
    }

    /// In turns: a try for the proof, then a better plan, which makes the next try's program smaller.
    Expected<void> searchProgram(const Problem& problem, const Choices& allowed)
    {
        m_isExhausted = false;
        for (int turn = 0; turn < kMostTurns && secondsLeft() > 0.01 && !m_sink.wantsStop(); ++turn) {
            Choices choices = worthwhile(problem, allowed);
            if (m_params.useHeuristic && !m_isTinyInTheWay)
                static_cast<void>(relaxTiny(problem, choices));
            Program program(problem, m_facts, choices, m_params.isRestricted);
            m_isHard = turn > 0;
            const double slice = (turn == 0 ? kFirstTry : kLaterTry) * m_params.timeLimitSeconds;
            const bool wasTinyInTheWay = m_isTinyInTheWay;
            POET_CHECK(searchRounds(program, m_params.useHeuristic ? std::min(slice, secondsLeft()) : secondsLeft()));
            if (m_plan.status == SolveStatus::Infeasible || isProven() || m_isExhausted)
                return {};
            if (m_params.useHeuristic && m_isTinyInTheWay == wasTinyInTheWay)
                improvePlan(program, std::min(kImprovement * m_params.timeLimitSeconds, secondsLeft()));
            if (isProven())
                return {};
        }
        return {};
    }

    /// The choices that a plan better than the best known one can contain.
    Choices worthwhile(const Problem& problem, Choices choices) const
    {
        if (!m_params.useDominance)
            choices.mayExpand = choices.mayRecompute;  // exact to the last, and slower
        if (m_plan.hasSchedule())
            dropTooExpensive(problem, m_plan.overheadJoules() * (1 + 1e-9), m_facts.keepAll.seconds, choices);
        return choices;
    }

    void improvePlan(const Program& lazy, double seconds)
    {
        Program program = lazy;  // rows that only the improvement needs stay out of the proof
        std::vector<double> current = program.encode(m_best);
        if (current.empty())
            return;
        Neighbourhoods neighbourhoods(program, ++m_improvements);
        const double end = secondsSoFar() + seconds;
        const auto stops = [&] { return m_sink.wantsStop(); };
        for (int idle = 0; idle < kMostIdleMoves && secondsSoFar() < end && !stops() && !isProven();) {
            const double leastGain = 0.1 * m_params.gap * m_plan.boundJoules * program.objectiveScale();
            const auto better = neighbourhoods.improve(current, leastGain, std::min(kLongestMove, end - secondsSoFar()), stops);
            ++idle;
            if (better.empty())
                continue;
            const Decisions decisions = program.decode(better);
            const auto report = replayOf(decisions);
            if (offerDecisions(decisions, report)) {
                current = better;
                idle = 0;
            } else if (report && program.addMissingRows(*report)) {
                current.resize(program.linear().columns.size(), 0.0);  // the new columns are continuous
            }
        }
    }

    Expected<void> finish()
    {
        if (m_plan.status == SolveStatus::Infeasible)
            return {};
        if (m_plan.hasSchedule())
            m_plan.boundJoules = std::min(m_plan.boundJoules, m_plan.replay.energyJoules);
        m_plan.status = isProven() ? SolveStatus::Optimal : m_plan.hasSchedule() ? SolveStatus::Feasible : SolveStatus::Stopped;
        return {};
    }

    /// Solves the program, adds in-stage rows where the replay asks for them, and repeats.
    Expected<void> searchRounds(Program& program, double seconds)
    {
        const double end = secondsSoFar() + seconds;
        if (!m_params.useLazyStages)
            for (int stage = 0; stage < program.stageCount(); ++stage)
                program.addStageRows(stage);
        while (end - secondsSoFar() > 0.01 && !m_sink.wantsStop()) {
            POET_TRY(outcome, solveOnce(program, end - secondsSoFar()));
            if (outcome.status == MipStatus::Infeasible)
                return sayInfeasibleTogether();
            if (outcome.solution.empty() || isProven())
                return {};
            POET_TRY(hasMore, refine(program, outcome));
            if (!hasMore || outcome.status == MipStatus::Stopped)
                return {};
        }
        return {};
    }

    Expected<MipResult> solveOnce(Program& program, double seconds)
    {
        const double scale = program.objectiveScale();
        m_plan.variables = static_cast<int>(program.linear().columns.size());
        m_plan.rows = static_cast<int>(program.linear().rows.size());
        const double keepAll = m_facts.keepAll.energyJoules;
        MipLimits limits;
        limits.absoluteGap = 0.45 * m_params.gap * m_plan.boundJoules * scale;
        limits.seconds = seconds;
        limits.threads = m_params.threads;
        if (m_plan.hasSchedule())
            limits.cutoff = m_plan.overheadJoules() * scale - limits.absoluteGap;  // what is not better than that needs no look
        POET_TRY(reduced, reduceIfHard(program, limits));
        // What was fixed costs at least the cutoff in any other way: bounds of the rest hold up to there.
        const double most = limits.cutoff;
        const auto raise = [&](double bound) { raiseBound(keepAll + std::min(bound + reduced.constant, most) / scale); };
        limits.cutoff -= reduced.constant;
        MipEvents events;
        events.bound = raise;
        events.wantsStop = [&] { return m_sink.wantsStop(); };
        POET_TRY(result, solveMip(reduced.program, limits, events));
        if (std::isfinite(result.bound))
            raise(result.bound);
        if (!result.solution.empty())
            result.solution = reduced.expand(result.solution);
        return result;
    }

    /// A small program stays as it is at the first try: CBC does well with it.
    Expected<ReducedProgram> reduceIfHard(Program& program, MipLimits& limits)
    {
        if (!m_plan.hasSchedule() || (program.linear().columns.size() < kManyColumns && !m_isHard))
            return ReducedProgram(program.linear());
        const double begin = secondsSoFar();
        MipEvents events;
        events.bound = [&](double bound) { raiseBound(m_facts.keepAll.energyJoules + std::min(bound, limits.cutoff) / program.objectiveScale()); };
        events.wantsStop = [&] { return m_sink.wantsStop(); };
        // The bound of the relaxation counts at once: it may take longer than the limit.
        POET_TRY(reduced, reduceBelow(program, limits.cutoff, std::max(limits.seconds, kLongestRelaxation * secondsLeft()), events));
        limits.seconds = std::max(limits.seconds - (secondsSoFar() - begin), 0.01);
        return reduced;
    }

    /// Replays what the relaxed program found, its optimum or the best until its time was up; where that is over
    /// budget, adds that stage's rows. Returns whether there is something new to solve.
    Expected<bool> refine(Program& program, const MipResult& outcome)
    {
        const Decisions decisions = program.decode(outcome.solution);
        POET_TRY(report, replayOf(decisions));
        offerDecisions(decisions, report);
        if (isProven())
            return false;
        const bool hasMore = program.addMissingRows(report);
        const bool isOver = report.peakBytes > m_problem.budgetBytes();
        m_isTinyInTheWay = m_isTinyInTheWay || (!hasMore && isOver && program.hasTiny());
        m_isExhausted = outcome.status == MipStatus::Proven && !hasMore && !isOver;
        if (!hasMore && isOver && !program.hasTiny())
            return fail(ErrorCode::Internal, "The replay needs " + std::to_string(report.peakBytes) + " bytes where the program promised " +
                                                 std::to_string(m_problem.budgetBytes()) + ".",
                        "Please report the model and the limits.");
        return hasMore;
    }

    /// No schedule keeps all limits; says which deadline this memory allows where that can be proven.
    Expected<void> sayInfeasibleTogether()
    {
        if (m_plan.hasSchedule())
            return {};
        const std::string memory = formatBytes(m_problem.memoryBytes);
        InfeasibleReason why;
        if (m_problem.deadlineSeconds) {
            POET_TRY(shortest, smallestDeadline(m_problem, m_params.gap, std::max(secondsLeft(), 1.0), m_sink));
            why.smallestDeadlineSeconds = shortest;
        }
        const std::string deadline = m_problem.deadlineSeconds ? formatSeconds(*m_problem.deadlineSeconds) : "";
        if (why.smallestDeadlineSeconds)
            why.reason = "In " + memory + " a step takes at least " + formatSeconds(*why.smallestDeadlineSeconds) + "; the deadline is " + deadline + ".";
        else
            why.reason = "No schedule of the strategy '" + std::string(name(m_problem.strategy)) + "' fits " + memory +
                         (deadline.empty() ? "" : " and " + deadline) + ".";
        m_plan.status = SolveStatus::Infeasible;
        m_plan.infeasible = std::move(why);
        return {};
    }

    const Problem& m_problem;
    const SolveParams& m_params;
    ProgressSink& m_sink;
    ProblemFacts m_facts;
    Clock::time_point m_begin;
    Plan m_plan;
    unsigned m_improvements = 0;    ///< seeds the local search, so that each goes another way
    bool m_isTinyInTheWay = false;  ///< the last optimum was over budget only by tensors taken for 0 bytes
    bool m_isHard = false;          ///< a try of CBC alone has failed
    bool m_isExhausted = false;     ///< the program's optimum is known; it breaks a limit that is not in the program
    Decisions m_best;  ///< of the best plan; empty outs when it came from outside

    static constexpr double kShortestConfirmation = 5;  ///< seconds
    static constexpr double kLongestBaseline = 0.03; ///< of the time limit
    static constexpr double kFirstTry = 0.08;      ///< of the time limit
    static constexpr double kLaterTry = 0.25;
    static constexpr double kImprovement = 0.35; ///< of the time limit
    static constexpr std::size_t kManyColumns = 2000;
    static constexpr double kLongestRelaxation = 0.5;  ///< of the time left
    static constexpr int kMostTurns = 20;
    static constexpr double kLongestMove = 1.5;   ///< seconds
    static constexpr int kMostIdleMoves = 100;
};

}  // namespace

Expected<Plan> solve(const Problem& problem, const SolveParams& params, ProgressSink& sink)
{
    POET_TRY(facts, findFacts(*problem.graph, problem.transfer));
    return Search(problem, params, sink, std::move(facts)).run();
}

}  // namespace poet::planning

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/planning/planner.h"

#include "core/base/units.h"
#include "core/planning/baselines/baselines.h"
#include "core/planning/construct.h"
#include "core/planning/explain.h"
#include "core/planning/neighbourhood.h"
#include "core/planning/overlap.h"
#include "core/planning/planner_record.h"
#include "core/planning/planner_turn.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

namespace poet::planning {
namespace {

/// What the page store may take, where it is limited: the reason may lie there.
std::string storeLimits(const DeviceTerms& device)
{
    std::string text;
    if (device.storeCapacityBytes)
        text += " with a page store of " + formatBytes(*device.storeCapacityBytes);
    if (device.writeLimitBytesPerStep)
        text += (text.empty() ? " with " : " and ") + std::string("at most ") + formatBytes(*device.writeLimitBytesPerStep) + " written a step";
    return text;
}

constexpr double kShortestConfirmation = 5;  ///< seconds
constexpr double kFirstConstruction = 0.5;   ///< of the time limit, while no plan is known
constexpr double kMoreConstructions = 0.1;   ///< of the time limit
constexpr double kLongestBaseline = 0.03;    ///< of the time limit
constexpr double kFirstTry = 0.08;           ///< of the time limit
constexpr double kLaterTry = 0.25;           ///< of the time limit
constexpr double kImprovement = 0.35;        ///< of the time limit
constexpr double kPlanInTime = 0.3;          ///< of the time limit
constexpr double kCopying = 0.3;             ///< of the time that a program took to build; nobody can interrupt that
constexpr double kLongestMove = 1.5;         ///< seconds
constexpr int kMostTurns = 20;
constexpr int kMostIdleMoves = 100;

/// Passes on only that the search at hand must end: the news of a search within it are not its own.
class RecordSink : public ProgressSink {
public:
    explicit RecordSink(const SearchRecord& record) : m_record(record) {}
    bool wantsStop() override { return m_record.mustEnd(); }

private:
    const SearchRecord& m_record;
};

/// One search: which programs are tried in which order, and what is tried between for a better plan.
class Search {
public:
    Search(const Problem& problem, const SolveParams& params, ProgressSink& sink, ProblemFacts facts)
        : m_record(problem, params, sink, std::move(facts)), m_problem(problem), m_params(params)
    {
    }

    Expected<Plan> run()
    {
        if (isBaseline(m_problem.strategy) && m_problem.strategy != Strategy::KeepAll)
            POET_CHECK(askBaseline());
        else if (!answerAtOnce())
            POET_CHECK(searchByProgram());
        m_record.plan.solveSeconds = m_record.clock.elapsed();
        return std::move(m_record.plan);
    }

private:
    Plan& plan() { return m_record.plan; }
    const CostGraph& graph() const { return *m_problem.graph; }

    /// Cases that need no program. Returns whether the question is answered.
    bool answerAtOnce()
    {
        if (auto reason = impossibleAtOnce(m_problem, m_record.facts)) {
            plan().status = SolveStatus::Infeasible;
            plan().infeasible = std::move(reason);
            return true;
        }
        if (!m_record.offer(m_record.facts.keepAll))
            return false;
        plan().status = SolveStatus::Optimal;
        plan().isRestrictedProof = false;
        return true;
    }

    /// A strategy without integer program gives its one schedule and proves nothing.
    Expected<void> askBaseline()
    {
        if (m_problem.memoryBytes < m_record.facts.largestWorkingSetBytes && answerAtOnce())
            return {};
        POET_TRY(schedule, baselineSchedule(m_problem.strategy, graph(), m_problem.transfer, m_problem.budgetBytes(), [&] { return m_record.stops(); }));
        m_record.offer(schedule);
        plan().status = plan().hasSchedule() ? SolveStatus::Feasible : SolveStatus::Stopped;
        return {};
    }

    Expected<void> searchByProgram()
    {
        if (m_params.start)
            m_record.offer(*m_params.start);
        if (m_params.useHeuristic)
            constructPlans();
        if (m_problem.deadlineSeconds)
            POET_CHECK(prepareForDeadline());
        const Choices all = findChoices(m_problem, false, false);
        // In the paper model dominance is a heuristic, which a small program does not need.
        const bool isSmall = m_problem.transfer == TransferModel::Paper && offersEvery(all);
        const Choices choices = isSmall ? all : findChoices(m_problem, m_params.useDominance, m_problem.deadlineSeconds.has_value());
        if (!isAnswered())
            POET_CHECK(searchProgram(m_problem, choices, kMostTurns));
        if (m_problem.transfer == TransferModel::Paper && choices.mayRecompute != all.mayRecompute)
            POET_CHECK(confirmWithoutDominance(all));
        m_record.conclude();
        return {};
    }

    /// Without the deadline and with the energy rule alone the program is small: if its optimum is in time, it is the
    /// optimum, otherwise its bound holds all the same. Where no plan in time is known then, the least time is looked for.
    Expected<void> prepareForDeadline()
    {
        Problem timeless = m_problem;
        timeless.deadlineSeconds.reset();
        if (m_params.useDominance)  // a second turn where a quick plan is in time: then the deadline may not bind at all
            POET_CHECK(searchProgram(timeless, findChoices(m_problem, true, false), plan().hasSchedule() ? 2 : 1));
        if (!isAnswered() && !plan().hasSchedule() && m_params.useHeuristic)
            POET_CHECK(askForPlanInTime());
        return {};
    }

    /// Some schedule in time, to start from, or the proof that there is none. Every schedule in this memory is a start for
    /// that search, which tight deadlines leave without any.
    Expected<void> askForPlanInTime()
    {
        SolveParams params = m_params;
        params.questionJoules = *m_problem.deadlineSeconds * (1 + 1e-9);  // as in fitsLimits
        params.gap = 1e-6;
        params.timeLimitSeconds = m_record.clock.share(kPlanInTime);
        params.start.reset();
        RecordSink sink(m_record);
        POET_TRY(fastest, solve(timeProblem(m_problem), params, sink));
        if (fastest.hasSchedule())
            m_record.offer(fastest.replay.schedule);
        plan().coversEverySchedule &= fastest.coversEverySchedule;
        const bool isTooSlow = !fastest.isRestrictedProof && fastest.boundJoules > *params.questionJoules;
        return isTooSlow || fastest.status == SolveStatus::Infeasible ? sayInfeasibleTogether() : Expected<void>();
    }

    bool isAnswered() { return plan().status == SolveStatus::Infeasible || m_record.isSettled(); }

    /// In the paper model, which has no demand paging, dominance is a heuristic: what it proves holds for the restricted
    /// program. The whole program gets as much time as has gone by, all that is left when nothing was found.
    Expected<void> confirmWithoutDominance(const Choices& all)
    {
        const double restrictedBound = plan().boundJoules;
        const bool wasSettled = m_record.isSettled();
        plan().boundJoules = m_record.facts.keepAll.energyJoules;
        plan().infeasible.reset();
        plan().status = SolveStatus::Stopped;
        const bool isWorthIt = !plan().hasSchedule() || (wasSettled && !m_record.isSettled());
        if (isWorthIt && !m_record.stops()) {
            Choices choices = worthwhile(m_problem, all);
            if (!m_isTinyInTheWay)
                static_cast<void>(relaxTiny(m_problem, choices));
            std::optional<Program> program;
            build(program, m_problem, choices);
            const double left = m_record.clock.left();
            const double seconds = plan().hasSchedule() ? std::min(left, std::max(kShortestConfirmation, m_record.clock.elapsed())) : left;
            if (program->isComplete()) {
                POET_TRY(end, ProofTurn(m_record, *program, false).run(seconds));
                if (end == TurnEnd::Impossible)
                    return sayInfeasibleTogether();
            }
        }
        if (m_record.isSettled() || (plan().hasSchedule() && plan().replay.energyJoules < restrictedBound * (1 - 1e-9)))
            return {};
        plan().boundJoules = restrictedBound;
        plan().isRestrictedProof = true;
        return {};
    }

    /// Quick plans from one walk each; the best of them is the first incumbent.
    void constructPlans()
    {
        constructOn(m_problem, findChoices(m_problem, m_params.useDominance, false));
        const double end = m_record.clock.elapsed() + m_record.clock.share(kLongestBaseline);
        for (const Strategy strategy : {Strategy::Greedy, Strategy::Capuchin})
            if (m_problem.strategy == Strategy::Integrated && !m_record.stops())
                if (const auto schedule = baselineSchedule(strategy, graph(), m_problem.transfer, m_problem.budgetBytes(),
                                                           [&] { return m_record.clock.elapsed() > end || m_record.stops(); }))
                    m_record.offer(*schedule);
        if (!m_problem.deadlineSeconds)
            return;
        // The walk does not look at the time: where its plans take too long, time counts as energy.
        const ReplayReport& keepAll = m_record.facts.keepAll;
        const Choices all = findChoices(m_problem, false, false);
        for (const double weight : {0.3, 3.0, 30.0, 1000.0})
            if (!plan().hasSchedule() && !m_record.stops())
                constructOn(weighTime(m_problem, weight * keepAll.energyJoules / std::max(keepAll.seconds, 1e-30)), all);
    }

    void constructOn(const Problem& weighted, const Choices& choices)
    {
        double end = 0;
        const auto isOverdue = [&] { return m_record.clock.elapsed() > end || m_record.stops(); };
        for (const double bytesExponent : {1.0, 0.5, 2.0})
            for (const double distanceExponent : {1.0, 0.0, 0.5, 2.0}) {
                end = m_record.clock.share(plan().hasSchedule() ? kMoreConstructions : kFirstConstruction);
                if (m_record.clock.elapsed() > end)
                    break;
                const auto decisions = construct(weighted, choices, {distanceExponent, bytesExponent}, isOverdue);
                if (!decisions)
                    continue;
                m_record.offer(*decisions, m_record.replayOf(*decisions));
                if (m_problem.transfer == TransferModel::Dma) {
                    const Decisions overlapped = overlapTransfers(m_problem, *decisions, isOverdue);
                    m_record.offer(overlapped, m_record.replayOf(overlapped));
                }
            }
    }

    /// In turns: a try for the proof, then a better plan, which makes the next try's program smaller. A program stays,
    /// with all rows that were added to it, as long as its choices do.
    Expected<void> searchProgram(const Problem& problem, const Choices& allowed, int mostTurns)
    {
        Choices built;
        std::optional<Program> program;
        for (int turn = 0; turn < mostTurns && !m_record.stops(); ++turn) {
            Choices choices = worthwhile(problem, allowed);
            if (m_params.useHeuristic && !m_isTinyInTheWay)
                static_cast<void>(relaxTiny(problem, choices));
            if (!program || choices != built)
                build(program, problem, choices);
            if (!program->isComplete())
                return {};
            built = std::move(choices);
            const bool isLast = !m_params.useHeuristic || (turn > 0 && !plan().hasSchedule());  // nothing to improve between
            const double slice = isLast ? m_record.clock.left() : m_record.clock.share(turn == 0 ? kFirstTry : kLaterTry);
            POET_TRY(end, ProofTurn(m_record, *program, turn > 0).run(slice));
            if (end == TurnEnd::Impossible)
                return sayInfeasibleTogether();
            if (end == TurnEnd::Settled || end == TurnEnd::Exhausted)
                return {};
            if (end == TurnEnd::TinyInTheWay && !m_isTinyInTheWay) {
                m_isTinyInTheWay = true;
                --turn;  // the same again, with them
            } else if (m_params.useHeuristic && turn + 1 < mostTurns) {
                improvePlan(*program, m_record.clock.share(kImprovement));
            }
            if (m_record.isSettled())
                return {};
        }
        return {};
    }

    void build(std::optional<Program>& program, const Problem& problem, const Choices& choices)
    {
        const double begin = m_record.clock.elapsed();
        const CandidateSets sets = m_params.isRestricted ? CandidateSets::Restricted : offersEvery(choices) ? CandidateSets::Every : CandidateSets::Ready;
        plan().coversEverySchedule &= sets == CandidateSets::Every && !mayGainByWaiting();
        program.emplace(problem, m_record.facts, choices, sets, [this] { return m_record.mustEnd(); });
        m_record.clock.noteStep(kCopying * (m_record.clock.elapsed() - begin));
    }

    /// In dma a page-in that begins stages before its use, behind a longer main node, and then waits, costs less time than
    /// the prefetch in the stage before, which is all that the program offers (planning.md, section 3, row 3).
    bool mayGainByWaiting() const
    {
        const CostGraph& graph = *m_problem.graph;
        const bool countsTime = m_problem.deadlineSeconds || graph.device.idleWattsOfTime(m_problem.transfer) > 0;
        return m_problem.transfer == TransferModel::Dma && m_problem.strategy != Strategy::Recompute && countsTime &&
               std::ranges::any_of(graph.nodes, [](const CostNode& node) { return node.pageable && node.pageIn.seconds > 0; });
    }

    bool offersEvery(const Choices& choices) const
    {
        return countEveryCandidate(graph(), choices, m_params.mostCandidates) <= m_params.mostCandidates;
    }

    /// The choices that a plan better than the best known one can contain.
    Choices worthwhile(const Problem& problem, Choices choices) const
    {
        if (!m_params.useDominance)
            choices.mayExpand = choices.mayRecompute;  // exact to the last, and slower
        if (const double most = m_record.mostOverheadJoules(); std::isfinite(most))
            dropTooExpensive(problem, most * (1 + 1e-9), m_record.facts.keepAll.seconds, choices);
        return choices;
    }

    void improvePlan(const Program& lazy, double seconds)
    {
        Program program = lazy;  // rows that only the improvement needs stay out of the proof
        std::vector<double> current = program.encode(m_record.best);
        if (current.empty())
            return;
        Neighbourhoods neighbourhoods(program, ++m_improvements);
        const double end = m_record.clock.elapsed() + seconds;
        const auto stops = [&] { return m_record.mustEnd(); };
        for (int idle = 0; idle < kMostIdleMoves && m_record.clock.elapsed() < end && !m_record.stops() && !m_record.isSettled();) {
            const double leastGain = 0.1 * m_params.gap * plan().boundJoules * program.objectiveScale();
            const double cost = plan().overheadJoules() * program.objectiveScale();
            const auto better = neighbourhoods.improve(current, cost, leastGain, std::min(kLongestMove, end - m_record.clock.elapsed()), stops);
            ++idle;
            if (better.empty())
                continue;
            const Decisions decisions = program.decode(better);
            const auto report = m_record.replayOf(decisions);
            if (m_record.offer(decisions, report)) {
                current = better;
                idle = 0;
            } else if (report && program.addMissingRows(*report)) {
                current.resize(program.linear().columns.size(), 0.0);  // the new columns are continuous
            }
        }
    }

    /// No schedule keeps all limits; says which deadline this memory allows where that can be proven.
    Expected<void> sayInfeasibleTogether()
    {
        if (plan().hasSchedule())
            return {};
        const std::string memory = formatBytes(m_problem.memoryBytes);
        InfeasibleReason why;
        if (m_problem.deadlineSeconds && !m_params.questionJoules) {
            POET_TRY(shortest, smallestDeadline(m_problem, m_params.gap, m_record.clock.left() / 2, m_record.sink));
            why.smallestDeadlineSeconds = shortest;
        }
        const auto& deadline = m_problem.deadlineSeconds;
        if (const auto& least = why.smallestDeadlineSeconds)
            why.reason = "In " + memory + " a step takes at least " + formatSecondsBeside(*least, *deadline) + "; the deadline is " +
                         formatSecondsBeside(*deadline, *least) + ".";
        else
            why.reason = "No schedule of the strategy '" + std::string(name(m_problem.strategy)) + "' fits " + memory +
                         (deadline ? " and " + formatSeconds(*deadline) : "") + storeLimits(m_problem.graph->device) + ".";
        plan().status = SolveStatus::Infeasible;
        plan().infeasible = std::move(why);
        return {};
    }

    SearchRecord m_record;
    const Problem& m_problem;
    const SolveParams& m_params;
    unsigned m_improvements = 0;    ///< seeds the local search, so that each goes another way
    bool m_isTinyInTheWay = false;  ///< some optimum was over budget only by tensors taken for 0 bytes
};

}  // namespace

Expected<Plan> solve(const Problem& problem, const SolveParams& params, ProgressSink& sink)
{
    POET_TRY(facts, findFacts(*problem.graph, problem.transfer));
    return Search(problem, params, sink, std::move(facts)).run();
}

}  // namespace poet::planning

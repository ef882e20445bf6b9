// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/planning/explain.h"
#include "core/planning/operating_points.h"
#include "core/planning/why_not.h"
#include "tests/core/planning/support/planner_cases.h"
#include "tests/core/planning/support/random_graphs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

/// Smallest limits, operating points and forced decisions against exhaustive search and against single solves.
namespace poet::testing {
namespace {

constexpr std::uint32_t kCases = 24;
constexpr double kSeconds = 20;

class Explanations : public ::testing::TestWithParam<TransferModel> {};

TEST_P(Explanations, smallestMemoryIsWhereExhaustiveSearchStopsFindingSchedules)
{
    int aboveTheWall = 0;
    for (std::uint32_t seed = 1; seed <= kCases; ++seed) {
        PlannerCase c = makePlannerCase(seed, GetParam(), 8);
        if (seed % 2 == 0)
            c.deadlineSeconds = keepAllSeconds(*c.graph) * (1 + 0.05 * (seed % 5));
        planning::ProgressSink sink;
        const auto range = planning::findSmallestMemory(c.problem(), kSeconds, sink);
        ASSERT_TRUE(range) << range.error().text();
        ASSERT_TRUE(range->isProven()) << c.label;
        ASSERT_TRUE(range->best) << c.label;
        const std::int64_t resident = c.graph->device.residentBytes;
        const auto report = replay(*c.graph, c.transfer, range->plan.schedule);
        ASSERT_TRUE(report) << report.error().text();
        EXPECT_EQ(report->peakBytes + resident, *range->best) << describe(c);
        BruteForceProblem brute = c.bruteForceProblem();
        brute.budgetBytes = *range->best - resident;
        EXPECT_TRUE(bruteForce(brute)) << describe(c);
        brute.budgetBytes -= planning::peakStepBytes(*c.graph);
        brute.isRecomputeOnlyOfCandidates = true;
        EXPECT_FALSE(bruteForce(brute)) << describe(c);
        aboveTheWall += *range->best > planning::findFacts(*c.graph, c.transfer)->largestWorkingSetBytes ? 1 : 0;
    }
    EXPECT_GT(aboveTheWall, 0) << "some cases must ask for more than the working set";
}

TEST_P(Explanations, smallestDeadlineIsThatOfExhaustiveSearch)
{
    int found = 0;
    for (std::uint32_t seed = 101; seed <= 100 + kCases; ++seed) {
        const PlannerCase c = makePlannerCase(seed, GetParam(), 8);
        const auto fastest = bruteForceFastest(c.bruteForceProblem());
        planning::ProgressSink sink;
        const auto range = planning::findSmallestDeadline(c.problem(), 1e-6, kSeconds, sink);
        ASSERT_TRUE(range) << range.error().text();
        EXPECT_EQ(range->best.has_value(), fastest.has_value()) << describe(c);
        if (!fastest || !range->best)
            continue;
        ++found;
        EXPECT_LE(range->bound, *fastest * (1 + 1e-9)) << describe(c);
        EXPECT_GE(*range->best, *fastest * (1 - 1e-9)) << describe(c);
    }
    EXPECT_GT(found, static_cast<int>(kCases) / 2);
}

TEST_P(Explanations, anInfeasiblePlanIsCompletedWithWhatIsFeasible)
{
    int explained = 0;
    for (std::uint32_t seed = 201; seed <= 200 + kCases; ++seed) {
        PlannerCase c = makePlannerCase(seed, GetParam(), 8);
        const auto fastest = bruteForceFastest(c.bruteForceProblem());
        if (!fastest)
            continue;
        c.deadlineSeconds = *fastest * (1 - 1e-3);
        planning::ProgressSink sink;
        auto plan = planning::solve(c.problem(), provingParams(GetParam()), sink);
        ASSERT_TRUE(plan) << plan.error().text();
        if (plan->status != SolveStatus::Infeasible)
            continue;
        ASSERT_TRUE(planning::explainInfeasible(c.problem(), 1e-6, kSeconds, sink, *plan));
        ASSERT_TRUE(plan->infeasible->smallestDeadlineSeconds) << describe(c);
        EXPECT_NEAR(*plan->infeasible->smallestDeadlineSeconds, *fastest, 1e-5 * *fastest) << describe(c);
        if (!plan->infeasible->smallestMemoryBytes)
            continue;  // the operations alone are too slow
        ++explained;
        EXPECT_GT(*plan->infeasible->smallestMemoryBytes, c.problem().memoryBytes) << describe(c);
        std::int64_t sum = 0;
        for (const RamItem& item : plan->infeasible->inRam)
            sum += item.bytes;
        EXPECT_LE(sum, *plan->infeasible->smallestMemoryBytes) << "what is in RAM at the peak fits";
        EXPECT_GT(sum, 0);
    }
    EXPECT_GT(explained, GetParam() == TransferModel::Paper ? -1 : 0);
}

TEST_P(Explanations, aForcedDecisionIsTheOptimumOfTheLimitedProblem)
{
    for (std::uint32_t seed = 301; seed <= 300 + kCases / 2; ++seed) {
        const PlannerCase c = makePlannerCase(seed, GetParam(), 8);
        const auto free = checkedPlan(c, provingParams(GetParam()));
        ASSERT_TRUE(free);
        if (!free->hasSchedule())
            continue;
        for (const Choice choice : {Choice::Keep, Choice::Page, Choice::Recompute}) {
            const NodeId node = static_cast<NodeId>(seed % static_cast<std::uint32_t>(c.graph->size()));
            planning::ProgressSink sink;
            const auto plan = planning::solveWithChoice(c.problem(), provingParams(GetParam()), node, choice, free->replay.schedule, sink);
            ASSERT_TRUE(plan) << plan.error().text();
            if (!plan->hasSchedule())
                continue;
            EXPECT_GE(plan->replay.energyJoules, free->boundJoules * (1 - 1e-9)) << describe(c);
            const Fate fate = fatesOf(*c.graph, plan->replay.schedule)[static_cast<std::size_t>(node)];
            EXPECT_TRUE(fate == Fate::Kept || (choice == Choice::Page && fate == Fate::Paged) || (choice == Choice::Recompute && fate == Fate::Recomputed)) << name(fate);
        }
    }
}

TEST_P(Explanations, theBestPointIsTheBestOfAllSolvedAlone)
{
    int cutOff = 0;
    int feasible = 0;
    for (std::uint32_t seed = 401; seed <= 400 + kCases; ++seed) {
        PlannerCase c = makePlannerCase(seed, GetParam(), 9);
        if (seed % 3 != 0)
            c.deadlineSeconds = 1.5 * keepAllSeconds(*c.graph);
        const std::vector<PlannerCase> cases = atFourPoints(c);
        std::vector<planning::PointProblem> points;
        double best = 1e300;
        bool isAnyFeasible = false;
        for (std::size_t i = 0; i < cases.size(); ++i) {
            points.push_back({"point " + std::to_string(i), cases[i].problem()});
            const auto alone = checkedPlan(cases[i], provingParams(GetParam()));
            ASSERT_TRUE(alone);
            isAnyFeasible = isAnyFeasible || alone->hasSchedule();
            if (alone->hasSchedule())
                best = std::min(best, alone->replay.energyJoules);
        }
        planning::ProgressSink sink;
        auto params = provingParams(GetParam());
        const auto answer = planning::solveBestPoint(points, params, sink);
        ASSERT_TRUE(answer) << answer.error().text();
        ASSERT_EQ(answer->plan.points.size(), points.size());
        EXPECT_EQ(answer->plan.hasSchedule(), isAnyFeasible) << c.label;
        if (!isAnyFeasible) {
            EXPECT_EQ(answer->plan.status, SolveStatus::Infeasible) << c.label;
            continue;
        }
        ++feasible;
        EXPECT_NEAR(answer->plan.replay.energyJoules, best, 3e-6 * best) << c.label;
        EXPECT_LE(answer->plan.boundJoules, best * (1 + 1e-9)) << c.label;
        EXPECT_EQ(answer->plan.status, SolveStatus::Optimal) << c.label;
        for (const PointOutcome& point : answer->plan.points) {
            cutOff += point.isCutOff ? 1 : 0;
            if (point.isChosen) {
                EXPECT_EQ(point.name, points[answer->chosen].name);
            }
        }
    }
    EXPECT_GT(feasible, 0);
    EXPECT_GT(cutOff, 0) << "some point must be excluded without a solve";
}

TEST(SmallestMemory, withoutTimeItIsOnlyARange)
{
    const PlannerCase c = makePlannerCase(3, TransferModel::Blocking, 9);
    planning::ProgressSink sink;
    const auto range = planning::findSmallestMemory(c.problem(), 0, sink);
    ASSERT_TRUE(range) << range.error().text();
    ASSERT_TRUE(range->best);
    EXPECT_LT(range->bound, *range->best);
    EXPECT_FALSE(range->isProven());
    planning::Problem hopeless = c.problem();
    hopeless.deadlineSeconds = 0.5 * keepAllSeconds(*c.graph);
    const auto none = planning::findSmallestMemory(hopeless, 10, sink);
    ASSERT_TRUE(none) << none.error().text();
    EXPECT_TRUE(none->isImpossible) << "the operations alone take longer, whatever the memory";
    EXPECT_TRUE(none->isProven());
    EXPECT_FALSE(none->best);
}

TEST(OperatingPoints, noneIsAnErrorAndOneIsAPlainSolve)
{
    planning::ProgressSink sink;
    EXPECT_FALSE(planning::solveBestPoint({}, {}, sink));
    const PlannerCase c = makePlannerCase(3, TransferModel::Blocking, 9);
    const auto alone = planning::solve(c.problem(), {}, sink);
    const auto one = planning::solveBestPoint({{"only", c.problem()}}, {}, sink);
    ASSERT_TRUE(alone && one);
    EXPECT_EQ(one->plan.status, alone->status);
    EXPECT_EQ(one->plan.replay.energyJoules, alone->replay.energyJoules);
}

TEST(Period, idlePowerWithinItIsAConstantAndNoReasonToHurry)
{
    RandomGraphOptions options;
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
        CostGraph graph = randomTrainingGraph(seed, options);
        graph.device.idleWatts = 0.5;
        CostGraph idleless = graph;
        idleless.device.idleWatts = 0;
        graph.device.periodSeconds = 1000 * keepAllSeconds(graph);
        const auto solveAt = [&](const CostGraph& of) {
            planning::ProgressSink sink;
            const planning::Problem problem{std::make_shared<const CostGraph>(of), TransferModel::Blocking, Strategy::Integrated, spanBudget(of, 20) + of.device.residentBytes, std::nullopt};
            return planning::solve(problem, provingParams(TransferModel::Blocking), sink).value();
        };
        const Plan within = solveAt(graph);
        const Plan without = solveAt(idleless);
        ASSERT_EQ(within.hasSchedule(), without.hasSchedule()) << seed;
        if (!within.hasSchedule())
            continue;
        EXPECT_NEAR(within.overheadJoules(), without.overheadJoules(), 2e-6 * within.replay.energyJoules) << seed;
        EXPECT_NEAR(within.replay.energyJoules - without.replay.energyJoules, 0.5 * *graph.device.periodSeconds, 2e-6 * within.replay.energyJoules) << seed;
    }
}

TEST(Slowdown, plansUnderBusContentionAreOptimal)
{
    int slower = 0;
    for (std::uint32_t seed = 601; seed <= 600 + 2 * kCases; ++seed) {
        PlannerCase c = makePlannerCase(seed, TransferModel::Dma, 9);
        CostGraph graph = *c.graph;
        graph.device.transferSlowdown = 1 + 0.25 * (1 + seed % 4);
        c.graph = std::make_shared<const CostGraph>(std::move(graph));
        const auto free = bruteForce(c.bruteForceProblem());
        if (free && seed % 2 == 0)
            c.deadlineSeconds = 0.5 * (free->seconds + bruteForceFastest(c.bruteForceProblem()).value());
        const Truth truth = findTruth(c);
        const auto plan = checkedPlan(c, provingParams(TransferModel::Dma));
        ASSERT_TRUE(plan) << c.label;
        EXPECT_TRUE(isBestOf(c, *plan, truth)) << describe(c);
        if (!plan->hasSchedule())
            continue;
        CostGraph fast = *c.graph;
        fast.device.transferSlowdown = 1;
        slower += replay(fast, c.transfer, plan->replay.schedule)->seconds < plan->replay.seconds * (1 - 1e-9) ? 1 : 0;
    }
    EXPECT_GT(slower, 0) << "some plan must move bytes behind a node";
}

INSTANTIATE_TEST_SUITE_P(Models, Explanations, ::testing::Values(TransferModel::Paper, TransferModel::Blocking, TransferModel::Dma),
                         [](const auto& model) { return std::string(name(model.param)); });

}  // namespace
}  // namespace poet::testing

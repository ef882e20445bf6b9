// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/planning/smallest_memory.h"
#include "tests/core/planning/support/planner_cases.h"
#include "tests/core/planning/support/random_graphs.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

/// The smallest memory for an overhead, against exhaustive search.
namespace poet::testing {
namespace {

constexpr std::uint32_t kCases = 24;

class SmallestMemoryForOverhead : public ::testing::TestWithParam<TransferModel> {};

/// Remembers that the range only ever shrinks.
class RangeSink : public planning::MemorySink {
public:
    void narrowed(const planning::MemoryRange& range) override
    {
        ASSERT_TRUE(range.best);
        EXPECT_TRUE(!m_best || (*range.best <= *m_best && range.bound >= m_bound)) << "the range grew";
        EXPECT_LE(range.bound, *range.best);
        m_best = range.best;
        m_bound = range.bound;
        ++news;
    }
    int news = 0;

private:
    std::optional<std::int64_t> m_best;
    std::int64_t m_bound = 0;
};

double ratioOf(std::uint32_t seed)
{
    constexpr double kRatios[] = {0.01, 0.05, 0.2, 0.6, 0};
    return kRatios[seed % 5];
}

TEST_P(SmallestMemoryForOverhead, isWhereExhaustiveSearchExceedsIt)
{
    int aboveTheWall = 0;
    int belowThePeak = 0;
    for (std::uint32_t seed = 1; seed <= kCases; ++seed) {
        PlannerCase c = makePlannerCase(seed, GetParam(), 8);
        if (seed % 3 == 0)
            c.deadlineSeconds = keepAllSeconds(*c.graph) * (1 + 0.05 * (seed % 5));
        RangeSink sink;
        const auto answer = planning::findSmallestMemoryForOverhead(c.problem(), ratioOf(seed), provingParams(GetParam()), sink);
        ASSERT_TRUE(answer) << answer.error().text();
        ASSERT_TRUE(answer->range.isProven() && answer->range.best) << describe(c);
        EXPECT_GT(sink.news, 0);
        const std::int64_t best = *answer->range.best;
        const std::int64_t resident = c.graph->device.residentBytes;
        const double most = (1 + ratioOf(seed)) * keepAllJoules(*c.graph, GetParam());
        BruteForceProblem brute = c.bruteForceProblem();
        brute.budgetBytes = best - resident;
        const auto there = bruteForce(brute);
        ASSERT_TRUE(there) << describe(c);
        EXPECT_LE(there->energyJoules, most * (1 + 1e-8)) << describe(c);
        brute.budgetBytes -= planning::peakStepBytes(*c.graph);
        brute.isRecomputeOnlyOfCandidates = true;
        const auto below = bruteForce(brute);
        EXPECT_TRUE(!below || below->energyJoules > most * (1 - 1e-6)) << describe(c);

        const Plan& plan = answer->plan;
        EXPECT_EQ(plan.memoryBytes, best);
        EXPECT_EQ(plan.status, SolveStatus::Optimal) << describe(c);
        EXPECT_LE(plan.replay.energyJoules, most * (1 + 1e-8)) << describe(c);
        EXPECT_EQ(plan.replay.peakBytes + resident, best) << describe(c);
        ASSERT_TRUE(plan.overheadLimit);
        EXPECT_EQ(plan.overheadLimit->memoryBoundBytes, best);
        EXPECT_DOUBLE_EQ(plan.overheadLimit->percent, 100 * ratioOf(seed));
        const auto facts = planning::findFacts(*c.graph, c.transfer).value();
        aboveTheWall += best > facts.largestWorkingSetBytes ? 1 : 0;
        belowThePeak += best < facts.keepAllPeakBytes ? 1 : 0;
    }
    EXPECT_GT(aboveTheWall, 0);
    EXPECT_GT(belowThePeak, 0);
}

/// Over all operating points: some point is within the overhead of the cheapest keep-all there, and none in less.
TEST_P(SmallestMemoryForOverhead, atAnyPointNoOtherPointNeedsLess)
{
    std::set<std::size_t> chosen;
    int impossible = 0;
    for (std::uint32_t seed = 201; seed <= 200 + kCases; ++seed) {
        PlannerCase c = makePlannerCase(seed, GetParam(), 8);
        if (seed % 3 != 0)
            c.deadlineSeconds = keepAllSeconds(*c.graph) * (0.7 + 0.3 * (seed % 4));
        std::vector<PlannerCase> cases = atFourPoints(c);
        std::vector<planning::PointProblem> points;
        double keepAll = 1e300;
        for (const PlannerCase& at : cases) {
            points.push_back({"point " + std::to_string(points.size()), at.problem()});
            if (keepAllSeconds(*at.graph) <= c.deadlineSeconds.value_or(1e300))
                keepAll = std::min(keepAll, keepAllJoules(*at.graph, GetParam()));
        }
        RangeSink sink;
        const auto answer = planning::findSmallestMemoryAtAnyPoint(points, ratioOf(seed), provingParams(GetParam()), sink);
        ASSERT_TRUE(answer) << answer.error().text();
        if (keepAll == 1e300) {
            EXPECT_TRUE(answer->range.isImpossible);
            EXPECT_EQ(answer->plan.status, SolveStatus::Infeasible);
            ++impossible;
            continue;
        }
        ASSERT_TRUE(answer->range.isProven() && answer->range.best) << describe(c);
        const std::int64_t best = *answer->range.best;
        const double most = (1 + ratioOf(seed)) * keepAll;
        bool isEnough = false;
        for (const PlannerCase& at : cases) {
            BruteForceProblem brute = at.bruteForceProblem();
            brute.budgetBytes = best - c.graph->device.residentBytes;
            const auto there = bruteForce(brute);
            isEnough = isEnough || (there && there->energyJoules <= most * (1 + 1e-8));
            brute.budgetBytes -= planning::peakStepBytes(*c.graph);
            brute.isRecomputeOnlyOfCandidates = true;
            const auto below = bruteForce(brute);
            EXPECT_TRUE(!below || below->energyJoules > most * (1 - 1e-6)) << describe(at);
        }
        EXPECT_TRUE(isEnough) << describe(c);
        EXPECT_EQ(answer->plan.memoryBytes, best) << describe(c);
        EXPECT_EQ(answer->plan.status, SolveStatus::Optimal) << describe(c);
        EXPECT_LE(answer->plan.replay.energyJoules, most * (1 + 1e-8)) << describe(c);
        ASSERT_TRUE(answer->plan.overheadLimit);
        EXPECT_EQ(answer->plan.overheadLimit->memoryBoundBytes, best);
        chosen.insert(answer->chosen);
    }
    EXPECT_GT(chosen.size(), 1U) << "no choice was put to the test";
    EXPECT_GT(impossible, 0);
}

TEST_P(SmallestMemoryForOverhead, isSmallerTheMoreEnergyIsAllowed)
{
    for (std::uint32_t seed = 51; seed <= 50 + kCases / 4; ++seed) {
        const PlannerCase c = makePlannerCase(seed, GetParam(), 12);
        std::int64_t before = planning::findFacts(*c.graph, c.transfer).value().keepAllPeakBytes;
        for (const double ratio : {0.0, 0.02, 0.1, 0.5, 3.0}) {
            planning::MemorySink sink;
            const auto answer = planning::findSmallestMemoryForOverhead(c.problem(), ratio, provingParams(GetParam()), sink);
            ASSERT_TRUE(answer) << answer.error().text();
            ASSERT_TRUE(answer->range.best) << describe(c);
            EXPECT_LE(*answer->range.best, before) << describe(c);
            before = *answer->range.best;
        }
    }
}

/// Both answers of the planner to "is there a schedule of at most so much energy?" are those of exhaustive search.
TEST_P(SmallestMemoryForOverhead, questionsAreAnsweredAsByExhaustiveSearch)
{
    int yes = 0;
    int no = 0;
    for (std::uint32_t seed = 101; seed <= 100 + 2 * kCases; ++seed) {
        PlannerCase c = makePlannerCase(seed, GetParam(), 8);
        const Truth truth = findTruth(c);
        if (!truth.upper || !truth.areEqual())
            continue;
        for (const double factor : {0.999, 1.001}) {
            planning::SolveParams params = provingParams(GetParam());
            params.questionJoules = factor * truth.upper->energyJoules;
            planning::ProgressSink sink;
            const auto plan = planning::solve(c.problem(), params, sink);
            ASSERT_TRUE(plan) << plan.error().text();
            const bool isYes = plan->hasSchedule() && plan->replay.energyJoules <= *params.questionJoules;
            const bool isNo = plan->status == SolveStatus::Infeasible || plan->boundJoules > *params.questionJoules;
            EXPECT_EQ(isYes, factor > 1) << describe(c);
            EXPECT_EQ(isNo, factor < 1) << describe(c);
            yes += isYes;
            no += isNo;
        }
    }
    EXPECT_GT(yes, 0);
    EXPECT_GT(no, 0);
}

INSTANTIATE_TEST_SUITE_P(Models, SmallestMemoryForOverhead, ::testing::Values(TransferModel::Paper, TransferModel::Blocking, TransferModel::Dma),
                         [](const auto& model) { return std::string(name(model.param)); });

TEST(SmallestMemory, withoutTimeTheRangeIsFromTheWallToThePeak)
{
    const PlannerCase c = makePlannerCase(3, TransferModel::Blocking, 9);
    planning::MemorySink sink;
    planning::SolveParams params;
    params.timeLimitSeconds = 0;
    const auto answer = planning::findSmallestMemoryForOverhead(c.problem(), 0.05, params, sink);
    ASSERT_TRUE(answer) << answer.error().text();
    const auto facts = planning::findFacts(*c.graph, c.transfer).value();
    EXPECT_EQ(answer->range.best, facts.keepAllPeakBytes);
    EXPECT_EQ(answer->range.bound, facts.largestWorkingSetBytes);
    EXPECT_FALSE(answer->range.isProven());
    EXPECT_TRUE(answer->plan.hasSchedule()) << "keeping everything is always within the overhead";
}

TEST(SmallestMemory, hopelessAndSenselessQuestionsAreToldApart)
{
    PlannerCase c = makePlannerCase(3, TransferModel::Blocking, 9);
    planning::MemorySink sink;
    EXPECT_FALSE(planning::findSmallestMemoryForOverhead(c.problem(), -0.1, {}, sink));
    EXPECT_FALSE(planning::findSmallestMemoryAtAnyPoint({{"one", c.problem()}}, -0.1, {}, sink));
    EXPECT_FALSE(planning::findSmallestMemoryAtAnyPoint({}, 0.1, {}, sink)) << "no points";
    planning::Problem greedy = c.problem();
    greedy.strategy = Strategy::Greedy;
    EXPECT_FALSE(planning::findSmallestMemoryForOverhead(greedy, 0.1, {}, sink));
    c.deadlineSeconds = 0.5 * keepAllSeconds(*c.graph);
    const auto hopeless = planning::findSmallestMemoryForOverhead(c.problem(), 0.1, {}, sink);
    ASSERT_TRUE(hopeless) << hopeless.error().text();
    EXPECT_TRUE(hopeless->range.isImpossible);
    EXPECT_EQ(hopeless->plan.status, SolveStatus::Infeasible);
    EXPECT_FALSE(hopeless->plan.overheadLimit);
}

}  // namespace
}  // namespace poet::testing

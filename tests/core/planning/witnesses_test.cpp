// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/replay.h"
#include "tests/core/planning/support/brute_force.h"
#include "tests/core/planning/support/published_program.h"
#include "tests/core/planning/support/random_graphs.h"

#include <gtest/gtest.h>

/// The witnesses themselves: exhaustive search, published program and replay must agree before they judge a planner.
namespace poet::testing {
namespace {

constexpr Strategy kStrategies[] = {Strategy::Integrated, Strategy::Paging, Strategy::Recompute};
constexpr int kSpanPercents[] = {0, 10, 25, 45, 70};

struct Case {
    CostGraph graph;
    Strategy strategy;
    std::int64_t budgetBytes;
    std::string label;  ///< with the seed
};

Case makeCase(std::uint32_t seed, TransferModel transfer, int maxNodes, bool withStoreLimits = false)
{
    RandomGraphOptions options;
    options.maxNodes = maxNodes;
    options.transfer = transfer;
    options.withStoreLimits = withStoreLimits;
    Case made{randomTrainingGraph(seed, options), kStrategies[seed / 5 % 3], 0, {}};
    const int percent = kSpanPercents[seed % 5];
    made.budgetBytes = spanBudget(made.graph, percent);
    made.label = "seed " + std::to_string(seed) + ", " + std::string(name(transfer)) + ", " + std::to_string(percent) + " %span, " +
                 std::string(name(made.strategy));
    return made;
}

void expectReplayAgrees(const Case& c, TransferModel transfer, const BruteForceAnswer& answer)
{
    const auto report = replay(c.graph, transfer, answer.schedule);
    ASSERT_TRUE(report) << c.label << ": " << report.error().text();
    EXPECT_LE(report->peakBytes, c.budgetBytes) << c.label;
    EXPECT_NEAR(report->energyJoules, answer.energyJoules, 1e-9 * answer.energyJoules) << c.label;
    EXPECT_NEAR(report->seconds, answer.seconds, 1e-9 * answer.seconds) << c.label;
}

TEST(PlanningWitnesses, publishedProgramFindsTheOptimumOfExhaustiveSearch)
{
    int infeasible = 0, withOverhead = 0;
    for (std::uint32_t seed = 1; seed <= 90; ++seed) {
        const Case c = makeCase(seed, TransferModel::Paper, 9);
        BruteForceProblem problem{.graph = &c.graph, .transfer = TransferModel::Paper, .strategy = c.strategy,
                                  .budgetBytes = c.budgetBytes, .isLatePageOutAllowed = true};
        const double keepAll = keepAllJoules(c.graph, TransferModel::Paper);
        if (seed % 3 == 0)
            problem.deadlineSeconds = keepAllSeconds(c.graph) * (1 + 0.05 * (seed % 7));
        const auto truth = bruteForce(problem);
        const PublishedAnswer published = solvePublished(c.graph, c.strategy, c.budgetBytes, problem.deadlineSeconds, 60);
        ASSERT_NE(published.status, PublishedStatus::Stopped) << c.label;
        ASSERT_EQ(published.status == PublishedStatus::Optimal, truth.has_value()) << c.label;
        infeasible += !truth;
        if (!truth)
            continue;
        EXPECT_NEAR(published.overheadJoules, truth->energyJoules - keepAll, 1e-6 * keepAll) << c.label;
        withOverhead += truth->energyJoules > keepAll * (1 + 1e-9);
    }
    EXPECT_GT(infeasible, 5);
    EXPECT_GT(withOverhead, 30);
}

TEST(PlanningWitnesses, replayAcceptsWhatExhaustiveSearchFinds)
{
    for (const TransferModel transfer : {TransferModel::Paper, TransferModel::Blocking, TransferModel::Dma}) {
        int recomputes = 0, pages = 0, prefetches = 0, backgrounds = 0;
        for (std::uint32_t seed = 1; seed <= 200; ++seed) {
            const Case c = makeCase(seed, transfer, 9, seed % 4 == 0);
            BruteForceProblem problem{.graph = &c.graph, .transfer = transfer, .strategy = c.strategy, .budgetBytes = c.budgetBytes};
            const auto free = bruteForce(problem);
            if (!free)
                continue;
            expectReplayAgrees(c, transfer, *free);
            for (const Step& step : free->schedule.steps) {
                recomputes += step.kind == StepKind::Recompute;
                pages += step.kind == StepKind::PageIn;
                prefetches += step.kind == StepKind::PageIn && step.mode == TransferMode::Prefetch;
                backgrounds += step.kind == StepKind::PageOut && step.mode == TransferMode::Background;
            }
            const auto fastest = bruteForceFastest(problem);
            ASSERT_TRUE(fastest) << c.label;
            ASSERT_LE(*fastest, free->seconds * (1 + 1e-9)) << c.label;
            problem.deadlineSeconds = (*fastest + free->seconds) / 2;
            const auto timely = bruteForce(problem);
            ASSERT_TRUE(timely) << c.label;
            expectReplayAgrees(c, transfer, *timely);
            EXPECT_LE(timely->seconds, *problem.deadlineSeconds * (1 + 1e-9)) << c.label;
            EXPECT_GE(timely->energyJoules, free->energyJoules * (1 - 1e-9)) << c.label;
            problem.deadlineSeconds = *fastest * (1 - 1e-6);
            EXPECT_FALSE(bruteForce(problem)) << c.label;
        }
        EXPECT_GT(recomputes, 20) << name(transfer);
        EXPECT_GT(pages, 20) << name(transfer);
        EXPECT_EQ(prefetches > 0, transfer != TransferModel::Blocking) << name(transfer);
        EXPECT_EQ(backgrounds > 0, transfer != TransferModel::Blocking) << name(transfer);
    }
}

TEST(PlanningWitnesses, blockingIsInfeasibleExactlyBelowTheWorkingSetWhenAllIsPageable)
{
    for (std::uint32_t seed = 1; seed <= 150; ++seed) {
        RandomGraphOptions options;
        options.allPageable = true;
        const CostGraph graph = randomTrainingGraph(seed, options);
        BruteForceProblem problem{.graph = &graph, .budgetBytes = largestWorkingSet(graph)};
        EXPECT_TRUE(bruteForce(problem)) << "seed " << seed;
        --problem.budgetBytes;
        EXPECT_FALSE(bruteForce(problem)) << "seed " << seed;
    }
}

TEST(PlanningWitnesses, keepAllAgreesWithTheReplay)
{
    for (std::uint32_t seed = 1; seed <= 100; ++seed) {
        const CostGraph graph = randomTrainingGraph(seed, {.maxNodes = 14, .transfer = TransferModel::Dma});
        const auto report = replay(graph, TransferModel::Dma, keepAllSchedule(graph));
        ASSERT_TRUE(report) << "seed " << seed << ": " << report.error().text();
        EXPECT_EQ(report->peakBytes, keepAllPeak(graph)) << "seed " << seed;
        EXPECT_NEAR(report->energyJoules, keepAllJoules(graph, TransferModel::Dma), 1e-12 + 1e-9 * report->energyJoules) << "seed " << seed;
    }
}

}  // namespace
}  // namespace poet::testing

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/planning/overlap.h"

#include "core/planning/construct.h"
#include "core/planning/planner.h"
#include "core/schedule/replay.h"
#include "tests/core/planning/support/random_graphs.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

/// Transfers behind main nodes: never a plan that does not fit, never a longer one, and a plan in time where a walk has none.
namespace poet::planning {
namespace {

Problem problemOf(std::uint32_t seed, TransferModel transfer)
{
    testing::RandomGraphOptions options;
    options.minNodes = 10;
    options.maxNodes = 24;
    options.transfer = transfer;
    Problem problem;
    problem.graph = std::make_shared<const CostGraph>(testing::randomTrainingGraph(seed, options));
    problem.memoryBytes = testing::spanBudget(*problem.graph, 10 + static_cast<int>(seed % 7) * 12) + problem.graph->device.residentBytes;
    problem.transfer = transfer;
    problem.strategy = Strategy::Integrated;
    return problem;
}

Expected<ReplayReport> replayOf(const Problem& problem, const Decisions& decisions)
{
    return replay(*problem.graph, problem.transfer, lower(*problem.graph, problem.transfer, decisions));
}

TEST(Overlap, anOverlappedPlanFitsAndTakesNoLonger)
{
    int shorter = 0;
    for (std::uint32_t seed = 1; seed <= 300; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const Problem problem = problemOf(seed, TransferModel::Dma);
        const auto decisions = construct(problem, findChoices(problem, true, false), {.prefersPaging = seed % 2 == 0});
        if (!decisions)
            continue;
        const auto before = replayOf(problem, *decisions);
        const auto after = replayOf(problem, overlapTransfers(problem, *decisions));
        ASSERT_TRUE(before && after);
        if (before->peakBytes > problem.budgetBytes())
            continue;
        EXPECT_LE(after->peakBytes, problem.budgetBytes());
        if (problem.graph->device.transferSlowdown == 1) {
            EXPECT_LE(after->seconds, before->seconds * (1 + 1e-9));
        }
        EXPECT_EQ(after->pagedInBytes, before->pagedInBytes);
        EXPECT_EQ(after->recomputedNodes, before->recomputedNodes);
        shorter += after->seconds < before->seconds * (1 - 1e-6);
    }
    EXPECT_GT(shorter, 60) << "nothing is hidden";
}

TEST(Overlap, onlyDmaOverlaps)
{
    for (const TransferModel transfer : {TransferModel::Paper, TransferModel::Blocking}) {
        const Problem problem = problemOf(4, transfer);
        const auto decisions = construct(problem, findChoices(problem, true, false), {.prefersPaging = true});
        ASSERT_TRUE(decisions);
        const auto before = replayOf(problem, *decisions);
        const auto after = replayOf(problem, overlapTransfers(problem, *decisions));
        ASSERT_TRUE(before && after);
        EXPECT_EQ(before->seconds, after->seconds);
    }
}

TEST(Overlap, weighingTimeFindsFasterPlans)
{
    int faster = 0;
    int slower = 0;
    for (std::uint32_t seed = 1; seed <= 200; ++seed) {
        const Problem problem = problemOf(seed, TransferModel::Blocking);
        const Problem weighted = weighTime(problem, 1e6);
        const Choices all = findChoices(problem, false, false);
        const auto thrifty = construct(problem, all, {});
        const auto quick = construct(weighted, all, {});
        if (!thrifty || !quick)
            continue;
        const auto first = replayOf(problem, *thrifty);
        const auto second = replayOf(problem, *quick);
        ASSERT_TRUE(first && second) << "seed " << seed;
        faster += second->seconds < first->seconds * (1 - 1e-9);
        slower += second->seconds > first->seconds * (1 + 1e-9);
    }
    EXPECT_GT(faster, 2 * slower) << faster << " faster, " << slower << " slower";
}

}  // namespace
}  // namespace poet::planning

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/stage_bytes.h"

#include "core/planning/planner.h"
#include "tests/core/planning/support/random_graphs.h"

#include <gtest/gtest.h>

#include <memory>

namespace poet {
namespace {

CostNode node(std::vector<NodeId> inputs, std::int64_t bytes, bool isRecomputable)
{
    CostNode made;
    made.name = "n";
    made.inputs = std::move(inputs);
    made.bytes = bytes;
    made.recomputable = isRecomputable;
    return made;
}

/// Two branches from one input; the first one's tensor is read again beside a gradient as large.
CostGraph branches()
{
    CostGraph graph;
    graph.nodes = {node({}, 1536, false), node({0}, 1728, true), node({0}, 1728, true), node({2}, 48, true), node({1, 3}, 1728, true),
                   node({4}, 48, true), node({5, 4}, 1728, false), node({6, 1}, 48, false), node({6, 3}, 1728, false), node({8, 0}, 0, false)};
    return graph;
}

TEST(StageBytes, aTensorThatCrossesALargeStageRaisesTheWall)
{
    const CostGraph graph = branches();
    const NodeId largest = graph.largestWorkingSetNode();
    EXPECT_EQ(graph.workingSetBytes(largest), 3504);
    // Over stage 2: 1536 + 1728 + 1728. Again in stage 7: 1536 + 1728 beside the gradient of 1728, which cannot be had again.
    const Wall wall = findWall(graph, TransferModel::Paper);
    EXPECT_EQ(wall.bytes, 4992);
    EXPECT_EQ(wall.node, 7);
    EXPECT_EQ(wall.brought, 1);
    for (const TransferModel other : {TransferModel::Blocking, TransferModel::Dma}) {
        EXPECT_EQ(findWall(graph, other).bytes, 3504);
        EXPECT_EQ(findWall(graph, other).node, largest);
        EXPECT_EQ(findWall(graph, other).brought, -1);
    }
}

TEST(StageBytes, aCheapRecomputeLeavesTheWall)
{
    CostGraph graph = branches();
    graph.nodes[0].bytes = 16;  // the input may come along everywhere
    const Wall wall = findWall(graph, TransferModel::Paper);
    EXPECT_EQ(wall.brought, -1);
    EXPECT_EQ(wall.bytes, graph.workingSetBytes(wall.node));
}

/// The wall is a bound: below it the planner finds nothing, on any graph where it is above the largest stage.
TEST(StageBytes, noPlanIsBelowTheWallOfSeveralStages)
{
    int higher = 0;
    for (std::uint32_t seed = 1; seed <= 400 && higher < 12; ++seed) {
        const CostGraph graph = poet::testing::randomTrainingGraph(seed, {.minNodes = 8, .maxNodes = 14, .transfer = TransferModel::Paper, .allPageable = true});
        const Wall wall = findWall(graph, TransferModel::Paper);
        if (wall.brought < 0)
            continue;
        ++higher;
        planning::Problem problem;
        problem.graph = std::make_shared<const CostGraph>(graph);
        problem.transfer = TransferModel::Paper;
        problem.memoryBytes = wall.bytes - 1 + graph.device.residentBytes;
        planning::SolveParams params;
        params.timeLimitSeconds = 10;
        planning::ProgressSink sink;
        const auto plan = planning::solve(problem, params, sink);
        ASSERT_TRUE(plan.has_value()) << "seed " << seed;
        EXPECT_FALSE(plan->hasSchedule()) << "seed " << seed;
    }
    EXPECT_GT(higher, 0);
}

}  // namespace
}  // namespace poet

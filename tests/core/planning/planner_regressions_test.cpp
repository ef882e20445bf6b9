// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/planning/support/planner_cases.h"

#include <gtest/gtest.h>

#include <algorithm>

/// Smallest cases of what was once planned wrongly; each is named after what was wrong.
namespace poet::testing {
namespace {

struct Row {
    std::vector<NodeId> inputs;
    std::int64_t bytes;
    double computeJoules, pageInJoules, pageOutJoules;
    bool isBackward = false;
    bool isPageable = true;
    std::int64_t workspaceBytes = 0;
};

PlannerCase makeCase(const std::vector<Row>& rows, TransferModel transfer, Strategy strategy, std::int64_t budgetBytes)
{
    CostGraph graph;
    graph.name = "regression";
    graph.device.transfer = transfer;
    for (const Row& row : rows) {
        CostNode node;
        node.name = "node" + std::to_string(graph.size());
        node.phase = row.isBackward ? Phase::Backward : Phase::Forward;
        node.inputs = row.inputs;
        node.bytes = row.bytes;
        node.workspaceBytes = row.workspaceBytes;
        node.compute = {row.computeJoules, 1};
        node.pageIn = {row.pageInJoules, 1};
        node.pageOut = {row.pageOutJoules, 2};
        node.recomputable = !row.isBackward;
        node.pageable = row.isPageable;
        graph.nodes.push_back(std::move(node));
    }
    PlannerCase made;
    made.graph = std::make_shared<const CostGraph>(std::move(graph));
    made.transfer = transfer;
    made.strategy = strategy;
    made.budgetBytes = budgetBytes;
    made.label = "regression";
    return made;
}

void expectTrueOptimum(const PlannerCase& c, bool isDominanceUsed)
{
    const Truth truth = findTruth(c);
    ASSERT_TRUE(truth.lower && truth.areEqual()) << describe(c);
    planning::SolveParams params = provingParams(c.transfer);
    params.useDominance = isDominanceUsed;
    const auto plan = checkedPlan(c, params);
    ASSERT_TRUE(plan);
    EXPECT_TRUE(isBestOf(c, *plan, truth)) << describe(c);
}

TEST(PlannerRegressions, dominanceCalledAFeasiblePaperProblemInfeasible)
{
    // In `paper` a page-in occupies RAM from the start of its stage, so that it cannot replace every recompute.
    const PlannerCase c = makeCase({{{}, 2, 17, 2, 3.5}, {{0}, 3, 8, 1.5, 2.25}, {{0}, 3, 11, 1.5, 4.25, true}, {{0, 2}, 1, 6, 0.5, 2.75, true},
                                    {{1}, 3, 28, 2.5, 2.25, true}},
                                   TransferModel::Paper, Strategy::Integrated, 7);
    expectTrueOptimum(c, false);
    planning::ProgressSink sink;
    const auto plan = planning::solve(c.problem(), {}, sink);
    ASSERT_TRUE(plan) << plan.error().text();
    EXPECT_NE(plan->status, SolveStatus::Infeasible);
}

TEST(PlannerRegressions, earlyRecomputeOfATensorWhoseOnlyLaterReaderIsARecomputeWasLeftOut)
{
    expectTrueOptimum(makeCase({{{}, 1, 0, 1.5, 0.75}, {{0}, 7, 2, 3.5, 7.25, false, false}, {{0, 1}, 7, 5, 3.5, 7.25, false, false},
                                {{1}, 6, 11, 4, 6.5, true}, {{0}, 3, 0, 2.5, 4.25, true, false}, {{2, 4}, 2, 28, 1, 2.5, true}},
                               TransferModel::Paper, Strategy::Recompute, 15), false);
    expectTrueOptimum(makeCase({{{}, 1, 0, 0.5, 2.75}, {{0}, 7, 5, 4.5, 6.25, false, false}, {{0}, 7, 4, 3.5, 6.25},
                                {{2}, 5, 12, 3.5, 3.75, false, false}, {{0, 1}, 7, 30, 3.5, 6.25, true}, {{0}, 4, 4, 3, 3, true},
                                {{1, 3}, 1, 1, 0.5, 1.75, true}},
                               TransferModel::Blocking, Strategy::Recompute, 15), true);
}

TEST(PlannerRegressions, dominanceMayHideAnEarlyRecomputeAndWithoutItTheOptimumIsFound)
{
    // A known limit (one of some thousand random graphs): node 2 is dominated; without it, node 0 is no candidate of
    // stage 3, and node 1 cannot be recomputed there although node 0 is in RAM. 81.75 J are planned where 81 J would do.
    const PlannerCase c = makeCase({{{}, 2, 0, 3, 6.5}, {{0}, 1, 6, 2.5, 4.25}, {{0}, 2, 18, 4, 5.5, false, true, 2}, {{2}, 3, 0, 5.5, 6.75},
                                    {{3}, 2, 5, 3, 6.5, true, false}, {{3, 4}, 0, 13, 0, 2, true}, {{1, 4}, 2, 33, 3, 6.5, true}},
                                   TransferModel::Blocking, Strategy::Integrated, 6);
    expectTrueOptimum(c, false);
    const auto plan = checkedPlan(c, provingParams(c.transfer));
    ASSERT_TRUE(plan);
    EXPECT_GE(plan->replay.energyJoules, 81 * (1 - 1e-9));
    EXPECT_LE(plan->replay.energyJoules, 81.75 * (1 + 1e-9));
}

/// A page-in behind a long main node, two stages before its use, hides more than one behind the short node just before it.
/// The program offers only the latter, so that its proof must not be said to be of every schedule.
TEST(PlannerRegressions, inDmaAProofDoesNotCoverPageInsThatWait)
{
    const PlannerCase c = makePlannerCase(7221, TransferModel::Dma, 9);
    const auto plan = checkedPlan(c, provingParams(TransferModel::Dma));
    ASSERT_TRUE(plan && plan->hasSchedule()) << describe(c);
    Schedule early = plan->replay.schedule;
    const auto pageIn = std::ranges::find_if(early.steps, [](const Step& step) { return step.kind == StepKind::PageIn && step.stage == 6; });
    const auto longNode = std::ranges::find_if(early.steps, [](const Step& step) { return step.kind == StepKind::Compute && step.stage == 5; });
    if (pageIn != early.steps.end()) {
        pageIn->stage = 5;
        std::rotate(longNode, pageIn, pageIn + 1);
        const auto report = replay(*c.graph, c.transfer, early);
        ASSERT_TRUE(report) << report.error().text();
        ASSERT_LE(report->peakBytes, c.budgetBytes);
        EXPECT_TRUE(!plan->coversEverySchedule || plan->replay.energyJoules <= report->energyJoules * (1 + 1e-6)) << report->energyJoules;
    }
}

}  // namespace
}  // namespace poet::testing

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/planning/support/planner_cases.h"
#include "tests/core/planning/support/random_graphs.h"

#include <gtest/gtest.h>

#include <functional>

/// What must hold for every graph, also where exhaustive search is too slow to tell the truth.
namespace poet::testing {
namespace {

class PlannerProperties : public ::testing::TestWithParam<TransferModel> {
protected:
    static constexpr int kNodes = 14;
};

constexpr double kTolerance = 3e-6;  ///< two proofs to 1e-6 each

double energyOf(const std::optional<Plan>& plan)
{
    return plan && plan->hasSchedule() ? plan->replay.energyJoules : 1e300;
}

TEST_P(PlannerProperties, energyNeverRisesWithTheBudget)
{
    for (std::uint32_t seed = 30001; seed <= 30000 + testCases() / 4; ++seed) {
        PlannerCase c = makePlannerCase(seed, GetParam(), kNodes);
        double before = 1e300;
        double boundBefore = 1e300;
        for (int percent = 0; percent <= 100; percent += 20) {
            c.budgetBytes = spanBudget(*c.graph, percent);
            const auto plan = checkedPlan(c, provingParams(GetParam()));
            ASSERT_TRUE(plan) << c.label;
            EXPECT_LE(energyOf(plan), before * (1 + kTolerance)) << describe(c);
            if (plan->hasSchedule()) {
                EXPECT_LE(plan->boundJoules, boundBefore * (1 + kTolerance)) << describe(c);
                boundBefore = plan->replay.energyJoules;
            }
            before = energyOf(plan);
        }
        EXPECT_NEAR(before, keepAllJoules(*c.graph, GetParam()), before * 1e-9) << "at the keep-all peak, " << describe(c);
    }
}

TEST_P(PlannerProperties, energyNeverRisesWithTheDeadline)
{
    int changes = 0;
    for (std::uint32_t seed = 31001; seed <= 31000 + testCases() / 4; ++seed) {
        PlannerCase c = makePlannerCase(seed, GetParam(), kNodes);
        const auto free = checkedPlan(c, provingParams(GetParam()));
        ASSERT_TRUE(free) << c.label;
        if (!free->hasSchedule())
            continue;
        double before = free->replay.energyJoules;
        const double keepAll = keepAllSeconds(*c.graph);
        for (const double share : {1.0, 0.75, 0.5, 0.25, 0.0}) {
            c.deadlineSeconds = keepAll + share * (free->replay.seconds - keepAll);
            const auto plan = checkedPlan(c, provingParams(GetParam()));
            ASSERT_TRUE(plan) << c.label;
            EXPECT_GE(energyOf(plan), before * (1 - kTolerance)) << describe(c);
            changes += energyOf(plan) > before * (1 + kTolerance);
            before = energyOf(plan);
        }
    }
    EXPECT_GT(changes, 0);
}

/// `change` must not move the optimum, nor the verdict.
void expectSameOptimum(TransferModel transfer, std::uint32_t firstSeed, const std::function<void(planning::SolveParams&)>& change)
{
    for (std::uint32_t seed = firstSeed; seed < firstSeed + testCases() / 2; ++seed) {
        PlannerCase c = makePlannerCase(seed, transfer, 12);
        if (seed % 3 == 0)
            c.deadlineSeconds = keepAllSeconds(*c.graph) * (1 + 0.08 * (seed % 11));
        const auto plan = checkedPlan(c, provingParams(transfer));
        planning::SolveParams other = provingParams(transfer);
        change(other);
        const auto changed = checkedPlan(c, other);
        ASSERT_TRUE(plan && changed) << c.label;
        EXPECT_EQ(plan->status, changed->status) << describe(c);
        if (plan->hasSchedule() && changed->hasSchedule()) {
            EXPECT_NEAR(energyOf(plan), energyOf(changed), kTolerance * energyOf(plan)) << describe(c);
        }
    }
}

TEST_P(PlannerProperties, dominanceDoesNotMoveTheOptimum)
{
    if (GetParam() == TransferModel::Paper)
        GTEST_SKIP() << "a heuristic in paper: see inPaperDominanceSaysThatItsProofIsRestricted";
    expectSameOptimum(GetParam(), 32001, [](planning::SolveParams& p) { p.useDominance = false; });
}

TEST_P(PlannerProperties, lazyStagesDoNotMoveTheOptimum)
{
    expectSameOptimum(GetParam(), 33001, [](planning::SolveParams& p) { p.useLazyStages = false; });
}

TEST_P(PlannerProperties, theHeuristicDoesNotMoveTheOptimum)
{
    expectSameOptimum(GetParam(), 34001, [](planning::SolveParams& p) { p.useHeuristic = false; });
}

TEST_P(PlannerProperties, theRestrictedProgramIsNeverBetterAndSaysThatItIsRestricted)
{
    for (std::uint32_t seed = 35001; seed <= 35000 + testCases() / 4; ++seed) {
        const PlannerCase c = makePlannerCase(seed, GetParam(), kNodes);
        const auto full = checkedPlan(c, provingParams(GetParam()));
        planning::SolveParams params = provingParams(GetParam());
        params.isRestricted = true;
        const auto restricted = checkedPlan(c, params);
        ASSERT_TRUE(full && restricted) << c.label;
        EXPECT_FALSE(full->isRestrictedProof) << describe(c);
        EXPECT_GE(energyOf(restricted), energyOf(full) * (1 - kTolerance)) << describe(c);
        if (restricted->status == SolveStatus::Optimal && energyOf(restricted) > energyOf(full) * (1 + kTolerance)) {
            EXPECT_TRUE(restricted->isRestrictedProof) << describe(c);
        }
    }
}

TEST_P(PlannerProperties, integratedIsNeverWorseThanItsParts)
{
    for (std::uint32_t seed = 36001; seed <= 36000 + testCases() / 4; ++seed) {
        PlannerCase c = makePlannerCase(seed, GetParam(), kNodes);
        c.strategy = Strategy::Integrated;
        const double whole = energyOf(checkedPlan(c, provingParams(GetParam())));
        for (const Strategy part : {Strategy::Paging, Strategy::Recompute}) {
            c.strategy = part;
            EXPECT_GE(energyOf(checkedPlan(c, provingParams(GetParam()))), whole * (1 - kTolerance)) << describe(c);
        }
    }
}

TEST_P(PlannerProperties, theSameQuestionGetsTheSameAnswer)
{
    for (std::uint32_t seed = 37001; seed <= 37000 + testCases() / 8; ++seed) {
        const PlannerCase c = makePlannerCase(seed, GetParam(), kNodes);
        const auto first = checkedPlan(c, provingParams(GetParam()));
        const auto second = checkedPlan(c, provingParams(GetParam()));
        ASSERT_TRUE(first && second) << c.label;
        EXPECT_EQ(first->replay.schedule, second->replay.schedule) << describe(c);
        EXPECT_EQ(first->boundJoules, second->boundJoules) << describe(c);
    }
}

TEST_P(PlannerProperties, aKnownScheduleAsStartIsUsedAndNeverMadeWorse)
{
    for (std::uint32_t seed = 38001; seed <= 38000 + testCases() / 8; ++seed) {
        PlannerCase c = makePlannerCase(seed, GetParam(), 10);
        const auto known = bruteForce(c.bruteForceProblem());
        if (!known)
            continue;
        planning::SolveParams params = provingParams(GetParam());
        params.start = known->schedule;
        const auto plan = checkedPlan(c, params);
        ASSERT_TRUE(plan) << c.label;
        EXPECT_LE(energyOf(plan), known->energyJoules * (1 + 1e-9)) << describe(c);
        params.start = keepAllSchedule(*c.graph);  // mostly over budget: must be ignored then
        const auto other = checkedPlan(c, params);
        ASSERT_TRUE(other) << c.label;
        EXPECT_GE(energyOf(other), known->energyJoules * (1 - 1e-9)) << describe(c);
        EXPECT_LE(energyOf(other), known->energyJoules * (1 + kTolerance)) << describe(c);
    }
}

INSTANTIATE_TEST_SUITE_P(Models, PlannerProperties, ::testing::Values(TransferModel::Paper, TransferModel::Blocking, TransferModel::Dma),
                         [](const auto& model) { return std::string(name(model.param)); });

TEST(PlannerInfeasibility, blockingIsInfeasibleExactlyBelowTheLargestWorkingSetWhenAllIsPageable)
{
    for (std::uint32_t seed = 40001; seed <= 40000 + testCases() / 2; ++seed) {
        PlannerCase c = makePlannerCase(seed, TransferModel::Blocking, 12, true);
        if (c.graph->device.storeCapacityBytes || c.graph->device.writeLimitBytesPerStep || c.strategy == Strategy::Recompute)
            continue;
        c.budgetBytes = largestWorkingSet(*c.graph);
        const auto at = checkedPlan(c, provingParams(TransferModel::Blocking));
        ASSERT_TRUE(at) << c.label;
        EXPECT_EQ(at->status, SolveStatus::Optimal) << describe(c);
        --c.budgetBytes;
        const auto below = checkedPlan(c, provingParams(TransferModel::Blocking));
        ASSERT_TRUE(below) << c.label;
        ASSERT_EQ(below->status, SolveStatus::Infeasible) << describe(c);
        const NodeId wall = c.graph->largestWorkingSetNode();
        EXPECT_EQ(below->infeasible->node, c.graph->nodes[static_cast<std::size_t>(wall)].name) << describe(c);
        EXPECT_EQ(below->infeasible->smallestMemoryBytes, largestWorkingSet(*c.graph) + c.graph->device.residentBytes) << describe(c);
    }
}

TEST(PlannerDominance, inPaperDominanceSaysThatItsProofIsRestricted)
{
    // What has no inputs is in no such candidate set, so that recomputing early from it is not seen: rare, and the plan does
    // not claim to cover every schedule.
    int worse = 0, unsaid = 0;
    for (std::uint32_t seed = 39001; seed <= 39000 + testCases(); ++seed) {
        const PlannerCase c = makePlannerCase(seed, TransferModel::Paper, 10);
        const Truth truth = findTruth(c);
        planning::SolveParams params = provingParams(TransferModel::Paper);
        params.useDominance = true;
        params.mostCandidates = 0;  // as for a large graph
        const auto plan = checkedPlan(c, params);
        ASSERT_TRUE(plan) << c.label;
        if (plan->status == SolveStatus::Infeasible) {
            EXPECT_FALSE(truth.upper) << "infeasible must be true of the full problem: " << describe(c);
            continue;
        }
        ASSERT_TRUE(truth.lower) << describe(c);
        EXPECT_GE(energyOf(plan), truth.lower->energyJoules * (1 - 1e-9)) << describe(c);
        if (truth.areEqual() && energyOf(plan) > truth.lower->energyJoules * (1 + kTolerance)) {
            ++worse;
            unsaid += !plan->isRestrictedProof && plan->status == SolveStatus::Optimal;
            EXPECT_FALSE(plan->coversEverySchedule) << describe(c);
        }
    }
    EXPECT_LE(unsaid, testCases() / 100);
    EXPECT_LE(worse, testCases() / 20) << "the heuristic loses the optimum too often";
}

TEST(PlannerInfeasibility, residentBytesAloneMayNotFit)
{
    CostGraph graph = randomTrainingGraph(3, {});
    graph.device.residentBytes = 1000;
    planning::ProgressSink sink;
    const auto plan = planning::solve({.graph = std::make_shared<const CostGraph>(graph), .memoryBytes = 500, .deadlineSeconds = std::nullopt},
                                      provingParams(TransferModel::Blocking), sink);
    ASSERT_TRUE(plan) << plan.error().text();
    EXPECT_EQ(plan->status, SolveStatus::Infeasible);
}

}  // namespace
}  // namespace poet::testing

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/planning/support/planner_cases.h"

#include <gtest/gtest.h>

/// The planner against exhaustive search, in all three transfer models.
namespace poet::testing {
namespace {

class PlannerAgainstExhaustiveSearch : public ::testing::TestWithParam<TransferModel> {};

/// Cases where recomputing outside the candidate sets is better: rare, and a program of those sets does not see them.
constexpr double kMostOutsideCandidates = 0.01;

/// By turns with all candidates, as small graphs have them, and with the sets that large ones have.
planning::SolveParams paramsFor(std::uint32_t seed, TransferModel transfer)
{
    planning::SolveParams params = provingParams(transfer);
    if (seed / 5 % 2 == 1)
        params.mostCandidates = 0;
    return params;
}

TEST_P(PlannerAgainstExhaustiveSearch, findsTheOptimumWithoutDeadline)
{
    int count = 0, exact = 0, missed = 0, outside = 0, feasible = 0, infeasible = 0;
    for (std::uint32_t seed = 1; seed <= testCases(); ++seed) {
        const PlannerCase c = makePlannerCase(seed, GetParam(), 9);
        const Truth truth = findTruth(c);
        const auto plan = checkedPlan(c, paramsFor(seed, GetParam()));
        ASSERT_TRUE(plan) << c.label;
        missed += !isBestOf(c, *plan, truth);
        exact += plan->coversEverySchedule;
        ++count;
        outside += !truth.areEqual();
        (plan->hasSchedule() ? feasible : infeasible) += 1;
    }
    // In dma only where time costs nothing: see inDmaAProofDoesNotCoverPageInsThatWait.
    EXPECT_GT(exact, GetParam() == TransferModel::Dma ? count / 8 : count / 3);
    EXPECT_LE(missed, 1 + kMostOutsideCandidates * count);
    EXPECT_LE(outside, kMostOutsideCandidates * count);
    EXPECT_GT(feasible, count / 2);
    EXPECT_GT(infeasible, count / 50);
}

TEST_P(PlannerAgainstExhaustiveSearch, findsTheOptimumUnderABindingDeadline)
{
    int binding = 0, missed = 0;
    for (std::uint32_t seed = 5001; seed <= 5000 + testCases(); ++seed) {
        PlannerCase c = makePlannerCase(seed, GetParam(), 9);
        const auto free = bruteForce(c.bruteForceProblem());
        if (!free)
            continue;
        const auto fastest = bruteForceFastest(c.bruteForceProblem());
        ASSERT_TRUE(fastest) << c.label;
        const double share = 0.25 * (seed % 4);
        c.deadlineSeconds = *fastest + share * (free->seconds - *fastest);
        binding += *c.deadlineSeconds < free->seconds * (1 - 1e-9);
        const Truth truth = findTruth(c);
        const auto plan = checkedPlan(c, paramsFor(seed, GetParam()));
        ASSERT_TRUE(plan) << c.label;
        missed += !isBestOf(c, *plan, truth);
    }
    EXPECT_GT(binding, testCases() / 40);
    EXPECT_LE(missed, 1 + kMostOutsideCandidates * testCases());
}

TEST_P(PlannerAgainstExhaustiveSearch, aDeadlineBelowTheFastestScheduleIsInfeasible)
{
    for (std::uint32_t seed = 9001; seed <= 9000 + testCases() / 4; ++seed) {
        PlannerCase c = makePlannerCase(seed, GetParam(), 8);
        const auto fastest = bruteForceFastest(c.bruteForceProblem());
        if (!fastest)
            continue;
        c.deadlineSeconds = *fastest * (1 - 1e-4);
        const auto plan = checkedPlan(c, provingParams(GetParam()));
        ASSERT_TRUE(plan) << c.label;
        EXPECT_EQ(plan->status, SolveStatus::Infeasible) << describe(c);
    }
}

INSTANTIATE_TEST_SUITE_P(Models, PlannerAgainstExhaustiveSearch,
                         ::testing::Values(TransferModel::Paper, TransferModel::Blocking, TransferModel::Dma),
                         [](const auto& model) { return std::string(name(model.param)); });

}  // namespace
}  // namespace poet::testing

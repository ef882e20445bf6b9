// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/planning/support/planner_cases.h"
#include "tests/core/planning/support/published_program.h"
#include "tests/core/planning/support/random_graphs.h"

#include <gtest/gtest.h>

/// The planner against the published program in the `paper` model.
namespace poet::testing {
namespace {

/// Why a plan may cost more than the published optimum: only by writing to the store later than planning.md allows.
enum class Difference { None, LatePageOut, Unexplained };

Difference explain(const PlannerCase& c, double publishedJoules, double plannedJoules)
{
    const double tolerance = 3e-6 * plannedJoules;
    if (plannedJoules <= publishedJoules + tolerance)
        return Difference::None;
    const Truth truth = findTruth(c);
    if (truth.lower && truth.lower->energyJoules > publishedJoules + tolerance)
        return Difference::LatePageOut;
    return Difference::Unexplained;
}

TEST(PlannerAgainstPublishedProgram, findsTheSameOptimum)
{
    int agreeing = 0, late = 0, infeasible = 0;
    for (std::uint32_t seed = 20001; seed <= 20000 + testCases(); ++seed) {
        PlannerCase c = makePlannerCase(seed, TransferModel::Paper, testNodes());
        if (seed % 6 == 0)
            c.deadlineSeconds = keepAllSeconds(*c.graph) * (1 + 0.04 * (seed % 9));
        const PublishedAnswer published = solvePublished(*c.graph, c.strategy, c.budgetBytes, c.deadlineSeconds, 120);
        ASSERT_NE(published.status, PublishedStatus::Stopped) << c.label;
        const auto plan = checkedPlan(c, provingParams(TransferModel::Paper));
        ASSERT_TRUE(plan) << c.label;
        if (published.status == PublishedStatus::Infeasible) {
            ++infeasible;
            EXPECT_FALSE(plan->hasSchedule()) << describe(c);
            continue;
        }
        const double publishedJoules = keepAllJoules(*c.graph, TransferModel::Paper) + published.overheadJoules;
        // Gradients are never recomputed here, so that nothing may be better than the published optimum.
        EXPECT_TRUE(!plan->hasSchedule() || plan->replay.energyJoules >= publishedJoules * (1 - 3e-6)) << describe(c);
        const Difference difference = explain(c, publishedJoules, plan->hasSchedule() ? plan->replay.energyJoules : 1e300);
        EXPECT_NE(difference, Difference::Unexplained) << describe(c) << "\npublished " << publishedJoules << " J";
        agreeing += difference == Difference::None;
        late += difference == Difference::LatePageOut;
    }
    RecordProperty("agreeing", agreeing);
    RecordProperty("infeasible", infeasible);
    EXPECT_LE(late, testCases() / 50);
    EXPECT_GE(agreeing + infeasible, testCases() * 49 / 50);
}

}  // namespace
}  // namespace poet::testing

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/planning/search_clock.h"
#include "tests/core/planning/support/planner_cases.h"
#include "tests/core/planning/support/random_graphs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

/// A search that ends early, at whatever moment, by its clock or by its caller. No test looks at the real time.
namespace poet::testing {
namespace {

using planning::SearchClock;

TEST(SearchClock, holdsBackAReserveThatGrowsWithTheLongestStep)
{
    double now = 100;
    SearchClock clock(60, [&] { return now; });
    EXPECT_EQ(clock.elapsed(), 0);
    const double atOnce = clock.left();
    EXPECT_LT(atOnce, 60);
    EXPECT_GT(atOnce, 59);
    EXPECT_DOUBLE_EQ(clock.share(0.1), 6);
    clock.noteStep(2);
    clock.noteStep(1);  // the longest counts
    EXPECT_DOUBLE_EQ(clock.left(), atOnce - 2);
    now = 157.5;
    EXPECT_LT(clock.share(0.1), 6);
    EXPECT_FALSE(clock.isOver());
    now = 157.8;
    EXPECT_TRUE(clock.isOver());
    EXPECT_FALSE(clock.mustEnd()) << "a solver that keeps its own time may still hand over what it has";
    now = 157.99;
    EXPECT_TRUE(clock.mustEnd());
    EXPECT_EQ(clock.left(), 0);
}

TEST(SearchClock, aShortLimitHoldsBackLittle)
{
    SearchClock clock(1, [] { return 0.0; });
    EXPECT_GT(clock.left(), 0.95);
    EXPECT_TRUE(SearchClock(0, [] { return 0.0; }).isOver());
}

/// Remembers all that was reported, and wants to stop at the n-th time it is asked.
class CountingSink : public planning::ProgressSink {
public:
    explicit CountingSink(int stopAt = -1) : m_stopAt(stopAt) {}
    void incumbent(const ReplayReport& report) override
    {
        EXPECT_LT(report.energyJoules, best) << "an incumbent that is none";
        best = report.energyJoules;
    }
    void bound(double joules) override
    {
        EXPECT_GT(joules, m_bound) << "a bound that is no news";
        m_bound = joules;
    }
    bool wantsStop() override { return m_stopAt >= 0 && ++asked >= m_stopAt; }
    double best = 1e300;
    int asked = 0;

private:
    int m_stopAt;
    double m_bound = 0;
};

class EndedEarly : public ::testing::TestWithParam<TransferModel> {};

/// What must hold whenever the search ended: the best plan that was reported, a bound that is true, a status that is.
void expectBestOfReported(const PlannerCase& c, const Plan& plan, const CountingSink& sink, double optimum)
{
    EXPECT_EQ(plan.hasSchedule(), sink.best < 1e300) << describe(c);
    if (plan.hasSchedule()) {
        EXPECT_EQ(plan.replay.energyJoules, sink.best) << describe(c);
        EXPECT_LE(plan.replay.peakBytes, c.budgetBytes) << describe(c);
        EXPECT_NE(plan.status, SolveStatus::Stopped);
        EXPECT_NE(plan.status, SolveStatus::Infeasible);
    }
    EXPECT_TRUE(plan.isRestrictedProof || plan.boundJoules <= optimum * (1 + 1e-6)) << describe(c);
    if (plan.status == SolveStatus::Optimal && !plan.isRestrictedProof) {
        EXPECT_NEAR(plan.replay.energyJoules, optimum, 3e-6 * optimum) << describe(c);
    }
}

std::optional<double> optimumOf(const PlannerCase& c)
{
    const auto plan = checkedPlan(c, provingParams(c.transfer));
    return plan && plan->status == SolveStatus::Optimal ? std::optional(plan->replay.energyJoules) : std::nullopt;
}

TEST_P(EndedEarly, stoppedAtAnyMomentTheBestPlanIsKept)
{
    int unproven = 0;
    for (std::uint32_t seed = 1; seed <= 6; ++seed) {
        const PlannerCase c = makePlannerCase(seed, GetParam(), 14);
        const auto optimum = optimumOf(c);
        if (!optimum)
            continue;
        for (int stopAt = 1; stopAt <= 40; stopAt += 1 + stopAt / 5) {
            CountingSink sink(stopAt);
            const auto plan = planning::solve(c.problem(), provingParams(GetParam()), sink);
            ASSERT_TRUE(plan) << plan.error().text();
            expectBestOfReported(c, *plan, sink, *optimum);
            unproven += plan->status == SolveStatus::Feasible || plan->status == SolveStatus::Stopped;
        }
    }
    EXPECT_GT(unproven, 0) << "no search was ended early";
}

TEST_P(EndedEarly, whenTheTimeIsOverNoFurtherStepBegins)
{
    constexpr int kMostLooks = 24;  // at the clock, by the steps that are under way and their callers
    int unproven = 0;
    for (std::uint32_t seed = 1; seed <= 3; ++seed) {
        const PlannerCase c = makePlannerCase(seed, GetParam(), 14);
        const auto optimum = optimumOf(c);
        if (!optimum)
            continue;
        for (int last = 1; last <= 4000; last += 1 + last / 3) {  // the first hundred are spent on the first program
            int looks = 0;
            planning::SolveParams params = provingParams(GetParam());
            params.now = [&looks, last] { return ++looks <= last ? 0.0 : 1e6; };
            CountingSink sink;
            const auto plan = planning::solve(c.problem(), params, sink);
            ASSERT_TRUE(plan) << plan.error().text();
            EXPECT_LE(looks, last + kMostLooks) << "after the end of its time the search went on: " << describe(c);
            expectBestOfReported(c, *plan, sink, *optimum);
            unproven += plan->status == SolveStatus::Feasible || plan->status == SolveStatus::Stopped;
        }
    }
    EXPECT_GT(unproven, 0) << "no search was ended early";
}

INSTANTIATE_TEST_SUITE_P(Models, EndedEarly, ::testing::Values(TransferModel::Paper, TransferModel::Blocking, TransferModel::Dma),
                         [](const auto& model) { return std::string(name(model.param)); });

}  // namespace
}  // namespace poet::testing

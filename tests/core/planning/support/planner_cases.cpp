// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/planning/support/planner_cases.h"

#include "core/schedule/replay.h"
#include "tests/core/planning/support/random_graphs.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace poet::testing {
namespace {

constexpr Strategy kStrategies[] = {Strategy::Integrated, Strategy::Integrated, Strategy::Paging, Strategy::Recompute};
constexpr int kSpanPercents[] = {0, 8, 20, 35, 60};
constexpr double kProofGap = 1e-6;

/// Slower by `slow`, with other energies and idle power.
PlannerCase atPoint(PlannerCase c, double slow, double energy, double idle)
{
    CostGraph graph = *c.graph;
    for (CostNode& node : graph.nodes) {
        node.compute.seconds *= slow;
        node.compute.joules *= energy;
    }
    graph.device.idleWatts *= idle;
    c.graph = std::make_shared<const CostGraph>(std::move(graph));
    return c;
}

void checkLimits(const PlannerCase& c, const Plan& plan, const ReplayReport& report)
{
    EXPECT_LE(report.peakBytes, c.budgetBytes) << describe(c);
    if (c.deadlineSeconds) {
        EXPECT_LE(report.seconds, *c.deadlineSeconds * (1 + 1e-8)) << describe(c);
    }
    const DeviceTerms& device = c.graph->device;
    EXPECT_LE(report.storeBytes, device.storeCapacityBytes.value_or(report.storeBytes)) << describe(c);
    EXPECT_LE(report.writtenBytes, device.writeLimitBytesPerStep.value_or(report.writtenBytes)) << describe(c);
    EXPECT_LE(plan.boundJoules, report.energyJoules * (1 + 1e-9)) << describe(c);
    if (c.strategy == Strategy::Paging) {
        EXPECT_EQ(report.recomputedNodes, 0) << describe(c);
    }
    if (c.strategy == Strategy::Recompute) {
        EXPECT_EQ(report.pagedOutBytes, 0) << describe(c);
    }
}

int fromEnvironment(const char* name, int standard)
{
    const char* text = std::getenv(name);
    const int number = text ? std::atoi(text) : 0;
    return number > 0 ? number : standard;
}

}  // namespace

BruteForceProblem PlannerCase::bruteForceProblem() const
{
    return {.graph = graph.get(), .transfer = transfer, .strategy = strategy, .budgetBytes = budgetBytes, .deadlineSeconds = deadlineSeconds};
}

planning::Problem PlannerCase::problem() const
{
    return {.graph = graph, .transfer = transfer, .strategy = strategy, .memoryBytes = budgetBytes + graph->device.residentBytes,
            .deadlineSeconds = deadlineSeconds};
}

std::uint32_t testCases() { return static_cast<std::uint32_t>(fromEnvironment("POET_TEST_CASES", 16)); }
int testNodes() { return fromEnvironment("POET_TEST_NODES", 10); }

PlannerCase makePlannerCase(std::uint32_t seed, TransferModel transfer, int maxNodes, bool allPageable)
{
    RandomGraphOptions options;
    options.maxNodes = maxNodes;
    options.transfer = transfer;
    options.allPageable = allPageable;
    options.withStoreLimits = seed % 8 == 7 && transfer != TransferModel::Paper;
    CostGraph graph = randomTrainingGraph(seed, options);
    if (seed % 4 == 1)
        graph.device.residentBytes = 100 + seed % 10;
    const int percent = kSpanPercents[seed % 5];
    PlannerCase made;
    made.strategy = kStrategies[seed / 5 % 4];
    made.transfer = transfer;
    made.budgetBytes = spanBudget(graph, percent);
    made.label = "seed " + std::to_string(seed) + ", up to " + std::to_string(maxNodes) + " nodes, " + std::string(name(transfer)) + ", " +
                 std::to_string(percent) + " %span, " + std::string(name(made.strategy));
    made.graph = std::make_shared<const CostGraph>(std::move(graph));
    return made;
}

std::vector<PlannerCase> atFourPoints(const PlannerCase& c) { return {c, atPoint(c, 1.4, 0.7, 1), atPoint(c, 2, 0.6, 0.5), atPoint(c, 0.8, 2.5, 3)}; }

std::string describe(const PlannerCase& plannerCase)
{
    const std::string deadline = plannerCase.deadlineSeconds ? ", deadline " + std::to_string(*plannerCase.deadlineSeconds) + " s" : "";
    return plannerCase.label + ", budget " + std::to_string(plannerCase.budgetBytes) + " B" + deadline + "\n" + toJson(*plannerCase.graph);
}

planning::SolveParams provingParams(TransferModel transfer)
{
    planning::SolveParams params;
    params.useDominance = transfer != TransferModel::Paper;
    params.gap = kProofGap;
    params.timeLimitSeconds = 300;
    return params;
}

std::optional<Plan> checkedPlan(const PlannerCase& c, const planning::SolveParams& params)
{
    planning::ProgressSink sink;
    auto planned = planning::solve(c.problem(), params, sink);
    if (!planned) {
        ADD_FAILURE() << describe(c) << "\n" << planned.error().text();
        return std::nullopt;
    }
    Plan plan = std::move(*planned);
    EXPECT_NE(plan.status, SolveStatus::Stopped) << describe(c);
    EXPECT_EQ(plan.hasSchedule(), plan.status == SolveStatus::Optimal || plan.status == SolveStatus::Feasible) << describe(c);
    EXPECT_EQ(plan.infeasible.has_value(), plan.status == SolveStatus::Infeasible) << describe(c);
    if (!plan.hasSchedule())
        return plan;
    if (!params.isRestricted) {
        EXPECT_EQ(plan.status, SolveStatus::Optimal) << describe(c);
        EXPECT_LE(plan.gapPercent(), 100 * params.gap * (1 + 1e-6)) << describe(c);
    }
    const auto report = replay(*c.graph, c.transfer, plan.replay.schedule);
    if (!report) {
        ADD_FAILURE() << describe(c) << "\n" << report.error().text();
        return plan;
    }
    EXPECT_EQ(report->peakBytes, plan.replay.peakBytes) << describe(c);
    EXPECT_NEAR(report->energyJoules, plan.replay.energyJoules, 1e-9 * report->energyJoules) << describe(c);
    EXPECT_NEAR(report->seconds, plan.replay.seconds, 1e-9 * report->seconds) << describe(c);
    checkLimits(c, plan, *report);
    return plan;
}

bool Truth::areEqual() const
{
    if (!lower || !upper)
        return lower.has_value() == upper.has_value();
    return upper->energyJoules <= lower->energyJoules * (1 + 1e-9);
}

Truth findTruth(const PlannerCase& plannerCase)
{
    BruteForceProblem problem = plannerCase.bruteForceProblem();
    Truth truth;
    truth.lower = bruteForce(problem);
    problem.isRecomputeOnlyOfCandidates = true;
    truth.upper = bruteForce(problem);
    return truth;
}

bool isBestOf(const PlannerCase& c, const Plan& plan, const Truth& truth)
{
    if (plan.coversEverySchedule) {
        EXPECT_EQ(plan.hasSchedule(), truth.lower.has_value()) << describe(c);
        if (!plan.hasSchedule() || !truth.lower)
            return true;
        EXPECT_NEAR(plan.replay.energyJoules, truth.lower->energyJoules, (2 * kProofGap + 1e-9) * truth.lower->energyJoules) << describe(c);
        EXPECT_LE(plan.boundJoules, truth.lower->energyJoules * (1 + 1e-7)) << describe(c);
        return true;
    }
    if (!plan.hasSchedule())
        return !truth.upper;
    EXPECT_TRUE(truth.lower) << describe(c) << "\nplanned what exhaustive search calls infeasible";
    if (!truth.lower)
        return false;
    EXPECT_GE(plan.replay.energyJoules, truth.lower->energyJoules * (1 - 1e-9)) << describe(c);
    return !truth.upper || plan.replay.energyJoules <= truth.upper->energyJoules * (1 + 2 * kProofGap);
}

}  // namespace poet::testing

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/planning/reduction.h"

#include "core/planning/program.h"
#include "tests/core/planning/support/random_graphs.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>

/// Covering rows and reduced-cost fixing cut the program down; neither may cut off its optimum.
namespace poet::planning {
namespace {

/// The program of a random problem with all rows of kind 4.
struct Case {
    Problem problem;
    std::unique_ptr<Program> program;

    Case(std::uint32_t seed, TransferModel transfer, int percent, int minNodes = 14, int maxNodes = 20)
    {
        testing::RandomGraphOptions options;
        options.minNodes = minNodes;
        options.maxNodes = maxNodes;
        options.transfer = transfer;
        problem.graph = std::make_shared<const CostGraph>(testing::randomTrainingGraph(seed, options));
        problem.memoryBytes = testing::spanBudget(*problem.graph, percent) + problem.graph->device.residentBytes;
        problem.transfer = transfer;
        problem.strategy = seed % 3 == 0 ? Strategy::Recompute : Strategy::Integrated;
        const auto facts = findFacts(*problem.graph, transfer);
        Choices choices = findChoices(problem, false, false);
        choices.mayExpand = choices.mayRecompute;
        program = std::make_unique<Program>(problem, *facts, choices, CandidateSets::Ready);
        for (int stage = 0; stage < program->stageCount(); ++stage)
            program->addStageRows(stage);
    }

    MipResult optimum() const { return *solveMip(program->linear(), MipLimits{}, {}); }
};

template <class Check>
void forCases(const Check& check)
{
    for (const TransferModel transfer : {TransferModel::Paper, TransferModel::Blocking, TransferModel::Dma})
        for (std::uint32_t seed = 1; seed <= 12; ++seed) {
            SCOPED_TRACE("seed " + std::to_string(seed) + " " + std::string(name(transfer)));
            Case c(seed, transfer, 10 + static_cast<int>(seed % 5) * 15);
            check(c);
        }
}

TEST(Reduction, coveringRowsRaiseTheBoundAndKeepTheOptimum)
{
    std::size_t rows = 0;
    int raised = 0;
    forCases([&](Case& c) {
        const MipResult before = c.optimum();
        const auto plain = solveRelaxation(c.program->linear(), 10, {});
        const auto tight = solveRelaxation(c.program->linear(), 10, {}, [&](const auto& values) { return c.program->coverRows(values); });
        ASSERT_TRUE(plain && tight);
        if (before.status == MipStatus::Infeasible)
            return;
        ASSERT_FALSE(tight->values.empty());
        EXPECT_GE(tight->bound, plain->bound - 1e-6);
        EXPECT_LE(tight->bound, before.bound + 1e-4) << "a row cuts the optimum off";
        rows += tight->cuts.size();
        raised += tight->bound > plain->bound + 1;
        c.program->addRows(tight->cuts);
        const MipResult after = c.optimum();
        ASSERT_EQ(after.status, MipStatus::Proven);
        EXPECT_NEAR(after.bound, before.bound, 1e-4);
    });
    EXPECT_GT(rows, 20U);
    EXPECT_GT(raised, 5) << "the rows tighten nothing";
}

/// The program with other costs, so that optima lie all over it.
LinearProgram withRandomCosts(LinearProgram program, std::mt19937& random)
{
    for (auto& column : program.columns)
        if (column.cost > 0)
            column.cost = 1 + static_cast<double>(random() % 1000);
    return program;
}

TEST(Reduction, noPlanBreaksACoveringRow)
{
    std::size_t checked = 0;
    for (std::uint32_t seed = 1; seed <= 100; ++seed) {
        const auto transfer = static_cast<TransferModel>(seed % 3);
        SCOPED_TRACE("seed " + std::to_string(seed) + " " + std::string(name(transfer)));
        Case c(seed, transfer, 5 + static_cast<int>(seed % 7) * 12, 9, 15);
        std::mt19937 random(seed);
        std::vector<LinearProgram::Row> rows;
        for (int i = 0; i < 3; ++i) {
            const auto relaxed = solveRelaxation(withRandomCosts(c.program->linear(), random), 10, {}, [&](const auto& values) { return c.program->coverRows(values); });
            ASSERT_TRUE(relaxed);
            rows.insert(rows.end(), relaxed->cuts.begin(), relaxed->cuts.end());
        }
        for (int i = 0; i < 3; ++i) {
            const auto plan = solveMip(withRandomCosts(c.program->linear(), random), MipLimits{}, {});
            ASSERT_TRUE(plan);
            for (const LinearProgram::Row& row : rows) {
                double sum = 0;
                for (const auto& [column, factor] : row.terms)
                    sum += plan->solution.empty() ? row.lower : factor * plan->solution[static_cast<std::size_t>(column)];
                checked += !plan->solution.empty();
                ASSERT_GE(sum, row.lower - 1e-4);
            }
        }
    }
    EXPECT_GT(checked, 100U);
}

TEST(Reduction, fixingByReducedCostsKeepsWhatLiesBelowTheCutoff)
{
    std::size_t fixed = 0;
    forCases([&](Case& c) {
        const MipResult whole = c.optimum();
        const auto relaxed = solveRelaxation(c.program->linear(), 10, {});
        if (whole.status == MipStatus::Infeasible || !relaxed || relaxed->values.empty())
            return;
        const double cutoff = whole.bound * 1.02 + 1;
        const ReducedProgram reduced = reduce(c.program->linear(), freeBelow(c.program->linear(), *relaxed, cutoff), relaxed->values);
        fixed += c.program->linear().columns.size() - reduced.columns.size();
        const auto rest = solveMip(reduced.program, MipLimits{}, {});
        ASSERT_TRUE(rest && rest->status == MipStatus::Proven);
        EXPECT_NEAR(rest->bound + reduced.constant, whole.bound, 1e-4);
        double cost = 0;
        const std::vector<double> solution = reduced.expand(rest->solution);
        for (std::size_t i = 0; i < solution.size(); ++i)
            cost += solution[i] * c.program->linear().columns[i].cost;
        EXPECT_NEAR(cost, whole.bound, 1e-4);
    });
    EXPECT_GT(fixed, 100U) << "nothing was fixed";
}

TEST(Reduction, theReducedProgramHasTheOptimum)
{
    forCases([&](Case& c) {
        const MipResult whole = c.optimum();
        if (whole.status == MipStatus::Infeasible)
            return;
        const double cutoff = whole.bound + 1;
        double raised = 0;
        MipEvents events;
        events.bound = [&](double bound) { raised = bound; };
        const auto reduced = reduceBelow(*c.program, cutoff, 10, events);
        ASSERT_TRUE(reduced);
        EXPECT_LE(raised, whole.bound + 1e-4);
        EXPECT_LE(reduced->columns.size(), c.program->linear().columns.size());
        const auto rest = solveMip(reduced->program, MipLimits{}, {});
        ASSERT_TRUE(rest && rest->status == MipStatus::Proven);
        EXPECT_NEAR(rest->bound + reduced->constant, whole.bound, 1e-4);
    });
}

TEST(Reduction, effortForTheProofChangesNoOptimum)
{
    forCases([&](Case& c) {
        const MipResult whole = c.optimum();
        MipLimits limits;
        limits.isForProof = true;
        const auto proof = solveMip(c.program->linear(), limits, {});
        ASSERT_TRUE(proof);
        ASSERT_EQ(proof->status, whole.status);
        if (whole.status == MipStatus::Infeasible)
            return;
        EXPECT_NEAR(proof->bound, whole.bound, 1e-4);
        limits.cutoff = whole.bound - 1e-3 * whole.bound - 1e-3;
        const auto none = solveMip(c.program->linear(), limits, {});
        ASSERT_TRUE(none && none->solution.empty()) << "a solution below the optimum";
        EXPECT_LE(none->bound, whole.bound + 1e-4);
    });
}

TEST(Reduction, aRelaxationThatIsStoppedHasNoValues)
{
    Case c(1, TransferModel::Blocking, 40);
    MipEvents events;
    events.wantsStop = [] { return true; };
    const auto relaxed = solveRelaxation(c.program->linear(), 10, events);
    ASSERT_TRUE(relaxed);
    EXPECT_TRUE(relaxed->values.empty());
}

}  // namespace
}  // namespace poet::planning

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/planning/neighbourhood.h"

#include "core/planning/cbc_driver.h"
#include "core/planning/construct.h"
#include "tests/core/planning/support/random_graphs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

namespace poet::planning {
namespace {

constexpr std::int64_t kScale = 1 << 14;  ///< so that a tensor of one byte is tiny beside the budget

/// A random problem of some twenty nodes in which every fifth tensor is tiny.
Problem problemOf(std::uint32_t seed, TransferModel transfer)
{
    testing::RandomGraphOptions options;
    options.minNodes = 18;
    options.maxNodes = 24;
    options.transfer = transfer;
    CostGraph graph = testing::randomTrainingGraph(seed, options);
    for (NodeId id = 0; id < graph.size(); ++id) {
        CostNode& node = graph.nodes[static_cast<std::size_t>(id)];
        node.bytes = id % 5 == 3 ? 1 : node.bytes * kScale;
        node.workspaceBytes *= kScale;
    }
    Problem problem;
    problem.memoryBytes = testing::spanBudget(graph, 40) + graph.device.residentBytes;
    problem.graph = std::make_shared<const CostGraph>(std::move(graph));
    problem.transfer = transfer;
    problem.strategy = Strategy::Integrated;
    return problem;
}

/// Objective of a solution; without the continuous columns (waiting at idle power) where a start does not have them.
double costOf(const Program& program, const std::vector<double>& solution, bool isWhole)
{
    double cost = 0;
    for (std::size_t c = 0; c < solution.size(); ++c)
        if (isWhole || program.linear().columns[c].isInteger)
            cost += program.linear().columns[c].cost * solution[c];
    return cost;
}

/// The most by which a solution breaks a row.
double worstViolation(const LinearProgram& program, const std::vector<double>& solution)
{
    double worst = 0;
    for (const LinearProgram::Row& row : program.rows) {
        double sum = 0;
        for (const auto& [column, factor] : row.terms)
            sum += factor * solution[static_cast<std::size_t>(column)];
        worst = std::max({worst, row.lower - sum, sum - row.upper});
    }
    return worst;
}

struct Start {
    Problem problem;
    Choices choices;
    Decisions decisions;
};

/// A constructed plan, and the choices under which it was made; nothing where no plan can be constructed.
std::optional<Start> startOf(std::uint32_t seed, TransferModel transfer)
{
    Start start{problemOf(seed, transfer), {}, {}};
    start.choices = findChoices(start.problem, false, false);
    const auto decisions = construct(start.problem, start.choices, {});
    if (!decisions)
        return std::nullopt;
    start.decisions = *decisions;
    return start;
}

TEST(Neighbourhood, plansThatRecomputeOrPageTinyTensorsCanBeImproved)
{
    // A tensor that is acquired at a stage only for the recompute of a tiny one has no event there: such plans stay out.
    int tinyAcquires = 0, tried = 0, encoded = 0;
    for (std::uint32_t seed = 1; seed <= 60; ++seed) {
        auto start = startOf(seed, TransferModel::Blocking);
        if (!start)
            continue;
        start->choices.mayExpand = start->choices.mayRecompute;
        ASSERT_TRUE(relaxTiny(start->problem, start->choices)) << "seed " << seed;
        for (const Acquire& acquire : start->decisions.acquires)
            tinyAcquires += start->choices.tiny(acquire.node);
        const auto facts = findFacts(*start->problem.graph, start->problem.transfer);
        ASSERT_TRUE(facts);
        const Program program(start->problem, *facts, start->choices, CandidateSets::Ready);
        ++tried;
        encoded += !program.encode(start->decisions).empty();
    }
    EXPECT_GE(encoded, 0.9 * tried) << encoded << " of " << tried;
    EXPECT_GT(tinyAcquires, 0) << "no case tests what it should";
}

TEST(Neighbourhood, movesOnlyImproveAndNeverPassTheOptimum)
{
    int improved = 0;
    int roundings = 0;  // the first move rounds the relaxation
    for (const TransferModel transfer : {TransferModel::Blocking, TransferModel::Dma, TransferModel::Paper})
        for (std::uint32_t seed = 1; seed <= 8; ++seed) {
            auto start = startOf(seed, transfer);
            if (!start)
                continue;
            SCOPED_TRACE("seed " + std::to_string(seed) + " " + std::string(name(transfer)));
            start->choices.mayExpand = start->choices.mayRecompute;
            const auto facts = findFacts(*start->problem.graph, start->problem.transfer);
            ASSERT_TRUE(facts);
            Program program(start->problem, *facts, start->choices, CandidateSets::Ready);
            for (int stage = 0; stage < program.stageCount(); ++stage)
                program.addStageRows(stage);
            std::vector<double> current = program.encode(start->decisions);
            ASSERT_FALSE(current.empty());
            const auto optimum = solveMip(program.linear(), MipLimits{}, {});
            ASSERT_TRUE(optimum && optimum->status == MipStatus::Proven);
            const auto report = replay(*start->problem.graph, transfer, lower(*start->problem.graph, transfer, start->decisions));
            ASSERT_TRUE(report);
            double cost = (report->energyJoules - facts->keepAll.energyJoules) * program.objectiveScale();
            Neighbourhoods neighbourhoods(program, seed);
            for (int move = 0; move < 12; ++move) {
                const auto better = neighbourhoods.improve(current, cost, 0.01, 5, [] { return false; });
                if (better.empty())
                    continue;
                EXPECT_LT(costOf(program, better, true), cost - 0.005);
                EXPECT_GE(costOf(program, better, true), optimum->bound - 1e-6);
                EXPECT_LE(worstViolation(program.linear(), better), 1e-4);
                roundings += move == 0;
                current = better;
                cost = costOf(program, better, true);
                ++improved;
            }
        }
    EXPECT_GT(improved, 5) << "the moves find nothing";
    EXPECT_GT(roundings, 0) << "rounding finds nothing";
}

}  // namespace
}  // namespace poet::planning

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
// `poet compare`: every strategy beside the proven optimum.
#include "core/export/sweep_file.h"
#include "tests/app/support/run_poet.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace poet {
namespace {

using testing::example;
using testing::Outcome;
using testing::runPoet;

const std::string kGraph = example("residual.graph.json");

TEST(Compare, everyStrategyHasARowWithItsSourceForEachMemory)
{
    const Outcome run = runPoet({"compare", kGraph, "--memory", "30%span", "60%span"});
    ASSERT_EQ(run.exit, 0) << run.errors;
    for (const char* source : {"Patil", "Jain", "vDNN", "Chen", "Griewank", "byte-second", "Peng", "Kirisame"}) {
        const std::size_t first = run.output.find(source);
        ASSERT_NE(first, std::string::npos) << source << '\n' << run.output;
        EXPECT_NE(run.output.find(source, first + 1), std::string::npos) << source << " only once";
    }
    EXPECT_NE(run.output.find("proven"), std::string::npos) << run.output;
}

TEST(Compare, noStrategyIsBelowTheBoundOfTheOptimum)
{
    const Outcome run = runPoet({"compare", kGraph, "--memory", "30%span", "--memory", "60%span", "--memory", "60%span", "--json"});
    ASSERT_EQ(run.exit, 0) << run.errors;
    const auto file = parseSweepFile(run.output, "output");
    ASSERT_TRUE(file) << file.error().text();
    EXPECT_EQ(file->graph, "residual");
    EXPECT_EQ(file->points.size(), 20U) << "equal memories are one";
    for (const SweepPoint& point : file->points) {
        const auto best = std::ranges::find_if(file->points, [&](const SweepPoint& other) {
            return other.memoryBytes == point.memoryBytes && other.strategy == Strategy::Integrated;
        });
        ASSERT_NE(best, file->points.end());
        if (point.energyJoules) {
            EXPECT_GE(*point.energyJoules, best->boundJoules * (1 - 1e-9)) << name(point.strategy);
        }
    }
}

TEST(Compare, whatDoesNotFitIsSaid)
{
    const Outcome run = runPoet({"compare", kGraph, "--memory", "0%span"});
    ASSERT_EQ(run.exit, 0) << run.errors;
    EXPECT_NE(run.output.find("no plan: does not fit"), std::string::npos) << run.output;
    EXPECT_NE(run.output.find("no plan: proven impossible"), std::string::npos) << run.output;
    EXPECT_EQ(runPoet({"compare", kGraph, "--memory", "50%", "--strategy", "sqrt"}).exit, 2) << "it compares all";
}

}  // namespace
}  // namespace poet

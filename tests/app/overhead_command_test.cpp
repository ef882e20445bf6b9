// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
// `poet solve --overhead-at-most`: the smallest memory for an overhead.
#include "core/export/plan_file.h"
#include "tests/app/support/run_poet.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>
#include <string>

namespace poet {
namespace {

using nlohmann::ordered_json;
using testing::example;
using testing::Outcome;
using testing::runPoet;

const std::string kGraph = example("residual.graph.json");

TEST(OverheadAtMost, findsASmallerMemoryThanTheOneBelowWhichTheOverheadIsLarger)
{
    const Outcome run = runPoet({"solve", kGraph, "--overhead-at-most", "5%", "--gap", "0.0001%", "--json"});
    ASSERT_EQ(run.exit, 0) << run.errors;
    const auto file = parsePlanFile(run.output, "output");
    ASSERT_TRUE(file) << file.error().text();
    ASSERT_TRUE(file->plan.overheadLimit);
    EXPECT_EQ(file->plan.overheadLimit->percent, 5);
    ASSERT_EQ(file->plan.overheadLimit->memoryBoundBytes, file->plan.memoryBytes) << "proven";
    EXPECT_LE(file->plan.overheadJoules(), 0.05 * file->plan.keepAllEnergyJoules);
    EXPECT_LT(file->plan.memoryBytes, file->plan.keepAllPeakBytes);
    const Outcome below = runPoet({"solve", kGraph, "--memory", std::to_string(file->plan.memoryBytes - 1), "--json"});
    if (below.exit == 0) {
        const Plan worse = parsePlanFile(below.output, "output").value().plan;
        EXPECT_GT(worse.boundJoules, 1.05 * worse.keepAllEnergyJoules);
    } else {
        EXPECT_EQ(below.exit, 3) << "no plan at all";
    }
}

TEST(OverheadAtMost, theTableSaysThatItIsTheSmallestAndEventsNarrowTheRange)
{
    const Outcome table = runPoet({"solve", kGraph, "--overhead-at-most", "20%"});
    ASSERT_EQ(table.exit, 0) << table.errors;
    EXPECT_NE(table.output.find("for an overhead of at most 20"), std::string::npos) << table.output;
    EXPECT_NE(table.output.find("proven"), std::string::npos) << table.output;
    const Outcome events = runPoet({"solve", kGraph, "--overhead-at-most", "20%", "--events"});
    std::istringstream lines(events.output);
    std::int64_t best = std::numeric_limits<std::int64_t>::max();
    std::int64_t bound = 0;
    int ranges = 0;
    for (std::string line; std::getline(lines, line);) {
        const auto event = ordered_json::parse(line);
        if (event.at("event") != "range")
            continue;
        ++ranges;
        EXPECT_LE(event.at("memory_bytes").get<std::int64_t>(), best);
        EXPECT_GE(event.at("memory_bound_bytes").get<std::int64_t>(), bound);
        best = event.at("memory_bytes");
        bound = event.at("memory_bound_bytes");
    }
    EXPECT_GT(ranges, 1);
    EXPECT_LE(bound, best);
}

/// The overhead is over the cheapest keep-all of all points; less memory than the answer is too little at every point.
TEST(OverheadAtMost, withEveryOperatingPointNoPointNeedsLess)
{
    const auto solved = [](const std::vector<std::string>& more) {
        std::vector<std::string> arguments{"solve", example("lenet5.onnx"), "--device", "stm32h743", "--gap", "0.0001%", "--json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Outcome run = runPoet(arguments);
        EXPECT_TRUE(run.exit == 0 || run.exit == 3) << run.errors;
        return parsePlanFile(run.output, "output").value().plan;
    };
    const Plan best = solved({"--operating-point", "auto", "--overhead-at-most", "5%"});
    ASSERT_TRUE(best.hasSchedule() && best.overheadLimit);
    ASSERT_GT(best.points.size(), 1U);
    EXPECT_EQ(best.overheadLimit->memoryBoundBytes, best.memoryBytes) << "proven";
    double keepAll = 1e300;
    for (const PointOutcome& point : best.points)
        keepAll = std::min(keepAll, solved({"--operating-point", point.name, "--memory", "100%"}).replay.energyJoules);
    EXPECT_LE(best.replay.energyJoules, 1.05 * keepAll * (1 + 1e-8));
    for (const PointOutcome& point : best.points) {
        const Plan below = solved({"--operating-point", point.name, "--memory", std::to_string(best.memoryBytes - 1)});
        EXPECT_TRUE(below.status == SolveStatus::Infeasible || below.boundJoules > 1.05 * keepAll * (1 - 1e-6)) << point.name;
    }
}

TEST(OverheadAtMost, senselessQuestionsAreRefused)
{
    for (const std::vector<std::string>& more : {std::vector<std::string>{"--overhead-at-most", "5"}, {"--overhead-at-most", "much"}, {"--overhead-at-most", "-5%"},
                                                 {"--overhead-at-most", "5%", "--memory", "50%"}, {"--overhead-at-most", "5%", "--strategy", "greedy"}, {}}) {
        std::vector<std::string> arguments{"solve", kGraph};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Outcome run = runPoet(arguments);
        EXPECT_EQ(run.exit, 2) << (more.empty() ? "nothing" : more.back());
        EXPECT_TRUE(run.errors.starts_with("poet: ")) << run.errors;
        EXPECT_EQ(run.output, "") << "nothing is begun";
    }
    const Outcome hopeless = runPoet({"solve", kGraph, "--overhead-at-most", "5%", "--deadline", "50%"});
    EXPECT_EQ(hopeless.exit, 3) << hopeless.errors;
}

}  // namespace
}  // namespace poet

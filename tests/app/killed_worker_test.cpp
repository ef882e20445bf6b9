// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "core/export/plan_file.h"
#include "core/export/sweep_file.h"
#include "tests/app/support/run_poet.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <sstream>
#include <string>
#include <thread>

namespace poet {
namespace {

using testing::example;
using testing::livesLongerThan;
using testing::RunningPoet;
using testing::TemporaryFolder;

/// A search that takes minutes: a proof without gap on a large network.
std::vector<std::string> longSearch(const std::string& command)
{
    std::vector<std::string> words{command, example("resnet50.onnx"), "--device", "rpi4b", "--gap", "0", "--time-limit", "300s"};
    if (command == "solve")
        words.insert(words.end(), {"--memory", "30%span"});
    return words;
}

TEST(KilledWorker, noSolvingProcessOutlivesASolve)
{
    RunningPoet run(longSearch("solve"));
    const auto children = run.waitForChildren(60);
    ASSERT_FALSE(children.empty()) << "the solver runs in a process of its own";
    run.signal(SIGKILL);
    EXPECT_EQ(run.wait(10), 128 + SIGKILL);
    for (const pid_t child : children)
        EXPECT_FALSE(livesLongerThan(child, 5)) << child;
}

TEST(KilledWorker, noSolvingProcessOutlivesASweep)
{
    auto words = longSearch("sweep");
    words.insert(words.end(), {"--points", "6", "--jobs", "2"});
    RunningPoet run(words);
    const auto children = run.waitForChildren(60);
    ASSERT_FALSE(children.empty());
    run.signal(SIGKILL);
    EXPECT_EQ(run.wait(10), 128 + SIGKILL);
    for (const pid_t child : children)
        EXPECT_FALSE(livesLongerThan(child, 5)) << child;
}

TEST(KilledWorker, interruptsEndWithTheBestPlanAndTheirCode)
{
    for (const int number : {SIGINT, SIGTERM}) {
        SCOPED_TRACE(number);
        const TemporaryFolder folder;
        auto words = longSearch("solve");
        words.insert(words.end(), {"--json", "--output", folder.file("plan.json")});
        RunningPoet run(words, folder.file("output"));
        const auto children = run.waitForChildren(60);
        ASSERT_FALSE(children.empty());
        run.signal(number);
        EXPECT_EQ(run.wait(30), 130);
        for (const pid_t child : children)
            EXPECT_FALSE(livesLongerThan(child, 5)) << child;
        const auto file = parsePlanFile(readFile(folder.file("output")).value(), "output");
        ASSERT_TRUE(file) << file.error().text();
        EXPECT_NE(file->plan.status, SolveStatus::Optimal) << "an interrupted search has proven nothing";
        EXPECT_EQ(readFile(folder.file("plan.json")).value(), readFile(folder.file("output")).value());
        EXPECT_EQ(folder.names(), (std::vector<std::string>{"output", "plan.json"}));
    }
}

TEST(KilledWorker, interruptedSweepsKeepTheirPointsAndTheirCode)
{
    const TemporaryFolder folder;
    auto words = longSearch("sweep");
    words.insert(words.end(), {"--points", "6", "--jobs", "1", "--output", folder.file("sweep.json")});
    RunningPoet run(words);
    const auto children = run.waitForChildren(60);
    ASSERT_FALSE(children.empty());
    run.signal(SIGINT);
    EXPECT_EQ(run.wait(30), 130);
    for (const pid_t child : children)
        EXPECT_FALSE(livesLongerThan(child, 5)) << child;
}

/// Who reads the events has the best plan whenever the worker dies: each whole line is an event, and the last incumbent
/// keeps the limits.
TEST(KilledWorker, killedByForceTheEventsHoldTheBestPlan)
{
    const CostGraph graph = parseCostGraph(readFile(example("residual.graph.json")).value(), "graph").value();
    constexpr std::int64_t kMemory = 73216;  // a tenth of the way from the wall
    int withPlan = 0;
    for (const int milliseconds : {20, 60, 150, 400}) {
        SCOPED_TRACE(milliseconds);
        const TemporaryFolder folder;
        RunningPoet run({"solve", example("residual.graph.json"), "--memory", std::to_string(kMemory), "--gap", "0", "--events"}, folder.file("events"));
        std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
        run.signal(SIGKILL);
        ASSERT_NE(run.wait(10), -1);
        std::istringstream lines(readFile(folder.file("events")).value());
        double best = 1e300;
        for (std::string line; std::getline(lines, line) && !lines.eof();) {
            const auto event = nlohmann::json::parse(line);
            if (event.at("event") != "incumbent")
                continue;
            const auto schedule = parseSteps(event.at("schedule").dump(), "incumbent");
            ASSERT_TRUE(schedule) << schedule.error().text();
            const auto report = replay(graph, TransferModel::Blocking, *schedule);
            ASSERT_TRUE(report) << report.error().text();
            EXPECT_LT(report->energyJoules, best) << "an incumbent that is none";
            EXPECT_LE(report->peakBytes + graph.device.residentBytes, kMemory);
            best = report->energyJoules;
        }
        withPlan += best < 1e300;
    }
    EXPECT_GT(withPlan, 0) << "every worker died before its first plan";
}

/// No work by hand: the file that a killed sweep leaves, and its lock, are taken up.
TEST(KilledWorker, killedByForceASweepGoesOnFromItsFile)
{
    const TemporaryFolder folder;
    const std::string file = folder.file("sweep.json");
    const std::vector<std::string> words{"sweep", example("residual.graph.json"), "--over", "grid", "--points", "6", "--jobs", "2", "--output", file};
    std::size_t before = 0;
    {
        RunningPoet run(words);
        for (int i = 0; i < 600 && before < 3; ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            const auto text = readFile(file);
            before = text ? parseSweepFile(*text, file).value().points.size() : 0;
        }
        run.signal(SIGKILL);
        ASSERT_NE(run.wait(10), -1);
    }
    ASSERT_GE(before, 3U);
    const auto left = parseSweepFile(readFile(file).value(), file).value().points;
    ASSERT_EQ(testing::runPoet(words).exit, 0);
    const auto whole = parseSweepFile(readFile(file).value(), file).value().points;
    EXPECT_EQ(whole.size(), 36U);
    for (const SweepPoint& point : left) {
        const auto same = std::ranges::find_if(whole, [&](const SweepPoint& other) {
            return other.memoryBytes == point.memoryBytes && other.deadlineSeconds == point.deadlineSeconds && other.solveSeconds == point.solveSeconds;
        });
        EXPECT_NE(same, whole.end()) << "a known point was solved again: " << point.memoryBytes;
    }
    EXPECT_EQ(folder.names(), std::vector<std::string>{"sweep.json"});
}

}  // namespace
}  // namespace poet

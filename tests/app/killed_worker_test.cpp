// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "core/export/plan_file.h"
#include "tests/app/support/run_poet.h"

#include <gtest/gtest.h>

#include <csignal>
#include <string>

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

}  // namespace
}  // namespace poet

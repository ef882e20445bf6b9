// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
// What the command must not take in silence: empty values, plans of other graphs, options without effect, claims of files.
#include "app/poet/commands.h"
#include "core/base/files.h"
#include "core/graph/cost_graph.h"
#include "tests/app/support/run_poet.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <filesystem>
#include <string>

namespace poet {
namespace {

using nlohmann::ordered_json;
using testing::example;
using testing::Outcome;
using testing::RunningPoet;
using testing::runPoet;
using testing::TemporaryFolder;

const std::string kGraph = example("residual.graph.json");

TEST(Refusals, anEmptyValueIsNoValue)
{
    const TemporaryFolder folder;
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"solve", kGraph, "--memory", ""},
                                                      {"solve", kGraph, "--memory", "50%", "--deadline", ""}, {"solve", "", "--memory", "50%"},
                                                      {"solve", kGraph, "--memory", "50%", "--output", ""}, {"sweep", kGraph, "--output", ""},
                                                      {"compare", kGraph, "--memory", ""}, {"verify", ""}}) {
        const Outcome run = runPoet(arguments);
        EXPECT_EQ(run.exit, 2) << arguments[0];
        EXPECT_NE(run.errors.find("empty"), std::string::npos) << run.errors;
    }
    EXPECT_EQ(runPoet({"solve", kGraph, "--memory="}).exit, 2);
}

TEST(Refusals, aStartOfAnotherGraphOrModelIsRefused)
{
    const TemporaryFolder folder;
    const std::string plan = folder.file("plan.json");
    ASSERT_EQ(runPoet({"solve", kGraph, "--memory", "30%span", "--output", plan}).exit, 0);
    EXPECT_EQ(runPoet({"solve", kGraph, "--memory", "40%span", "--start", plan}).exit, 0);
    CostGraph other = parseCostGraph(readFile(kGraph).value(), kGraph).value();
    other.nodes[2].bytes *= 2;
    const Outcome run = runPoet({"solve", folder.write("other.graph.json", toJson(other)), "--memory", "40%span", "--start", plan});
    EXPECT_EQ(run.exit, 2);
    EXPECT_NE(run.errors.find("of another graph"), std::string::npos) << run.errors;
    const Outcome tight = runPoet({"solve", kGraph, "--memory", "0%span", "--start", plan});
    EXPECT_NE(tight.errors.find("does not keep the limits"), std::string::npos) << tight.errors;
}

TEST(Refusals, optionsWithoutEffectOnACostGraphAreNamed)
{
    const Outcome run = runPoet({"solve", kGraph, "--memory", "50%span", "--dim", "batch=8", "--freeze", "conv*", "--loss", "mse", "--optimizer", "adam"});
    EXPECT_EQ(run.exit, 0);
    for (const char* option : {"--dim", "--freeze", "--loss", "--optimizer"})
        EXPECT_NE(run.errors.find(option), std::string::npos) << run.errors;
    EXPECT_EQ(runPoet({"solve", kGraph, "--memory", "50%span"}).errors, "");
}

TEST(Refusals, aFileCannotPraiseItself)
{
    const TemporaryFolder folder;
    const std::string path = folder.file("plan.json");
    ASSERT_EQ(runPoet({"solve", kGraph, "--memory", "20%span", "--output", path}).exit, 0);
    const auto plan = ordered_json::parse(readFile(path).value());
    const Outcome whole = runPoet({"verify", path});
    EXPECT_EQ(whole.exit, 0);
    EXPECT_NE(whole.output.find("as stated by the file"), std::string::npos) << whole.output;
    const auto verify = [&](const char* key, const ordered_json& value) {
        ordered_json changed = plan;
        changed[key] = value;
        return runPoet({"verify", folder.write("changed.json", changed.dump())});
    };
    const double energy = plan.at("energy_joules");
    EXPECT_EQ(verify("bound_joules", energy * 1.01).exit, 1) << "a bound over the energy";
    EXPECT_EQ(verify("bound_joules", energy * 0.5).exit, 1) << "the stated gap does not follow from it";
    EXPECT_EQ(verify("gap_percent", plan.at("gap_percent").get<double>() + 1).exit, 1);
    EXPECT_EQ(verify("overhead_percent", 0).exit, 1);
    const auto limit = [&](double percent, std::int64_t bound) { return verify("overhead_limit", {{"percent", percent}, {"memory_bound_bytes", bound}}).exit; };
    const double overhead = plan.at("overhead_percent");
    const std::int64_t memory = plan.at("memory_bytes");
    EXPECT_EQ(limit(overhead * 1.01, memory), 0);
    EXPECT_EQ(limit(overhead * 0.99, memory), 1) << "the plan needs more energy than that";
    EXPECT_EQ(limit(overhead * 1.01, memory + 1), 1) << "the plan itself needs less memory than that";
    for (const char* key : {"bound_joules", "gap_percent", "overhead_percent", "energy_joules", "peak_bytes"})
        EXPECT_EQ(verify(key, nullptr).exit, 2) << key << " is null";
    ordered_json bare = plan;
    bare.erase("bound_joules");
    EXPECT_EQ(runPoet({"verify", folder.write("bare.json", bare.dump())}).exit, 2);
}

TEST(Refusals, aPlanWithoutScheduleIsBadInputEverywhere)
{
    const TemporaryFolder folder;
    const std::string path = folder.file("plan.json");
    ASSERT_EQ(runPoet({"solve", kGraph, "--memory", "1B", "--output", path}).exit, 3);
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"verify", path}, {"explain", path}, {"export", path, "--format", "csv", "-o", "-"}}) {
        const Outcome run = runPoet(arguments);
        EXPECT_EQ(run.exit, 2) << arguments[0];
        EXPECT_NE(run.errors.find("holds no schedule"), std::string::npos) << run.errors;
    }
}

/// The example with this at the end of every name, as a file.
std::string writeWithNameTails(const TemporaryFolder& folder, const std::string& tail)
{
    CostGraph graph = parseCostGraph(readFile(kGraph).value(), kGraph).value();
    graph.name += tail;
    for (CostNode& node : graph.nodes)
        node.name += tail;
    return folder.write("tails.graph.json", toJson(graph));
}

TEST(Refusals, controlCharactersOfNamesDoNotReachTheTerminal)
{
    const TemporaryFolder folder;
    const std::string path = writeWithNameTails(folder, "\x1b]0;title\x07");
    const std::string plan = folder.file("plan.json");
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"inspect", path}, {"solve", path, "--memory", "1B"}, {"solve", path, "--memory", "20%span", "--output", plan},
                                                      {"explain", plan}, {"explain", plan, "nosuch"}, {"verify", plan, "--memory", "1B"}}) {
        const Outcome run = runPoet(arguments);
        EXPECT_EQ((run.output + run.errors).find('\x1b'), std::string::npos) << arguments[0];
        EXPECT_EQ((run.output + run.errors).find('\x07'), std::string::npos) << arguments[0];
    }
}

TEST(Refusals, aNameOfTwoLinesStaysOnOne)
{
    const TemporaryFolder folder;
    const std::string path = writeWithNameTails(folder, "\nsecond");
    const std::string plan = folder.file("plan.json");
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"solve", path, "--memory", "1B"}, {"solve", path, "--memory", "20%span", "--output", plan},
                                                      {"explain", plan, "--all"}, {"explain", plan, "1"}, {"verify", plan, "--memory", "1B"}}) {
        const Outcome run = runPoet(arguments);
        EXPECT_NE((run.output + run.errors).find("\\x0asecond"), std::string::npos) << run.output << run.errors;
        EXPECT_EQ((run.output + run.errors).find("\nsecond"), std::string::npos) << run.output << run.errors;
    }
}

TEST(Refusals, aSweptLimitCannotBeGivenToo)
{
    for (const std::vector<std::string>& more : {std::vector<std::string>{"--over", "memory", "--memory", "50%"}, {"--over", "grid", "--memory", "50%"},
                                                 {"--over", "deadline", "--memory", "50%", "--deadline", "130%"}, {"--over", "grid", "--job", "10,10,1h"}, {"--over", "deadline"}}) {
        std::vector<std::string> arguments{"sweep", kGraph, "--points", "2"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Outcome run = runPoet(arguments);
        EXPECT_EQ(run.exit, 2) << more.back();
        EXPECT_TRUE(run.errors.starts_with("poet: A sweep over ")) << run.errors;
    }
    EXPECT_EQ(runPoet({"sweep", kGraph, "--points", "2", "--deadline", "200%", "--strategy", "paging"}).exit, 0);
}

TEST(Refusals, aJobIsOfWholeCounts)
{
    for (const char* job : {"10.5,500,8h", "10KiB,500,8h", "0,500,8h", "10,-5,8h", "10,500", "10,500,8h,1", ",,", "10,,8h", "99999999999999999999,1,8h"}) {
        const Outcome run = runPoet({"solve", kGraph, "--memory", "50%span", "--job", job});
        EXPECT_EQ(run.exit, 2) << job;
        EXPECT_NE(run.errors.find("is not a job"), std::string::npos) << run.errors;
    }
    const Outcome run = runPoet({"solve", kGraph, "--memory", "50%span", "--job", " 10, 500 ,8h"});
    EXPECT_EQ(run.exit, 0) << run.errors;
    EXPECT_NE(run.output.find("5000 steps"), std::string::npos) << run.output;
}

TEST(Refusals, aDashIsStandardOutput)
{
    const Outcome plan = runPoet({"solve", kGraph, "--memory", "50%span", "--output", "-"});
    EXPECT_EQ(plan.exit, 0);
    EXPECT_TRUE(plan.output.starts_with("{")) << plan.output.substr(0, 40);
    const Outcome sweep = runPoet({"sweep", kGraph, "--points", "2", "--output", "-"});
    EXPECT_EQ(sweep.exit, 0);
    EXPECT_TRUE(sweep.output.starts_with("{")) << sweep.output.substr(0, 40);
    const TemporaryFolder folder;
    const Outcome folderOnOutput = runPoet({"export", folder.write("plan.json", plan.output), "--format", "c", "-o", "-"});
    EXPECT_EQ(folderOnOutput.exit, 2);
    EXPECT_NE(folderOnOutput.errors.find("standard output"), std::string::npos) << folderOnOutput.errors;
}

TEST(Refusals, suggestionsKeepTheFormOfTheDeadline)
{
    const auto command = [](const std::vector<std::string>& more) {
        std::vector<std::string> arguments{"solve", kGraph, "--memory", "50%span", "--json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Outcome run = runPoet(arguments);
        EXPECT_EQ(run.exit, 3) << run.errors;
        const auto json = ordered_json::parse(run.output, nullptr, false);
        return json.is_object() ? json.at("infeasible").at("commands").back().get<std::string>() : run.output;
    };
    EXPECT_NE(command({"--deadline", "1ns"}).find("--deadline "), std::string::npos);
    const std::string job = command({"--job", "2,50,1ms"});
    EXPECT_NE(job.find("--job 2,50,"), std::string::npos) << job;
    EXPECT_EQ(job.find("--deadline"), std::string::npos) << job;
    const std::string period = command({"--period", "1ns"});
    EXPECT_NE(period.find("--period "), std::string::npos) << period;
    EXPECT_EQ(period.find("--deadline"), std::string::npos) << period;
}

TEST(Refusals, rangesAreSaidInFewWords)
{
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"solve", kGraph, "--memory", "50%", "--lifetime", "0"}, {"sweep", kGraph, "--exact", "--most", "-3"}}) {
        const Outcome run = runPoet(arguments);
        EXPECT_EQ(run.exit, 2);
        EXPECT_LT(run.errors.size(), 160U) << run.errors;
    }
}

TEST(Refusals, ofLongValuesAreShort)
{
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"solve", kGraph, "--memory", std::string(9000, 'x')}, {"sweep", kGraph, "--points", std::string(9000, '9')}}) {
        const Outcome run = runPoet(arguments);
        EXPECT_EQ(run.exit, 2);
        EXPECT_LT(run.errors.size(), 1000U);
        EXPECT_NE(run.errors.find(" ... "), std::string::npos) << run.errors;
    }
}

TEST(Sweeps, ofOneFileDoNotRunAtOnceAndEqualPointsAreOne)
{
    const TemporaryFolder folder;
    const std::string file = folder.file("sweep.json");
    RunningPoet first({"sweep", kGraph, "--exact", "--over", "grid", "--output", file});
    ASSERT_FALSE(first.waitForChildren(20).empty());
    const Outcome second = runPoet({"sweep", kGraph, "--points", "2", "--output", file});
    EXPECT_EQ(second.exit, 2);
    EXPECT_NE(second.errors.find("Another sweep"), std::string::npos) << second.errors;
    first.signal(SIGTERM);
    EXPECT_NE(first.wait(20), -1);
    EXPECT_EQ(runPoet({"sweep", kGraph, "--points", "2", "--output", file}).exit, 0) << "the lock ended with its holder";
    EXPECT_EQ(folder.names(), std::vector<std::string>{"sweep.json"});

    CostGraph chain;
    chain.name = "flat";
    for (int i = 0; i < 3; ++i) {
        CostNode node;
        node.name = "n" + std::to_string(i);
        node.inputs = i > 0 ? std::vector<NodeId>{i - 1} : std::vector<NodeId>{};
        node.bytes = 1;
        chain.nodes.push_back(node);
    }
    const Outcome flat = runPoet({"sweep", folder.write("flat.graph.json", toJson(chain)), "--points", "9"});
    ASSERT_EQ(flat.exit, 0) << flat.errors;
    EXPECT_EQ(ordered_json::parse(flat.output).at("points").size(), 1U) << "wall and peak are one memory";
}

TEST(Signals, theEndOfTheTerminalLeavesTheBestPlan)
{
    const TemporaryFolder folder;
    const std::string file = folder.file("plan.json");
    RunningPoet run({"solve", example("resnet18.onnx"), "--device", "rpi4b", "--memory", "20%span", "--gap", "0", "--strategy", "recompute", "--output", file});
    ASSERT_FALSE(run.waitForChildren(40).empty());
    run.signal(SIGHUP);
    EXPECT_EQ(run.wait(20), static_cast<int>(Exit::Cancelled));
    EXPECT_TRUE(std::filesystem::exists(file));
}

}  // namespace
}  // namespace poet

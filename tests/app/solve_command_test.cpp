// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
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
using testing::TemporaryFolder;

const std::string kGraph = example("residual.graph.json");

CostGraph residual() { return parseCostGraph(readFile(kGraph).value(), kGraph).value(); }

/// The one JSON value of a run; null and a failure when there is something else.
ordered_json valueOf(const Outcome& run)
{
    const auto value = ordered_json::parse(run.output, nullptr, false);
    EXPECT_FALSE(value.is_discarded()) << run.output.substr(0, 400);
    return value;
}

TEST(SolveCommand, tableForPeopleIsTheDefault)
{
    const Outcome run = runPoet({"solve", kGraph, "--memory", "50%span"});
    EXPECT_EQ(run.exit, 0) << run.errors;
    EXPECT_EQ(run.errors, "");
    for (const char* part : {"residual", "proven optimal", "energy", "peak", "KiB", "recomputed"})
        EXPECT_NE(run.output.find(part), std::string::npos) << part << " in\n" << run.output;
}

TEST(SolveCommand, jsonIsOneValueThatReplays)
{
    const CostGraph graph = residual();
    for (const char* strategy : {"integrated", "paging", "recompute"}) {
        SCOPED_TRACE(strategy);
        const Outcome run = runPoet({"solve", kGraph, "--memory", "60%span", "--json", "--strategy", strategy});
        ASSERT_EQ(run.exit, 0) << run.errors;
        const auto json = valueOf(run);
        EXPECT_EQ(json.at("strategy"), strategy);
        const auto file = parsePlanFile(run.output, "output");
        ASSERT_TRUE(file) << file.error().text();
        EXPECT_EQ(file->graph, graph);
        EXPECT_LE(file->plan.replay.peakBytes + graph.device.residentBytes, file->plan.memoryBytes);
        EXPECT_LE(file->plan.boundJoules, file->plan.replay.energyJoules);
        EXPECT_EQ(file->plan.status, SolveStatus::Optimal);
        EXPECT_LE(file->plan.gapPercent(), 0.0101);
    }
}

TEST(SolveCommand, standardInputIsACostGraph)
{
    const Outcome run = runPoet({"solve", "-", "--memory", "50%span", "--json"}, readFile(kGraph).value());
    ASSERT_EQ(run.exit, 0) << run.errors;
    EXPECT_EQ(parsePlanFile(run.output, "output").value().graph, residual());
    const Outcome compact = runPoet({"solve", "-", "--memory", "50%span", "--json"}, toJson(residual()) + "\n\n");
    ASSERT_EQ(compact.exit, 0) << compact.errors;
    EXPECT_EQ(valueOf(compact).at("energy_joules"), valueOf(run).at("energy_joules"));
    const Outcome broken = runPoet({"solve", "-", "--memory", "50%"}, "{");
    EXPECT_EQ(broken.exit, 2);
    EXPECT_NE(broken.errors.find("Standard input"), std::string::npos) << broken.errors;
}

TEST(SolveCommand, eventsAreJsonLinesFromHelloToDone)
{
    const Outcome run = runPoet({"solve", kGraph, "--memory", "20%span", "--events"});
    ASSERT_EQ(run.exit, 0) << run.errors;
    std::istringstream lines(run.output);
    std::vector<ordered_json> events;
    for (std::string line; std::getline(lines, line);) {
        events.push_back(ordered_json::parse(line, nullptr, false));
        ASSERT_TRUE(events.back().is_object()) << line;
        EXPECT_GE(events.back().at("elapsed").get<double>(), 0);
    }
    ASSERT_GE(events.size(), 4U);
    EXPECT_EQ(events.front().at("event"), "hello");
    EXPECT_TRUE(events.front().at("version").is_string());
    EXPECT_EQ(events.back().at("event"), "done");
    const CostGraph graph = residual();
    double best = 1e300;
    double bound = 0;
    double elapsed = 0;
    int incumbents = 0;
    int bounds = 0;
    for (const ordered_json& event : events) {
        EXPECT_GE(event.at("elapsed").get<double>(), elapsed);
        elapsed = event.at("elapsed");
        if (event.at("event") == "incumbent") {
            ++incumbents;
            EXPECT_LT(event.at("energy_joules").get<double>(), best) << "each is better than the one before";
            best = event.at("energy_joules");
            const auto report = replay(graph, graph.device.transfer, parseSteps(event.at("schedule").dump(), "schedule").value());
            ASSERT_TRUE(report) << report.error().text();
            EXPECT_DOUBLE_EQ(report->energyJoules, best);
            EXPECT_EQ(report->peakBytes, event.at("peak_bytes").get<std::int64_t>());
            EXPECT_DOUBLE_EQ(report->seconds, event.at("seconds").get<double>());
        } else if (event.at("event") == "bound") {
            ++bounds;
            EXPECT_GT(event.at("bound_joules").get<double>(), bound) << "bounds rise";
            bound = event.at("bound_joules");
        }
    }
    EXPECT_GE(incumbents, 1);
    EXPECT_GE(bounds, 1);
    ordered_json result = events.back();
    result.erase("event");
    result.erase("elapsed");
    const auto file = parsePlanFile(result.dump(), "done");
    ASSERT_TRUE(file) << file.error().text();
    EXPECT_DOUBLE_EQ(file->plan.replay.energyJoules, best) << "the last incumbent is the result";
}

TEST(SolveCommand, outputFileVerifies)
{
    const TemporaryFolder folder;
    const Outcome run = runPoet({"solve", kGraph, "--memory", "40%span", "--output", folder.file("plan.json")});
    ASSERT_EQ(run.exit, 0) << run.errors;
    EXPECT_EQ(folder.names(), std::vector<std::string>{"plan.json"});
    const Outcome verified = runPoet({"verify", folder.file("plan.json")});
    EXPECT_EQ(verified.exit, 0) << verified.errors;
    EXPECT_NE(verified.output.find("verified"), std::string::npos);
    const Outcome again = runPoet({"solve", kGraph, "--memory", "40%span", "--start", folder.file("plan.json"), "--json"});
    ASSERT_EQ(again.exit, 0) << again.errors;
    EXPECT_LE(valueOf(again).at("energy_joules").get<double>(),
              parsePlanFile(readFile(folder.file("plan.json")).value(), "plan").value().plan.replay.energyJoules * (1 + 1e-4));
}

TEST(SolveCommand, largerBudgetsAndDeadlinesNeverCostMore)
{
    double before = 1e300;
    for (const char* memory : {"0%span", "10%span", "30%span", "60%span", "100%span"}) {
        const Outcome run = runPoet({"solve", kGraph, "--memory", memory, "--json"});
        ASSERT_EQ(run.exit, 0) << memory << run.errors;
        const double energy = valueOf(run).at("energy_joules");
        EXPECT_LE(energy, before * (1 + 1e-4)) << memory;
        before = energy;
    }
    const auto keepAll = valueOf(runPoet({"solve", kGraph, "--memory", "100%span", "--json"}));
    EXPECT_EQ(keepAll.at("overhead_joules").get<double>(), 0) << "at the keep-all peak nothing is dropped";
    const auto tight = valueOf(runPoet({"solve", kGraph, "--memory", "30%span", "--deadline", "110%", "--time-limit", "1s", "--json"}));
    const auto loose = valueOf(runPoet({"solve", kGraph, "--memory", "30%span", "--json"}));
    EXPECT_LE(tight.at("seconds").get<double>(), tight.at("deadline_seconds").get<double>() * (1 + 1e-9));
    EXPECT_GE(tight.at("energy_joules").get<double>(), loose.at("energy_joules").get<double>() * (1 - 1e-4));
}

TEST(SolveCommand, memoryBelowTheWorkingSetNamesTheNode)
{
    const CostGraph graph = residual();
    const NodeId node = graph.largestWorkingSetNode();
    const std::int64_t wall = graph.workingSetBytes(node) + graph.device.residentBytes;
    const TemporaryFolder folder;
    const Outcome run = runPoet({"solve", kGraph, "--memory", std::to_string(wall - 1), "--json", "--output", folder.file("plan.json")});
    EXPECT_EQ(run.exit, 3);
    EXPECT_NE(run.errors.find("'" + graph.nodes[static_cast<std::size_t>(node)].name + "'"), std::string::npos) << run.errors;
    const auto json = valueOf(run);
    EXPECT_EQ(json.at("status"), "infeasible");
    EXPECT_EQ(json.at("infeasible").at("node"), graph.nodes[static_cast<std::size_t>(node)].name);
    EXPECT_EQ(json.at("infeasible").at("smallest_memory_bytes"), wall);
    EXPECT_FALSE(json.contains("energy_joules"));
    EXPECT_EQ(runPoet({"verify", folder.file("plan.json")}).exit, 2) << "there is nothing to verify";
    EXPECT_EQ(runPoet({"solve", kGraph, "--memory", "1"}).exit, 3) << "not even the resident bytes fit";
    EXPECT_EQ(runPoet({"solve", kGraph, "--memory", "0"}).exit, 3);
}

TEST(SolveCommand, deadlineBelowTheComputeTimeIsInfeasible)
{
    const Outcome run = runPoet({"solve", kGraph, "--memory", "100%", "--deadline", "99%", "--json"});
    EXPECT_EQ(run.exit, 3) << run.errors;
    const auto json = valueOf(run);
    EXPECT_NEAR(json.at("infeasible").at("smallest_deadline_seconds").get<double>(), json.at("keep_all_seconds").get<double>(), 1e-12);
    EXPECT_NE(run.errors.find("deadline"), std::string::npos) << run.errors;
}

TEST(SolveCommand, onnxModelsPlanWithADevice)
{
    const TemporaryFolder folder;
    const Outcome run = runPoet({"solve", example("lenet5.onnx"), "--device", "nrf52840", "--memory", "50%span", "--dim", "batch=4", "--output", folder.file("plan.json"), "--json"});
    ASSERT_EQ(run.exit, 0) << run.errors;
    const auto json = valueOf(run);
    EXPECT_EQ(json.at("source").at("device"), "nrf52840");
    EXPECT_EQ(json.at("source").at("dims"), ordered_json::array({"batch=4"}));
    EXPECT_EQ(runPoet({"verify", folder.file("plan.json")}).exit, 0);
}

TEST(SolveCommand, aFullDiskIsAnErrorNotSilence)
{
    if (!std::filesystem::exists("/dev/full"))
        GTEST_SKIP() << "no /dev/full";
    testing::RunningPoet run({"solve", kGraph, "--memory", "100%", "--json"}, "/dev/full");
    EXPECT_EQ(run.wait(30), 2);
}

}  // namespace
}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
// Limits of the device on the command line, operating points, and what is said of limits that cannot be kept.
#include "core/base/files.h"
#include "core/export/plan_file.h"
#include "tests/app/support/run_poet.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
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
const std::string kModel = example("lenet5.onnx");

ordered_json solved(std::vector<std::string> arguments, int exit = 0)
{
    arguments.insert(arguments.begin(), "solve");
    arguments.emplace_back("--json");
    const Outcome run = runPoet(arguments);
    EXPECT_EQ(run.exit, exit) << run.errors;
    return ordered_json::parse(run.output, nullptr, false);
}

TEST(StoreLimits, writtenBytesAndCapacityAreKept)
{
    const auto free = solved({kGraph, "--memory", "10%span", "--strategy", "paging"});
    const std::int64_t written = free.at("paged_out_bytes");
    ASSERT_GT(written, 0);
    const std::string most = std::to_string(written / 2);
    for (const char* option : {"--max-written", "--store-capacity"}) {
        const auto bound = solved({kGraph, "--memory", "10%span", option, most});
        EXPECT_LE(bound.at("paged_out_bytes").get<std::int64_t>(), written / 2) << option;
        EXPECT_GE(bound.at("energy_joules").get<double>(), free.at("energy_joules").get<double>() * 0.5);
    }
    const Outcome none = runPoet({"solve", kGraph, "--memory", "0%span", "--strategy", "paging", "--store-capacity", "10B", "--max-written", "20B"});
    EXPECT_EQ(none.exit, 3);
    EXPECT_NE(none.errors.find("a page store of 10 B and at most 20 B written a step"), std::string::npos) << none.errors;
    EXPECT_EQ(solved({kGraph, "--memory", "60%span", "--max-written", "0"}).at("paged_out_bytes"), 0);
    EXPECT_EQ(runPoet({"solve", kGraph, "--memory", "30%span", "--max-written", "much"}).exit, 2);
}

TEST(StoreLimits, lifetimeBoundsWhatAStepWrites)
{
    const auto wished = solved({kModel, "--device", "nrf52840", "--memory", "30%span", "--lifetime", "1e9"});
    const auto& device = wished.at("graph").at("device");
    ASSERT_TRUE(device.contains("write_limit_bytes_per_step"));
    EXPECT_LE(wished.at("paged_out_bytes").get<std::int64_t>(), device.at("write_limit_bytes_per_step").get<std::int64_t>());
}

TEST(Period, idlePowerCountsOverItAndItIsADeadline)
{
    const auto once = solved({kGraph, "--memory", "30%span"});
    const double idle = once.at("graph").at("device").at("idle_watts");
    ASSERT_GT(idle, 0);
    const double period = 3 * once.at("seconds").get<double>();
    const auto repeated = solved({kGraph, "--memory", "30%span", "--period", std::to_string(period) + "s"});
    EXPECT_NEAR(repeated.at("deadline_seconds").get<double>(), period, 1e-5);
    EXPECT_NEAR(repeated.at("keep_all_energy_joules").get<double>() - once.at("keep_all_energy_joules").get<double>(),
                idle * (period - once.at("keep_all_seconds").get<double>()), 1e-5 * idle * period);
    EXPECT_EQ(solved({kGraph, "--memory", "30%span", "--period", "1ns"}, 3).at("status"), "infeasible");
    EXPECT_EQ(runPoet({"solve", kGraph, "--memory", "30%span", "--period", "0s"}).exit, 2);
}

TEST(OperatingPoints, autoTakesTheBestAndSaysWhatTheOthersCost)
{
    const std::vector<std::string> common{kModel, "--device", "stm32h743", "--memory", "60%span", "--deadline", "1s"};
    auto arguments = common;
    arguments.insert(arguments.end(), {"--operating-point", "auto"});
    const auto best = solved(arguments);
    const auto& points = best.at("operating_points");
    ASSERT_GE(points.size(), 4U);
    int chosen = 0;
    for (const auto& point : points) {
        arguments = common;
        arguments.insert(arguments.end(), {"--operating-point", point.at("name")});
        const auto one = solved(arguments);
        EXPECT_GE(one.at("energy_joules").get<double>(), best.at("energy_joules").get<double>() * (1 - 1.1e-4)) << point.at("name");
        EXPECT_LE(point.at("bound_joules").get<double>(), one.at("energy_joules").get<double>() * (1 + 1e-9)) << point.at("name");
        if (point.at("chosen").get<bool>()) {
            ++chosen;
            EXPECT_EQ(best.at("source").at("operating_point"), point.at("name"));
            EXPECT_EQ(best.at("graph"), one.at("graph"));
        }
    }
    EXPECT_EQ(chosen, 1);
    EXPECT_EQ(best.at("status"), "optimal");
    EXPECT_TRUE(parsePlanFile(best.dump(), "plan").has_value());
    EXPECT_EQ(runPoet({"solve", kGraph, "--memory", "50%", "--operating-point", "auto"}).exit, 2) << "a cost graph has no points";
    EXPECT_EQ(runPoet({"sweep", kModel, "--device", "stm32h743", "--operating-point", "auto"}).exit, 2);
}

TEST(OperatingPoints, aDeadlineOnlyTheFastestKeepsChoosesIt)
{
    const auto best = solved({kModel, "--device", "stm32h743", "--memory", "100%", "--operating-point", "auto"});
    double shortest = 1e300;
    std::string fastest;
    for (const auto& point : best.at("operating_points")) {
        const auto one = solved({kModel, "--device", "stm32h743", "--memory", "100%", "--operating-point", point.at("name")});
        if (one.at("seconds").get<double>() < shortest) {
            shortest = one.at("seconds");
            fastest = point.at("name");
        }
    }
    const auto tight = solved({kModel, "--device", "stm32h743", "--memory", "100%", "--operating-point", "auto", "--deadline", std::to_string(shortest * 1.001) + "s"});
    EXPECT_EQ(tight.at("source").at("operating_point"), fastest);
    const auto none = solved({kModel, "--device", "stm32h743", "--memory", "100%", "--operating-point", "auto", "--deadline", "1us"}, 3);
    EXPECT_NEAR(none.at("infeasible").at("smallest_deadline_seconds").get<double>(), shortest, 1e-6 * shortest) << "that of the fastest point";
}

TEST(Infeasible, suggestionsAreProvenAndTheCommandsApplyThem)
{
    const auto reference = solved({kGraph, "--memory", "0%span"});
    // Between keep-all time and the time of the wall's plan, at the wall: together impossible.
    const double keepAll = reference.at("keep_all_seconds");
    const double deadline = keepAll + 0.2 * (reference.at("seconds").get<double>() - keepAll);
    const std::string asked = ordered_json(deadline).dump() + "s";
    const Outcome run = runPoet({"solve", kGraph, "--memory", "0%span", "--deadline", asked, "--json"});
    ASSERT_EQ(run.exit, 3) << run.errors;
    const auto why = ordered_json::parse(run.output).at("infeasible");
    EXPECT_FALSE(why.at("node").get<std::string>().empty());
    EXPECT_FALSE(why.at("in_ram").empty());
    EXPECT_NE(run.errors.find("in RAM while"), std::string::npos) << run.errors;
    ASSERT_EQ(why.at("commands").size(), 2U);
    EXPECT_FALSE(why.contains("memory_bound_bytes")) << "proven";
    EXPECT_FALSE(why.contains("deadline_bound_seconds")) << "proven";
    const std::int64_t memory = why.at("smallest_memory_bytes");
    EXPECT_EQ(solved({kGraph, "--memory", std::to_string(memory), "--deadline", asked}).at("status"), "optimal");
    EXPECT_EQ(runPoet({"solve", kGraph, "--memory", std::to_string(memory - 1), "--deadline", asked}).exit, 3);
    const double seconds = why.at("smallest_deadline_seconds");
    EXPECT_EQ(runPoet({"solve", kGraph, "--memory", "0%span", "--deadline", ordered_json(seconds).dump() + "s"}).exit, 0);
    EXPECT_EQ(runPoet({"solve", kGraph, "--memory", "0%span", "--deadline", ordered_json(seconds * 0.999).dump() + "s"}).exit, 3);
    for (const auto& line : why.at("commands")) {
        std::istringstream words(line.get<std::string>());
        std::vector<std::string> arguments;
        for (std::string word; words >> word;)
            arguments.push_back(word);
        arguments.erase(arguments.begin());
        const Outcome tried = runPoet(arguments);
        EXPECT_EQ(tried.exit, 0) << line << "\n" << tried.errors;
    }
}

TEST(Infeasible, belowTheWorkingSetItsTensorsAreListed)
{
    const Outcome run = runPoet({"solve", kGraph, "--memory", "1KiB", "--json"});
    ASSERT_EQ(run.exit, 3);
    const auto json = ordered_json::parse(run.output);
    const auto& why = json.at("infeasible");
    std::int64_t sum = 0;
    for (const auto& item : why.at("in_ram"))
        sum += item.at("bytes").get<std::int64_t>();
    EXPECT_EQ(sum, json.at("largest_working_set_bytes").get<std::int64_t>());
    const Outcome tried = runPoet({"solve", kGraph, "--memory", std::to_string(why.at("smallest_memory_bytes").get<std::int64_t>())});
    EXPECT_EQ(tried.exit, 0) << tried.errors;
}

TEST(Warnings, optionsWithoutEffectAndImplausibleNumbersAreSaid)
{
    const Outcome graph = runPoet({"solve", kGraph, "--memory", "50%span", "--device", "rpi4b"});
    EXPECT_EQ(graph.exit, 0);
    EXPECT_NE(graph.errors.find("--device changes nothing"), std::string::npos) << graph.errors;
    const TemporaryFolder folder;
    auto profile = ordered_json::parse(runPoet({"device", "nrf52840", "--json"}).output);
    profile["id"] = "mine";
    profile["class"] = "user";
    profile["operating_points"][0]["active_power"]["value"] = 9e6;
    const std::string mine = folder.write("mine.json", profile.dump());
    const Outcome strange = runPoet({"solve", kModel, "--device", mine, "--memory", "50%span"});
    EXPECT_EQ(strange.exit, 0) << strange.errors;
    EXPECT_NE(strange.errors.find("warning: Device mine"), std::string::npos) << strange.errors;
}

TEST(Warnings, anOutputThatCannotBeWrittenIsNoticedBeforeTheSearch)
{
    for (const std::string& command : {std::string("solve"), std::string("sweep")}) {
        std::vector<std::string> arguments{command, kGraph, "--output", "/nowhere/at/all.json"};
        if (command == "solve")
            arguments.insert(arguments.end(), {"--memory", "1KiB"});
        const Outcome run = runPoet(arguments);
        EXPECT_EQ(run.exit, 2) << "not 3: nothing was searched";
        EXPECT_NE(run.errors.find("/nowhere/at"), std::string::npos) << run.errors;
    }
    const TemporaryFolder folder;
    EXPECT_EQ(runPoet({"solve", kGraph, "--memory", "50%", "--output", std::filesystem::path(folder.file("x")).parent_path().string()}).exit, 2);
}

TEST(Bands, planOfAModelSaysHowSureItIs)
{
    const auto plan = solved({kModel, "--device", "nrf52840", "--memory", "50%span"});
    const auto& energy = plan.at("bands").at("energy_joules");
    ASSERT_EQ(energy.size(), 3U);
    EXPECT_LT(energy[0].get<double>(), energy[1].get<double>());
    EXPECT_LT(energy[1].get<double>(), energy[2].get<double>());
    EXPECT_LT(energy[0].get<double>(), plan.at("energy_joules").get<double>());
    EXPECT_GT(energy[2].get<double>(), plan.at("energy_joules").get<double>());
    EXPECT_TRUE(parsePlanFile(plan.dump(), "plan").has_value());
    const Outcome table = runPoet({"solve", kModel, "--device", "nrf52840", "--memory", "50%span"});
    EXPECT_NE(table.output.find("10-90 % band"), std::string::npos);
}

}  // namespace
}  // namespace poet

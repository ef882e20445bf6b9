// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/units.h"
#include "core/export/plan_file.h"
#include "core/schedule/stage_bytes.h"
#include "tests/core/schedule/support/random_schedules.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <string>

namespace poet {
namespace {

using nlohmann::ordered_json;

/// A plan as a planner would give it for a random graph, with every field in use.
PlanFile anyPlan(std::uint32_t seed, TransferModel model)
{
    std::mt19937 random(seed);
    PlanFile file;
    file.graph = testing::anyGraph(random);
    const std::int64_t resident = file.graph.device.residentBytes;
    Plan& plan = file.plan;
    plan.transfer = model;
    plan.strategy = static_cast<Strategy>(random() % 10);
    plan.status = random() % 2 == 0 ? SolveStatus::Optimal : SolveStatus::Feasible;
    plan.isRestrictedProof = random() % 2 == 0;
    plan.coversEverySchedule = !plan.isRestrictedProof && random() % 2 == 0;
    const ReplayReport keepAll = replay(file.graph, model, keepAllSchedule(file.graph)).value();
    plan.keepAllEnergyJoules = keepAll.energyJoules;
    plan.keepAllSeconds = keepAll.seconds;
    plan.keepAllPeakBytes = keepAll.peakBytes + resident;
    plan.largestWorkingSetBytes = findWall(file.graph, model).bytes + resident;
    plan.replay = replay(file.graph, model, testing::anySchedule(file.graph, model, random)).value();
    plan.memoryBytes = plan.replay.peakBytes + resident;
    if (random() % 2 == 0)
        plan.deadlineSeconds = plan.replay.seconds * 1.5;
    plan.boundJoules = plan.replay.energyJoules * 0.9;
    plan.solveSeconds = 0.125;
    plan.variables = 321;
    plan.rows = 123;
    plan.source = {"../models/net \"1\".onnx", "0123abcd", {"batch=8", "seq=128"}, "mse", "adam", {"conv*"}, "rpi4b", "1.2.3"};
    plan.source.data = {"input_ids"};
    plan.source.type = "bf16";
    if (random() % 3 == 0) {
        plan.replay.schedule.regions = {{"dtcm", 4096, false}, {"sram \"1\"", 8192, true}};
        plan.replay.schedule.steps.front().offset = 4160;
    }
    return file;
}

void expectEqual(const Plan& a, const Plan& b)
{
    EXPECT_EQ(a.status, b.status);
    EXPECT_EQ(a.isRestrictedProof, b.isRestrictedProof);
    EXPECT_EQ(a.coversEverySchedule, b.coversEverySchedule);
    EXPECT_EQ(a.strategy, b.strategy);
    EXPECT_EQ(a.transfer, b.transfer);
    EXPECT_EQ(a.memoryBytes, b.memoryBytes);
    EXPECT_EQ(a.deadlineSeconds, b.deadlineSeconds);
    EXPECT_EQ(a.keepAllEnergyJoules, b.keepAllEnergyJoules);
    EXPECT_EQ(a.keepAllSeconds, b.keepAllSeconds);
    EXPECT_EQ(a.keepAllPeakBytes, b.keepAllPeakBytes);
    EXPECT_EQ(a.largestWorkingSetBytes, b.largestWorkingSetBytes);
    EXPECT_EQ(a.boundJoules, b.boundJoules);
    EXPECT_EQ(a.replay.schedule, b.replay.schedule);
    EXPECT_EQ(a.replay.energyJoules, b.replay.energyJoules);
    EXPECT_EQ(a.replay.peakBytes, b.replay.peakBytes);
    EXPECT_EQ(a.solveSeconds, b.solveSeconds);
    EXPECT_EQ(a.variables, b.variables);
    EXPECT_EQ(a.rows, b.rows);
    EXPECT_EQ(a.source.model, b.source.model);
    EXPECT_EQ(a.source.dims, b.source.dims);
    EXPECT_EQ(a.source.freeze, b.source.freeze);
    EXPECT_EQ(a.source.device, b.source.device);
    EXPECT_EQ(a.source.data, b.source.data);
    EXPECT_EQ(a.source.type, b.source.type);
    EXPECT_EQ(a.infeasible.has_value(), b.infeasible.has_value());
}

constexpr TransferModel kModels[] = {TransferModel::Paper, TransferModel::Blocking, TransferModel::Dma};

TEST(PlanFileFormat, plansReadBackEqual)
{
    for (std::uint32_t seed = 1; seed <= 150; ++seed)
        for (const TransferModel model : kModels) {
            SCOPED_TRACE("seed " + std::to_string(seed) + ", " + std::string(name(model)));
            const PlanFile file = anyPlan(seed, model);
            const std::string text = toJson(file);
            const auto back = parsePlanFile(text, "plan.json");
            ASSERT_TRUE(back) << back.error().text();
            EXPECT_EQ(back->graph, file.graph);
            expectEqual(back->plan, file.plan);
            EXPECT_EQ(toJson(*back), text);
        }
}

TEST(PlanFileFormat, answersWithoutScheduleReadBackEqual)
{
    for (const bool hasReason : {true, false}) {
        PlanFile file = anyPlan(3, TransferModel::Blocking);
        file.plan.replay = {};
        file.plan.status = hasReason ? SolveStatus::Infeasible : SolveStatus::Stopped;
        if (hasReason)
            file.plan.infeasible = InfeasibleReason{"'conv' needs 2 MiB at once.", "conv", 2097152, 1.25};
        const std::string text = toJson(file);
        EXPECT_FALSE(ordered_json::parse(text).contains("energy_joules")) << "no energy without a schedule";
        EXPECT_FALSE(ordered_json::parse(text).contains("steps"));
        const auto back = parsePlanFile(text, "plan.json");
        ASSERT_TRUE(back) << back.error().text();
        expectEqual(back->plan, file.plan);
        EXPECT_FALSE(back->plan.hasSchedule());
        EXPECT_EQ(back->plan.gapPercent(), 100);
        EXPECT_EQ(toJson(*back), text);
        if (!hasReason)
            continue;
        EXPECT_EQ(back->plan.infeasible->node, "conv");
        EXPECT_EQ(back->plan.infeasible->smallestMemoryBytes, 2097152);
        EXPECT_EQ(back->plan.infeasible->smallestDeadlineSeconds, 1.25);
    }
}

TEST(PlanFileFormat, pointsBandsAndSuggestionsReadBackEqual)
{
    PlanFile file = anyPlan(4, TransferModel::Dma);
    file.plan.source.operatingPoint = "VOS1 400";
    file.plan.bands = PlanBands{{0.5, 1, 2.25}, {1e-9, 2e-3, 7}};
    file.plan.points = {{"fast", SolveStatus::Optimal, false, true, file.plan.replay.energyJoules, 1.4, 0.25}, {"slow", SolveStatus::Infeasible, false, false, {}, 0.5, {}}, {"idle", SolveStatus::Stopped, true, false, {}, 9, {}}};
    const auto back = parsePlanFile(toJson(file), "plan.json");
    ASSERT_TRUE(back) << back.error().text();
    EXPECT_EQ(back->plan.source.operatingPoint, file.plan.source.operatingPoint);
    EXPECT_EQ(back->plan.bands, file.plan.bands);
    EXPECT_EQ(back->plan.points, file.plan.points);
    EXPECT_EQ(toJson(*back), toJson(file));
    auto other = ordered_json::parse(toJson(file));
    other["operating_points"][0]["energy_joules"] = file.plan.replay.energyJoules * 1.5;
    EXPECT_FALSE(parsePlanFile(other.dump(), "plan.json")) << "the chosen point is the plan's";
    file.plan.replay = {};
    file.plan.status = SolveStatus::Infeasible;
    file.plan.infeasible = InfeasibleReason{"too tight", "conv", 2097152, 1.25, 1000000, 1.0, {{"conv", 900}, {"workspace", 5}}, {"poet solve x --memory 2097152"}};
    const auto why = parsePlanFile(toJson(file), "plan.json");
    ASSERT_TRUE(why) << why.error().text();
    EXPECT_EQ(why->plan.infeasible, file.plan.infeasible);
    auto broken = ordered_json::parse(toJson(file));
    broken["bands"]["seconds"] = {1, 2};
    EXPECT_FALSE(parsePlanFile(broken.dump(), "plan.json"));
    broken = ordered_json::parse(toJson(file));
    broken["operating_points"][0]["status"] = "splendid";
    EXPECT_FALSE(parsePlanFile(broken.dump(), "plan.json"));
}

TEST(PlanFileFormat, figuresFollowTheirDefinition)
{
    const PlanFile file = anyPlan(5, TransferModel::Dma);
    const auto json = ordered_json::parse(toJson(file));
    const double energy = json.at("energy_joules");
    EXPECT_DOUBLE_EQ(json.at("overhead_joules"), energy - json.at("keep_all_energy_joules").get<double>());
    EXPECT_NEAR(json.at("gap_percent"), 10, 1e-9) << "the bound is 90 % of the energy";
    EXPECT_EQ(json.at("peak_bytes").get<std::int64_t>() + json.at("resident_bytes").get<std::int64_t>(), json.at("memory_bytes").get<std::int64_t>());
    EXPECT_EQ(json.at("graph").at("format"), "poet-graph");
    EXPECT_EQ(json.at("steps").size(), file.plan.replay.schedule.steps.size());
}

/// A file whose plan has transfers, recomputes and every figure above zero.
ordered_json richFile()
{
    for (std::uint32_t seed = 1;; ++seed) {
        const PlanFile file = anyPlan(seed, TransferModel::Blocking);
        const ReplayReport& report = file.plan.replay;
        if (report.recomputedNodes > 0 && report.pagedInBytes > 0 && file.graph.device.residentBytes > 0 && file.plan.overheadJoules() > 1e-3 * report.energyJoules)
            return ordered_json::parse(toJson(file));
    }
}

TEST(PlanFileFormat, tamperedNumbersAreRejectedByName)
{
    const ordered_json whole = richFile();
    ASSERT_TRUE(parsePlanFile(whole.dump(), "plan.json"));
    for (const char* key : {"energy_joules", "keep_all_energy_joules", "overhead_joules", "seconds", "keep_all_seconds", "peak_bytes", "resident_bytes",
                            "largest_working_set_bytes", "keep_all_peak_bytes", "paged_out_bytes", "paged_in_bytes", "recomputed_nodes", "overhead_percent",
                            "gap_percent"}) {
        SCOPED_TRACE(key);
        ordered_json changed = whole;
        ASSERT_TRUE(changed.at(key).is_number());
        if (changed.at(key).is_number_integer())
            changed[key] = changed.at(key).get<std::int64_t>() + std::max<std::int64_t>(1, changed.at(key).get<std::int64_t>() / 1000);
        else
            changed[key] = changed.at(key).get<double>() * 1.01;
        const auto read = parsePlanFile(changed.dump(), "plan.json");
        if (read) {
            ADD_FAILURE() << "accepted";
            continue;
        }
        EXPECT_EQ(read.error().code, ErrorCode::InvalidSchedule);
        EXPECT_NE(read.error().message.find("'" + std::string(key) + "'"), std::string::npos) << read.error().message;
    }
}

TEST(PlanFileFormat, roundingOfNumbersIsAllowed)
{
    ordered_json rounded = richFile();
    rounded["energy_joules"] = rounded.at("energy_joules").get<double>() * (1 + 1e-8);
    rounded["seconds"] = rounded.at("seconds").get<double>() * (1 - 1e-8);
    EXPECT_TRUE(parsePlanFile(rounded.dump(), "plan.json"));
}

TEST(PlanFileFormat, tamperedStepsAreRejected)
{
    const ordered_json whole = richFile();
    const std::size_t last = whole.at("steps").size() - 1;
    const std::vector<std::pair<std::string, std::function<void(ordered_json&)>>> changes{
        {"ram_bytes", [&](ordered_json& f) { f["steps"][last]["ram_bytes"] = f["steps"][last]["ram_bytes"].get<std::int64_t>() + 1; }},
        {"end", [&](ordered_json& f) { f["steps"][last]["end"] = f["steps"][last]["end"].get<double>() * 1.5; }},
        {"start", [&](ordered_json& f) { f["steps"][0]["start"] = f["seconds"]; }},
        {"no such node", [&](ordered_json& f) { f["steps"][last]["node"] = 1000000; }},
        {"Step", [&](ordered_json& f) { f["steps"].erase(f["steps"].begin()); }},
        {"must have 'steps'", [&](ordered_json& f) { f.erase("steps"); }},
        {"can have no 'steps'", [&](ordered_json& f) { f["status"] = "infeasible"; }},
    };
    for (const auto& [part, change] : changes) {
        SCOPED_TRACE(part);
        ordered_json changed = whole;
        change(changed);
        const auto read = parsePlanFile(changed.dump(), "plan.json");
        if (read) {
            ADD_FAILURE() << "accepted";
            continue;
        }
        EXPECT_EQ(read.error().code, ErrorCode::InvalidSchedule);
        EXPECT_NE(read.error().message.find(part), std::string::npos) << read.error().message;
    }
}

TEST(PlanFileFormat, stepsWithoutTimesAreComplete)
{
    ordered_json bare = richFile();
    const auto expected = parsePlanFile(bare.dump(), "whole").value();
    for (auto& step : bare["steps"])
        for (const char* key : {"start", "end", "ram_bytes"})
            step.erase(key);
    const auto read = parsePlanFile(bare.dump(), "bare");
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(read->plan.replay.schedule, expected.plan.replay.schedule);
}

TEST(PlanFileFormat, defectsOfTheFormatAreBadInputAtTheirPlace)
{
    const ordered_json whole = richFile();
    const std::vector<std::pair<std::string, std::function<void(ordered_json&)>>> changes{
        {"'version'", [](ordered_json& f) { f["version"] = 2; }},
        {"'format'", [](ordered_json& f) { f["format"] = "poet-graph"; }},
        {"'status'", [](ordered_json& f) { f["status"] = "fine"; }},
        {"'scope'", [](ordered_json& f) { f["scope"] = "half"; }},
        {"'strategy'", [](ordered_json& f) { f["strategy"] = "magic"; }},
        {"'transfer'", [](ordered_json& f) { f["transfer"] = 1; }},
        {"'memory_bytes'", [](ordered_json& f) { f["memory_bytes"] = -1; }},
        {"'graph'", [](ordered_json& f) { f.erase("graph"); }},
        {"graph: nodes[0]: 'bytes'", [](ordered_json& f) { f["graph"]["nodes"][0]["bytes"] = "x"; }},
        {"steps[0]: 'kind'", [](ordered_json& f) { f["steps"][0]["kind"] = "sleep"; }},
        {"steps[0]: 'mode'", [](ordered_json& f) { f["steps"][0]["mode"] = "now"; }},
        {"steps[0]: 'node'", [](ordered_json& f) { f["steps"][0]["node"] = -1; }},
        {"steps[0]: 'speed'", [](ordered_json& f) { f["steps"][0]["speed"] = 1; }},
        {"'steps'", [](ordered_json& f) { f["steps"] = 3; }},
        {"source: 'dims'", [](ordered_json& f) { f["source"]["dims"] = {1}; }},
        {"'colour'", [](ordered_json& f) { f["colour"] = "red"; }},
    };
    for (const auto& [part, change] : changes) {
        SCOPED_TRACE(part);
        ordered_json changed = whole;
        change(changed);
        const auto read = parsePlanFile(changed.dump(), "plan.json");
        if (read) {
            ADD_FAILURE() << "accepted";
            continue;
        }
        EXPECT_EQ(read.error().code, ErrorCode::BadModel);
        EXPECT_TRUE(read.error().message.starts_with("plan.json")) << read.error().message;
        EXPECT_NE(read.error().message.find(part), std::string::npos) << read.error().message;
    }
}

TEST(PlanFileFormat, damagedTextNeverCrashes)
{
    const std::string whole = richFile().dump();
    constexpr std::uint32_t seed = 23;
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    int accepted = 0;
    for (int i = 0; i < 1500; ++i) {
        std::string broken = whole;
        if (i % 3 == 0)
            broken.resize(random() % broken.size());
        else
            broken[random() % broken.size()] = static_cast<char>(random() % 2 == 0 ? random() : '0' + random() % 10);
        const auto read = parsePlanFile(broken, "plan.json");
        accepted += read ? 1 : 0;
        EXPECT_TRUE(read || !read.error().message.empty());
    }
    EXPECT_LT(accepted, 1000);
    // Deep nesting where an object is expected.
    for (const char* key : {"graph", "steps", "source"}) {
        const std::string deep = std::string(100000, '[') + std::string(100000, ']');
        EXPECT_FALSE(parsePlanFile(R"({"format":"poet-schedule","version":1,"status":"optimal","strategy":"integrated","transfer":"dma","memory_bytes":1,"graph":{"nodes":)" +
                                       deep + "},\"" + key + "\":" + deep + "}",
                                   "deep"));
        EXPECT_FALSE(parsePlanFile(R"({"format":"poet-schedule","version":1,"status":"optimal","strategy":"integrated","transfer":"dma","memory_bytes":1,"graph":{"nodes":)" + deep + "}}",
                                   "deep"));
    }
}

TEST(Steps, listsReadBackEqual)
{
    for (std::uint32_t seed = 1; seed <= 100; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        std::mt19937 random(seed);
        const CostGraph graph = testing::anyGraph(random);
        Schedule schedule = replay(graph, TransferModel::Dma, testing::anySchedule(graph, TransferModel::Dma, random)).value().schedule;
        schedule.steps.front().offset = 4096;
        const auto back = parseSteps(stepsToJson(schedule), "steps");
        ASSERT_TRUE(back) << back.error().text();
        EXPECT_EQ(*back, schedule);
    }
    EXPECT_EQ(parseSteps("[]", "steps").value(), Schedule{});
    for (const char* text : {"{}", "[1]", "[{}]", "[", R"([{"stage":0,"kind":"compute"}])"})
        EXPECT_FALSE(parseSteps(text, "steps")) << text;
}

}  // namespace
}  // namespace poet

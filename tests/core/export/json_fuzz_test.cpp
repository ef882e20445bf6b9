// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
// Every JSON reader against broken text: an answer or one sentence, never a crash, never a number that is none.
#include "core/device/measured_rows.h"
#include "core/device/profile_store.h"
#include "core/export/plan_file.h"
#include "core/export/sweep_file.h"
#include "tests/core/schedule/support/random_schedules.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <random>
#include <string>
#include <vector>

namespace poet {
namespace {

using nlohmann::ordered_json;

/// What is wrong with an answer; empty if nothing is.
std::string faultOf(const Error& error)
{
    if (error.message.empty())
        return "an error without a message";
    if (error.message.find('\n') != std::string::npos)
        return "a message of several lines: " + error.message;
    return error.code == ErrorCode::Internal ? "blamed on the program: " + error.message : "";
}

/// Reads `text`, and what was read once more from its own writing. Returns what is wrong.
using Reader = std::function<std::string(const std::string& text)>;

template <class Parse>
Reader twice(Parse parse)
{
    return [parse](const std::string& text) -> std::string {
        const auto first = parse(text);
        if (!first)
            return faultOf(first.error());
        const std::string written = toJson(*first);
        const auto second = parse(written);
        if (!second)
            return "its own writing is refused: " + second.error().text();
        return toJson(*second) == written ? "" : "does not read back equal";
    };
}

struct Format {
    std::string name;
    std::string valid;
    Reader read;
};

std::string validPlan()
{
    std::mt19937 random(5);
    PlanFile file;
    file.graph = testing::anyGraph(random);
    const ReplayReport keepAll = replay(file.graph, TransferModel::Blocking, keepAllSchedule(file.graph)).value();
    Plan& plan = file.plan;
    plan.transfer = TransferModel::Blocking;
    plan.status = SolveStatus::Feasible;
    plan.keepAllEnergyJoules = keepAll.energyJoules;
    plan.keepAllSeconds = keepAll.seconds;
    plan.keepAllPeakBytes = plan.memoryBytes = keepAll.peakBytes + file.graph.device.residentBytes;
    plan.replay = keepAll;
    plan.boundJoules = keepAll.energyJoules * 0.5;
    plan.source.dims = {"batch=8"};
    return toJson(file);
}

std::string validSweep()
{
    SweepFile file;
    file.graph = "net";
    file.residentBytes = 10;
    for (int i = 1; i <= 3; ++i) {
        SweepPoint point;
        point.memoryBytes = 1000 * i;
        point.status = SolveStatus::Feasible;
        point.energyJoules = 10.0 / i;
        point.boundJoules = 1.0 / i;
        point.peakBytes = 900 * i;
        point.seconds = 0.5;
        file.points.push_back(point);
    }
    return toJson(file);
}

const std::string kProfile = R"({"format": "poet-device", "version": 1, "id": "fuzzed", "name": "Fuzzed", "class": "user", "power_scope": "chip",
 "memory": [{"name": "sram", "kind": "sram", "bytes": {"value": 64, "unit": "KiB", "origin": "datasheet"}}],
 "operating_points": [{"name": "fast", "frequency": {"value": 100, "unit": "MHz", "origin": "datasheet"},
  "active_power": {"value": 20, "unit": "mW", "origin": "measured"}, "idle_power": {"value": 4, "unit": "mW", "origin": "measured"}}],
 "rates": [{"library": "plain", "type": "f32", "cycles_per_flop": {"value": 5, "unit": "cycle/FLOP", "origin": "estimated"}}],
 "transfer": {"model": ["blocking"]},
 "stores": [{"id": "card", "kind": "sd", "block": 512, "write_latency": {"value": 1, "unit": "ms", "origin": "measured"},
  "write_bandwidth": {"value": 10, "unit": "MB/s", "origin": "measured"}, "read_bandwidth": {"value": 20, "unit": "MB/s", "origin": "measured"}}],
 "measured": [{"op": "Conv", "shape": "x=1", "seconds": 0.01, "joules": 0.001, "count": 3}]})";

const std::string kRows = R"({"device": "fuzzed", "clock_hz": 1e8, "rows": [{"op": "Conv", "type": "f32", "shape": "x=1x2", "cycles": 1000, "count": 10},
 {"op": "store.read", "shape": "bytes=4096", "seconds": 0.001, "seconds_sd": 0.0001}]})";

std::vector<Format> formats()
{
    std::mt19937 random(7);
    const auto profile = [](const std::string& text) -> Expected<DeviceProfile> {
        POET_TRY(read, ProfileStore().parse(text, "fuzz", "."));
        return std::move(read.profile);
    };
    const Reader rows = [](const std::string& text) {
        const auto read = parseMeasuredRows(text, "fuzz");
        if (!read)
            return faultOf(read.error());
        for (const MeasuredRow& row : *read)
            if (!(row.seconds >= 0 && row.seconds < 1e7))
                return "a time of " + std::to_string(row.seconds) + " s";
        return std::string();
    };
    return {{"graph", toJson(testing::anyGraph(random)), twice([](const std::string& text) { return parseCostGraph(text, "fuzz"); })},
            {"plan", validPlan(), twice([](const std::string& text) { return parsePlanFile(text, "fuzz"); })},
            {"sweep", validSweep(), twice([](const std::string& text) { return parseSweepFile(text, "fuzz"); })},
            {"profile", kProfile, twice(profile)},
            {"rows", kRows, rows}};
}

/// Values that files of careless programs hold.
ordered_json oddValue(std::mt19937& random)
{
    switch (random() % 14) {
    case 0: return nullptr;
    case 1: return true;
    case 2: return -1;
    case 3: return 0;
    case 4: return 1e308;
    case 5: return 5e-324;
    case 6: return std::int64_t{9223372036854775807};
    case 7: return std::uint64_t{18446744073709551615U};
    case 8: return "";
    case 9: return "\xC3\xA9\x01 odd";
    case 10: return ordered_json::array();
    case 11: return ordered_json::object();
    case 12: return 0.5;
    default: return ordered_json::array({ordered_json::array({1, nullptr})});
    }
}

void collect(ordered_json& value, std::vector<ordered_json*>& all)
{
    all.push_back(&value);
    if (value.is_structured())
        for (auto& item : value)
            collect(item, all);
}

/// Replaces, removes or doubles one member somewhere.
std::string changedTree(const std::string& valid, std::mt19937& random)
{
    ordered_json tree = ordered_json::parse(valid);
    std::vector<ordered_json*> all;
    collect(tree, all);
    ordered_json& chosen = *all[random() % all.size()];
    if (chosen.is_object() && !chosen.empty() && random() % 2 == 0)
        chosen.erase(std::next(chosen.begin(), static_cast<std::ptrdiff_t>(random() % chosen.size())));
    else if (chosen.is_array() && !chosen.empty() && random() % 2 == 0)
        chosen.push_back(chosen[random() % chosen.size()]);
    else
        chosen = oddValue(random);
    return tree.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

/// Breaks the text itself: cut off, overwritten, truncated UTF-8, a key twice, numbers that JSON has not, deep nesting.
std::string changedText(std::string text, std::mt19937& random)
{
    const std::size_t at = random() % text.size();
    switch (random() % 7) {
    case 0: return text.substr(0, at);
    case 1: text[at] = static_cast<char>(random() % 256); return text;
    case 2: return text.insert(at, "\xE2\x82");
    case 3: return text.insert(text.find('{') + 1, "\"version\": 1, \"nodes\": [], ");
    case 4: return text.insert(at, std::string(100000, '['));
    case 5:
        if (const auto colon = text.find(": ", at); colon != std::string::npos)
            text.insert(colon + 2, random() % 2 == 0 ? "NaN, \"x\": " : "1e999, \"x\": ");
        return text;
    default: return text.erase(at, random() % 40);
    }
}

TEST(JsonFuzz, readersAnswerWhateverTheyAreGiven)
{
    const std::uint32_t seed = 20261130;
    for (const Format& format : formats()) {
        std::mt19937 random(seed);
        ASSERT_EQ(format.read(format.valid), "") << format.name;
        for (int round = 0; round < 1500; ++round) {
            std::string text = random() % 3 == 0 ? changedText(format.valid, random) : changedTree(format.valid, random);
            const std::string fault = format.read(text);
            ASSERT_EQ(fault, "") << format.name << ", seed " << seed << ", round " << round << ":\n" << text.substr(0, 3000);
        }
    }
}

}  // namespace
}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
// The import report of the real command: for people, as JSON, and what freezing saves in it and in a solved plan.
#include "tests/app/support/run_poet.h"

#include "core/export/plan_file.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace poet {
namespace {

using nlohmann::json;
using poet::testing::Outcome;
using poet::testing::runPoet;

const std::string kInspectedModel = POET_SOURCE_DIR "/examples/lenet5.onnx";

json inspectJson(std::vector<std::string> arguments)
{
    arguments.insert(arguments.begin(), {"inspect", kInspectedModel, "--json"});
    const Outcome run = runPoet(arguments);
    EXPECT_EQ(run.exit, 0) << run.errors;
    return json::parse(run.output);
}

TEST(InspectCommand, textAndJsonSayTheSame)
{
    const json report = inspectJson({"--device", "rpi4b"});
    const Outcome text = runPoet({"inspect", kInspectedModel, "--device", "rpi4b"});
    ASSERT_EQ(text.exit, 0) << text.errors;
    for (const char* part : {"Memory\n", "One keep-all step\n", "Work\n", "Operators, bytes kept\n", "Read\n", "Folded\n", "Recognised\n",
                             "Taken conservatively\n", "Refused\n", "per byte moved"})
        EXPECT_NE(text.output.find(part), std::string::npos) << part;
    EXPECT_NE(text.output.find(" at " + report.at("largest_working_set_node").get<std::string>()), std::string::npos);
    for (const auto& [op, count] : report.at("operators").items())
        EXPECT_NE(text.output.find("  " + op + " "), std::string::npos) << op;
    EXPECT_EQ(report.at("treatment").size(), report.at("operators").size() + 1) << "views are treated, too: Flatten";
    std::size_t notes = 0;
    for (const auto& [kind, list] : report.at("import").items()) {
        notes += list.size();
        for (const json& note : list)
            EXPECT_NE(text.output.find(note.get<std::string>()), std::string::npos) << note;
    }
    EXPECT_EQ(notes, report.at("notes").size());
    EXPECT_FALSE(report.contains("freezing")) << "nothing is frozen";
}

/// The figures with nothing frozen are those of the same command without --freeze, whatever else was chosen.
TEST(InspectCommand, frozenLayersAreComparedWithTrainingEverything)
{
    const std::vector<std::string> others{"--device", "nrf52840", "--optimizer", "adam", "--loss", "mse"};
    std::vector<std::string> frozen = others;
    frozen.insert(frozen.end(), {"--freeze", "last:1"});
    const json part = inspectJson(frozen), whole = inspectJson(others);
    const json& saved = part.at("freezing");
    for (const char* key : {"keep_all_peak_bytes", "largest_working_set_bytes", "resident_bytes", "keep_all_seconds", "keep_all_energy_joules"}) {
        EXPECT_EQ(saved.at("nothing_frozen").at(key), whole.at(key)) << key;
        EXPECT_EQ(saved.at("frozen").at(key), part.at(key)) << key;
        EXPECT_LT(part.at(key), whole.at(key)) << key;
    }
    EXPECT_EQ(saved.at("nothing_frozen").at("saved_activation_bytes"), whole.at("saved").at("activation_bytes"));
    EXPECT_LT(saved.at("frozen").at("saved_activation_bytes"), whole.at("saved").at("activation_bytes"));
    std::vector<std::string> arguments{"inspect", kInspectedModel};
    arguments.insert(arguments.end(), frozen.begin(), frozen.end());
    const Outcome text = runPoet(arguments);
    EXPECT_NE(text.output.find("Freezing saves\n"), std::string::npos) << text.output;
    const json withoutDevice = inspectJson({"--freeze", "last:1"});
    EXPECT_TRUE(withoutDevice.at("freezing").at("frozen").at("keep_all_seconds").is_null());
}

TEST(InspectCommand, solvedPlansSayWhatFreezingSaves)
{
    const std::vector<std::string> arguments{"solve", kInspectedModel, "--device", "nrf52840", "--memory", "90%span", "--freeze", "last:1"};
    const Outcome text = runPoet(arguments);
    ASSERT_EQ(text.exit, 0) << text.errors;
    EXPECT_NE(text.output.find("freezing saves"), std::string::npos) << text.output;
    std::vector<std::string> asJson = arguments;
    asJson.push_back("--json");
    const Outcome run = runPoet(asJson);
    ASSERT_EQ(run.exit, 0) << run.errors;
    const auto file = parsePlanFile(run.output, "plan");
    ASSERT_TRUE(file.has_value()) << file.error().text();
    ASSERT_TRUE(file->plan.freezing);
    EXPECT_EQ(file->plan.freezing->frozen.keepAllPeakBytes, file->plan.keepAllPeakBytes);
    EXPECT_EQ(file->plan.freezing->whole.keepAllPeakBytes, inspectJson({"--device", "nrf52840"}).at("keep_all_peak_bytes").get<std::int64_t>());
    EXPECT_EQ(parsePlanFile(toJson(*file), "again")->plan.freezing, file->plan.freezing);
    const Outcome plain = runPoet({"solve", kInspectedModel, "--device", "nrf52840", "--memory", "90%span"});
    EXPECT_EQ(plain.output.find("freezing"), std::string::npos);
}

TEST(InspectCommand, aCostGraphHasAReportWithoutAModel)
{
    const Outcome run = runPoet({"inspect", POET_SOURCE_DIR "/examples/residual.graph.json"});
    ASSERT_EQ(run.exit, 0) << run.errors;
    EXPECT_NE(run.output.find("keep-all peak"), std::string::npos);
    EXPECT_EQ(run.output.find("Refused"), std::string::npos);
}

}  // namespace
}  // namespace poet

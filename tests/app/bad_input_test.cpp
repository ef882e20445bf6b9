// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "tests/app/support/run_poet.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

namespace poet {
namespace {

using testing::example;
using testing::Outcome;
using testing::runPoet;
using testing::TemporaryFolder;

const std::string kGraph = example("residual.graph.json");
const std::string kModel = example("lenet5.onnx");

/// One sentence on stderr, nothing else, and the exit code of bad input.
void expectRefused(const Outcome& run, const std::string& part = {})
{
    EXPECT_EQ(run.exit, 2);
    EXPECT_TRUE(run.errors.starts_with("poet: ")) << run.errors;
    EXPECT_EQ(std::count(run.errors.begin(), run.errors.end(), '\n'), 1) << run.errors;
    EXPECT_TRUE(run.errors.ends_with(".\n")) << run.errors;
    EXPECT_NE(run.errors.find(part), std::string::npos) << part << " in: " << run.errors;
    EXPECT_EQ(run.output, "");
}

TEST(BadInput, optionsAreNamedAndNothingIsWritten)
{
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
        {{"solve", kGraph, "--memory", "lots"}, "'lots'"},
        {{"solve", kGraph, "--memory", "-1"}, "-1"},
        {{"solve", kGraph, "--memory", "1e999"}, "'1e999'"},
        {{"solve", kGraph, "--memory", "nan"}, "'nan'"},
        {{"solve", kGraph, "--memory", "50 KiX"}, "KiX"},
        {{"solve", kGraph, "--memory", "50%", "--deadline", "soon"}, "'soon'"},
        {{"solve", kGraph, "--memory", "50%", "--gap", "little"}, "'little'"},
        {{"solve", kGraph, "--memory", "50%", "--time-limit", "long"}, "'long'"},
        {{"solve", kGraph, "--memory", "50%", "--strategy", "magic"}, "'magic'"},
        {{"solve", kGraph, "--memory", "50%", "--transfer", "usb"}, "'usb'"},
        {{"solve", kGraph, "--memory", "50%", "--start", "/nowhere/plan.json"}, "/nowhere/plan.json"},
        {{"solve", kModel, "--memory", "50%"}, "--device"},
        {{"solve", kModel, "--memory", "50%", "--device", "nosuch"}, "nosuch"},
        {{"solve", kModel, "--memory", "50%", "--device", "/nowhere/device.json"}, "/nowhere/device.json"},
        {{"solve", kModel, "--memory", "50%", "--device", kGraph}, "residual.graph.json"},
        {{"solve", kModel, "--memory", "50%", "--device", "nrf52840", "--operating-point", "warp"}, "warp"},
        {{"solve", kModel, "--memory", "50%", "--device", "nrf52840", "--dim", "nosuch=3"}, "nosuch"},
        {{"solve", kModel, "--memory", "50%", "--device", "nrf52840", "--dim", "batch=0"}, "batch=0"},
        {{"solve", kModel, "--memory", "50%", "--device", "nrf52840", "--dim", "batch"}, "batch"},
        {{"solve", kModel, "--memory", "50%", "--device", "nrf52840", "--loss", "hinge"}, "hinge"},
        {{"solve", kModel, "--memory", "50%", "--device", "nrf52840", "--optimizer", "lion"}, "lion"},
        {{"solve", kModel, "--memory", "50%", "--device", "nrf52840", "--type", "i3"}, "i3"},
        {{"solve", kModel, "--memory", "50%", "--device", "nrf52840", "--freeze", "nosuch*"}, "nosuch*"},
        {{"solve", "/nowhere/model.onnx", "--memory", "50%", "--device", "nrf52840"}, "/nowhere/model.onnx"},
        {{"solve", POET_SOURCE_DIR, "--memory", "50%", "--device", "nrf52840"}, POET_SOURCE_DIR},
    };
    const TemporaryFolder folder;
    for (const auto& [arguments, part] : cases) {
        std::string line;
        for (const std::string& word : arguments)
            line += word + " ";
        SCOPED_TRACE(line);
        auto whole = arguments;
        whole.insert(whole.end(), {"--output", folder.file("plan.json")});
        expectRefused(runPoet(whole), part);
        EXPECT_EQ(folder.names(), std::vector<std::string>{}) << "no file may be left";
    }
}

TEST(BadInput, commandsNeedTheirArguments)
{
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{}, {"fly"}, {"solve"}, {"solve", kGraph}, {"verify"}, {"sweep"}, {"sweep", kGraph, "--over", "moon"}, {"sweep", kGraph, "--points", "0"},
          {"sweep", kGraph, "--over", "deadline"}, {"solve", kGraph, "--memory", "50%", "--frobnicate"}, {"solve", kGraph, "--memory", "50%", "--threads", "x"}})
        EXPECT_EQ(runPoet(arguments).exit, 2) << (arguments.empty() ? "no arguments" : arguments.back());
}

TEST(BadInput, outputThatCannotBeWrittenIsNamed)
{
    const TemporaryFolder folder;
    const Outcome nowhere = runPoet({"solve", kGraph, "--memory", "100%", "--json", "--output", folder.file("no/such/plan.json")});
    EXPECT_EQ(nowhere.exit, 2);
    EXPECT_NE(nowhere.errors.find("no/such/plan.json"), std::string::npos) << nowhere.errors;
    std::filesystem::create_directories(folder.file("taken/inside"));
    EXPECT_EQ(runPoet({"solve", kGraph, "--memory", "100%", "--output", folder.file("taken")}).exit, 2);
    EXPECT_EQ(folder.names(), std::vector<std::string>{"taken"});
    EXPECT_EQ(runPoet({"sweep", kGraph, "--points", "2", "--output", folder.file("no/sweep.json")}).exit, 2);
}

TEST(BadInput, costGraphsAreReadStrictly)
{
    const std::string whole = readFile(kGraph).value();
    const auto changed = [&](const std::string& old, const std::string& fresh) {
        std::string text = whole;
        const auto at = text.find(old);
        EXPECT_NE(at, std::string::npos) << old;
        return text.replace(at, old.size(), fresh);
    };
    const std::vector<std::pair<std::string, std::string>> cases{
        {changed("\"joules\": 0.000357", "\"joules\": NaN"), "JSON"},
        {changed("\"joules\": 0.000357", "\"joules\": 1e999"), "1e999"},
        {changed("\"joules\": 0.000357", "\"joules\": -1"), "nodes[1]"},
        {changed("\"bytes\": 16384", "\"bytes\": -16384"), "nodes[1]"},
        {changed("\"inputs\": [0]", "\"inputs\": [19]"), "cycle"},
        {changed("\"inputs\": [0]", "\"inputs\": [77]"), "77"},
        {changed("\"version\": 1", "\"version\": 2"), "version"},
        {changed("\"recomputable\": true", "\"recomputeable\": true"), "recomputeable"},
        {"", "JSON"},
        {"null", "object"},
        {"{\"format\":\"poet-graph\",\"version\":1,\"nodes\":[]}", "nodes"},
        {std::string(100000, '['), "JSON"},
        {std::string("\x7f" "ELF\0\1\2", 7), "JSON"},
    };
    const TemporaryFolder folder;
    for (const auto& [text, part] : cases) {
        SCOPED_TRACE(part);
        expectRefused(runPoet({"solve", folder.write("broken.json", text), "--memory", "50%", "--json", "--output", folder.file("plan.json")}), part);
        expectRefused(runPoet({"sweep", "-", "--points", "2", "--output", folder.file("sweep.json")}, text), part);
        EXPECT_EQ(folder.names(), std::vector<std::string>{"broken.json"});
    }
    for (std::size_t cut = 1; cut < whole.size() - 2; cut += whole.size() / 15)
        expectRefused(runPoet({"solve", folder.write("broken.json", whole.substr(0, cut)), "--memory", "50%"}), "broken.json");
}

TEST(BadInput, damagedOnnxFilesAreRefusedWithoutACrash)
{
    constexpr std::uint32_t seed = 31;
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    const std::string whole = readFile(kModel).value();
    const TemporaryFolder folder;
    const auto solve = [&](const std::string& content) {
        return runPoet({"solve", folder.write("broken.onnx", content), "--device", "nrf52840", "--memory", "50%", "--json", "--output", folder.file("plan.json")});
    };
    for (std::size_t cut = 0; cut < whole.size(); cut += whole.size() / 17) {
        SCOPED_TRACE("cut at " + std::to_string(cut));
        expectRefused(solve(whole.substr(0, cut)), "broken.onnx");
    }
    for (int i = 0; i < 8; ++i) {
        std::string noise(1 + random() % 3000, '\0');
        std::generate(noise.begin(), noise.end(), [&] { return static_cast<char>(random()); });
        expectRefused(solve(noise), "broken.onnx");
    }
    EXPECT_EQ(folder.names(), std::vector<std::string>{"broken.onnx"});
    for (int i = 0; i < 25; ++i) {
        std::string flipped = whole;
        flipped[random() % flipped.size()] = static_cast<char>(random());
        const Outcome run = solve(flipped);
        EXPECT_TRUE(run.exit == 0 || run.exit == 2 || run.exit == 3) << "flip " << i << ": " << run.exit << " " << run.errors;
        EXPECT_EQ(run.exit == 0, run.errors.empty()) << run.errors;
    }
}

TEST(BadInput, damagedDeviceFilesAreRefused)
{
    const std::string whole = readFile(POET_SOURCE_DIR "/resources/devices/nrf52840.json").value();
    const TemporaryFolder folder;
    for (const std::string& text : {std::string(), std::string("[]"), whole.substr(0, whole.size() / 2), std::string("{\"id\":\"x\"}")})
        expectRefused(runPoet({"solve", kModel, "--memory", "50%", "--device", folder.write("mine.json", text)}), "mine.json");
}

}  // namespace
}  // namespace poet

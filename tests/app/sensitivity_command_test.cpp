// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <string>

namespace poet {
namespace {

struct Outcome {
    int exit = -1;
    std::string output;
};

/// Runs `poet ARGUMENTS`, both streams together.
Outcome poet(const std::string& arguments)
{
    Outcome outcome;
    FILE* pipe = popen((std::string("POET_RESOURCES=" POET_SOURCE_DIR "/resources ") + POET_COMMAND + " " + arguments + " 2>&1").c_str(), "r");
    if (!pipe)
        return outcome;
    std::array<char, 4096> buffer{};
    while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe))
        outcome.output.append(buffer.data(), count);
    outcome.exit = pclose(pipe) / 256;
    return outcome;
}

TEST(SensitivityCommand, saysHowSureAPlanIsAndWhenAnotherIsBetter)
{
    const auto folder = std::filesystem::path(testing::TempDir()) / "poet_sensitivity_command_test";
    std::filesystem::create_directories(folder);
    const std::string recompute = (folder / "recompute.json").string();
    const std::string paging = (folder / "paging.json").string();
    const std::string solve = "solve " POET_SOURCE_DIR "/examples/dscnn_kws.onnx --device nrf52840 --memory 50%span --time-limit 20s --output ";
    ASSERT_EQ(poet(solve + recompute + " --strategy recompute").exit, 0);
    ASSERT_EQ(poet(solve + paging + " --strategy paging").exit, 0);
    const std::string ask = "sensitivity " + recompute + " " + paging + " --samples 200 --number 'rates[plain/f32].cycles_per_flop'";
    const Outcome text = poet(ask);
    EXPECT_EQ(text.exit, 0) << text.output;
    for (const char* part : {"10-90 % band", "rates[plain/f32].cycles_per_flop", "stays optimal among the known plans", "not verified"})
        EXPECT_NE(text.output.find(part), std::string::npos) << part << "\n" << text.output;
    const Outcome json = poet(ask + " --json");
    EXPECT_EQ(json.exit, 0);
    EXPECT_EQ(json.output, poet(ask + " --json").output) << "same seed, same answer";
    EXPECT_NE(json.output, poet(ask + " --json --seed 2").output);
    EXPECT_EQ(poet("sensitivity " + recompute + " --number nosuch").exit, 2);
    EXPECT_EQ(poet("sensitivity /nowhere.json").exit, 2);
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace poet

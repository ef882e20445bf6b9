// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "core/device/profile_store.h"

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
    Outcome run;
    FILE* pipe = popen((std::string("POET_RESOURCES=" POET_SOURCE_DIR "/resources ") + POET_COMMAND + " " + arguments + " 2>&1").c_str(), "r");
    if (!pipe)
        return run;
    std::array<char, 4096> buffer{};
    while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe))
        run.output.append(buffer.data(), count);
    run.exit = pclose(pipe) / 256;
    return run;
}

TEST(DevicesCommand, listsAllProfiles)
{
    const Outcome table = poet("devices");
    EXPECT_EQ(table.exit, 0);
    for (const char* id : {"paper-m0", "paper-tx2", "rpi4b", "nrf52840", "esp32s3", "laptop-class"})
        EXPECT_NE(table.output.find(id), std::string::npos) << id;
    const Outcome json = poet("devices --json");
    EXPECT_EQ(json.exit, 0);
    EXPECT_EQ(json.output.front(), '[');
    EXPECT_NE(json.output.find("\"id\": \"stm32h743\""), std::string::npos);
}

TEST(DeviceCommand, showsProvenanceNotesAndBreakEven)
{
    const Outcome paper = poet("device paper-a72");
    EXPECT_EQ(paper.exit, 0);
    for (const char* text : {"rates[published/f32].flop_per_joule", "measured", "1.6283e9/(13.53 x 0.6 x 5)", "implies 49.9 W", "502.4"})
        EXPECT_NE(paper.output.find(text), std::string::npos) << text;
    const Outcome corrected = poet("device nrf52840");
    for (const char* text : {"10 mW", "not verified", "x/2", "3.3 mA x 3.0 V", "64MHz-ldo"})
        EXPECT_NE(corrected.output.find(text), std::string::npos) << text;
}

TEST(DeviceCommand, jsonReadsBackAsAProfile)
{
    const Outcome json = poet("device cm4 --json");
    ASSERT_EQ(json.exit, 0);
    const auto read = ProfileStore(POET_SOURCE_DIR "/resources").parse(json.output, "output", {});
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(read->profile.operatingPoints.front().activePower.value, 5.2);
}

TEST(DeviceCommand, unknownDevicesAreBadInput)
{
    const Outcome unknown = poet("device nosuch");
    EXPECT_EQ(unknown.exit, 2);
    EXPECT_NE(unknown.output.find("nosuch"), std::string::npos);
    EXPECT_EQ(poet("device /nowhere.json").exit, 2);
    EXPECT_EQ(poet("device").exit, 2);
    EXPECT_EQ(poet("device calibrate nrf52840").exit, 2);
}

TEST(DeviceCommand, calibrateWritesAProfileThatPlans)
{
    const auto folder = std::filesystem::path(testing::TempDir()) / "poet_device_command_test";
    std::filesystem::create_directories(folder);
    const auto rows = folder / "rows.csv";
    const auto mine = folder / "mine.json";
    ASSERT_TRUE(writeFile(rows, "# device=nrf52840 operating_point=64MHz-dcdc clock_hz=64e6\nop,type,shape,seconds,joules,cycles,count\n"
                                "Conv,f32,x=1,,,640000,10\nstore.write,-,bytes=4096,0.0025,,,1\nstore.write,-,bytes=8192,0.0035,,,1\n"
                                "store.write,-,bytes=16384,0.0055,,,1\n"));
    const Outcome done = poet("device calibrate nrf52840 " + rows.string() + " -o " + mine.string());
    EXPECT_EQ(done.exit, 0) << done.output;
    const Outcome shown = poet("device " + mine.string());
    EXPECT_EQ(shown.exit, 0) << shown.output;
    EXPECT_NE(shown.output.find("nrf52840-calibrated"), std::string::npos);
    EXPECT_NE(shown.output.find("1.5 ms"), std::string::npos) << shown.output;
    EXPECT_NE(shown.output.find("measured rows: 1"), std::string::npos);
    ASSERT_TRUE(writeFile(rows, "op,type,shape,seconds\nConv,f32,x=1,fast\n"));
    const Outcome broken = poet("device calibrate nrf52840 " + rows.string() + " -o " + mine.string());
    EXPECT_EQ(broken.exit, 2);
    EXPECT_NE(broken.output.find("line 2"), std::string::npos) << broken.output;
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace poet

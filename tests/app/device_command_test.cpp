// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "core/device/profile_store.h"
#include "tests/app/support/run_poet.h"

#include <gtest/gtest.h>

#include <string>

namespace poet {
namespace {

using testing::Outcome;
using testing::runPoet;
using testing::TemporaryFolder;

TEST(DevicesCommand, listsAllProfiles)
{
    const Outcome table = runPoet({"devices"});
    EXPECT_EQ(table.exit, 0);
    for (const char* id : {"paper-m0", "paper-tx2", "rpi4b", "nrf52840", "esp32s3", "laptop-class"})
        EXPECT_NE(table.output.find(id), std::string::npos) << id;
    const Outcome json = runPoet({"devices", "--json"});
    EXPECT_EQ(json.exit, 0);
    EXPECT_EQ(json.output.front(), '[');
    EXPECT_NE(json.output.find("\"id\": \"stm32h743\""), std::string::npos);
}

TEST(DeviceCommand, showsProvenanceNotesAndBreakEven)
{
    const Outcome paper = runPoet({"device", "paper-a72"});
    EXPECT_EQ(paper.exit, 0);
    for (const char* text : {"rates[published/f32].flop_per_joule", "measured", "1.6283e9/(13.53 x 0.6 x 5)", "implies 49.9 W", "502.4"})
        EXPECT_NE(paper.output.find(text), std::string::npos) << text;
    const Outcome corrected = runPoet({"device", "nrf52840"});
    for (const char* text : {"10 mW", "not verified", "x/2", "3.3 mA x 3.0 V", "64MHz-ldo"})
        EXPECT_NE(corrected.output.find(text), std::string::npos) << text;
}

TEST(DeviceCommand, jsonReadsBackAsAProfile)
{
    const Outcome json = runPoet({"device", "cm4", "--json"});
    ASSERT_EQ(json.exit, 0);
    const auto read = ProfileStore(POET_SOURCE_DIR "/resources").parse(json.output, "output", {});
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(read->profile.operatingPoints.front().activePower.value, 5.2);
}

TEST(DeviceCommand, unknownDevicesAreBadInput)
{
    const Outcome unknown = runPoet({"device", "nosuch"});
    EXPECT_EQ(unknown.exit, 2);
    EXPECT_NE(unknown.errors.find("nosuch"), std::string::npos);
    EXPECT_EQ(runPoet({"device", "/nowhere.json"}).exit, 2);
    EXPECT_EQ(runPoet({"device"}).exit, 2);
    EXPECT_EQ(runPoet({"device", "calibrate", "nrf52840"}).exit, 2);
}

TEST(DeviceCommand, calibrateWritesAProfileThatPlans)
{
    const TemporaryFolder folder;
    const std::string rows = folder.file("rows.csv");
    const std::string mine = folder.file("mine.json");
    ASSERT_TRUE(writeFile(rows, "# device=nrf52840 operating_point=64MHz-dcdc clock_hz=64e6\nop,type,shape,seconds,joules,cycles,count\n"
                                "Conv,f32,x=1,,,640000,10\nstore.write,-,bytes=4096,0.0025,,,1\nstore.write,-,bytes=8192,0.0035,,,1\n"
                                "store.write,-,bytes=16384,0.0055,,,1\n"));
    const Outcome done = runPoet({"device", "calibrate", "nrf52840", rows, "-o", mine});
    EXPECT_EQ(done.exit, 0) << done.errors;
    const Outcome shown = runPoet({"device", mine});
    EXPECT_EQ(shown.exit, 0) << shown.errors;
    EXPECT_NE(shown.output.find("nrf52840-calibrated"), std::string::npos);
    EXPECT_NE(shown.output.find("1.5 ms"), std::string::npos) << shown.output;
    EXPECT_NE(shown.output.find("measured rows: 1"), std::string::npos);
    ASSERT_TRUE(writeFile(rows, "op,type,shape,seconds\nConv,f32,x=1,fast\n"));
    const Outcome broken = runPoet({"device", "calibrate", "nrf52840", rows, "-o", mine});
    EXPECT_EQ(broken.exit, 2);
    EXPECT_NE(broken.errors.find("line 2"), std::string::npos) << broken.errors;
}

}  // namespace
}  // namespace poet

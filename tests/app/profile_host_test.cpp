// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "core/device/measured_rows.h"
#include "tests/app/support/run_poet.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>

namespace poet {
namespace {

using testing::example;
using testing::Outcome;
using testing::runPoet;
using testing::TemporaryFolder;

TEST(ProfileHost, measuresThisMachineForAProfileThatPlans)
{
    const TemporaryFolder folder;
    const std::string mine = folder.file("mine.json");
    const std::string csv = folder.file("rows.csv");
    const std::string model = example("lenet5.onnx");
    const Outcome run = runPoet({"profile-host", model, "--steps", "3", "-o", mine, "--rows", csv, "--store-folder", folder.file(""), "--idle-seconds", "0"});
    if (run.errors.find("is not installed") != std::string::npos)
        GTEST_SKIP() << run.errors;
    ASSERT_EQ(run.exit, 0) << run.errors << run.output;
    EXPECT_TRUE(run.output.find("RAPL") != std::string::npos) << "where the energy comes from is said: " << run.output;
    const auto rows = parseMeasuredRows(readFile(csv).value(), csv);
    ASSERT_TRUE(rows) << rows.error().text();
    EXPECT_GT(std::ranges::count_if(*rows, [](const MeasuredRow& row) { return row.op.starts_with("Conv") && row.seconds > 0; }), 1);
    EXPECT_GT(std::ranges::count_if(*rows, &MeasuredRow::isStore), 5);
    // The rows are what the plan counts: every operator was measured.
    const Outcome solved = runPoet({"solve", model, "--device", mine, "--memory", "100%", "--json"});
    ASSERT_EQ(solved.exit, 0) << solved.errors;
    const auto plan = nlohmann::ordered_json::parse(solved.output);
    double measured = 0;
    for (const MeasuredRow& row : *rows)
        if (!row.isStore() && !row.isIdle())
            measured += row.seconds;
    EXPECT_GE(plan.at("keep_all_seconds").get<double>(), measured * 0.999) << "shapes may occur twice, none may be missing";
    const Outcome calibrated = runPoet({"device", "calibrate", "laptop-class", csv, "-o", folder.file("again.json")});
    EXPECT_EQ(calibrated.exit, 0) << calibrated.errors;
    EXPECT_EQ(folder.names(), (std::vector<std::string>{"again.json", "mine.json", "rows.csv"})) << "the store's file is gone";
}

TEST(ProfileHost, saysWhatItNeeds)
{
    EXPECT_EQ(runPoet({"profile-host", example("lenet5.onnx")}).exit, 2) << "nothing to write";
    EXPECT_EQ(runPoet({"profile-host", example("residual.graph.json"), "--rows", "/tmp/never.csv"}).exit, 2) << "no operators";
}

}  // namespace
}  // namespace poet

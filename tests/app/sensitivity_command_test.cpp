// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/support/run_poet.h"

#include <gtest/gtest.h>

#include <string>

namespace poet {
namespace {

using testing::Outcome;
using testing::runPoet;
using testing::TemporaryFolder;

TEST(SensitivityCommand, saysHowSureAPlanIsAndWhenAnotherIsBetter)
{
    const TemporaryFolder folder;
    const std::string recompute = folder.file("recompute.json");
    const std::string paging = folder.file("paging.json");
    for (const std::string& strategy : {std::string("recompute"), std::string("paging")})
        ASSERT_EQ(runPoet({"solve", testing::example("dscnn_kws.onnx"), "--device", "nrf52840", "--memory", "50%span", "--time-limit", "20s", "--output",
                           folder.file(strategy + ".json"), "--strategy", strategy})
                      .exit,
                  0);
    const auto ask = [&](std::vector<std::string> more) {
        std::vector<std::string> arguments{"sensitivity", recompute, paging, "--samples", "200", "--number", "rates[plain/f32].cycles_per_flop"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return runPoet(arguments);
    };
    const Outcome text = ask({});
    EXPECT_EQ(text.exit, 0) << text.errors;
    for (const char* part : {"10-90 % band", "rates[plain/f32].cycles_per_flop", "stays optimal among the known plans", "not verified"})
        EXPECT_NE(text.output.find(part), std::string::npos) << part << "\n" << text.output;
    const Outcome json = ask({"--json"});
    EXPECT_EQ(json.exit, 0);
    EXPECT_EQ(json.output, ask({"--json"}).output) << "same seed, same answer";
    EXPECT_NE(json.output, ask({"--json", "--seed", "2"}).output);
    EXPECT_EQ(runPoet({"sensitivity", recompute, "--number", "nosuch"}).exit, 2);
    EXPECT_EQ(runPoet({"sensitivity", "/nowhere.json"}).exit, 2);
}

}  // namespace
}  // namespace poet

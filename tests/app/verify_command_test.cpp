// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "tests/app/support/run_poet.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <string>

namespace poet {
namespace {

using nlohmann::ordered_json;
using testing::example;
using testing::Outcome;
using testing::runPoet;
using testing::TemporaryFolder;

/// A solved plan that all tests of this file share.
class VerifyCommand : public ::testing::Test {
protected:
    static void SetUpTestSuite()
    {
        s_folder = std::make_unique<TemporaryFolder>();
        const Outcome run = runPoet({"solve", example("residual.graph.json"), "--memory", "20%span", "--output", s_folder->file("plan.json")});
        ASSERT_EQ(run.exit, 0) << run.errors;
        s_plan = ordered_json::parse(readFile(s_folder->file("plan.json")).value());
        ASSERT_GT(s_plan.at("overhead_joules").get<double>(), 0);
    }
    static void TearDownTestSuite() { s_folder.reset(); }

    static Outcome verifyChanged(const std::function<void(ordered_json&)>& change)
    {
        ordered_json plan = s_plan;
        change(plan);
        return runPoet({"verify", s_folder->write("changed.json", plan.dump())});
    }

    static inline std::unique_ptr<TemporaryFolder> s_folder;
    static inline ordered_json s_plan;
};

TEST_F(VerifyCommand, figuresAreThoseOfTheFile)
{
    const Outcome run = runPoet({"verify", s_folder->file("plan.json")});
    ASSERT_EQ(run.exit, 0) << run.errors;
    EXPECT_NE(run.output.find(std::to_string(s_plan.at("peak_bytes").get<std::int64_t>()) + " B planned"), std::string::npos) << run.output;
    EXPECT_NE(run.output.find("recompute " + std::to_string(s_plan.at("recomputed_nodes").get<int>()) + " nodes"), std::string::npos) << run.output;
}

TEST_F(VerifyCommand, tamperedSchedulesFail)
{
    const std::vector<std::pair<std::string, std::function<void(ordered_json&)>>> changes{
        {"a step is missing", [](ordered_json& p) { p["steps"].erase(p["steps"].begin()); }},
        {"a step comes twice", [](ordered_json& p) { p["steps"].push_back(p["steps"].back()); }},
        {"the last node never runs", [](ordered_json& p) { std::erase_if(p["steps"].get_ref<ordered_json::array_t&>(), [](const ordered_json& s) { return s["node"] == 19 && s["kind"] == "compute"; }); }},
        {"the order is another", [](ordered_json& p) { std::swap(p["steps"][0], p["steps"][3]); }},
        {"a smaller energy is claimed", [](ordered_json& p) { p["energy_joules"] = p["energy_joules"].get<double>() * 0.99; }},
        {"a smaller peak is claimed", [](ordered_json& p) { p["peak_bytes"] = p["peak_bytes"].get<std::int64_t>() - 1024; }},
        {"the memory is smaller", [](ordered_json& p) { p["memory_bytes"] = p["peak_bytes"].get<std::int64_t>() + p["resident_bytes"].get<std::int64_t>() - 1; }},
        {"the deadline is shorter", [](ordered_json& p) { p["deadline_seconds"] = p["seconds"].get<double>() * 0.999; }},
        {"the costs are others", [](ordered_json& p) { p["graph"]["nodes"][1]["compute"]["joules"] = 9; }},
        {"the tensors are larger", [](ordered_json& p) { p["graph"]["nodes"][1]["bytes"] = 1 << 20; }},
        {"the store is too small", [](ordered_json& p) { p["graph"]["device"]["store_capacity_bytes"] = 1; }},
        {"the wear is too much", [](ordered_json& p) { p["graph"]["device"]["write_limit_bytes_per_step"] = 1; }},
    };
    ASSERT_GT(s_plan.at("paged_out_bytes").get<std::int64_t>(), 0) << "the last two need a plan that pages";
    for (const auto& [what, change] : changes) {
        SCOPED_TRACE(what);
        const Outcome run = verifyChanged(change);
        EXPECT_EQ(run.exit, 1) << run.output;
        EXPECT_TRUE(run.errors.starts_with("poet: ")) << run.errors;
        EXPECT_EQ(run.output.find("verified"), std::string::npos);
    }
}

TEST_F(VerifyCommand, unchangedFilesPassAndSoDoLargerLimits)
{
    EXPECT_EQ(verifyChanged([](ordered_json&) {}).exit, 0);
    EXPECT_EQ(verifyChanged([](ordered_json& p) { p["memory_bytes"] = 1 << 30; }).exit, 0);
}

TEST_F(VerifyCommand, limitsMayBeGiven)
{
    const std::string file = s_folder->file("plan.json");
    const std::int64_t needed = s_plan.at("peak_bytes").get<std::int64_t>() + s_plan.at("resident_bytes").get<std::int64_t>();
    EXPECT_EQ(runPoet({"verify", file, "--memory", std::to_string(needed)}).exit, 0);
    const Outcome small = runPoet({"verify", file, "--memory", std::to_string(needed - 1)});
    EXPECT_EQ(small.exit, 1);
    EXPECT_NE(small.errors.find(std::to_string(needed)), std::string::npos) << small.errors;
    EXPECT_EQ(runPoet({"verify", file, "--memory", "100%"}).exit, 0);
    EXPECT_EQ(runPoet({"verify", file, "--memory", "0%span"}).exit, needed == s_plan.at("largest_working_set_bytes").get<std::int64_t>() ? 0 : 1);
    EXPECT_EQ(runPoet({"verify", file, "--deadline", "100%"}).exit, 1) << "the plan takes longer than keeping everything";
    EXPECT_EQ(runPoet({"verify", file, "--deadline", "1000%"}).exit, 0);
}

TEST_F(VerifyCommand, whatIsNoScheduleIsBadInput)
{
    const std::string whole = s_plan.dump();
    for (const std::string& text : {std::string(), std::string("hello"), whole.substr(0, whole.size() / 2), whole.substr(0, whole.size() - 1), std::string("[]"),
                                    std::string("{\"format\":\"poet-graph\",\"version\":1}"), std::string("\0\1\2", 3)}) {
        const Outcome run = runPoet({"verify", s_folder->write("changed.json", text)});
        EXPECT_EQ(run.exit, 2) << text.substr(0, 60) << run.errors;
        EXPECT_TRUE(run.errors.starts_with("poet: ")) << run.errors;
    }
    EXPECT_EQ(runPoet({"verify", s_folder->file("none.json")}).exit, 2);
    EXPECT_EQ(runPoet({"verify", example("lenet5.onnx")}).exit, 2);
}

}  // namespace
}  // namespace poet

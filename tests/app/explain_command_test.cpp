// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/support/run_poet.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <string>

namespace poet {
namespace {

using nlohmann::ordered_json;
using testing::example;
using testing::Outcome;
using testing::runPoet;
using testing::TemporaryFolder;

/// One solved plan for all tests.
class ExplainCommand : public ::testing::Test {
protected:
    static void SetUpTestSuite()
    {
        s_folder = std::make_unique<TemporaryFolder>();
        const Outcome run = runPoet({"solve", example("residual.graph.json"), "--memory", "20%span", "--output", s_folder->file("plan.json"), "--json"});
        ASSERT_EQ(run.exit, 0) << run.errors;
        s_plan = ordered_json::parse(run.output);
    }
    static void TearDownTestSuite() { s_folder.reset(); }
    static std::string plan() { return s_folder->file("plan.json"); }
    static ordered_json json(std::vector<std::string> arguments)
    {
        arguments.insert(arguments.begin(), {"explain", plan()});
        arguments.emplace_back("--json");
        const Outcome run = runPoet(arguments);
        EXPECT_EQ(run.exit, 0) << run.errors;
        return ordered_json::parse(run.output, nullptr, false);
    }

    static inline std::unique_ptr<TemporaryFolder> s_folder;
    static inline ordered_json s_plan;
};

TEST_F(ExplainCommand, tableHasEveryDroppedTensor)
{
    std::set<std::string> dropped;
    for (const auto& step : s_plan.at("steps"))
        if (step.at("kind") == "page_in" || step.at("kind") == "recompute")
            dropped.insert(s_plan.at("graph").at("nodes").at(step.at("node").get<std::size_t>()).at("name"));
    ASSERT_FALSE(dropped.empty());
    const Outcome table = runPoet({"explain", plan()});
    ASSERT_EQ(table.exit, 0) << table.errors;
    const auto answer = json({});
    for (const std::string& tensor : dropped) {
        EXPECT_NE(table.output.find(tensor), std::string::npos) << tensor;
        EXPECT_TRUE(std::ranges::any_of(answer.at("tensors"), [&](const auto& item) { return item.at("name") == tensor && item.at("fate") != "kept"; })) << tensor;
    }
    EXPECT_EQ(json({"--all"}).at("tensors").size(), s_plan.at("graph").at("nodes").size());
}

TEST_F(ExplainCommand, aProvenPlanHasNoCheaperAlternativeThatFits)
{
    ASSERT_EQ(s_plan.at("status"), "optimal");
    const double energy = s_plan.at("energy_joules");
    for (const auto& tensor : json({"--all"}).at("tensors"))
        for (const auto& item : tensor.at("alternatives")) {
            if (item.at("chosen").get<bool>()) {
                EXPECT_EQ(item.at("energy_joules").get<double>(), energy) << tensor.at("name");
                EXPECT_TRUE(item.at("fits").get<bool>());
            } else if (item.at("possible").get<bool>() && item.at("fits").get<bool>()) {
                EXPECT_GE(item.at("energy_joules").get<double>(), energy * (1 - 1.1e-4)) << tensor.at("name");
            } else if (!item.at("possible").get<bool>()) {
                EXPECT_FALSE(item.at("obstacle").get<std::string>().empty());
            }
        }
}

TEST_F(ExplainCommand, oneTensorByNameOrNumber)
{
    const std::string name = s_plan.at("graph").at("nodes").at(2).at("name");
    const Outcome byName = runPoet({"explain", plan(), name});
    ASSERT_EQ(byName.exit, 0) << byName.errors;
    EXPECT_EQ(runPoet({"explain", plan(), "2"}).output, byName.output);
    for (const char* part : {"lifetime", "keep", "page", "recompute", "<- the plan", "What would change it"})
        EXPECT_NE(byName.output.find(part), std::string::npos) << part << "\n" << byName.output;
    const Outcome unknown = runPoet({"explain", plan(), "nosuch"});
    EXPECT_EQ(unknown.exit, 2);
    EXPECT_NE(unknown.errors.find("nosuch"), std::string::npos);
    EXPECT_EQ(runPoet({"explain", plan(), "99999"}).exit, 2);
    EXPECT_EQ(runPoet({"explain", "/nowhere.json"}).exit, 2);
}

TEST_F(ExplainCommand, anotherDecisionSolvedAnewIsNeverBetter)
{
    for (const auto& tensor : json({"--all"}).at("tensors")) {
        if (tensor.at("fate") == "kept")
            continue;
        const auto answer = json({std::to_string(tensor.at("node").get<int>()), "--solve", "10s"}).at("tensors").at(0);
        ASSERT_FALSE(answer.at("forced").empty());
        for (const auto& forced : answer.at("forced")) {
            EXPECT_GE(forced.at("bound_joules").get<double>(), s_plan.at("bound_joules").get<double>() * (1 - 1e-4));
            if (!forced.contains("energy_joules"))
                continue;
            EXPECT_GE(forced.at("energy_joules").get<double>(), s_plan.at("energy_joules").get<double>() * (1 - 1.1e-4));
            if (forced.at("choice") == "keep") {
                EXPECT_EQ(forced.at("fate"), "kept");
            }
            if (forced.at("choice") == "recompute") {
                EXPECT_NE(forced.at("fate"), "paged");
            }
        }
        return;  // one is enough: each costs two solves
    }
}

TEST_F(ExplainCommand, limitsMayBeOthersThanTheFiles)
{
    const auto tight = json({"--all", "--memory", "1"});
    for (const auto& tensor : tight.at("tensors"))
        for (const auto& item : tensor.at("alternatives"))
            if (item.at("possible").get<bool>()) {
                EXPECT_GT(item.at("missing_bytes").get<std::int64_t>(), 0);
            }
    for (const auto& tensor : json({"--all", "--memory", "100%"}).at("tensors"))
        for (const auto& item : tensor.at("alternatives"))
            if (item.at("choice") == "keep") {
                EXPECT_TRUE(item.at("fits").get<bool>()) << tensor.at("name");
            }
}

}  // namespace
}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/planning/baselines/baselines.h"

#include "core/base/files.h"
#include "core/schedule/replay.h"
#include "tests/core/planning/support/brute_force.h"
#include "tests/core/planning/support/random_graphs.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>

namespace poet::testing {
namespace {

constexpr Strategy kBaselines[] = {Strategy::KeepAll, Strategy::PageAll, Strategy::Sqrt, Strategy::Revolve, Strategy::Greedy, Strategy::Capuchin, Strategy::Dtr};
constexpr TransferModel kModels[] = {TransferModel::Paper, TransferModel::Blocking, TransferModel::Dma};

ReplayReport run(Strategy strategy, const CostGraph& graph, TransferModel model, std::int64_t budgetBytes)
{
    const auto schedule = planning::baselineSchedule(strategy, graph, model, budgetBytes);
    if (!schedule) {
        ADD_FAILURE() << graph.name << ", " << name(strategy) << ", " << name(model) << ": " << schedule.error().text();
        return {};
    }
    const auto report = replay(graph, model, *schedule);
    if (!report) {
        ADD_FAILURE() << graph.name << ", " << name(strategy) << ", " << name(model) << ": " << report.error().text();
        return {};
    }
    return *report;
}

/// A chain of equal steps: forward 1..length after the input, a loss, and one backward node a step that reads the
/// tensors before and after its step.
CostGraph uniformChain(int length)
{
    CostGraph graph;
    graph.name = "chain-" + std::to_string(length);
    const auto add = [&](Phase phase, std::vector<NodeId> inputs, std::int64_t bytes) {
        std::sort(inputs.begin(), inputs.end());
        CostNode node;
        node.name = "node" + std::to_string(graph.size());
        node.phase = phase;
        node.inputs = std::move(inputs);
        node.bytes = bytes;
        node.compute = {1, 1};
        node.pageIn = node.pageOut = {100, 1};
        node.recomputable = phase == Phase::Forward;
        graph.nodes.push_back(node);
        return graph.size() - 1;
    };
    for (int i = 0; i <= length; ++i)
        add(Phase::Forward, i == 0 ? std::vector<NodeId>{} : std::vector<NodeId>{i - 1}, 10);
    NodeId gradient = add(Phase::Forward, {length}, 1);
    for (int i = length; i >= 1; --i)
        gradient = add(Phase::Backward, {i - 1, i, gradient}, 1);
    return graph;
}

TEST(Baselines, everyScheduleRunsOnRandomGraphs)
{
    std::map<Strategy, int> fitting;
    int cases = 0;
    for (const TransferModel model : kModels)
        for (std::uint32_t seed = 1; seed <= 60; ++seed) {
            const CostGraph graph = randomTrainingGraph(seed, {.maxNodes = 30, .transfer = model});
            for (const int percent : {10, 50, 90}) {
                const std::int64_t budget = spanBudget(graph, percent);
                ++cases;
                for (const Strategy strategy : kBaselines)
                    fitting[strategy] += run(strategy, graph, model, budget).peakBytes <= budget;
            }
        }
    for (const auto& [strategy, count] : fitting)
        RecordProperty(std::string(name(strategy)), count);
    EXPECT_GT(fitting[Strategy::Greedy], cases / 2);
    EXPECT_GT(fitting[Strategy::Capuchin], cases / 2);
    EXPECT_GT(fitting[Strategy::PageAll], cases / 4);
    EXPECT_GT(fitting[Strategy::Dtr], cases / 10);
    EXPECT_GT(fitting[Strategy::Sqrt], cases / 20);
    EXPECT_GT(fitting[Strategy::Revolve], cases / 20);
}

TEST(Baselines, noneBeatsTheTrueOptimum)
{
    for (const TransferModel model : kModels)
        for (std::uint32_t seed = 1001; seed <= 1120; ++seed) {
            const CostGraph graph = randomTrainingGraph(seed, {.maxNodes = 9, .transfer = model});
            const std::int64_t budget = spanBudget(graph, static_cast<int>(seed % 7) * 12);
            const auto truth = bruteForce({.graph = &graph, .transfer = model, .budgetBytes = budget});
            for (const Strategy strategy : kBaselines) {
                // DTR may run a node twice in one stage, which exhaustive search does not try.
                const ReplayReport report = run(strategy, graph, model, budget);
                if (report.peakBytes > budget || strategy == Strategy::Dtr)
                    continue;
                ASSERT_TRUE(truth) << "seed " << seed << ", " << name(strategy) << ", " << name(model);
                EXPECT_GE(report.energyJoules, truth->energyJoules * (1 - 1e-9)) << "seed " << seed << ", " << name(strategy) << ", " << name(model);
            }
        }
}

TEST(Baselines, withRoomForEverythingNothingIsDropped)
{
    for (const TransferModel model : kModels)
        for (std::uint32_t seed = 2001; seed <= 2040; ++seed) {
            const CostGraph graph = randomTrainingGraph(seed, {.maxNodes = 20, .transfer = model});
            for (const Strategy strategy : kBaselines) {
                if (strategy == Strategy::PageAll)
                    continue;
                const ReplayReport report = run(strategy, graph, model, keepAllPeak(graph));
                EXPECT_NEAR(report.energyJoules, keepAllJoules(graph, model), 1e-9 * report.energyJoules) << "seed " << seed << ", " << name(strategy);
            }
        }
}

TEST(Baselines, recomputingStrategiesNeverPageAndPageAllNeverRecomputes)
{
    for (std::uint32_t seed = 3001; seed <= 3040; ++seed) {
        const CostGraph graph = randomTrainingGraph(seed, {.maxNodes = 20});
        const std::int64_t budget = spanBudget(graph, 30);
        for (const Strategy strategy : {Strategy::Sqrt, Strategy::Revolve, Strategy::Dtr})
            EXPECT_EQ(run(strategy, graph, TransferModel::Blocking, budget).pagedOutBytes, 0) << "seed " << seed << ", " << name(strategy);
        EXPECT_EQ(run(Strategy::PageAll, graph, TransferModel::Blocking, budget).recomputedNodes, 0) << "seed " << seed;
    }
}

TEST(Baselines, revolveIsTheBestCheckpointingOfAChain)
{
    const CostGraph graph = uniformChain(48);
    for (const std::int64_t budget : {52, 62, 72, 92, 112, 152, 202, 302, 402}) {
        const ReplayReport revolve = run(Strategy::Revolve, graph, TransferModel::Blocking, budget);
        const ReplayReport sqrt = run(Strategy::Sqrt, graph, TransferModel::Blocking, budget);
        EXPECT_LE(revolve.peakBytes, budget);
        if (sqrt.peakBytes <= budget) {
            EXPECT_LE(revolve.energyJoules, sqrt.energyJoules + 3) << budget;
        }
    }
}

TEST(Baselines, checkpointingReachesSublinearMemoryOnAChain)
{
    const CostGraph graph = uniformChain(100);
    // Chen: about 2 sqrt(n) tensors and every forward node at most once more; the input cannot run again.
    const ReplayReport sqrt = run(Strategy::Sqrt, graph, TransferModel::Blocking, 10 * 23 + 5);
    EXPECT_LE(sqrt.peakBytes, 10 * 23 + 5);
    EXPECT_LE(sqrt.recomputedNodes, 101);
    EXPECT_GT(sqrt.recomputedNodes, 70);
    // Binomial: 8 tensors suffice for a few runs of each.
    const ReplayReport revolve = run(Strategy::Revolve, graph, TransferModel::Blocking, 10 * 8 + 5);
    EXPECT_LE(revolve.peakBytes, 10 * 8 + 5);
    EXPECT_LE(revolve.recomputedNodes, 400);
}

TEST(Baselines, greedyFindsTheOptimumWhereOneTensorMustGo)
{
    // Three equal tensors wait for their backward nodes; the budget lets two of them wait, and one is cheap to page.
    CostGraph graph = uniformChain(3);
    graph.nodes[1].pageIn = graph.nodes[1].pageOut = {0.1, 0.1};
    const std::int64_t budget = keepAllPeak(graph) - 1;
    const auto truth = bruteForce({.graph = &graph, .budgetBytes = budget});
    ASSERT_TRUE(truth);
    const ReplayReport greedy = run(Strategy::Greedy, graph, TransferModel::Blocking, budget);
    EXPECT_LE(greedy.peakBytes, budget);
    EXPECT_NEAR(greedy.energyJoules, truth->energyJoules, 1e-9);
}

TEST(Baselines, runOnTheNetworksOfThePaper)
{
    const std::filesystem::path folder = std::filesystem::path(POET_SHARED_DIR) / "oracle" / "paper";
    if (!std::filesystem::exists(folder))
        GTEST_SKIP() << folder << " is absent";
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (!entry.path().string().ends_with(".graph.json"))
            continue;
        const auto text = readFile(entry.path().string());
        ASSERT_TRUE(text);
        const auto graph = parseCostGraph(*text, entry.path().string());
        ASSERT_TRUE(graph) << graph.error().text();
        const std::int64_t budget = spanBudget(*graph, 50);
        for (const Strategy strategy : kBaselines) {
            const ReplayReport report = run(strategy, *graph, TransferModel::Paper, budget);
            if (strategy == Strategy::Greedy || strategy == Strategy::Capuchin) {
                EXPECT_LE(report.peakBytes, budget) << entry.path() << " " << name(strategy);
            }
            std::printf("%-28s %-9s %8.4f %% overhead, peak %5.1f %% of the budget\n", entry.path().filename().c_str(), std::string(name(strategy)).c_str(),
                        100 * (report.energyJoules / keepAllJoules(*graph, TransferModel::Paper) - 1),
                        100.0 * static_cast<double>(report.peakBytes) / static_cast<double>(budget));
        }
    }
}

}  // namespace
}  // namespace poet::testing

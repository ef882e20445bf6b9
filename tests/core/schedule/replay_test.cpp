// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "core/schedule/replay.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace poet {
namespace {

constexpr StepKind C = StepKind::Compute;
constexpr StepKind R = StepKind::Recompute;
constexpr StepKind Out = StepKind::PageOut;
constexpr StepKind In = StepKind::PageIn;
constexpr StepKind F = StepKind::Free;
constexpr TransferMode B = TransferMode::Blocking;
constexpr TransferMode Bg = TransferMode::Background;
constexpr TransferMode Pre = TransferMode::Prefetch;

/// x -> a -> b, then the gradients gb (reads b) and ga (reads gb and a).
CostGraph fiveNodes()
{
    CostGraph graph;
    graph.device.idleWatts = 0.5;
    graph.device.storeBlockBytes = 128;
    graph.nodes = {
        {.name = "x", .inputs = {}, .bytes = 100, .compute = {0, 0}, .pageIn = {1, 2}, .pageOut = {3, 4}, .recomputable = true},
        {.name = "a", .inputs = {0}, .bytes = 200, .workspaceBytes = 50, .compute = {10, 5}, .pageIn = {2, 3}, .pageOut = {4, 6}, .recomputable = true},
        {.name = "b", .inputs = {1}, .bytes = 400, .compute = {20, 7}, .pageIn = {4, 4}, .pageOut = {8, 8}, .recomputable = true},
        {.name = "gb", .phase = Phase::Backward, .inputs = {2}, .bytes = 300, .workspaceBytes = 10, .compute = {30, 9}, .pageIn = {5, 5}, .pageOut = {6, 6}},
        {.name = "ga", .phase = Phase::Backward, .inputs = {3, 1}, .bytes = 150, .compute = {40, 11}, .pageIn = {}, .pageOut = {}, .pageable = false},
    };
    return graph;
}

Step step(int stage, StepKind kind, NodeId node, TransferMode mode = B) { return {.stage = stage, .kind = kind, .mode = mode, .node = node}; }

/// What one step must show: when it runs, RAM after it, RAM while it runs.
struct Seen {
    double start;
    double end;
    std::int64_t after;
    std::int64_t during;
};

void expectSteps(const ReplayReport& report, const std::vector<Seen>& expected)
{
    ASSERT_EQ(report.schedule.steps.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        SCOPED_TRACE("step " + std::to_string(i));
        EXPECT_DOUBLE_EQ(report.schedule.steps[i].startSeconds, expected[i].start);
        EXPECT_DOUBLE_EQ(report.schedule.steps[i].endSeconds, expected[i].end);
        EXPECT_EQ(report.schedule.steps[i].ramBytes, expected[i].after);
        EXPECT_EQ(report.duringBytes[i], expected[i].during);
    }
}

TEST(Replay, keepAllCountsComputeWorkspaceAndIdlePower)
{
    const CostGraph graph = fiveNodes();
    for (const TransferModel model : {TransferModel::Blocking, TransferModel::Dma, TransferModel::Paper}) {
        SCOPED_TRACE(std::string(name(model)));
        const auto report = replay(graph, model, keepAllSchedule(graph));
        ASSERT_TRUE(report) << report.error().text();
        // C0 C1 F0 C2 C3 F2 C4 F3 F1 F4: inputs are freed in the order in which the reader lists them.
        expectSteps(*report, {{0, 0, 100, 100}, {0, 5, 300, 350}, {5, 5, 200, 300}, {5, 12, 600, 600}, {12, 21, 900, 910}, {21, 21, 500, 900}, {21, 32, 650, 650},
                              {32, 32, 350, 650}, {32, 32, 150, 350}, {32, 32, 0, 150}});
        EXPECT_EQ(report->peakBytes, 910);
        EXPECT_EQ(report->peakStep, 4);
        EXPECT_DOUBLE_EQ(report->seconds, 32);
        EXPECT_DOUBLE_EQ(report->energyJoules, model == TransferModel::Paper ? 100 : 100 + 0.5 * 32);
        EXPECT_EQ(report->writtenBytes + report->pagedInBytes + report->recomputedNodes, 0);
    }
}

TEST(Replay, blockingTransfersTakeTheirOwnTime)
{
    const CostGraph graph = fiveNodes();
    const Schedule schedule{{step(0, C, 0), step(1, C, 1), step(1, Out, 1), step(1, F, 0), step(2, C, 2), step(2, F, 1), step(3, C, 3), step(3, F, 2),
                             step(4, In, 1), step(4, C, 4)}};
    const auto report = replay(graph, TransferModel::Blocking, schedule);
    ASSERT_TRUE(report) << report.error().text();
    expectSteps(*report, {{0, 0, 100, 100}, {0, 5, 300, 350}, {5, 11, 300, 300}, {11, 11, 200, 300}, {11, 18, 600, 600}, {18, 18, 400, 600}, {18, 27, 700, 710},
                          {27, 27, 300, 700}, {27, 30, 500, 500}, {30, 41, 650, 650}});
    EXPECT_EQ(report->peakBytes, 710);
    EXPECT_EQ(report->peakStep, 6);
    EXPECT_DOUBLE_EQ(report->seconds, 41);
    EXPECT_DOUBLE_EQ(report->energyJoules, 100 + 4 + 2 + 0.5 * 41);
    EXPECT_EQ(report->pagedOutBytes, 200);
    EXPECT_EQ(report->pagedInBytes, 200);
    EXPECT_EQ(report->storeBytes, 256) << "two blocks of 128";
    EXPECT_EQ(report->writtenBytes, 256);
}

TEST(Replay, recomputingCostsAgain)
{
    const CostGraph graph = fiveNodes();
    // b is dropped and made again from a; x stays.
    const Schedule schedule{{step(0, C, 0), step(1, C, 1), step(2, C, 2), step(2, F, 2), step(3, R, 2), step(3, C, 3), step(3, F, 2), step(4, C, 4)}};
    for (const TransferModel model : {TransferModel::Blocking, TransferModel::Dma, TransferModel::Paper}) {
        const auto report = replay(graph, model, schedule);
        ASSERT_TRUE(report) << report.error().text();
        expectSteps(*report, {{0, 0, 100, 100}, {0, 5, 300, 350}, {5, 12, 700, 700}, {12, 12, 300, 700}, {12, 19, 700, 700}, {19, 28, 1000, 1010}, {28, 28, 600, 1000}, {28, 39, 750, 750}});
        EXPECT_EQ(report->recomputedNodes, 1);
        EXPECT_DOUBLE_EQ(report->energyJoules, 120 + (model == TransferModel::Paper ? 0 : 19.5));
    }
}

TEST(Replay, dmaMovesWhileTheMainNodeRuns)
{
    const CostGraph graph = fiveNodes();
    const Schedule schedule{{step(0, C, 0), step(1, C, 1), step(1, F, 0), step(2, Out, 1, Bg), step(2, C, 2), step(2, F, 1), step(3, In, 1, Pre), step(3, C, 3),
                             step(3, F, 2), step(4, C, 4)}};
    const auto report = replay(graph, TransferModel::Dma, schedule);
    ASSERT_TRUE(report) << report.error().text();
    // The source counts while node 2 runs, the destination while node 3 runs.
    expectSteps(*report, {{0, 0, 100, 100}, {0, 5, 300, 350}, {5, 5, 200, 300}, {5, 11, 200, 200}, {5, 12, 600, 600}, {12, 12, 400, 600}, {12, 15, 600, 600},
                          {12, 21, 900, 910}, {21, 21, 500, 900}, {21, 32, 650, 650}});
    EXPECT_DOUBLE_EQ(report->seconds, 32) << "both transfers are hidden";
    EXPECT_DOUBLE_EQ(report->energyJoules, 106 + 16);
    EXPECT_EQ(report->peakBytes, 910);
    EXPECT_EQ(report->peakStep, 7);
}

TEST(Replay, dmaTransfersOfAStageShareOneChannelAndMayOutlastTheNode)
{
    const CostGraph graph = fiveNodes();
    const Schedule schedule{{step(0, C, 0), step(1, C, 1), step(2, Out, 0, Bg), step(2, Out, 1, Bg), step(2, C, 2), step(2, F, 0), step(2, F, 1), step(3, In, 1, Pre),
                             step(3, Out, 2, Bg), step(3, C, 3), step(4, C, 4)}};
    const auto report = replay(graph, TransferModel::Dma, schedule);
    ASSERT_TRUE(report) << report.error().text();
    const auto& steps = report->schedule.steps;
    EXPECT_DOUBLE_EQ(steps[2].endSeconds, 9);
    EXPECT_DOUBLE_EQ(steps[3].startSeconds, 9);
    EXPECT_DOUBLE_EQ(steps[3].endSeconds, 15);
    EXPECT_DOUBLE_EQ(steps[4].endSeconds, 12) << "the node itself takes 7 s";
    EXPECT_DOUBLE_EQ(steps[5].startSeconds, 15) << "the stage lasts until the channel is free";
    EXPECT_DOUBLE_EQ(steps[8].endSeconds, 26) << "3 s in, 8 s out, while the node takes 9 s";
    EXPECT_DOUBLE_EQ(report->seconds, 37);
    EXPECT_DOUBLE_EQ(report->energyJoules, 100 + 3 + 4 + 2 + 8 + 0.5 * 37);
    EXPECT_EQ(report->storeBytes, 128 + 256 + 512);
}

TEST(Replay, paperTransfersTakeEnergyAndRamButNoTime)
{
    const CostGraph graph = fiveNodes();
    const Schedule schedule{{step(0, C, 0), step(1, C, 1), step(1, F, 0), step(2, C, 2), step(2, Out, 1, Bg), step(2, F, 1), step(3, C, 3), step(3, F, 2),
                             step(4, In, 1, Pre), step(4, C, 4)}};
    const auto report = replay(graph, TransferModel::Paper, schedule);
    ASSERT_TRUE(report) << report.error().text();
    expectSteps(*report, {{0, 0, 100, 100}, {0, 5, 300, 350}, {5, 5, 200, 300}, {5, 12, 600, 600}, {12, 12, 600, 600}, {12, 12, 400, 600}, {12, 21, 700, 710},
                          {21, 21, 300, 700}, {21, 21, 500, 500}, {21, 32, 650, 650}});
    EXPECT_DOUBLE_EQ(report->seconds, 32);
    EXPECT_DOUBLE_EQ(report->energyJoules, 106) << "no idle power as published";
}

TEST(Replay, onlyThePaperModelMakesInputsAgain)
{
    const CostGraph graph = fiveNodes();
    const Schedule schedule{{step(0, C, 0), step(0, F, 0), step(1, R, 0), step(1, C, 1), step(2, C, 2), step(3, C, 3), step(4, C, 4)}};
    EXPECT_TRUE(replay(graph, TransferModel::Paper, schedule));
    EXPECT_FALSE(replay(graph, TransferModel::Blocking, schedule));
    EXPECT_FALSE(replay(graph, TransferModel::Dma, schedule));
}

struct Broken {
    TransferModel model;
    std::vector<Step> steps;
    std::string reason;
    int at;  ///< the step that is blamed; -1 for the end
};

void expectBroken(const CostGraph& graph, const Broken& broken)
{
    const auto report = replay(graph, broken.model, {broken.steps});
    if (report) {
        ADD_FAILURE() << "accepted: " << broken.reason;
        return;
    }
    EXPECT_EQ(report.error().code, ErrorCode::InvalidSchedule);
    EXPECT_NE(report.error().message.find(broken.reason), std::string::npos) << report.error().message;
    const std::string blamed = broken.at < 0 ? "The schedule ends" : "Step " + std::to_string(broken.at) + " (";
    EXPECT_TRUE(report.error().message.starts_with(blamed)) << blamed << " ... in: " << report.error().message;
}

TEST(Replay, rulesOfEveryModelAreKept)
{
    const CostGraph graph = fiveNodes();
    for (const TransferModel model : {TransferModel::Blocking, TransferModel::Dma, TransferModel::Paper}) {
        const std::vector<Broken> all{
            {model, {step(0, C, 0), step(1, C, 1), step(2, C, 2), step(3, C, 3)}, "node 4 'ga'", -1},
            {model, {}, "node 0 'x'", -1},
            {model, {step(0, C, 0), step(0, F, 0), step(1, C, 1)}, "input, node 0 'x', is not in RAM", 2},
            {model, {step(0, C, 0), step(2, C, 2)}, "stage 1 has not run", 1},
            {model, {step(1, C, 1)}, "stage 0 has not run", 0},
            {model, {step(0, C, 0), step(1, C, 1), step(0, F, 0)}, "stages must not go back", 2},
            {model, {step(0, C, 0), step(1, C, 1), step(7, F, 0)}, "stages must not go back nor beyond", 2},
            {model, {step(-1, C, 0)}, "stages must not go back", 0},
            {model, {step(0, C, 9)}, "no such node", 0},
            {model, {step(0, C, -1)}, "no such node", 0},
            {model, {step(0, C, 0), step(0, C, 0)}, "main nodes run once each", 1},
            {model, {step(0, C, 0), step(1, C, 0)}, "main nodes run once each", 1},
            {model, {step(0, C, 0), step(1, F, 1)}, "not in RAM", 1},
            {model, {step(0, C, 0), step(1, C, 1), step(1, F, 0), step(1, F, 0)}, "not in RAM", 3},
            {model, {step(0, C, 0), step(1, R, 1)}, "has not run for the first time", 1},
            {model, {step(0, C, 0), step(1, C, 1), step(2, R, 1)}, "already in RAM", 2},
            {model, {step(0, C, 0), step(1, C, 1), step(2, C, 2), step(3, C, 3), step(3, F, 3), step(4, R, 3)}, "may run only once", 5},
            {model, {step(0, C, 0), step(1, In, 0, model == TransferModel::Paper ? Pre : B)}, "page-out is not finished", 1},
            {model, {step(0, C, 0), step(1, C, 1), step(2, C, 2), step(3, C, 3), step(4, C, 4), step(4, Out, 4)}, "may not be paged", 5},
        };
        for (const Broken& broken : all) {
            SCOPED_TRACE(std::string(name(model)) + ": " + broken.reason);
            expectBroken(graph, broken);
        }
    }
}

TEST(Replay, rulesOfTransfersAreKept)
{
    const CostGraph graph = fiveNodes();
    constexpr auto blocking = TransferModel::Blocking;
    constexpr auto dma = TransferModel::Dma;
    const std::vector<Broken> all{
        {blocking, {step(0, C, 0), step(0, Out, 0), step(0, Out, 0)}, "already in the store", 2},
        {blocking, {step(0, C, 0), step(0, Out, 0), step(0, F, 0), step(0, Out, 0)}, "not in RAM", 3},
        {blocking, {step(0, C, 0), step(0, Out, 0), step(1, In, 0)}, "already in RAM", 2},
        {blocking, {step(0, C, 0), step(0, Out, 0), step(0, F, 0), step(1, In, 0), step(1, In, 0)}, "already in RAM", 4},
        {blocking, {step(0, C, 0), step(1, Out, 0, Bg), step(1, C, 1)}, "no background transfers", 1},
        {blocking, {step(0, C, 0), step(0, Out, 0), step(0, F, 0), step(1, In, 0, Pre)}, "cannot page in that way", 3},
        {blocking, {step(0, C, 0), step(0, Out, 0), step(0, F, 0), step(1, In, 0, Bg)}, "cannot page in that way", 3},
        {blocking, {step(0, C, 0), step(0, Out, 0, Pre)}, "page-out", 1},
        {dma, {step(0, C, 0), step(1, Out, 0, Bg), step(1, F, 0)}, "still being moved", 2},
        {dma, {step(0, C, 0), step(1, Out, 0, Bg), step(1, Out, 0, Bg)}, "already in the store", 2},
        {dma, {step(0, C, 0), step(1, Out, 0, Bg), step(1, In, 0, Pre)}, "page-out is not finished", 2},
        {dma, {step(0, C, 0), step(1, C, 1), step(1, Out, 0, Bg)}, "already run", 2},
        {dma, {step(0, C, 0), step(0, Out, 0), step(0, F, 0), step(1, In, 0, Pre), step(1, C, 1)}, "input, node 0 'x', is not in RAM", 4},
        {dma, {step(0, C, 0), step(0, Out, 0), step(0, F, 0), step(1, In, 0, Pre), step(1, F, 0)}, "still being moved", 4},
        {dma, {step(0, C, 0), step(0, Out, 0), step(0, F, 0), step(1, In, 0, Bg)}, "cannot page in that way", 3},
        {dma, {step(0, C, 0), step(1, C, 1), step(1, Out, 1), step(1, F, 1), step(2, Out, 0, Bg), step(2, In, 1), step(2, C, 2)}, "just before the main node", 5},
        {dma, {step(0, C, 0), step(1, C, 1), step(2, Out, 0, Bg), step(2, Out, 1)}, "just before the main node", 3},
        {dma, {step(0, C, 0), step(1, C, 1), step(1, F, 1), step(2, Out, 0, Bg), step(2, R, 1)}, "just before the main node", 4},
        {dma, {step(0, C, 0), step(1, C, 1), step(2, C, 2), step(3, C, 3), step(4, Out, 0, Bg)}, "node 4 'ga'", -1},
    };
    for (const Broken& broken : all) {
        SCOPED_TRACE(std::string(name(broken.model)) + ": " + broken.reason);
        expectBroken(graph, broken);
    }
}

TEST(Replay, rulesOfThePaperAreKept)
{
    const CostGraph graph = fiveNodes();
    constexpr auto paper = TransferModel::Paper;
    const std::vector<Broken> all{
        {paper, {step(0, C, 0), step(0, Out, 0, Bg)}, "whole stage after", 1},
        {paper, {step(0, C, 0), step(1, Out, 0, Bg), step(1, C, 1)}, "whole stage after", 1},
        {paper, {step(0, C, 0), step(1, C, 1), step(1, Out, 0)}, "happens in the background", 2},
        {paper, {step(0, C, 0), step(1, C, 1), step(1, Out, 0, Bg), step(2, F, 0), step(2, C, 2), step(3, In, 0, Pre)}, "stage before stays in RAM", 5},
        {paper, {step(0, C, 0), step(1, C, 1), step(1, Out, 0, Bg), step(1, F, 0), step(2, C, 2), step(3, In, 0, B)}, "start of its stage", 5},
        {paper, {step(0, C, 0), step(1, C, 1), step(1, Out, 0, Bg), step(1, F, 0), step(2, C, 2), step(3, C, 3), step(3, In, 0, Pre)}, "start of its stage", 6},
        {paper, {step(0, C, 0), step(1, C, 1), step(1, Out, 0, Bg), step(1, F, 0), step(2, C, 2), step(2, F, 2), step(3, R, 2), step(3, In, 0, Pre)}, "start of its stage", 7},
    };
    for (const Broken& broken : all) {
        SCOPED_TRACE(broken.reason);
        expectBroken(graph, broken);
    }
    EXPECT_TRUE(replay(graph, paper, {{step(0, C, 0), step(1, C, 1), step(1, Out, 0, Bg), step(1, F, 0), step(2, C, 2), step(3, In, 0, Pre), step(3, C, 3), step(4, C, 4)}}));
}

TEST(Replay, keepAllAgreesWithThePublishedNetworks)
{
    const std::filesystem::path folder = POET_SHARED_DIR "/oracle/paper";
    if (!std::filesystem::exists(folder))
        GTEST_SKIP() << "no " << folder;
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        std::string path = entry.path().string();
        if (!path.ends_with(".optima.json"))
            continue;
        SCOPED_TRACE(path);
        const auto optima = nlohmann::json::parse(readFile(path).value());
        path.replace(path.size() - std::string("optima.json").size(), std::string::npos, "graph.json");
        const CostGraph graph = parseCostGraph(readFile(path).value(), path).value();
        const auto report = replay(graph, TransferModel::Paper, keepAllSchedule(graph));
        ASSERT_TRUE(report) << report.error().text();
        const auto near = [&](const char* key, double value) { EXPECT_NEAR(optima.at(key).get<double>(), value, 1e-9 * value) << key; };
        near("keep_all_joules", report->energyJoules);
        near("keep_all_seconds", report->seconds);
        EXPECT_EQ(optima.at("keep_all_peak_bytes").get<std::int64_t>(), report->peakBytes);
        EXPECT_EQ(optima.at("largest_working_set_bytes").get<std::int64_t>(), graph.workingSetBytes(graph.largestWorkingSetNode()));
        ++count;
    }
    EXPECT_GE(count, 9);
}

}  // namespace
}  // namespace poet

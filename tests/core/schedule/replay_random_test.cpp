// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/replay.h"
#include "tests/core/schedule/support/random_schedules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>

namespace poet {
namespace {

/// The figures of a replay that only need counting, found without a simulation of time.
struct Count {
    double joules = 0;
    double workSeconds = 0;      ///< computes and blocking transfers: nothing of this can be hidden
    double hideableSeconds = 0;  ///< transfers behind main nodes
    std::int64_t out = 0;
    std::int64_t in = 0;
    std::int64_t written = 0;
    int recomputes = 0;
    std::int64_t peak = 0;
};

Count count(const CostGraph& graph, TransferModel model, const ReplayReport& report)
{
    Count sum;
    std::set<NodeId> ram;
    const auto held = [&] {
        std::int64_t bytes = 0;
        for (const NodeId id : ram)
            bytes += graph.nodes[static_cast<std::size_t>(id)].bytes;
        return bytes;
    };
    for (const Step& step : report.schedule.steps) {
        const CostNode& node = graph.nodes[static_cast<std::size_t>(step.node)];
        const std::int64_t before = held();
        std::int64_t workspace = 0;
        const bool isWork = step.kind == StepKind::Compute || step.kind == StepKind::Recompute;
        if (isWork) {
            sum.joules += node.compute.joules;
            sum.workSeconds += node.compute.seconds;
            sum.recomputes += step.kind == StepKind::Recompute ? 1 : 0;
            workspace = node.workspaceBytes;
            for (const NodeId input : node.inputs)
                EXPECT_TRUE(ram.contains(input)) << "an input is missing";
        }
        const Cost& moved = step.kind == StepKind::PageOut ? node.pageOut : node.pageIn;
        if (step.kind == StepKind::PageOut || step.kind == StepKind::PageIn) {
            sum.joules += moved.joules;
            if (model != TransferModel::Paper)
                (step.mode == TransferMode::Blocking ? sum.workSeconds : sum.hideableSeconds) += moved.seconds;
            (step.kind == StepKind::PageOut ? sum.out : sum.in) += node.bytes;
        }
        if (step.kind == StepKind::PageOut)
            sum.written += (node.bytes + graph.device.storeBlockBytes - 1) / graph.device.storeBlockBytes * graph.device.storeBlockBytes;
        if (isWork || step.kind == StepKind::PageIn) {
            EXPECT_TRUE(ram.insert(step.node).second) << "a second copy";
        }
        if (step.kind == StepKind::Free) {
            EXPECT_EQ(ram.erase(step.node), 1U);
        }
        EXPECT_EQ(step.ramBytes, held());
        sum.peak = std::max({sum.peak, before, held() + workspace});
    }
    return sum;
}

void expectConsistent(const CostGraph& graph, TransferModel model, const ReplayReport& report)
{
    const Count sum = count(graph, model, report);
    EXPECT_EQ(report.peakBytes, sum.peak);
    EXPECT_EQ(report.peakBytes, *std::max_element(report.duringBytes.begin(), report.duringBytes.end()));
    EXPECT_EQ(report.peakBytes, report.duringBytes[static_cast<std::size_t>(report.peakStep)]);
    EXPECT_EQ(report.pagedOutBytes, sum.out);
    EXPECT_EQ(report.pagedInBytes, sum.in);
    EXPECT_EQ(report.writtenBytes, sum.written);
    EXPECT_EQ(report.recomputedNodes, sum.recomputes);
    EXPECT_GE(report.peakBytes, graph.workingSetBytes(graph.largestWorkingSetNode())) << "no schedule gets below the wall";
    const double idle = model == TransferModel::Paper ? 0 : graph.device.idleWatts * report.seconds;
    EXPECT_NEAR(report.energyJoules, sum.joules + idle, 1e-9 * report.energyJoules);
    EXPECT_GE(report.seconds, sum.workSeconds * (1 - 1e-12));
    EXPECT_LE(report.seconds, (sum.workSeconds + sum.hideableSeconds) * (1 + 1e-12));
    double before = 0;
    for (const Step& step : report.schedule.steps) {
        EXPECT_GE(step.startSeconds, 0);
        EXPECT_LE(step.startSeconds, step.endSeconds);
        EXPECT_LE(step.endSeconds, report.seconds * (1 + 1e-12));
        if (step.kind == StepKind::Compute || step.kind == StepKind::Recompute) {
            EXPECT_GE(step.startSeconds, before) << "one processor";
            before = step.endSeconds;
        }
    }
}

/// The steps as they were issued, without what the replay found.
Schedule bare(Schedule schedule)
{
    for (Step& step : schedule.steps)
        step.startSeconds = step.endSeconds = 0, step.ramBytes = 0;
    return schedule;
}

constexpr TransferModel kModels[] = {TransferModel::Paper, TransferModel::Blocking, TransferModel::Dma};

TEST(ReplayProperties, randomValidSchedulesAreAcceptedWithConsistentNumbers)
{
    std::map<std::string, int> used;
    for (std::uint32_t seed = 1; seed <= 500; ++seed)
        for (const TransferModel model : kModels) {
            SCOPED_TRACE("seed " + std::to_string(seed) + ", " + std::string(name(model)));
            std::mt19937 random(seed);
            const CostGraph graph = testing::anyGraph(random);
            const Schedule schedule = testing::anySchedule(graph, model, random);
            const auto report = replay(graph, model, schedule);
            ASSERT_TRUE(report) << report.error().text();
            expectConsistent(graph, model, *report);
            EXPECT_EQ(bare(report->schedule), schedule) << "the replay changes nothing but times and RAM";
            const auto again = replay(graph, model, report->schedule);
            ASSERT_TRUE(again);
            EXPECT_EQ(again->schedule, report->schedule) << "a replay of a replay finds the same";
            const auto keepAll = replay(graph, model, keepAllSchedule(graph));
            ASSERT_TRUE(keepAll) << keepAll.error().text();
            expectConsistent(graph, model, *keepAll);
            EXPECT_LE(keepAll->energyJoules, report->energyJoules * (1 + 1e-12)) << "keeping everything is the cheapest";
            EXPECT_LE(keepAll->seconds, report->seconds * (1 + 1e-12));
            for (const Step& step : schedule.steps)
                ++used[std::string(name(model)) + " " + std::string(name(step.kind)) + " " + std::string(name(step.mode))];
        }
    for (const char* kind : {"paper recompute blocking", "paper page_in prefetch", "paper page_out background", "blocking recompute blocking",
                             "blocking page_in blocking", "blocking page_out blocking", "dma recompute blocking", "dma page_in prefetch", "dma page_in blocking",
                             "dma page_out background", "dma page_out blocking"})
        EXPECT_GT(used[kind], 50) << kind << ": the random schedules do not reach this";
}

/// One random change: a step dropped, doubled, moved, swapped with another, or with another node, stage or mode.
Schedule mutated(Schedule schedule, int nodes, std::mt19937& random)
{
    auto& steps = schedule.steps;
    const auto any = [&] { return static_cast<std::ptrdiff_t>(random() % steps.size()); };
    const auto at = any();
    const Step step = steps[static_cast<std::size_t>(at)];
    Step& target = steps[static_cast<std::size_t>(at)];
    switch (random() % 7) {
    case 0: steps.erase(steps.begin() + at); break;
    case 1: steps.insert(steps.begin() + any(), step); break;
    case 2: std::swap(target, steps[static_cast<std::size_t>(any())]); break;
    case 3: target.node = static_cast<int>(random() % static_cast<unsigned>(nodes + 2)) - 1; break;
    case 4: target.stage += random() % 2 == 0 ? 1 : -1; break;
    case 5: target.mode = static_cast<TransferMode>(random() % 3); break;
    default: target.kind = static_cast<StepKind>(random() % 5); break;
    }
    return schedule;
}

TEST(ReplayProperties, mutationsAreRejectedOrStayConsistent)
{
    int accepted = 0;
    int rejected = 0;
    for (std::uint32_t seed = 1; seed <= 300; ++seed)
        for (const TransferModel model : kModels) {
            SCOPED_TRACE("seed " + std::to_string(seed) + ", " + std::string(name(model)));
            std::mt19937 random(seed);
            const CostGraph graph = testing::anyGraph(random);
            const Schedule schedule = testing::anySchedule(graph, model, random);
            for (int i = 0; i < 20; ++i) {
                const Schedule changed = mutated(schedule, graph.size(), random);
                const auto report = replay(graph, model, changed);
                if (!report) {
                    EXPECT_EQ(report.error().code, ErrorCode::InvalidSchedule);
                    EXPECT_TRUE(report.error().message.starts_with("Step ") || report.error().message.starts_with("The schedule ends")) << report.error().message;
                    ++rejected;
                    continue;
                }
                expectConsistent(graph, model, *report);
                std::vector<int> mainRuns(graph.nodes.size());
                for (const Step& step : changed.steps)
                    if (step.kind == StepKind::Compute)
                        ++mainRuns[static_cast<std::size_t>(step.node)];
                EXPECT_EQ(std::count(mainRuns.begin(), mainRuns.end(), 1), graph.size()) << "every main node runs once";
                ++accepted;
            }
        }
    EXPECT_GT(rejected, 9000) << "of 18000";
    EXPECT_GT(accepted, 500);
}

TEST(ReplayProperties, schedulesOfAnotherGraphAreRejectedNotCrashed)
{
    int rejected = 0;
    for (std::uint32_t seed = 1; seed <= 300; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        std::mt19937 random(seed);
        const CostGraph one = testing::anyGraph(random);
        const CostGraph other = testing::anyGraph(random);
        for (const TransferModel model : kModels)
            if (const auto report = replay(other, model, testing::anySchedule(one, model, random)); report)
                expectConsistent(other, model, *report);
            else
                ++rejected;
    }
    EXPECT_GT(rejected, 700);
}

}  // namespace
}  // namespace poet

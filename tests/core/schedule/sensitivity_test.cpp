// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/replay.h"
#include "core/schedule/sensitivity.h"
#include "core/schedule/uncertainty.h"
#include "tests/core/device/small_graphs.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace poet {
namespace {

using test::chain;
using test::shipped;

constexpr int kLayers = 4;

/// Keeps all but `dropped` (a forward node of the chain), which is recomputed or paged for its backward reader.
Schedule dropOne(const TrainingGraph& training, NodeId dropped, bool pages)
{
    Schedule schedule;
    const int n = static_cast<int>(training.nodes.size());
    NodeId reader = 0;
    for (NodeId i = 0; i < n; ++i)
        for (const NodeId input : training.nodes[static_cast<std::size_t>(i)].inputs)
            reader = input == dropped ? i : reader;
    const auto add = [&](int stage, StepKind kind, NodeId node) {
        Step step;
        step.stage = stage;
        step.kind = kind;
        step.node = node;
        schedule.steps.push_back(step);
    };
    for (NodeId t = 0; t < n; ++t) {
        if (t == reader)
            add(t, pages ? StepKind::PageIn : StepKind::Recompute, dropped);
        add(t, StepKind::Compute, t);
        if (t == dropped && pages)
            add(t, StepKind::PageOut, dropped);
        if (t == dropped + 1)
            add(t, StepKind::Free, dropped);
        for (NodeId i = 0; i <= t; ++i) {
            NodeId last = i;
            for (NodeId j = 0; j < n; ++j)
                if (std::ranges::count(training.nodes[static_cast<std::size_t>(j)].inputs, i) > 0)
                    last = j;
            if (last == t)
                add(t, StepKind::Free, i);
        }
    }
    return schedule;
}

/// Recompute against page of one layer on the nRF52840.
struct Duel {
    TrainingGraph graph = chain(kLayers);
    DeviceProfile profile = shipped("nrf52840");
    std::vector<Schedule> schedules{dropOne(graph, 2, false), dropOne(graph, 2, true)};
    CostOptions options;

    [[nodiscard]] double joules(std::size_t which, const std::string& wanted, double value) const
    {
        DeviceProfile changed = profile;
        changeQuantities(changed, [&](const std::string& path, Dimension, Quantity& quantity) { quantity.value = path == wanted ? value : quantity.value; });
        const auto costs = buildCostGraph(graph, changed, options);
        const auto report = replay(*costs, costs->device.transfer, schedules[which]);
        EXPECT_TRUE(report) << (report ? "" : report.error().text());
        return report ? report->energyJoules : 0;
    }
};

TEST(Sensitivity, flipIsWhereTheTwoPlansCostTheSame)
{
    const Duel duel;
    for (const char* path : {"stores[sd-a1].write_latency", "stores[sd-a1].bus_bandwidth", "stores[sd-a1].write_power",
                             "rates[plain/f32].cycles_per_flop", "operating_points[64MHz-dcdc].active_power"}) {
        SCOPED_TRACE(path);
        const auto all = quantities(duel.profile);
        const double now = std::ranges::find(all, std::string(path), &NamedQuantity::path)->quantity->value;
        const auto curve = sensitivity(duel.graph, duel.profile, duel.options, duel.schedules, {path, now / 1000, now * 1000, {}});
        ASSERT_TRUE(curve) << curve.error().text();
        EXPECT_EQ(curve->intervals.front().low, now / 1000);
        EXPECT_EQ(curve->intervals.back().high, now * 1000);
        for (const double flip : curve->flips())
            EXPECT_NEAR(duel.joules(0, path, flip) / duel.joules(1, path, flip), 1, 1e-9) << flip;
        for (const BestInterval& interval : curve->intervals) {
            const double middle = std::sqrt(interval.low * interval.high);
            const auto best = static_cast<std::size_t>(interval.best);
            EXPECT_LE(duel.joules(best, path, middle), duel.joules(1 - best, path, middle) * (1 + 1e-12));
        }
    }
}

TEST(Sensitivity, slowStoresFlipPagingToRecompute)
{
    const Duel duel;
    const auto curve = sensitivity(duel.graph, duel.profile, duel.options, duel.schedules, {"stores[sd-a1].write_latency", 0, 100, {}});
    ASSERT_TRUE(curve) << curve.error().text();
    ASSERT_EQ(curve->intervals.size(), 2U);
    EXPECT_EQ(curve->intervals[0].best, 1) << "page when writing starts fast";
    EXPECT_EQ(curve->intervals[1].best, 0) << "recompute when it starts slowly";
    EXPECT_EQ(curve->now, 1.2e-3);
    const std::string text = stabilityText(*curve, duel.profile);
    EXPECT_NE(text.find("stores[sd-a1].write_latency"), std::string::npos);
    EXPECT_NE(text.find("now 1.2 ms"), std::string::npos) << text;
}

TEST(Sensitivity, kinksAreFound)
{
    // Bus and card: min(card, bus) has a kink where they are equal.
    Duel duel;
    const auto curve = sensitivity(duel.graph, duel.profile, duel.options, duel.schedules, {"stores[sd-a1].bus_bandwidth", 1e3, 1e11, {}});
    ASSERT_TRUE(curve) << curve.error().text();
    // Beyond the card's bandwidth nothing changes any more: no flip there.
    for (const double flip : curve->flips())
        EXPECT_LT(flip, 76e6);
}

TEST(Sensitivity, deadlineRulesSlowPlansOut)
{
    const Duel duel;
    const auto costs = buildCostGraph(duel.graph, duel.profile, duel.options);
    const auto recompute = replay(*costs, costs->device.transfer, duel.schedules[0]);
    const auto page = replay(*costs, costs->device.transfer, duel.schedules[1]);
    ASSERT_TRUE(recompute && page);
    const double deadline = std::max(recompute->seconds, page->seconds) * 1.01;
    const auto curve = sensitivity(duel.graph, duel.profile, duel.options, duel.schedules, {"rates[plain/f32].cycles_per_flop", 1, 100, deadline});
    ASSERT_TRUE(curve);
    EXPECT_EQ(curve->intervals.back().best, -1) << "too slow at 100 cycles per operation";
    EXPECT_GE(curve->intervals.front().best, 0);
}

TEST(Sensitivity, badQuestionsAreRefused)
{
    const Duel duel;
    EXPECT_FALSE(sensitivity(duel.graph, duel.profile, duel.options, duel.schedules, {"stores[x].latency", 0, 1, {}}));
    EXPECT_FALSE(sensitivity(duel.graph, duel.profile, duel.options, duel.schedules, {"stores[sd-a1].write_latency", 1, 1, {}}));
    EXPECT_FALSE(sensitivity(duel.graph, duel.profile, duel.options, duel.schedules, {"stores[sd-a1].bus_bandwidth", 0, 1, {}}));
    EXPECT_FALSE(sensitivity(duel.graph, duel.profile, duel.options, {}, {"stores[sd-a1].write_latency", 0, 1, {}}));
}

TEST(UncertaintyBand, isSeededAndHoldsTheMedian)
{
    const Duel duel;
    const auto first = planUncertainty(duel.graph, duel.profile, duel.options, duel.schedules[1], {400, 3});
    const auto again = planUncertainty(duel.graph, duel.profile, duel.options, duel.schedules[1], {400, 3});
    const auto other = planUncertainty(duel.graph, duel.profile, duel.options, duel.schedules[1], {400, 4});
    ASSERT_TRUE(first && again && other) << (first ? "" : first.error().text());
    EXPECT_EQ(first->energyJoules, again->energyJoules);
    EXPECT_EQ(first->seconds, again->seconds);
    EXPECT_NE(first->energyJoules, other->energyJoules);
    const auto costs = buildCostGraph(duel.graph, duel.profile, duel.options);
    const auto report = replay(*costs, costs->device.transfer, duel.schedules[1]);
    EXPECT_LT(first->energyJoules.low, report->energyJoules);
    EXPECT_GT(first->energyJoules.high, report->energyJoules);
    EXPECT_NEAR(first->energyJoules.median / report->energyJoules, 1, 0.2);
    EXPECT_NEAR(first->energyJoules.median / other->energyJoules.median, 1, 0.1);
}

TEST(UncertaintyBand, oneLogNormalNumberGivesItsOwnBand)
{
    // With only the time per operation uncertain, time is proportional to it: the band is known.
    Duel duel;
    changeQuantities(duel.profile, [](const std::string& path, Dimension, Quantity& quantity) {
        quantity.lowFactor = quantity.highFactor = 1;
        if (path.ends_with("cycles_per_flop")) {
            quantity.highFactor = 1.3;
            quantity.lowFactor = 1 / 1.3;
        }
    });
    const auto costs = buildCostGraph(duel.graph, duel.profile, duel.options);
    const auto report = replay(*costs, costs->device.transfer, duel.schedules[0]);
    const auto band = planUncertainty(duel.graph, duel.profile, duel.options, duel.schedules[0], {4000, 1});
    ASSERT_TRUE(band);
    EXPECT_NEAR(band->seconds.high / report->seconds, std::pow(1.3, kSigmasOf90Percent), 0.02);
    EXPECT_NEAR(band->seconds.low / report->seconds, std::pow(1.3, -kSigmasOf90Percent), 0.02);
    EXPECT_NEAR(band->seconds.median / report->seconds, 1, 0.02);
    ASSERT_EQ(band->effects.size(), 1U);
    EXPECT_DOUBLE_EQ(band->effects.front().energyShare, 1);
    EXPECT_EQ(band->note, "");
}

TEST(UncertaintyBand, numbersOfOneSourceMoveTogether)
{
    // Two halves of one sum: with a common source their errors add up, with two sources they partly cancel.
    const Duel duel;
    const auto width = [&](const char* second) {
        DeviceProfile profile = duel.profile;
        changeQuantities(profile, [&](const std::string& path, Dimension, Quantity& quantity) {
            quantity.lowFactor = quantity.highFactor = 1;
            if (path.starts_with("stores[sd-a1]") && path.ends_with("_latency")) {
                quantity.value = 10;
                quantity.highFactor = 1.5;
                quantity.lowFactor = 1 / 1.5;
                quantity.source = path.contains("write") ? "a" : second;
            }
        });
        const auto band = planUncertainty(duel.graph, profile, duel.options, duel.schedules[1], {3000, 9});
        EXPECT_TRUE(band);
        return band->seconds.high - band->seconds.low;
    };
    EXPECT_GT(width("a"), 1.25 * width("b"));
}

TEST(UncertaintyBand, unverifiedNumbersInFrontAreNoted)
{
    Duel duel;
    changeQuantities(duel.profile, [](const std::string& path, Dimension, Quantity& quantity) {
        if (path == "operating_points[64MHz-dcdc].active_power") {
            quantity.highFactor = 3;
            quantity.lowFactor = 1.0 / 3;
        }
    });
    const auto band = planUncertainty(duel.graph, duel.profile, duel.options, duel.schedules[0], {10, 1});
    ASSERT_TRUE(band);
    EXPECT_EQ(band->effects.front().path, "operating_points[64MHz-dcdc].active_power");
    EXPECT_NE(band->note.find("operating_points[64MHz-dcdc].active_power"), std::string::npos);
    double sum = 0;
    for (const NumberEffect& effect : band->effects)
        sum += effect.energyShare;
    EXPECT_NEAR(sum, 1, 1e-12);
}

}  // namespace
}  // namespace poet

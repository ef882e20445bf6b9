// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/device/calibrate.h"
#include "core/device/cost_model.h"
#include "core/device/row_lookup.h"
#include "core/schedule/replay.h"
#include "tests/core/device/small_graphs.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace poet {
namespace {

using test::chain;
using test::shipped;

const std::string kCsv = R"(# device: nrf52840
# operating_point=64MHz-dcdc clock_hz=64000000 library=plain
# date: 2026-11-30
# an ordinary remark, with = and commas
op,type,shape,seconds,joules,cycles,count,seconds_sd,joules_sd
Conv,f32,x=1x16x32x32 w=32x16x3x3 s=1x1 p=1x1x1x1 d=1x1 g=1,,,2668800,10,0.00004,
Conv.grad_data,f32,"x=1x16x32x32, quoted",0.0433,,2771200,10,0.00004,
Relu,f32,node=layer1.relu,0.001,0.00002,,5,,
store.write,-,bytes=4096,0.00161,0.00053,,50,0.0004,
)";

TEST(MeasuredRows, csvIsRead)
{
    const auto rows = parseMeasuredRows(kCsv, "rows.csv");
    ASSERT_TRUE(rows) << rows.error().text();
    ASSERT_EQ(rows->size(), 4U);
    EXPECT_EQ(rows->at(0).seconds, 2668800 / 64e6);
    EXPECT_EQ(rows->at(0).shape, "x=1x16x32x32 w=32x16x3x3 s=1x1 p=1x1x1x1 d=1x1 g=1");
    EXPECT_EQ(rows->at(0).operatingPoint, "64MHz-dcdc");
    EXPECT_EQ(rows->at(0).device, "nrf52840");
    EXPECT_EQ(rows->at(0).date, "2026-11-30");
    EXPECT_EQ(rows->at(0).count, 10);
    EXPECT_FALSE(rows->at(0).joules);
    EXPECT_EQ(rows->at(1).shape, "x=1x16x32x32, quoted");
    EXPECT_EQ(rows->at(1).seconds, 0.0433);
    EXPECT_EQ(rows->at(2).node, "layer1.relu");
    EXPECT_EQ(rows->at(2).shape, "");
    EXPECT_TRUE(rows->at(3).isStore());
}

TEST(MeasuredRows, jsonOfTheSameFieldsIsRead)
{
    const auto array = parseMeasuredRows(R"([{"op":"Conv","type":"f32","shape":"x=1","seconds":0.5,"joules":2,"count":3}])", "rows.json");
    ASSERT_TRUE(array) << array.error().text();
    EXPECT_EQ(array->front().joules, 2.0);
    const auto object = parseMeasuredRows(R"({"clock_hz":1e6,"operating_point":"slow","rows":[{"op":"Conv","shape":"x=1","cycles":500}]})", "rows.json");
    ASSERT_TRUE(object) << object.error().text();
    EXPECT_EQ(object->front().seconds, 5e-4);
    EXPECT_EQ(object->front().operatingPoint, "slow");
}

TEST(MeasuredRows, errorsNameLineOrPath)
{
    const struct {
        std::string text;
        const char* expected;
    } table[] = {
        {"", "has no header line"},
        {"op,type,form\n", "line 1 names the unknown column \"form\""},
        {"op,type,shape,seconds\nConv,f32,x=1\n", "line 2 has 3 fields, the header 4"},
        {"op,type,shape,seconds\nConv,f32,x=1,fast\n", "line 2 has \"fast\" in column seconds"},
        {"op,type,shape,seconds\nConv,f32,x=1,-1\n", "line 2 has \"-1\""},
        {"op,type,shape,seconds\nConv,f32,x=1,nan\n", "line 2 has \"nan\""},
        {"op,type,shape,cycles\nConv,f32,x=1,100\n", "line 2 has neither seconds nor cycles with a clock_hz"},
        {"# clock_hz=fast\nop,type,shape,cycles\n", "line 1 gives a clock_hz"},
        {R"([{"op":"Conv"}])", "$[0].seconds is missing"},
        {R"([{"op":"Conv","seconds":1,"watts":2}])", "$[0].watts is not a known field"},
        {R"([{"op":"Conv","seconds":3e9}])", "$[0].seconds says that one run takes longer"},
        {R"([{"op":"Conv","seconds":1e-3,"joules":500}])", "$[0].joules means more than 10 kW"},
        {R"([{"op":"idle","seconds":1,"joules":1e9}])", "$[0].joules means more than 10 kW"},
        {R"([{"op":"Conv","seconds":1e-9,"flops":1e12}])", "$[0].flops means more than 10 PFLOP/s"},
        {R"([{"op":"Conv","seconds":1,"count":1e300}])", "$[0].count must be from 1"},
        {"op,type,shape,seconds,joules\nConv,f32,x=1,0,7\n", "seconds is 0: the clock was too coarse"},
    };
    for (const auto& row : table) {
        const auto rows = parseMeasuredRows(row.text, "rows");
        ASSERT_FALSE(rows) << row.text;
        EXPECT_NE(rows.error().message.find(row.expected), std::string::npos) << rows.error().message;
    }
}

/// One row for every piece of work, with made-up times and energies.
std::vector<MeasuredRow> rowsFor(const TrainingGraph& graph, std::mt19937& random, bool withJoules)
{
    std::uniform_real_distribution<double> seconds(1e-4, 3e-2);
    std::uniform_real_distribution<double> watts(0.006, 0.03);
    std::vector<MeasuredRow> rows;
    for (const TrainingNode& node : graph.nodes)
        for (const Work& work : node.work) {
            MeasuredRow row;
            row.op = work.op;
            row.type = "f32";
            row.shape = work.key;
            row.seconds = seconds(random);
            if (withJoules)
                row.joules = row.seconds * watts(random);
            rows.push_back(row);
        }
    return rows;
}

TEST(Calibration, isExactWhenEveryOperatorHasARow)
{
    const unsigned seed = 7;
    std::mt19937 random(seed);
    for (const char* id : {"nrf52840", "stm32h743", "rpi4b", "paper-m4"}) {
        for (const bool withJoules : {true, false}) {
            SCOPED_TRACE(std::string(id) + (withJoules ? " with joules" : " power from the profile"));
            const TrainingGraph graph = chain(6);
            DeviceProfile profile = shipped(id);
            for (StoreProfile& store : profile.stores)
                store.idlePower.reset();
            // Totals above idle power, or there is no such device.
            auto rows = rowsFor(graph, random, withJoules);
            const OperatingPoint& point = profile.operatingPoints.front();
            double seconds = 0;
            double joules = 0;
            for (MeasuredRow& row : rows) {
                if (row.joules)
                    row.joules = *row.joules + point.idleWatts() * row.seconds;
                seconds += row.seconds;
                joules += row.joules.value_or(point.activePower.value * row.seconds);
            }
            const auto calibrated = calibrate(profile, rows, "rows.csv");
            ASSERT_TRUE(calibrated) << calibrated.error().text();
            EXPECT_EQ(calibrated->profile.id, std::string(id) + "-calibrated");
            const auto costs = buildCosts(graph, calibrated->profile);
            ASSERT_TRUE(costs) << costs.error().text();
            EXPECT_EQ(costs->modelledSeconds, 0);
            EXPECT_EQ(costs->interpolatedSeconds, 0);
            const auto plan = replay(costs->graph, costs->graph.device.transfer, keepAllSchedule(costs->graph));
            ASSERT_TRUE(plan) << plan.error().text();
            EXPECT_NEAR(plan->seconds, seconds, 1e-12 * seconds);
            EXPECT_NEAR(plan->energyJoules, joules, 1e-12 * joules);
        }
    }
}

TEST(Calibration, nodeRowsWinOverKeysAndLaterRowsOverEarlier)
{
    TrainingGraph graph = chain(2);
    DeviceProfile profile = shipped("nrf52840");
    const auto row = [](const char* shape, const char* node, double seconds) {
        MeasuredRow one;
        one.op = "Conv";
        one.shape = shape;
        one.node = node;
        one.seconds = seconds;
        return one;
    };
    profile.measured = {row("x=1", "", 5), row("x=1", "", 6), row("x=2", "", 7), row("", "conv2", 8)};
    const auto costs = buildCosts(graph, profile);
    ASSERT_TRUE(costs);
    EXPECT_EQ(costs->graph.nodes[1].compute.seconds, 6);
    EXPECT_EQ(costs->graph.nodes[2].compute.seconds, 8);
    EXPECT_EQ(costs->measuredSeconds, 14);
    EXPECT_GT(costs->modelledSeconds, 0);
}

TEST(Calibration, rowsHoldForTheirOperatingPointOnly)
{
    DeviceProfile profile = shipped("stm32h743");
    MeasuredRow row;
    row.op = "Conv";
    row.shape = "x=1";
    row.seconds = 5;
    row.operatingPoint = "VOS3-200MHz";
    profile.measured = {row};
    EXPECT_EQ(buildCosts(chain(1), profile)->measuredSeconds, 0);
    EXPECT_EQ(buildCosts(chain(1), profile, {.operatingPoint = "VOS3-200MHz"})->measuredSeconds, 5);
}

TEST(Calibration, unmeasuredOperatorsAreInterpolatedWithinTheirClass)
{
    const TrainingGraph graph = chain(6);
    DeviceProfile profile = shipped("nrf52840");
    const double a = 2e-4;
    const double b = 3e-8;
    const double c = 5e-8;
    const auto seconds = [&](const Work& work) { return a + b * work.flops + c * static_cast<double>(work.bytesRead + work.bytesWritten); };
    for (int i = 1; i <= 5; ++i) {
        MeasuredRow row;
        row.op = "Conv";
        row.type = "f32";
        row.shape = "x=" + std::to_string(i);
        row.seconds = seconds(graph.nodes[static_cast<std::size_t>(i)].work[0]);
        row.joules = row.seconds * 0.02;
        profile.measured.push_back(row);
    }
    const auto costs = buildCosts(graph, profile);
    ASSERT_TRUE(costs);
    const double expected = seconds(graph.nodes[6].work[0]);
    EXPECT_NEAR(costs->graph.nodes[6].compute.seconds, expected, 1e-9 * expected);
    EXPECT_NEAR(costs->graph.nodes[6].compute.joules, expected * (0.02 - 0.0015 - 0.0016), 1e-9 * expected);
    EXPECT_GT(costs->interpolatedSeconds, 0);
    // The loss is of another class: modelled.
    EXPECT_NEAR(costs->modelledSeconds, 5000 * 7.28 / 64e6, 1e-12);
    profile.measured.pop_back();
    profile.measured.pop_back();
    EXPECT_EQ(buildCosts(graph, profile)->interpolatedSeconds, 0) << "three rows are too few";
}

TEST(Fit, returnsTheCoefficientsOfSyntheticRows)
{
    const unsigned seed = 11;
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> exponent(2, 8);
    for (int round = 0; round < 200; ++round) {
        const bool hasConstant = round % 3 != 0;
        const double a = hasConstant ? 1e-4 : 0;
        const double b = 1e-9 * (1 + round);
        const double c = round % 2 == 0 ? 3e-8 : 0;
        std::vector<FitPoint> points;
        for (int i = 0; i < 8; ++i) {
            const double x1 = std::pow(10, exponent(random));
            const double x2 = std::pow(10, exponent(random));
            points.push_back({x1, x2, a + b * x1 + c * x2});
        }
        const auto fit = fitNonNegative(points);
        ASSERT_TRUE(fit);
        EXPECT_NEAR(fit->coefficients[0], a, 1e-6 * 1e-4) << "seed " << seed << " round " << round;
        EXPECT_NEAR(fit->coefficients[1], b, 1e-6 * b) << "seed " << seed << " round " << round;
        EXPECT_NEAR(fit->coefficients[2], c, 1e-6 * 3e-8) << "seed " << seed << " round " << round;
        EXPECT_LT(fit->largestRelativeResidual, 1e-6);
    }
}

TEST(Fit, coefficientsAreNeverNegative)
{
    const unsigned seed = 5;
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> any(0.1, 10);
    for (int round = 0; round < 300; ++round) {
        std::vector<FitPoint> points;
        for (int i = 0; i < 5; ++i)
            points.push_back({any(random), any(random), any(random)});
        const auto fit = fitNonNegative(points);
        ASSERT_TRUE(fit) << "seed " << seed;
        for (const double coefficient : fit->coefficients)
            EXPECT_GE(coefficient, 0) << "seed " << seed << " round " << round;
    }
    EXPECT_FALSE(fitNonNegative({}));
    EXPECT_FALSE(fitNonNegative({{1, 1, 0}}));
}

std::string storeCsv(double latency, double bandwidth, double watts)
{
    std::string text = "# operating_point=64MHz-dcdc date=2026-11-30 instrument=meter\nop,type,shape,seconds,joules\n";
    for (const int bytes : {4096, 16384, 65536, 262144}) {
        const double seconds = latency + bytes / bandwidth;
        text += "store.write,-,bytes=" + std::to_string(bytes) + "," + std::to_string(seconds) + "," + std::to_string(seconds * watts) + "\n";
        text += "store.read,-,bytes=" + std::to_string(bytes) + "," + std::to_string(seconds / 2) + ",\n";
    }
    return text + "idle,-,,10,0.02\nstore.erase,-,,0.04,\n";
}

TEST(Calibration, storeRowsSetLatencyBandwidthAndPower)
{
    const auto rows = parseMeasuredRows(storeCsv(0.002, 1e6, 0.15), "card.csv");
    ASSERT_TRUE(rows) << rows.error().text();
    const auto calibrated = calibrate(shipped("nrf52840"), *rows, "card.csv");
    ASSERT_TRUE(calibrated) << calibrated.error().text();
    const StoreProfile& store = calibrated->profile.stores.front();
    EXPECT_NEAR(store.writeLatency->value, 0.002, 1e-5);
    EXPECT_NEAR(store.writeBandwidth->value, 1e6, 1e3);
    EXPECT_NEAR(store.readBandwidth->value, 2e6, 2e3);
    EXPECT_EQ(store.writeLatency->origin, Origin::Measured);
    EXPECT_EQ(store.writeLatency->source, "card.csv, meter");
    EXPECT_EQ(store.writeLatency->date, "2026-11");
    EXPECT_FALSE(store.busBandwidth) << "what was measured came over the bus";
    EXPECT_NEAR(store.writePower->value, 0.15 - 0.010, 1e-6) << "the meter saw the busy core too";
    EXPECT_EQ(store.readPower->value, 0.2) << "no energy measured: stays";
    EXPECT_NEAR(calibrated->profile.operatingPoints.front().idlePower->value, 0.002, 1e-12);
    EXPECT_NEAR(store.eraseTime->value, 0.04, 1e-12);
    // The written file reads back and plans alike.
    const auto again = ProfileStore(std::string(POET_SOURCE_DIR) + "/resources").parse(toJson(calibrated->profile), "mine", {});
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(*buildCostGraph(chain(2), again->profile), *buildCostGraph(chain(2), calibrated->profile));
}

TEST(Calibration, twoRegimesAndTooFewSizesAreSaid)
{
    const auto twoRegimes = parseMeasuredRows("op,type,shape,seconds\nstore.write,-,bytes=1024,0.03\nstore.write,-,bytes=4096,0.03\n"
                                              "store.write,-,bytes=16384,0.43\nstore.write,-,bytes=65536,0.45\n", "cheap.csv");
    ASSERT_TRUE(twoRegimes);
    const auto calibrated = calibrate(shipped("nrf52840"), *twoRegimes, "cheap.csv");
    ASSERT_TRUE(calibrated);
    EXPECT_TRUE(std::ranges::any_of(calibrated->notes, [](const std::string& note) { return note.contains("two regimes"); }));
    const auto few = parseMeasuredRows("op,type,shape,seconds\nstore.write,-,bytes=1024,0.03\nstore.write,-,bytes=4096,0.04\n", "few.csv");
    const auto unchanged = calibrate(shipped("nrf52840"), *few, "few.csv");
    ASSERT_TRUE(unchanged);
    EXPECT_EQ(unchanged->profile.stores.front().writeLatency->value, 1.2e-3);
    const auto noSize = parseMeasuredRows("op,type,shape,seconds\nstore.write,-,large,0.03\n", "odd.csv");
    EXPECT_FALSE(calibrate(shipped("nrf52840"), *noSize, "odd.csv"));
}

}  // namespace
}  // namespace poet

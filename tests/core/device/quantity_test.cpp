// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/device/field_reader.h"
#include "core/device/quantity.h"

#include <gtest/gtest.h>

#include <cmath>

namespace poet {
namespace {

/// Reads {"q": JSON} as a quantity of that dimension.
struct ReadOne {
    JsonTree tree;
    ReadState state{"file", {}, {}};
    std::optional<Quantity> quantity;

    ReadOne(const std::string& json, Dimension dimension)
    {
        tree = *parseJsonTree("{\"q\": " + json + "}", "file");
        FieldReader fields(tree, "$", state);
        quantity = fields.quantity("q", dimension, true);
        fields.finish();
    }
    [[nodiscard]] std::string message() const { return state.error ? state.error->message : ""; }
};

TEST(Units, prefixesScaleToSi)
{
    const struct {
        const char* text;
        Dimension dimension;
        double factor;
    } table[] = {
        {"W", Dimension::Power, 1},          {"mW", Dimension::Power, 1e-3},        {"uW", Dimension::Power, 1e-6},
        {"s", Dimension::Time, 1},           {"ms", Dimension::Time, 1e-3},         {"us", Dimension::Time, 1e-6},
        {"Hz", Dimension::Frequency, 1},     {"MHz", Dimension::Frequency, 1e6},    {"B", Dimension::Size, 1},
        {"KiB", Dimension::Size, 1024},      {"kB", Dimension::Size, 1000},         {"MB", Dimension::Size, 1e6},
        {"GiB", Dimension::Size, 1073741824},{"B/s", Dimension::Bandwidth, 1},      {"MB/s", Dimension::Bandwidth, 1e6},
        {"V", Dimension::Voltage, 1},        {"A", Dimension::Current, 1},          {"mA", Dimension::Current, 1e-3},
        {"J", Dimension::Energy, 1},         {"nJ", Dimension::Energy, 1e-9},       {"FLOP/s", Dimension::FlopRate, 1},
        {"GFLOP/s", Dimension::FlopRate, 1e9}, {"FLOP/J", Dimension::FlopPerJoule, 1}, {"cycle/FLOP", Dimension::CyclePerFlop, 1},
        {"cycles", Dimension::Cycles, 1},    {"1", Dimension::Ratio, 1},
    };
    for (const auto& row : table) {
        const auto unit = parseUnit(row.text);
        ASSERT_TRUE(unit) << row.text;
        EXPECT_EQ(unit->dimension, row.dimension) << row.text;
        EXPECT_DOUBLE_EQ(unit->factor, row.factor) << row.text;
    }
}

TEST(Units, whatIsNoUnitIsRefused)
{
    for (const char* text : {"", "w", "mHz", "mB", "Kib", "KB", "kib", "uB/s", "mFLOP/s", "MiW", "kcycle/FLOP", "xW", " W", "W ", "2", "B/S", "min"})
        EXPECT_FALSE(parseUnit(text)) << text;
}

TEST(QuantityReading, roundTripsInTheUnitAsWritten)
{
    for (const char* json : {R"({"value":10,"unit":"mW","origin":"measured","source":"me","date":"2026-11"})",
                             R"({"value":0.71,"unit":"ms","origin":"datasheet","verified":true,"spread":0.3,"source":"sheet"})",
                             R"({"value":31,"unit":"ms","origin":"measured","low":28,"high":430,"note":"two regimes"})",
                             R"({"value":45.5,"unit":"MB/s","origin":"estimated"})"}) {
        const ReadOne first(json, parseUnit(std::string(json).contains("mW") ? "W" : std::string(json).contains("MB/s") ? "B/s" : "s")->dimension);
        ASSERT_TRUE(first.quantity && !first.state.error) << first.message();
        const ReadOne second(toLine(toTree(*first.quantity)), parseUnit(first.quantity->unit)->dimension);
        ASSERT_TRUE(second.quantity) << second.message();
        EXPECT_EQ(*first.quantity, *second.quantity) << json;
        EXPECT_NEAR(first.quantity->written() * parseUnit(first.quantity->unit)->factor, first.quantity->value, 1e-15 * first.quantity->value);
    }
}

TEST(QuantityReading, defaultsFollowTheOrigin)
{
    const ReadOne measured(R"({"value":1,"unit":"W","origin":"measured"})", Dimension::Power);
    const ReadOne sheet(R"({"value":1,"unit":"W","origin":"datasheet"})", Dimension::Power);
    const ReadOne guess(R"({"value":1,"unit":"W","origin":"estimated"})", Dimension::Power);
    EXPECT_TRUE(measured.quantity->isVerified);
    EXPECT_FALSE(sheet.quantity->isVerified);
    EXPECT_DOUBLE_EQ(measured.quantity->atSigmas(1), 1.05);
    EXPECT_DOUBLE_EQ(sheet.quantity->atSigmas(1), 1.2);
    EXPECT_DOUBLE_EQ(guess.quantity->atSigmas(1), 2.0);
    EXPECT_DOUBLE_EQ(guess.quantity->atSigmas(-1), 0.5);
    EXPECT_DOUBLE_EQ(guess.quantity->atSigmas(0), 1.0);
}

TEST(QuantityReading, lowAndHighAreTheOneSigmaEnds)
{
    const ReadOne read(R"({"value":31,"unit":"ms","origin":"measured","low":28,"high":430})", Dimension::Time);
    EXPECT_NEAR(read.quantity->atSigmas(-1), 0.028, 1e-15);
    EXPECT_NEAR(read.quantity->atSigmas(1), 0.430, 1e-15);
    EXPECT_NEAR(read.quantity->atSigmas(2), 0.031 * std::pow(430.0 / 31, 2), 1e-12);
}

TEST(QuantityReading, errorsNameTheJsonPath)
{
    const struct {
        const char* json;
        const char* expected;
    } table[] = {
        {"5", "$.q must be a quantity"},
        {R"({"unit":"W","origin":"measured"})", "$.q.value is missing"},
        {R"({"value":1,"origin":"measured"})", "$.q.unit is missing"},
        {R"({"value":1,"unit":"W"})", "$.q.origin is missing"},
        {R"({"value":-1,"unit":"W","origin":"measured"})", "$.q.value must not be negative"},
        {R"({"value":"1","unit":"W","origin":"measured"})", "$.q.value must be a number"},
        {R"({"value":1,"unit":"watt","origin":"measured"})", "$.q.unit \"watt\" is not a known unit"},
        {R"({"value":1,"unit":"mA","origin":"measured"})", "$.q.unit \"mA\" is a unit of current, not of power (W)"},
        {R"({"value":1,"unit":"W","origin":"guessed"})", "$.q.origin \"guessed\" is none of measured, datasheet, estimated"},
        {R"({"value":1,"unit":"W","origin":"measured","sources":"x"})", "$.q.sources is not a known field"},
        {R"({"value":1,"unit":"W","origin":"measured","spread":0.1,"low":0.5,"high":2})", "$.q.spread stands beside low or high"},
        {R"({"value":1,"unit":"W","origin":"measured","low":0.5})", "$.q.high is missing"},
        {R"({"value":1,"unit":"W","origin":"measured","low":2,"high":3})", "$.q.low and high must enclose the value"},
        {R"({"value":1,"unit":"W","origin":"measured","date":"November"})", "$.q.date must be a year and a month"},
        {R"({"value":1,"unit":"W","origin":"measured","verified":"yes"})", "$.q.verified must be true or false"},
    };
    for (const auto& row : table)
        EXPECT_NE(ReadOne(row.json, Dimension::Power).message().find(row.expected), std::string::npos)
            << row.json << "\n" << ReadOne(row.json, Dimension::Power).message();
}

TEST(QuantityReading, sizesThatOverflowAreRefused)
{
    EXPECT_NE(ReadOne(R"({"value":1e30,"unit":"B","origin":"measured"})", Dimension::Size).message().find("$.q.value is too large"), std::string::npos);
    EXPECT_EQ(ReadOne(R"({"value":20,"unit":"TB","origin":"measured"})", Dimension::Size).message(), "");
}

TEST(JsonTreeReading, repeatedKeysAndDepthAreErrors)
{
    const auto twice = parseJsonTree(R"({"a":{"b":1,"b":2}})", "file");
    ASSERT_FALSE(twice);
    EXPECT_NE(twice.error().message.find("\"b\" stands twice"), std::string::npos);
    EXPECT_FALSE(parseJsonTree(std::string(200, '[') + std::string(200, ']'), "file"));
    EXPECT_FALSE(parseJsonTree("{\"a\": 1", "file"));
    EXPECT_FALSE(parseJsonTree("", "file"));
    EXPECT_FALSE(parseJsonTree("{} {}", "file"));
    EXPECT_FALSE(parseJsonTree("{\"a\": NaN}", "file"));
}

}  // namespace
}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/units.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>

namespace poet {
namespace {

/// Digits from the first that is not zero on, decimal point left out: "0.0120 s" has three.
int significantDigits(const std::string& text)
{
    int count = 0;
    for (const char c : text) {
        if (c == ' ')
            break;
        if (c >= '0' && c <= '9' && (count > 0 || c != '0'))
            ++count;
    }
    return count;
}

/// A number whose logarithm is even over `low` to `high` powers of ten.
double anyMagnitude(std::mt19937_64& random, double low, double high)
{
    return std::pow(10.0, std::uniform_real_distribution<double>(low, high)(random));
}

TEST(Units, formattedSizesReadBackWithinThreeDigits)
{
    constexpr std::uint64_t seed = 1;
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    for (int i = 0; i < 5000; ++i) {
        const auto bytes = static_cast<std::int64_t>(anyMagnitude(random, 0, 17));
        const auto back = parseBytes(formatBytes(bytes));
        ASSERT_TRUE(back) << formatBytes(bytes) << ": " << back.error().text();
        EXPECT_NEAR(static_cast<double>(*back), static_cast<double>(bytes), 0.00502 * static_cast<double>(bytes) + 1) << formatBytes(bytes);
    }
}

TEST(Units, formattedTimesReadBackWithinThreeDigits)
{
    constexpr std::uint64_t seed = 2;
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    for (int i = 0; i < 5000; ++i) {
        const double seconds = anyMagnitude(random, -12, 6);
        const auto back = parseSeconds(formatSeconds(seconds));
        ASSERT_TRUE(back) << formatSeconds(seconds);
        EXPECT_NEAR(*back, seconds, 0.00502 * seconds) << formatSeconds(seconds);
    }
}

TEST(Units, exactlyThreeDigitsAreShown)
{
    constexpr std::uint64_t seed = 3;
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    for (int i = 0; i < 5000; ++i) {
        const double value = anyMagnitude(random, -14, 5.9);
        EXPECT_EQ(significantDigits(formatJoules(value)), 3) << formatJoules(value);
        EXPECT_EQ(significantDigits(formatSi(value, "FLOP")), 3) << formatSi(value, "FLOP");
    }
    // On both sides of where a digit or the unit changes.
    EXPECT_EQ(formatJoules(9.994), "9.99 J");
    EXPECT_EQ(formatJoules(9.996), "10.0 J");
    EXPECT_EQ(formatJoules(99.94), "99.9 J");
    EXPECT_EQ(formatJoules(99.96), "100 J");
    EXPECT_EQ(formatJoules(999.4), "999 J");
    EXPECT_EQ(formatJoules(999.6), "1.00 kJ");
    EXPECT_EQ(formatSeconds(59.4), "59.4 s");
    EXPECT_EQ(formatSeconds(60), "1.00 min");
    EXPECT_EQ(formatSeconds(3600), "1.00 h");
    EXPECT_EQ(formatJoules(-0.0118), "-11.8 mJ");
}

TEST(Units, whatIsNotZeroIsNeverShownAsZero)
{
    EXPECT_EQ(formatSeconds(0), "0 s");
    EXPECT_EQ(formatJoules(0), "0 J");
    EXPECT_EQ(formatBytes(0), "0 B");
    for (const double tiny : {1e-10, 1e-12, 3e-17}) {
        EXPECT_GT(significantDigits(formatSeconds(tiny)), 0) << formatSeconds(tiny);
        EXPECT_GT(significantDigits(formatJoules(tiny)), 0) << formatJoules(tiny);
    }
}

TEST(Units, enormousValuesStayReadable)
{
    for (const double value : {1e40, 1e300, std::numeric_limits<double>::max()}) {
        const std::string text = formatSeconds(value);
        EXPECT_EQ(text.find('\0'), std::string::npos);
        EXPECT_TRUE(text.ends_with(" h")) << text;
    }
}

TEST(Units, sizesUseBinaryPrefixes)
{
    EXPECT_EQ(formatBytes(512), "512 B");
    EXPECT_EQ(formatBytes(1023), "1023 B");
    EXPECT_EQ(formatBytes(98304), "96.0 KiB");
    EXPECT_EQ(formatBytes(1610612736), "1.50 GiB");
}

TEST(Units, percentIsNeverZeroUnlessItIs)
{
    EXPECT_EQ(formatPercent(0), "0 %");
    EXPECT_EQ(formatPercent(12.34), "12.3 %");
    for (const double percent : {1e-300, 1e-9, 0.04, 0.0999}) {
        EXPECT_EQ(formatPercent(percent), "< 0.1 %");
        EXPECT_EQ(formatPercent(-percent), "> -0.1 %");
    }
    for (double percent = 0.1; percent < 200; percent *= 1.01) {
        EXPECT_NE(formatPercent(percent).find_first_of("123456789"), std::string::npos) << percent;
        EXPECT_EQ(formatPercent(percent).find('<'), std::string::npos) << percent;
    }
}

TEST(Units, doublesReadBackAsTheSameBits)
{
    constexpr std::uint64_t seed = 4;
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    for (int i = 0; i < 2000; ++i) {
        const double value = (random() % 2 ? 1 : -1) * anyMagnitude(random, -300, 300);
        EXPECT_EQ(std::stod(formatDouble(value)), value) << formatDouble(value);
    }
}

TEST(Units, sizesMayBeTypedInManyWays)
{
    for (const char* text : {"65536", "64KiB", "64 KiB", " 64 kib ", "0.0625MiB", "64K", "65536 B", "6.5536e4", "65.536 KB"}) {
        const auto bytes = parseBytes(text);
        ASSERT_TRUE(bytes) << text;
        EXPECT_EQ(*bytes, 65536) << text;
    }
    EXPECT_EQ(parseBytes("64KB").value(), 64000);
    EXPECT_EQ(parseBytes("1.5 GB").value(), 1500000000);
    EXPECT_EQ(parseBytes("1.9 B").value(), 1) << "rounds down: a limit is never larger than what was typed";
    EXPECT_EQ(parseSeconds("140 ms").value(), 0.14);
    EXPECT_EQ(parseSeconds("8h").value(), 28800);
    EXPECT_EQ(parseSeconds("2.5").value(), 2.5);
    EXPECT_DOUBLE_EQ(parseRatio("0.01%").value(), 0.0001);
    EXPECT_EQ(parseRatio("0.0001").value(), 0.0001);
}

TEST(Units, whatCannotBeReadIsNamed)
{
    for (const std::string text : {"", "-1", "-64 KiB", "many", "64 KiX", "64 ms", "nan", "inf", "-inf", "1e999", "0x40", "5%%", "64 KiB more", "9e18", "1e30 GiB"}) {
        const auto bytes = parseBytes(text);
        ASSERT_FALSE(bytes) << text;
        EXPECT_EQ(bytes.error().code, ErrorCode::BadUsage);
        EXPECT_NE(bytes.error().message.find("'" + text + "'"), std::string::npos) << bytes.error().message;
        EXPECT_TRUE(bytes.error().message.ends_with(".")) << bytes.error().message;
        EXPECT_FALSE(parseMemory(text)) << text;
    }
    for (const std::string text : {"", "-1 s", "soon", "5 KiB", "nan", "1e999", "5 parsecs"}) {
        const auto seconds = parseSeconds(text);
        ASSERT_FALSE(seconds) << text;
        EXPECT_NE(seconds.error().message.find("'" + text + "'"), std::string::npos);
        EXPECT_FALSE(parseDeadline(text)) << text;
    }
    for (const std::string text : {"", "-1%", "5 s", "few"})
        EXPECT_FALSE(parseRatio(text)) << text;
}

TEST(MemorySpec, spanRunsFromTheWallToTheKeepAllPeak)
{
    constexpr std::int64_t wall = 1000;
    constexpr std::int64_t peak = 5000;
    EXPECT_EQ(parseMemory("0%span")->bytes(wall, peak), wall);
    EXPECT_EQ(parseMemory("100 %span")->bytes(wall, peak), peak);
    EXPECT_EQ(parseMemory("50%SPAN")->bytes(wall, peak), 3000);
    EXPECT_EQ(parseMemory("50%")->bytes(wall, peak), 2500);
    EXPECT_EQ(parseMemory("2 KiB")->bytes(wall, peak), 2048) << "independent of the graph";
    std::int64_t before = 0;
    for (int percent = 0; percent <= 120; ++percent) {
        const std::int64_t bytes = parseMemory(std::to_string(percent) + "%span")->bytes(wall, peak);
        EXPECT_GE(bytes, before);
        before = bytes;
    }
}

TEST(MemorySpec, absurdPercentagesAreRefusedOrHuge)
{
    for (const char* text : {"1e12%", "1e300%", "1e300%span"}) {
        const auto spec = parseMemory(text);
        EXPECT_FALSE(spec && spec->bytes(1'000'000, std::int64_t{1} << 50) <= 0) << text;
    }
}

TEST(DeadlineSpec, percentIsOfKeepAllTime)
{
    EXPECT_DOUBLE_EQ(parseDeadline("120%")->seconds(2), 2.4);
    EXPECT_DOUBLE_EQ(parseDeadline("140 ms")->seconds(2), 0.14);
}

TEST(Units, valuesThatDifferLookDifferent)
{
    EXPECT_EQ(formatBytesBeside(314600, 314000), "314600 B");
    EXPECT_EQ(formatBytesBeside(314600, 314600), formatBytes(314600));
    EXPECT_EQ(formatBytesBeside(314600, 1), formatBytes(314600));
    EXPECT_EQ(formatSecondsBeside(0.12301, 0.123), "0.12301 s");
    EXPECT_EQ(formatSecondsBeside(0.123, 2), formatSeconds(0.123));
}

}  // namespace
}  // namespace poet

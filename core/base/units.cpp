// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/units.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <span>

namespace poet {
namespace {

struct Unit {
    std::string_view name;
    double factor;
};

constexpr std::array kByteUnits{Unit{"B", 1},          Unit{"KiB", 1024},      Unit{"MiB", 1048576.0},
                                Unit{"GiB", 1073741824.0}, Unit{"TiB", 1099511627776.0}};
constexpr std::array kByteInputs{Unit{"B", 1},       Unit{"K", 1024},        Unit{"KB", 1e3},           Unit{"KIB", 1024},
                                 Unit{"M", 1048576.0}, Unit{"MB", 1e6},      Unit{"MIB", 1048576.0},    Unit{"G", 1073741824.0},
                                 Unit{"GB", 1e9},    Unit{"GIB", 1073741824.0}, Unit{"TB", 1e12},       Unit{"TIB", 1099511627776.0}};
constexpr std::array kTimeInputs{Unit{"NS", 1e-9}, Unit{"US", 1e-6},  Unit{"MS", 1e-3},   Unit{"S", 1},
                                 Unit{"MIN", 60},  Unit{"H", 3600},   Unit{"D", 86400}};

/// `value` with so many digits after the point, without an exponent.
std::string fixedDigits(double value, int digits)
{
    std::array<char, 400> buffer{};  // the largest double has 309 digits before the point
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, digits).ptr;
    return {buffer.data(), end};
}

/// Three significant digits without an exponent, trailing zeros kept ("96.0"); values below 1 have two after the point.
std::string threeDigits(double value)
{
    const double magnitude = std::abs(value);
    return fixedDigits(value, magnitude >= 99.95 ? 0 : magnitude >= 9.995 ? 1 : 2);
}

/// Three significant digits of a value below the smallest unit, so that it is never shown as zero.
std::string tinyDigits(double value)
{
    const double magnitude = std::abs(value);
    if (magnitude == 0 || magnitude >= 0.9995)
        return threeDigits(value);
    int digits = 2 - static_cast<int>(std::floor(std::log10(magnitude)));
    if (magnitude * std::pow(10.0, digits) >= 999.5)  // rounds up to one digit more
        --digits;
    return fixedDigits(value, digits);
}

/// Picks the largest unit in which `value` is at least 1 after rounding to three digits.
std::string scaled(double value, std::span<const Unit> units)
{
    const double magnitude = std::abs(value);
    std::size_t pick = 0;
    for (std::size_t i = 0; i < units.size(); ++i)
        if (magnitude >= units[i].factor * 0.9995)
            pick = i;
    return tinyDigits(value / units[pick].factor) + " " + std::string(units[pick].name);
}

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())))
        text.remove_prefix(1);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
        text.remove_suffix(1);
    return text;
}

struct NumberAndUnit {
    double number;
    std::string unit;  ///< upper case
};

/// Splits "64 KiB" into its parts. Errors: BadUsage, when there is no finite, non-negative number in front.
Expected<NumberAndUnit> split(std::string_view text, std::string_view what)
{
    const std::string_view body = trimmed(text);
    double number = 0;
    const auto [end, code] = std::from_chars(body.data(), body.data() + body.size(), number);
    if (code != std::errc{} || !std::isfinite(number) || number < 0)
        return fail(ErrorCode::BadUsage, "'" + std::string(text) + "' is not " + std::string(what) + ".",
                    "Give a number that is not negative and a unit, such as 256KiB, 50%, 140ms.");
    std::string unit(trimmed(body.substr(static_cast<std::size_t>(end - body.data()))));
    std::transform(unit.begin(), unit.end(), unit.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return NumberAndUnit{number, unit};
}

const Unit* find(std::span<const Unit> units, std::string_view name)
{
    const auto it = std::find_if(units.begin(), units.end(), [&](const Unit& u) { return u.name == name; });
    return it == units.end() ? nullptr : &*it;
}

Expected<double> measure(std::string_view text, std::string_view what, std::span<const Unit> units, std::string_view examples)
{
    POET_TRY(parts, split(text, what));
    const Unit* unit = parts.unit.empty() ? find(units, units.data() == kTimeInputs.data() ? "S" : "B") : find(units, parts.unit);
    if (!unit)
        return fail(ErrorCode::BadUsage, "'" + std::string(text) + "' has an unknown unit.", "Use one of " + std::string(examples) + ".");
    const double value = parts.number * unit->factor;
    if (value > 4e18)
        return fail(ErrorCode::BadUsage, "'" + std::string(text) + "' is too large.");
    return value;
}

}  // namespace

std::string formatBytes(std::int64_t bytes)
{
    if (std::abs(bytes) < 1024)
        return std::to_string(bytes) + " B";
    return scaled(static_cast<double>(bytes), kByteUnits);
}

std::string formatSeconds(double seconds)
{
    static constexpr std::array units{Unit{"ns", 1e-9}, Unit{"us", 1e-6}, Unit{"ms", 1e-3}, Unit{"s", 1}, Unit{"min", 60}, Unit{"h", 3600}};
    if (seconds == 0)
        return "0 s";
    return scaled(seconds, units);
}

std::string formatJoules(double joules)
{
    static constexpr std::array units{Unit{"fJ", 1e-15}, Unit{"pJ", 1e-12}, Unit{"nJ", 1e-9}, Unit{"uJ", 1e-6},
                                      Unit{"mJ", 1e-3},  Unit{"J", 1},      Unit{"kJ", 1e3}};
    if (joules == 0)
        return "0 J";
    return scaled(joules, units);
}

std::string formatPercent(double percent)
{
    if (percent == 0)
        return "0 %";
    if (std::abs(percent) < 0.1)
        return percent > 0 ? "< 0.1 %" : "> -0.1 %";
    return threeDigits(percent) + " %";
}

std::string formatSi(double value, std::string_view unit)
{
    static constexpr std::array units{Unit{"", 1}, Unit{"k", 1e3}, Unit{"M", 1e6}, Unit{"G", 1e9}, Unit{"T", 1e12}, Unit{"P", 1e15}};
    return scaled(value, units) + std::string(unit);
}

std::string formatDouble(double value)
{
    std::array<char, 40> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    return {buffer.data(), end};
}

Expected<std::int64_t> parseBytes(std::string_view text)
{
    POET_TRY(value, measure(text, "a size", kByteInputs, "B, KB, KiB, MB, MiB, GB, GiB"));
    return static_cast<std::int64_t>(std::floor(value + 1e-9));
}

Expected<double> parseSeconds(std::string_view text)
{
    return measure(text, "a time", kTimeInputs, "ns, us, ms, s, min, h, d");
}

Expected<double> parseRatio(std::string_view text)
{
    POET_TRY(parts, split(text, "a ratio"));
    if (parts.unit == "%")
        return parts.number / 100;
    if (parts.unit.empty())
        return parts.number;
    return fail(ErrorCode::BadUsage, "'" + std::string(text) + "' is not a ratio.", "Write 0.01% or 0.0001.");
}

std::int64_t MemorySpec::bytes(std::int64_t wallBytes, std::int64_t keepAllPeakBytes) const
{
    switch (kind) {
    case Kind::Bytes: return static_cast<std::int64_t>(value);
    case Kind::PercentOfPeak: return static_cast<std::int64_t>(std::floor(static_cast<double>(keepAllPeakBytes) * value / 100));
    case Kind::PercentOfSpan:
        return wallBytes + static_cast<std::int64_t>(std::floor(static_cast<double>(keepAllPeakBytes - wallBytes) * value / 100));
    }
    return 0;
}

Expected<MemorySpec> parseMemory(std::string_view text)
{
    POET_TRY(parts, split(text, "a memory size"));
    if (parts.unit.starts_with('%') && parts.number > 1e6)
        return fail(ErrorCode::BadUsage, "'" + std::string(text) + "' is too large.", "Give a percentage, such as 50% or 50%span.");
    if (parts.unit == "%")
        return MemorySpec{MemorySpec::Kind::PercentOfPeak, parts.number};
    if (parts.unit == "%SPAN")
        return MemorySpec{MemorySpec::Kind::PercentOfSpan, parts.number};
    POET_TRY(bytes, parseBytes(text));
    return MemorySpec{MemorySpec::Kind::Bytes, static_cast<double>(bytes)};
}

Expected<DeadlineSpec> parseDeadline(std::string_view text)
{
    POET_TRY(parts, split(text, "a deadline"));
    if (parts.unit == "%")
        return DeadlineSpec{true, parts.number};
    POET_TRY(seconds, parseSeconds(text));
    return DeadlineSpec{false, seconds};
}

std::string formatBytesBeside(std::int64_t bytes, std::int64_t other)
{
    const std::string text = formatBytes(bytes);
    return bytes != other && text == formatBytes(other) ? std::to_string(bytes) + " B" : text;
}

std::string formatSecondsBeside(double seconds, double other)
{
    const std::string text = formatSeconds(seconds);
    return seconds != other && text == formatSeconds(other) ? formatDouble(seconds) + " s" : text;
}

}  // namespace poet

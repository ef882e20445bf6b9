// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/device/quantity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace poet {
namespace {

struct DimensionEntry {
    Dimension dimension;
    std::string_view name;
    std::string_view unit;
};
constexpr std::array kDimensions{
    DimensionEntry{Dimension::Power, "power", "W"},
    DimensionEntry{Dimension::Time, "time", "s"},
    DimensionEntry{Dimension::Frequency, "frequency", "Hz"},
    DimensionEntry{Dimension::Size, "size", "B"},
    DimensionEntry{Dimension::Bandwidth, "bandwidth", "B/s"},
    DimensionEntry{Dimension::Voltage, "voltage", "V"},
    DimensionEntry{Dimension::Current, "current", "A"},
    DimensionEntry{Dimension::Energy, "energy", "J"},
    DimensionEntry{Dimension::FlopRate, "rate of operations", "FLOP/s"},
    DimensionEntry{Dimension::FlopPerJoule, "operations per energy", "FLOP/J"},
    DimensionEntry{Dimension::CyclePerFlop, "cycles per operation", "cycle/FLOP"},
    DimensionEntry{Dimension::Cycles, "cycles", "cycle"},
    DimensionEntry{Dimension::Ratio, "ratio", "1"},
};

const DimensionEntry& entry(Dimension dimension)
{
    return *std::ranges::find(kDimensions, dimension, &DimensionEntry::dimension);
}

struct PrefixEntry {
    std::string_view text;
    double factor;
};
constexpr std::array kSmallPrefixes{PrefixEntry{"p", 1e-12}, PrefixEntry{"n", 1e-9}, PrefixEntry{"u", 1e-6}, PrefixEntry{"m", 1e-3}};
constexpr std::array kLargePrefixes{PrefixEntry{"k", 1e3}, PrefixEntry{"M", 1e6}, PrefixEntry{"G", 1e9}, PrefixEntry{"T", 1e12}};
constexpr std::array kBinaryPrefixes{PrefixEntry{"Ki", 1024.0}, PrefixEntry{"Mi", 1048576.0}, PrefixEntry{"Gi", 1073741824.0},
                                     PrefixEntry{"Ti", 1099511627776.0}};

/// Which prefixes a base unit takes.
struct BaseUnit {
    std::string_view symbol;
    Dimension dimension;
    bool takesSmall;
    bool takesLarge;
    bool takesBinary;
};
constexpr std::array kBaseUnits{
    BaseUnit{"FLOP/s", Dimension::FlopRate, false, true, false},
    BaseUnit{"FLOP/J", Dimension::FlopPerJoule, false, true, false},
    BaseUnit{"cycle/FLOP", Dimension::CyclePerFlop, false, false, false},
    BaseUnit{"cycles", Dimension::Cycles, false, false, false},
    BaseUnit{"cycle", Dimension::Cycles, false, false, false},
    BaseUnit{"B/s", Dimension::Bandwidth, false, true, true},
    BaseUnit{"Hz", Dimension::Frequency, false, true, false},
    BaseUnit{"W", Dimension::Power, true, true, false},
    BaseUnit{"s", Dimension::Time, true, false, false},
    BaseUnit{"B", Dimension::Size, false, true, true},
    BaseUnit{"V", Dimension::Voltage, true, true, false},
    BaseUnit{"A", Dimension::Current, true, true, false},
    BaseUnit{"J", Dimension::Energy, true, true, false},
    BaseUnit{"1", Dimension::Ratio, false, false, false},
};

template <std::size_t N>
std::optional<double> prefixFactor(const std::array<PrefixEntry, N>& prefixes, std::string_view text)
{
    const auto found = std::ranges::find(prefixes, text, &PrefixEntry::text);
    return found == prefixes.end() ? std::nullopt : std::optional(found->factor);
}

std::optional<double> factorOf(const BaseUnit& base, std::string_view prefix)
{
    if (prefix.empty())
        return 1.0;
    std::optional<double> factor;
    if (base.takesSmall)
        factor = prefixFactor(kSmallPrefixes, prefix);
    if (!factor && base.takesLarge)
        factor = prefixFactor(kLargePrefixes, prefix);
    if (!factor && base.takesBinary)
        factor = prefixFactor(kBinaryPrefixes, prefix);
    return factor;
}

}  // namespace

std::string_view name(Dimension dimension) { return entry(dimension).name; }
std::string_view siUnit(Dimension dimension) { return entry(dimension).unit; }

std::optional<Unit> parseUnit(std::string_view text)
{
    for (const BaseUnit& base : kBaseUnits) {
        if (!text.ends_with(base.symbol))
            continue;
        if (const auto factor = factorOf(base, text.substr(0, text.size() - base.symbol.size())))
            return Unit{base.dimension, *factor};
    }
    return std::nullopt;
}

std::string_view name(Origin origin)
{
    switch (origin) {
    case Origin::Measured: return "measured";
    case Origin::Datasheet: return "datasheet";
    case Origin::Estimated: return "estimated";
    }
    std::unreachable();
}

std::optional<Origin> originFromName(std::string_view text)
{
    for (const Origin origin : {Origin::Measured, Origin::Datasheet, Origin::Estimated})
        if (text == name(origin))
            return origin;
    return std::nullopt;
}

double defaultSpread(Origin origin)
{
    switch (origin) {
    case Origin::Measured: return 0.05;
    case Origin::Datasheet: return 0.20;
    case Origin::Estimated: return 1.0;
    }
    std::unreachable();
}

double Quantity::atSigmas(double sigmas) const
{
    return value * (sigmas < 0 ? std::pow(lowFactor, -sigmas) : std::pow(highFactor, sigmas));
}

double Quantity::written() const
{
    const auto parsed = parseUnit(unit);
    return parsed ? value / parsed->factor : value;
}

double Quantity::relativeSpread() const { return std::max(highFactor, 1 / lowFactor) - 1; }

Quantity makeQuantity(double value, Dimension dimension, Origin origin, std::string source, std::string date)
{
    Quantity quantity;
    quantity.value = value;
    quantity.unit = siUnit(dimension);
    quantity.origin = origin;
    quantity.isVerified = origin == Origin::Measured;
    quantity.highFactor = 1 + defaultSpread(origin);
    quantity.lowFactor = 1 / quantity.highFactor;
    quantity.source = std::move(source);
    quantity.date = std::move(date);
    return quantity;
}

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <optional>
#include <string>
#include <string_view>

/// Physical numbers with their provenance: what every number of a device profile is (devices.md, section 1).
namespace poet {

/// What a unit measures. Values are held in the SI unit named here.
enum class Dimension {
    Power,         ///< W
    Time,          ///< s
    Frequency,     ///< Hz
    Size,          ///< B
    Bandwidth,     ///< B/s
    Voltage,       ///< V
    Current,       ///< A
    Energy,        ///< J
    FlopRate,      ///< FLOP/s
    FlopPerJoule,  ///< FLOP/J
    CyclePerFlop,  ///< cycle/FLOP
    Cycles,        ///< cycle (of erasing, or of a clock)
    Ratio,         ///< 1
};
/// "power", "bandwidth" ...
[[nodiscard]] std::string_view name(Dimension dimension);
/// The SI unit in which values of this dimension are held: "W", "B/s" ...
[[nodiscard]] std::string_view siUnit(Dimension dimension);

/// A unit as written: `value in SI = value as written x factor`.
struct Unit {
    Dimension dimension = Dimension::Ratio;
    double factor = 1;
};
/// Reads "mW", "us", "MHz", "KiB", "MB/s", "GFLOP/J", "cycle/FLOP", "1" ...; case matters (SI). Decimal prefixes
/// p n u m k M G T (bytes, hertz and FLOP only k and up); binary prefixes Ki Mi Gi Ti for bytes. Empty if unknown.
[[nodiscard]] std::optional<Unit> parseUnit(std::string_view text);

/// Where a number comes from.
enum class Origin { Measured, Datasheet, Estimated };
[[nodiscard]] std::string_view name(Origin origin);
[[nodiscard]] std::optional<Origin> originFromName(std::string_view text);

/// Relative one-sigma spread when a file gives none: measured 5 %, data sheet 20 %, estimated a factor of 2 (1.0).
[[nodiscard]] double defaultSpread(Origin origin);

/// A number with unit and provenance. Its distribution is log-normal with median `value`; `lowFactor` and
/// `highFactor` are the one-sigma ends over the median (1/(1+spread) and 1+spread, or low/value and high/value).
struct Quantity {
    double value = 0;             ///< SI
    std::string unit;             ///< as written in the file
    Origin origin = Origin::Estimated;
    bool isVerified = false;      ///< somebody read the source; measured numbers are, data-sheet ones only if said so
    double lowFactor = 1;         ///< in (0, 1]
    double highFactor = 1;        ///< >= 1
    std::optional<double> spread; ///< as written: relative one sigma
    std::optional<double> low;    ///< as written, SI: one-sigma ends
    std::optional<double> high;
    std::string source;
    std::string date;             ///< "2026-11"
    std::string note;
    std::string scope;            ///< chip, module, board or wall, where it differs from the profile's `power_scope`
    bool operator==(const Quantity&) const = default;

    /// The value at `sigmas` standard deviations of its log-normal distribution; 0 gives the value itself.
    [[nodiscard]] double atSigmas(double sigmas) const;
    /// The value in the unit as written.
    [[nodiscard]] double written() const;
    /// Larger of the two relative one-sigma deviations, for display: 0.05 = 5 %, 1 = a factor of 2.
    [[nodiscard]] double relativeSpread() const;
};

/// A quantity in SI units with the default spread of its origin; for programs that make numbers.
[[nodiscard]] Quantity makeQuantity(double value, Dimension dimension, Origin origin, std::string source, std::string date);

/// z of the 90 % quantile of the normal distribution: the ends of the 10-90 % band and of conservative planning.
inline constexpr double kSigmasOf90Percent = 1.2815515655446004;

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <cstdint>
#include <string>
#include <string_view>

/// Formatting and typed input of physical quantities, used alike by the command and the window.
namespace poet {

/// "0 B", "512 B", "96.0 KiB", "1.50 GiB": binary prefixes, three significant digits.
[[nodiscard]] std::string formatBytes(std::int64_t bytes);
/// The same, but all digits where three would make it look like `other`, which it is not.
[[nodiscard]] std::string formatBytesBeside(std::int64_t bytes, std::int64_t other);
[[nodiscard]] std::string formatSecondsBeside(double seconds, double other);
/// "12.4 ms", "3.20 h": ns, us, ms, s, min, h; three significant digits.
[[nodiscard]] std::string formatSeconds(double seconds);
/// "11.8 mJ": fJ to kJ, three significant digits.
[[nodiscard]] std::string formatJoules(double joules);
/// "0 %", "< 0.1 %", "12.3 %": never "0.0 %" for a value that is not zero. `percent` is already times 100.
[[nodiscard]] std::string formatPercent(double percent);
/// "338 MFLOP" and so on; three significant digits with an SI prefix and the given unit.
[[nodiscard]] std::string formatSi(double value, std::string_view unit);
/// Shortest text that reads back as the same double; "C" locale.
[[nodiscard]] std::string formatDouble(double value);

/// Reads "65536", "64 KiB", "0.5MiB", "64KB" (decimal) into bytes, rounding down. Errors: BadUsage naming the text.
[[nodiscard]] Expected<std::int64_t> parseBytes(std::string_view text);
/// Reads "140 ms", "2.5s", "8h" into seconds; a bare number is seconds. Errors: BadUsage.
[[nodiscard]] Expected<double> parseSeconds(std::string_view text);
/// Reads "0.01%" as 0.0001 and "0.0001" as 0.0001. Errors: BadUsage.
[[nodiscard]] Expected<double> parseRatio(std::string_view text);

/// How a memory limit was typed; see MemorySpec::bytes.
struct MemorySpec {
    enum class Kind { Bytes, PercentOfPeak, PercentOfSpan };
    Kind kind = Kind::Bytes;
    double value = 0;  ///< bytes, or percent

    /// The limit in bytes. `wallBytes`: smallest feasible memory; `keepAllPeakBytes`: peak when nothing is dropped;
    /// both with resident bytes. "50%span" lies half-way from the wall to the keep-all peak.
    [[nodiscard]] std::int64_t bytes(std::int64_t wallBytes, std::int64_t keepAllPeakBytes) const;
};
/// Reads "256 KiB", "50%" (of the keep-all peak) or "50%span". Errors: BadUsage.
[[nodiscard]] Expected<MemorySpec> parseMemory(std::string_view text);

/// How a deadline was typed: seconds, or a percentage of the keep-all time.
struct DeadlineSpec {
    bool isPercent = false;
    double value = 0;  ///< seconds, or percent of keep-all time
    [[nodiscard]] double seconds(double keepAllSeconds) const { return isPercent ? keepAllSeconds * value / 100 : value; }
};
/// Reads "140 ms" or "120%". Errors: BadUsage.
[[nodiscard]] Expected<DeadlineSpec> parseDeadline(std::string_view text);

}  // namespace poet

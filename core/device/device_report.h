// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/device/break_even.h"
#include "core/device/device_profile.h"

#include <string>
#include <vector>

/// What `poet devices`, `poet device` and the window say about profiles.
namespace poet {

/// One number of a profile as shown: value, unit, spread, origin, verified mark, source.
struct QuantityText {
    std::string path;      ///< "operating_points[64MHz].active_power"
    std::string value;     ///< "10 mW"
    std::string spread;    ///< "+-20 %", "x/2", "0.17 to 0.36 W"
    std::string origin;    ///< "measured", "datasheet", "estimated"
    std::string mark;      ///< "verified", "not verified"; empty for estimates
    std::string source;    ///< with date and note
};
[[nodiscard]] QuantityText describe(const NamedQuantity& named);
/// Every number of the profile, in the order of the file.
[[nodiscard]] std::vector<QuantityText> describeQuantities(const DeviceProfile& profile);

/// Break-even of one store at the default point, library and transfer model of a profile.
struct StoreBreakEven {
    std::string store;
    BreakEvenTerms terms;
};
/// One entry for each store that may be used.
[[nodiscard]] std::vector<StoreBreakEven> breakEvens(const DeviceProfile& profile);

/// The table of `poet device D`: head, numbers with provenance, notes, warnings, break-even.
[[nodiscard]] std::string deviceText(const ReadProfile& read);
/// The profile as `toJson` writes it, with "warnings" and "break_even" added (`poet device D --json`).
[[nodiscard]] std::string deviceJson(const ReadProfile& read);
/// The table of `poet devices`.
[[nodiscard]] std::string deviceListText(const std::vector<ReadProfile>& profiles);
/// A JSON array with one object a profile: id, name, class, RAM, default point and its powers, rate, stores,
/// operating points, break-even, how many numbers are not verified.
[[nodiscard]] std::string deviceListJson(const std::vector<ReadProfile>& profiles);

}  // namespace poet

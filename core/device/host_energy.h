// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/device/measured_rows.h"

#include <filesystem>
#include <optional>
#include <vector>

/// Energy of a Linux host by its own counters (RAPL: Intel SDM volume 3, "Running Average Power Limit", as Linux shows
/// it under /sys/class/powercap), and what it adds to rows that were measured by the clock.
namespace poet {

/// The package energy counters of this machine.
class EnergyCounters {
public:
    /// `folder` holds intel-rapl:0, intel-rapl:1 ... with energy_uj and max_energy_range_uj each.
    explicit EnergyCounters(const std::filesystem::path& folder = "/sys/class/powercap");
    /// False when there are none, or they may not be read (most systems allow that to root only).
    [[nodiscard]] bool isPresent() const { return !m_counters.empty(); }
    /// Joules of all packages since this object was made; counters that wrapped once are corrected. Nothing when a
    /// counter cannot be read any more.
    [[nodiscard]] std::optional<double> joules() const;

private:
    struct Counter {
        std::filesystem::path file;
        double begin = 0;  ///< microjoules
        double range = 0;  ///< at which it wraps
    };
    std::vector<Counter> m_counters;
};

/// Gives every operator row without joules the mean power of the run that measured them: watts x seconds.
void addMeanPower(std::vector<MeasuredRow>& rows, double watts);

/// Rows in the CSV of devices.md, section 4; the metadata of the first row becomes the comment lines.
[[nodiscard]] std::string toCsv(const std::vector<MeasuredRow>& rows);

}  // namespace poet

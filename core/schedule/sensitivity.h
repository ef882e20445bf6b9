// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/device/cost_model.h"
#include "core/schedule/schedule.h"

#include <optional>
#include <string>
#include <vector>

/// At which value of a device's number another known plan becomes the better one (devices.md, section 9).
namespace poet {

/// Plan `best` (index into the known schedules) needs least energy while the number lies in [low, high], SI.
struct BestInterval {
    double low = 0;
    double high = 0;
    int best = -1;  ///< -1: no known schedule meets the deadline
    bool operator==(const BestInterval&) const = default;
};

/// The lower envelope of the known schedules over one number.
struct SensitivityCurve {
    std::string path;
    double now = 0;                        ///< value in the profile, SI
    std::vector<BestInterval> intervals;   ///< ascending, adjacent; neighbours differ in `best`

    /// The interval that holds the value `now`.
    [[nodiscard]] const BestInterval& current() const;
    /// Values at which the best plan changes, ascending: where solving again may find a better one.
    [[nodiscard]] std::vector<double> flips() const;
};

/// What to vary, and how far (SI); `deadlineSeconds` rules out schedules that are too slow at a value.
struct SensitivityQuestion {
    std::string path;     ///< as in `NamedQuantity`
    double low = 0;       ///< > 0 for what enters as its reciprocal (bandwidth, rate, frequency)
    double high = 0;
    std::optional<double> deadlineSeconds;
};

/// For fixed schedules energy and time are piecewise linear in each number (or in its reciprocal), so flip points are
/// exact to 1e-9 relative and need no solve. Of equal plans the one that was best at lower values stays.
/// Errors: BadUsage for an unknown path, an empty range or no schedules; those of `buildCosts` and `replay`.
/// Threads: pure. Cost: about 60 replays a schedule and kink.
[[nodiscard]] Expected<SensitivityCurve> sensitivity(const TrainingGraph& graph, const DeviceProfile& profile, const CostOptions& options,
                                                     const std::vector<Schedule>& schedules, const SensitivityQuestion& question);

/// "stays optimal while stores[sd-a1].write_latency is between 0.5 ms and 3 ms (now 1.2 ms)".
[[nodiscard]] std::string stabilityText(const SensitivityCurve& curve, const DeviceProfile& profile);

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/device/cost_model.h"
#include "core/schedule/schedule.h"

#include <cstdint>
#include <string>
#include <vector>

/// How sure a plan's energy and time are, given how sure the numbers of the device are (devices.md, section 3).
namespace poet {

/// 10 %, 50 % and 90 % quantiles.
struct Band {
    double low = 0;
    double median = 0;
    double high = 0;
    bool operator==(const Band&) const = default;
};

/// One uncertain number of the profile and what it does to a fixed plan: a bar of the tornado chart.
struct NumberEffect {
    std::string path;                 ///< "stores[sd-a1].write_latency"
    Dimension dimension = Dimension::Ratio;
    Quantity quantity;
    double lowValue = 0;              ///< SI, the ends of its own 10-90 % band
    double highValue = 0;
    Cost atLow;                       ///< energy with idle and time of the plan at those ends, all else at its median
    Cost atHigh;
    double energyShare = 0;           ///< of the variance of the energy, 0 to 1, to first order
    double timeShare = 0;             ///< of the variance of the time

    [[nodiscard]] bool isUnverified() const { return quantity.origin == Origin::Datasheet && !quantity.isVerified; }
};

/// The band of a plan and where it comes from.
struct Uncertainty {
    Band energyJoules;
    Band seconds;
    std::vector<NumberEffect> effects;  ///< numbers that matter, largest share of the energy's variance first
    std::string note;                   ///< when a number among the first three is not verified; else empty
};

struct UncertaintyOptions {
    int samples = 1000;
    std::uint64_t seed = 1;
};

/// What each uncertain number does to `schedule`, which is replayed, never solved again. Numbers without effect are
/// left out. Errors: those of `buildCosts` and `replay`.
[[nodiscard]] Expected<std::vector<NumberEffect>> numberEffects(const TrainingGraph& graph, const DeviceProfile& profile,
                                                                const CostOptions& options, const Schedule& schedule);

/// Samples the numbers of the profile (log-normal, independent unless they share a source: then one draw makes all of
/// them better or worse together), replays `schedule` with each sample and takes quantiles. Same seed, same bands.
/// Cost: `samples` replays. Threads: pure. Errors: as `numberEffects`.
[[nodiscard]] Expected<Uncertainty> planUncertainty(const TrainingGraph& graph, const DeviceProfile& profile, const CostOptions& options,
                                                    const Schedule& schedule, const UncertaintyOptions& sampling = {});

}  // namespace poet

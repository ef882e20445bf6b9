// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/device/cost_model.h"
#include "core/device/transfer_cost.h"

#include <cstdint>

namespace poet {

/// FLOP per float at which recomputing costs as much as one page-out plus one page-in (devices.md, section 8).
struct BreakEven {
    double energy = 0;          ///< active energies
    double energyWithIdle = 0;  ///< with the device's idle power over each side's time: right for `blocking`
    double time = 0;
};

/// What the break-even line is made of, at one operating point, library, store and transfer model.
struct BreakEvenTerms {
    double joulesPerFlop = 0;   ///< active energy of one operation
    double secondsPerFlop = 0;
    double idleWatts = 0;       ///< of the device alone; 0 in `paper` accounting
    StoreTerms store;

    /// For a tensor of `bytes`, rounded up to blocks.
    [[nodiscard]] BreakEven at(std::int64_t bytes) const;
    /// For large tensors: without latency.
    [[nodiscard]] BreakEven limit() const;
};

/// Terms for the generic f32 rate (class "other" or all classes). Errors: as `chooseDevice`; BadProfile when the
/// device has no rate or no store that may be used.
[[nodiscard]] Expected<BreakEvenTerms> breakEvenTerms(const DeviceProfile& profile, const CostOptions& options = {});

/// `breakEvenTerms(profile, options).at(bytes)`.
[[nodiscard]] Expected<BreakEven> breakEvenFlopPerFloat(const DeviceProfile& profile, std::int64_t bytes, const CostOptions& options = {});

}  // namespace poet

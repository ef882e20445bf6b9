// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/device/device_profile.h"

#include <string>
#include <vector>

namespace poet {

/// A profile with measured numbers, and what was done; one sentence each.
struct Calibration {
    DeviceProfile profile;
    std::vector<std::string> notes;
};

/// Takes measured rows into a profile (devices.md, section 4): operator rows are kept for exact look-up, "idle" sets
/// the idle power of its operating point, "store.read" and "store.write" rows of at least three sizes set latency and
/// bandwidth of the first store by non-negative least squares (a residual over 30 % is noted), their energies its
/// power, "store.erase" its erase time. The result has class `user` and the id of the profile with "-calibrated".
/// `rowsName` becomes the source of the numbers. Errors: BadProfile for rows of an unknown operating point or none.
[[nodiscard]] Expected<Calibration> calibrate(const DeviceProfile& profile, const std::vector<MeasuredRow>& rows, const std::string& rowsName);

}  // namespace poet

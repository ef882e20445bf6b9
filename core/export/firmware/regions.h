// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/device/device_profile.h"
#include "core/schedule/schedule.h"

#include <cstdint>
#include <string>
#include <vector>

/// Which memories of a device an arena may lie in. Source: firmware.md, section 5.
namespace poet::firmware {

/// What is left for the arena of each memory.
struct RegionShares {
    std::vector<ArenaRegion> arena;  ///< in the order of the profile; empty where the device has one memory, or counts as the papers do
    std::string residentRegion;      ///< that holds weights, gradients and optimizer state
    std::string problem;             ///< why several memories cannot be used, one sentence; else empty
};

/// Data memories of the profile less what each reserves; `dataBytes` (weights, gradients, optimizer state) lie whole in the
/// least preferred one that holds them. Flash and memories for code are left out.
[[nodiscard]] RegionShares regionShares(const DeviceProfile& profile, std::int64_t dataBytes);

/// Bytes that the profile reserves in its memories; part of what a plan calls resident.
[[nodiscard]] std::int64_t reservedBytes(const DeviceProfile& profile);

/// Largest of them.
[[nodiscard]] std::int64_t largestRegionBytes(const std::vector<ArenaRegion>& regions);

/// "NAME=SIZE": a memory as the user gives it. Errors: BadUsage.
[[nodiscard]] Expected<ArenaRegion> parseRegion(const std::string& text);

}  // namespace poet::firmware

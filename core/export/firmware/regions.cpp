// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/firmware/regions.h"

#include "core/base/units.h"

#include <algorithm>

namespace poet::firmware {
namespace {

bool isDataMemory(const MemoryRegion& region) { return region.kind != "flash" && region.kind != "itcm"; }

std::int64_t reservedIn(const MemoryRegion& region)
{
    return region.reservedBytes && region.kind != "flash" ? static_cast<std::int64_t>(region.reservedBytes->value) : 0;
}

}  // namespace

RegionShares regionShares(const DeviceProfile& profile, std::int64_t dataBytes)
{
    RegionShares shares;
    if (profile.accounting == Accounting::Paper || std::ranges::count_if(profile.memory, isDataMemory) < 2)
        return shares;
    for (const MemoryRegion& region : profile.memory)
        if (isDataMemory(region))
            shares.arena.push_back({region.name, static_cast<std::int64_t>(region.bytes.value) - reservedIn(region), region.hasDma});
    const auto home = std::find_if(shares.arena.rbegin(), shares.arena.rend(), [&](const ArenaRegion& region) { return region.bytes >= dataBytes; });
    if (home == shares.arena.rend()) {
        shares.problem = "Weights, gradients and optimizer state (" + std::to_string(dataBytes) + " B) fit no single memory of '" + profile.id + "'.";
        shares.arena.clear();
        return shares;
    }
    home->bytes -= dataBytes;
    shares.residentRegion = home->name;
    return shares;
}

std::int64_t reservedBytes(const DeviceProfile& profile)
{
    std::int64_t bytes = 0;
    for (const MemoryRegion& region : profile.memory)
        bytes += reservedIn(region);
    return bytes;
}

std::int64_t largestRegionBytes(const std::vector<ArenaRegion>& regions)
{
    std::int64_t most = 0;
    for (const ArenaRegion& region : regions)
        most = std::max(most, region.bytes);
    return most;
}

Expected<ArenaRegion> parseRegion(const std::string& text)
{
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
        return fail(ErrorCode::BadUsage, "'" + text + "' is not a memory.", "Write NAME=SIZE, such as sram=96KiB.");
    POET_TRY(bytes, parseBytes(text.substr(equals + 1)));
    return ArenaRegion{text.substr(0, equals), bytes, true};
}

}  // namespace poet::firmware

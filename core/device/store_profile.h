// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/device/quantity.h"

#include <cstdint>
#include <optional>
#include <string>

namespace poet {

/// A page store: where tensors go that leave RAM (devices.md, sections 1 and 7). Absent powers count as 0, absent
/// latencies and erase times as 0, absent bandwidths as unlimited.
struct StoreProfile {
    std::string id;
    std::string name;
    std::string kind;                         ///< sd emmc ufs nvme nor nand fram mram psram sdram file
    std::string refused;                      ///< why it must not be used as a page store; empty = it may
    std::optional<Quantity> capacity;         ///< B
    std::int64_t blockBytes = 1;              ///< transfers round up to this
    std::int64_t eraseBlockBytes = 0;         ///< 0: no erase needed
    std::optional<Quantity> readLatency;      ///< s, per transfer
    std::optional<Quantity> writeLatency;
    std::optional<Quantity> readBandwidth;    ///< B/s, sustained
    std::optional<Quantity> writeBandwidth;
    std::optional<Quantity> eraseTime;        ///< s, per erase block
    std::optional<Quantity> readPower;        ///< W, of the store alone, while it reads
    std::optional<Quantity> writePower;
    std::optional<Quantity> erasePower;       ///< default: write power
    std::optional<Quantity> idlePower;
    std::optional<Quantity> endurance;        ///< cycles of one erase block or cell
    std::optional<Quantity> ratedBytesWritten;   ///< B
    std::optional<Quantity> writeAmplification;  ///< 1
    std::string wearLevelling;                ///< none, ring (ours) or device; empty = not said
    std::optional<Quantity> busBandwidth;     ///< B/s of the connection on this device; min(card, bus) counts
    std::string note;
    bool operator==(const StoreProfile&) const = default;
};

}  // namespace poet

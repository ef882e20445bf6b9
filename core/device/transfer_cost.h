// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/device/device_profile.h"
#include "core/graph/cost_graph.h"

#include <cstdint>

namespace poet {

/// Time and active energy of one transfer in one direction: fixed + n' x per byte, n' = n rounded up to blocks.
/// Source: devices.md, section 2.
struct TransferTerms {
    double fixedSeconds = 0;    ///< latency
    double secondsPerByte = 0;  ///< 1 / min(card, bus), and erasing pro rata when writing
    double fixedJoules = 0;
    double joulesPerByte = 0;
    std::int64_t blockBytes = 1;

    /// Cost of moving `bytes`; 0 for nothing.
    [[nodiscard]] Cost cost(std::int64_t bytes) const;
};

/// Both directions between RAM and a page store.
struct StoreTerms {
    TransferTerms in;   ///< store -> RAM
    TransferTerms out;  ///< RAM -> store
};

/// Terms of `store` at an operating point under a transfer model. With `paper` accounting: store power only, no
/// rounding to blocks, no erasing.
[[nodiscard]] StoreTerms storeTerms(const DeviceProfile& profile, const OperatingPoint& point, const StoreProfile& store, TransferModel model);

/// Bytes that may be written to a store before it wears out; empty when it does not wear or nothing is known:
/// rated bytes / amplification, else endurance x capacity / amplification. Source: firmware.md, section 7.
[[nodiscard]] std::optional<double> writableBytes(const StoreProfile& store);

}  // namespace poet

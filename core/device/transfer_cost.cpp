// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/device/transfer_cost.h"

#include <algorithm>

namespace poet {
namespace {

double valueOr(const std::optional<Quantity>& quantity, double fallback) { return quantity ? quantity->value : fallback; }

double secondsPerByte(const std::optional<Quantity>& card, const std::optional<Quantity>& bus)
{
    double perByte = 0;
    for (const auto* bandwidth : {&card, &bus})
        if (*bandwidth)
            perByte = std::max(perByte, 1 / (*bandwidth)->value);
    return perByte;
}

}  // namespace

Cost TransferTerms::cost(std::int64_t bytes) const
{
    if (bytes <= 0)
        return {};
    const auto rounded = static_cast<double>((bytes + blockBytes - 1) / blockBytes * blockBytes);
    return {fixedJoules + rounded * joulesPerByte, fixedSeconds + rounded * secondsPerByte};
}

StoreTerms storeTerms(const DeviceProfile& profile, const OperatingPoint& point, const StoreProfile& store, TransferModel model)
{
    const bool isPaper = profile.accounting == Accounting::Paper;
    // The core's own part; in the `paper` model transfers take no time, so there is none.
    const double coreWatts = isPaper || model == TransferModel::Paper ? 0 : point.transferWatts(model) - point.idleWatts();
    const double storeIdle = isPaper ? 0 : valueOr(store.idlePower, 0);
    const auto activeWatts = [&](const std::optional<Quantity>& power) { return std::max(0.0, valueOr(power, 0) - storeIdle + coreWatts); };
    const auto terms = [&](const auto& latency, const auto& bandwidth, double watts) {
        TransferTerms result;
        result.fixedSeconds = valueOr(latency, 0);
        result.secondsPerByte = secondsPerByte(bandwidth, store.busBandwidth);
        result.fixedJoules = watts * result.fixedSeconds;
        result.joulesPerByte = watts * result.secondsPerByte;
        result.blockBytes = isPaper ? 1 : store.blockBytes;
        return result;
    };
    StoreTerms both{terms(store.readLatency, store.readBandwidth, activeWatts(store.readPower)),
                    terms(store.writeLatency, store.writeBandwidth, activeWatts(store.writePower))};
    if (!isPaper && store.eraseBlockBytes > 0) {
        const double eraseSecondsPerByte = valueOr(store.eraseTime, 0) / static_cast<double>(store.eraseBlockBytes);
        both.out.secondsPerByte += eraseSecondsPerByte;
        both.out.joulesPerByte += activeWatts(store.erasePower ? store.erasePower : store.writePower) * eraseSecondsPerByte;
    }
    return both;
}

std::optional<double> writableBytes(const StoreProfile& store)
{
    const double amplification = valueOr(store.writeAmplification, 1);
    if (store.ratedBytesWritten)
        return store.ratedBytesWritten->value / amplification;
    if (store.endurance && store.capacity)
        return store.endurance->value * store.capacity->value / amplification;
    return std::nullopt;
}

}  // namespace poet

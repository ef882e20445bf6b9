// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/device/device_profile.h"

#include <algorithm>
#include <utility>

namespace poet {
namespace {

/// Walks all quantities of a profile, constant or not, in the order of the file.
template <class Visit>
class Walk {
public:
    explicit Walk(Visit visit) : m_visit(std::move(visit)) {}

    void profile(auto& profile)
    {
        for (auto& region : profile.memory) {
            m_prefix = "memory[" + region.name + "].";
            one("bytes", Dimension::Size, region.bytes);
            one("reserved_bytes", Dimension::Size, region.reservedBytes);
        }
        for (auto& point : profile.operatingPoints) {
            m_prefix = "operating_points[" + point.name + "].";
            operatingPoint(point);
        }
        for (auto& rate : profile.rates) {
            m_prefix = "rates[" + rate.library + (rate.type.empty() ? "" : "/" + rate.type)
                       + (rate.opClass.empty() ? "" : "/" + rate.opClass) + "].";
            one("flops", Dimension::FlopRate, rate.flops);
            one("cycles_per_flop", Dimension::CyclePerFlop, rate.cyclesPerFlop);
            one("memory_bandwidth", Dimension::Bandwidth, rate.memoryBandwidth);
            one("call_overhead", Dimension::Time, rate.callOverhead);
            one("flop_per_joule", Dimension::FlopPerJoule, rate.flopPerJoule);
        }
        m_prefix = "transfer.";
        one("slowdown", Dimension::Ratio, profile.transferSlowdown);
        for (auto& store : profile.stores) {
            m_prefix = "stores[" + store.id + "].";
            storeProfile(store);
        }
    }

private:
    Visit m_visit;
    std::string m_prefix;

    void one(std::string_view field, Dimension dimension, auto& quantity)
    {
        if constexpr (requires { quantity.has_value(); }) {
            if (quantity)
                m_visit(m_prefix + std::string(field), dimension, *quantity);
        } else {
            m_visit(m_prefix + std::string(field), dimension, quantity);
        }
    }

    void operatingPoint(auto& point)
    {
        one("frequency", Dimension::Frequency, point.frequency);
        one("voltage", Dimension::Voltage, point.voltage);
        one("active_power", Dimension::Power, point.activePower);
        one("idle_power", Dimension::Power, point.idlePower);
        one("transfer_power", Dimension::Power, point.transferPower);
        one("switch_time", Dimension::Time, point.switchTime);
        one("switch_energy", Dimension::Energy, point.switchEnergy);
    }

    void storeProfile(auto& store)
    {
        one("capacity", Dimension::Size, store.capacity);
        one("write_latency", Dimension::Time, store.writeLatency);
        one("write_bandwidth", Dimension::Bandwidth, store.writeBandwidth);
        one("read_latency", Dimension::Time, store.readLatency);
        one("read_bandwidth", Dimension::Bandwidth, store.readBandwidth);
        one("bus_bandwidth", Dimension::Bandwidth, store.busBandwidth);
        one("erase_time", Dimension::Time, store.eraseTime);
        one("write_power", Dimension::Power, store.writePower);
        one("read_power", Dimension::Power, store.readPower);
        one("erase_power", Dimension::Power, store.erasePower);
        one("idle_power", Dimension::Power, store.idlePower);
        one("endurance", Dimension::Cycles, store.endurance);
        one("rated_bytes_written", Dimension::Size, store.ratedBytesWritten);
        one("write_amplification", Dimension::Ratio, store.writeAmplification);
    }
};

/// How well a rate fits a request: larger is better, 0 does not fit.
int fitOf(const Rate& rate, std::string_view type, std::string_view opClass)
{
    int classFit = 0;
    if (rate.opClass == opClass)
        classFit = 3;
    else if (rate.opClass.empty())
        classFit = 2;
    else if (rate.opClass == "other")
        classFit = 1;
    if (classFit == 0)
        return 0;
    int typeFit = 0;
    if (rate.type == type)
        typeFit = 3;
    else if (rate.type.empty())
        typeFit = 2;
    else if (rate.type == "f32")
        typeFit = 1;
    return typeFit == 0 ? 0 : typeFit * 4 + classFit;
}

}  // namespace

std::string_view name(ProfileClass profileClass)
{
    switch (profileClass) {
    case ProfileClass::PaperConstants: return "paper-constants";
    case ProfileClass::Corrected: return "corrected";
    case ProfileClass::User: return "user";
    }
    std::unreachable();
}

std::string_view name(Accounting accounting)
{
    return accounting == Accounting::Paper ? "paper" : "active+idle";
}

std::string_view name(WeightPlace place)
{
    switch (place) {
    case WeightPlace::Ram: return "ram";
    case WeightPlace::Flash: return "flash";
    case WeightPlace::Paged: return "paged";
    }
    std::unreachable();
}

double OperatingPoint::transferWatts(TransferModel model) const
{
    if (model == TransferModel::Paper)
        return 0;
    if (transferPower)
        return transferPower->value;
    return model == TransferModel::Blocking ? activePower.value : idleWatts();
}

const OperatingPoint* DeviceProfile::operatingPoint(std::string_view pointName) const
{
    if (pointName.empty())
        return operatingPoints.empty() ? nullptr : &operatingPoints.front();
    const auto found = std::ranges::find(operatingPoints, pointName, &OperatingPoint::name);
    return found == operatingPoints.end() ? nullptr : &*found;
}

const StoreProfile* DeviceProfile::store(std::string_view storeId) const
{
    if (storeId.empty())
        return stores.empty() ? nullptr : &stores.front();
    const auto found = std::ranges::find(stores, storeId, &StoreProfile::id);
    return found == stores.end() ? nullptr : &*found;
}

const Rate* DeviceProfile::rate(std::string_view library, std::string_view type, std::string_view opClass) const
{
    if (rates.empty())
        return nullptr;
    const std::string_view wanted = library.empty() ? std::string_view(rates.front().library) : library;
    const Rate* best = nullptr;
    int bestFit = 0;
    for (const Rate& candidate : rates) {
        const int fit = candidate.library == wanted ? fitOf(candidate, type, opClass) : 0;
        if (fit > bestFit) {
            best = &candidate;
            bestFit = fit;
        }
    }
    return best;
}

std::vector<NamedQuantity> quantities(const DeviceProfile& profile)
{
    std::vector<NamedQuantity> all;
    Walk([&](const std::string& path, Dimension dimension, const Quantity& quantity) {
        all.push_back({path, dimension, &quantity});
    }).profile(profile);
    return all;
}

void changeQuantities(DeviceProfile& profile, const std::function<void(const std::string&, Dimension, Quantity&)>& change)
{
    Walk([&](const std::string& path, Dimension dimension, Quantity& quantity) { change(path, dimension, quantity); }).profile(profile);
}

std::optional<bool> isWorseWhenLarger(Dimension dimension)
{
    switch (dimension) {
    case Dimension::Power:
    case Dimension::Time:
    case Dimension::Energy:
    case Dimension::CyclePerFlop:
    case Dimension::Ratio: return true;
    case Dimension::Bandwidth:
    case Dimension::FlopRate:
    case Dimension::FlopPerJoule:
    case Dimension::Frequency: return false;
    case Dimension::Size:
    case Dimension::Voltage:
    case Dimension::Current:
    case Dimension::Cycles: return std::nullopt;
    }
    std::unreachable();
}

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/units.h"
#include "core/device/device_columns.h"
#include "core/device/device_profile.h"

#include <algorithm>

namespace poet {
namespace {

/// Collects "PATH of VALUE is ...".
class Collector {
public:
    std::vector<std::string> warnings;

    void range(const NamedQuantity& named, double low, double high, std::string_view unit)
    {
        const double value = named.quantity->value;
        if (value >= low && value <= high)
            return;
        warnings.push_back("$." + named.path + " of " + siNumber(value, unit) + " is outside the plausible " + siNumber(low, unit) + " to "
                           + siNumber(high, unit) + ".");
    }
};

/// Energy per operation of a rate at a point, and its consistency with the point's power.
void checkRate(const DeviceProfile& profile, const Rate& rate, Collector& collector)
{
    const OperatingPoint& point = profile.operatingPoints.front();
    const std::string path = "$.rates[" + rate.library + "]";
    std::optional<double> flops;
    if (rate.flops)
        flops = rate.flops->value;
    else if (rate.cyclesPerFlop && point.frequency && rate.cyclesPerFlop->value > 0)
        flops = point.frequency->value / rate.cyclesPerFlop->value;
    if (!flops)
        return;
    const double joulesPerFlop = rate.flopPerJoule ? 1 / rate.flopPerJoule->value : (point.activePower.value - point.idleWatts()) / *flops;
    if (joulesPerFlop < 1e-13 || joulesPerFlop > 1e-5)
        collector.warnings.push_back(path + " needs " + formatJoules(joulesPerFlop) + " per operation, outside the plausible 0.1 pJ to 10 uJ.");
    if (!rate.flopPerJoule || !(point.activePower.value > 0))
        return;
    const double impliedWatts = *flops / rate.flopPerJoule->value;
    const double ratio = impliedWatts / point.activePower.value;
    if (ratio > 3 || ratio < 1.0 / 3)
        collector.warnings.push_back(path + ": flops over flop_per_joule implies " + siNumber(impliedWatts, "W")
                                     + ", more than a factor of 3 from the active power of " + siNumber(point.activePower.value, "W") + ".");
}

}  // namespace

std::vector<std::string> plausibilityWarnings(const DeviceProfile& profile)
{
    Collector collector;
    for (const NamedQuantity& named : quantities(profile)) {
        if (!named.quantity->scope.empty() && named.quantity->scope != profile.powerScope)
            collector.warnings.push_back("$." + named.path + " covers the " + named.quantity->scope + ", other powers of this profile the "
                                         + profile.powerScope + ".");
        if (named.dimension == Dimension::Power)
            collector.range(named, 1e-4, 500, "W");
        else if (named.dimension == Dimension::Bandwidth)
            collector.range(named, 1e3, 1e11, "B/s");
        else if (named.path.ends_with("_latency"))
            collector.range(named, 0, 1, "s");
    }
    if (!profile.operatingPoints.empty())
        for (const Rate& rate : profile.rates)
            checkRate(profile, rate, collector);
    return collector.warnings;
}

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/uncertainty.h"

#include "core/schedule/replay.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <random>

namespace poet {
namespace {

/// Replays one schedule on one training graph with changed profiles.
class PlanPrice {
public:
    PlanPrice(const TrainingGraph& graph, const CostOptions& options, const Schedule& schedule)
        : m_graph(graph), m_options(options), m_schedule(schedule)
    {
    }

    Expected<Cost> operator()(DeviceProfile profile) const
    {
        repairPowers(profile);
        POET_TRY(costs, buildCostGraph(m_graph, profile, m_options));
        POET_TRY(report, replay(costs, costs.device.transfer, m_schedule));
        return Cost{report.energyJoules, report.seconds};
    }

private:
    const TrainingGraph& m_graph;
    const CostOptions& m_options;
    const Schedule& m_schedule;
};

/// A standard normal number, the same on every platform (unlike std::normal_distribution).
double standardNormal(std::mt19937_64& random)
{
    constexpr double kScale = 0x1.0p-53;
    const double first = (static_cast<double>(random() >> 11) + 0.5) * kScale;
    const double second = static_cast<double>(random() >> 11) * kScale;
    return std::sqrt(-2 * std::log(first)) * std::cos(2 * std::numbers::pi * second);
}

/// Draws a profile: one z for each source, positive = worse.
DeviceProfile sampled(const DeviceProfile& profile, std::mt19937_64& random)
{
    DeviceProfile sample = profile;
    std::map<std::string, double> bySource;
    changeQuantities(sample, [&](const std::string& path, Dimension dimension, Quantity& quantity) {
        const auto isWorse = isWorseWhenLarger(dimension);
        if (!isWorse)
            return;
        const auto [known, isNew] = bySource.try_emplace(quantity.source.empty() ? path : quantity.source, 0.0);
        if (isNew)
            known->second = standardNormal(random);
        quantity.value = quantity.atSigmas(*isWorse ? known->second : -known->second);
    });
    return sample;
}

double quantile(const std::vector<double>& sorted, double part)
{
    const double position = part * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (position - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

Band bandOf(std::vector<double> values)
{
    std::ranges::sort(values);
    return {quantile(values, 0.1), quantile(values, 0.5), quantile(values, 0.9)};
}

void setShares(std::vector<NumberEffect>& effects)
{
    const auto square = [](double value) { return value * value; };
    double energy = 0;
    double time = 0;
    for (const NumberEffect& effect : effects) {
        energy += square(effect.atHigh.joules - effect.atLow.joules);
        time += square(effect.atHigh.seconds - effect.atLow.seconds);
    }
    for (NumberEffect& effect : effects) {
        effect.energyShare = energy > 0 ? square(effect.atHigh.joules - effect.atLow.joules) / energy : 0;
        effect.timeShare = time > 0 ? square(effect.atHigh.seconds - effect.atLow.seconds) / time : 0;
    }
}

std::string noteOn(const std::vector<NumberEffect>& effects)
{
    constexpr std::size_t kWatched = 3;  // devices.md, section 3
    std::string paths;
    for (std::size_t i = 0; i < std::min(kWatched, effects.size()); ++i)
        if (effects[i].isUnverified() && effects[i].energyShare > 0)
            paths += (paths.empty() ? "" : " and ") + effects[i].path;
    return paths.empty() ? "" : "This plan leans on a number that nobody has verified: " + paths + ".";
}

}  // namespace

Expected<std::vector<NumberEffect>> numberEffects(const TrainingGraph& graph, const DeviceProfile& profile, const CostOptions& options,
                                                  const Schedule& schedule)
{
    const PlanPrice price(graph, options, schedule);
    const auto priceAt = [&](const std::string& wanted, double value) {
        DeviceProfile changed = profile;
        changeQuantities(changed, [&](const std::string& path, Dimension, Quantity& quantity) {
            if (path == wanted)
                quantity.value = value;
        });
        return price(std::move(changed));
    };
    std::vector<NumberEffect> effects;
    for (const NamedQuantity& named : quantities(profile)) {
        if (!isWorseWhenLarger(named.dimension))
            continue;
        NumberEffect effect;
        effect.path = named.path;
        effect.dimension = named.dimension;
        effect.quantity = *named.quantity;
        effect.lowValue = named.quantity->atSigmas(-kSigmasOf90Percent);
        effect.highValue = named.quantity->atSigmas(kSigmasOf90Percent);
        POET_TRY(low, priceAt(named.path, effect.lowValue));
        POET_TRY(high, priceAt(named.path, effect.highValue));
        effect.atLow = low;
        effect.atHigh = high;
        if (low != high)
            effects.push_back(std::move(effect));
    }
    setShares(effects);
    std::ranges::stable_sort(effects, std::greater(), &NumberEffect::energyShare);
    return effects;
}

Expected<Uncertainty> planUncertainty(const TrainingGraph& graph, const DeviceProfile& profile, const CostOptions& options,
                                      const Schedule& schedule, const UncertaintyOptions& sampling)
{
    Uncertainty result;
    POET_TRY(effects, numberEffects(graph, profile, options, schedule));
    const PlanPrice price(graph, options, schedule);
    std::mt19937_64 random(sampling.seed);
    std::vector<double> joules;
    std::vector<double> seconds;
    for (int i = 0; i < std::max(1, sampling.samples); ++i) {
        POET_TRY(cost, price(sampled(profile, random)));
        joules.push_back(cost.joules);
        seconds.push_back(cost.seconds);
    }
    result.energyJoules = bandOf(std::move(joules));
    result.seconds = bandOf(std::move(seconds));
    result.note = noteOn(effects);
    result.effects = std::move(effects);
    return result;
}

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/uncertainty_report.h"

#include "core/base/units.h"
#include "core/device/device_columns.h"
#include "core/device/device_report.h"
#include "core/device/json_tree.h"

#include <algorithm>

namespace poet {
namespace {

constexpr double kSmallestShownShare = 0.001;

std::string bandText(const char* label, double median, const Band& band, std::string (*format)(double))
{
    return std::string(label) + format(median) + ", 10-90 % band " + format(band.low) + " to " + format(band.high) + "\n";
}

JsonTree bandTree(const Band& band)
{
    JsonTree tree = JsonTree::object();
    tree.set("p10", JsonTree::ofNumber(band.low));
    tree.set("p50", JsonTree::ofNumber(band.median));
    tree.set("p90", JsonTree::ofNumber(band.high));
    return tree;
}

JsonTree effectTree(const NumberEffect& effect)
{
    JsonTree tree = JsonTree::object();
    tree.set("path", JsonTree::ofText(effect.path));
    tree.set("unit", JsonTree::ofText(siUnit(effect.dimension)));
    tree.set("value", JsonTree::ofNumber(effect.quantity.value));
    tree.set("low", JsonTree::ofNumber(effect.lowValue));
    tree.set("high", JsonTree::ofNumber(effect.highValue));
    tree.set("origin", JsonTree::ofText(name(effect.quantity.origin)));
    tree.set("verified", JsonTree::ofBool(effect.quantity.isVerified));
    tree.set("energy_share", JsonTree::ofNumber(effect.energyShare));
    tree.set("time_share", JsonTree::ofNumber(effect.timeShare));
    tree.set("energy_joules_at_low", JsonTree::ofNumber(effect.atLow.joules));
    tree.set("energy_joules_at_high", JsonTree::ofNumber(effect.atHigh.joules));
    tree.set("seconds_at_low", JsonTree::ofNumber(effect.atLow.seconds));
    tree.set("seconds_at_high", JsonTree::ofNumber(effect.atHigh.seconds));
    return tree;
}

JsonTree curveTree(const SensitivityCurve& curve)
{
    JsonTree tree = JsonTree::object();
    tree.set("path", JsonTree::ofText(curve.path));
    tree.set("now", JsonTree::ofNumber(curve.now));
    JsonTree intervals = JsonTree::array();
    for (const BestInterval& interval : curve.intervals) {
        JsonTree one = JsonTree::object();
        one.set("low", JsonTree::ofNumber(interval.low));
        one.set("high", JsonTree::ofNumber(interval.high));
        one.set("best", interval.best < 0 ? JsonTree{} : JsonTree::ofNumber(interval.best));
        intervals.items.push_back(std::move(one));
    }
    tree.set("intervals", std::move(intervals));
    return tree;
}

std::string curveText(const SensitivityCurve& curve, const SensitivityAnswer& answer, const DeviceProfile& profile)
{
    const auto all = quantities(profile);
    const auto named = std::ranges::find(all, curve.path, &NamedQuantity::path);
    const std::string_view unit = named == all.end() ? std::string_view() : siUnit(named->dimension);
    Columns columns;
    for (const BestInterval& interval : curve.intervals)
        columns.add({"  " + siNumber(interval.low, unit) + " to " + siNumber(interval.high, unit),
                     interval.best < 0 ? "none meets the deadline" : answer.schedules[static_cast<std::size_t>(interval.best)]});
    const int best = curve.current().best;
    const std::string head = best < 0 ? curve.path + ": no known plan meets the deadline now"
                                      : answer.schedules[static_cast<std::size_t>(best)] + " " + stabilityText(curve, profile);
    return "\n" + head + "\n" + columns.text();
}

}  // namespace

std::string sensitivityText(const SensitivityAnswer& answer, const DeviceProfile& profile)
{
    const Uncertainty& uncertainty = answer.uncertainty;
    std::string text = bandText("energy  ", answer.median.joules, uncertainty.energyJoules, formatJoules)
                       + bandText("time    ", answer.median.seconds, uncertainty.seconds, formatSeconds);
    if (!uncertainty.note.empty())
        text += uncertainty.note + "\n";
    Columns columns;
    columns.add({"number", "value", "spread", "origin", "", "share of energy", "of time", "energy at its 10 %", "at its 90 %"});
    for (const NumberEffect& effect : uncertainty.effects) {
        if (std::max(effect.energyShare, effect.timeShare) < kSmallestShownShare)
            continue;
        const QuantityText shown = describe({effect.path, effect.dimension, &effect.quantity});
        columns.add({shown.path, shown.value, shown.spread, shown.origin, shown.mark, formatPercent(100 * effect.energyShare),
                     formatPercent(100 * effect.timeShare), formatJoules(effect.atLow.joules), formatJoules(effect.atHigh.joules)});
    }
    text += "\n" + columns.text();
    for (const SensitivityCurve& curve : answer.curves)
        text += curveText(curve, answer, profile);
    return text;
}

std::string sensitivityJson(const SensitivityAnswer& answer)
{
    JsonTree tree = JsonTree::object();
    tree.set("format", JsonTree::ofText("poet-sensitivity"));
    tree.set("version", JsonTree::ofNumber(1));
    tree.set("samples", JsonTree::ofNumber(answer.sampling.samples));
    tree.set("seed", JsonTree::ofNumber(static_cast<double>(answer.sampling.seed)));
    tree.set("energy_joules", bandTree(answer.uncertainty.energyJoules));
    tree.set("seconds", bandTree(answer.uncertainty.seconds));
    tree.set("median_energy_joules", JsonTree::ofNumber(answer.median.joules));
    tree.set("median_seconds", JsonTree::ofNumber(answer.median.seconds));
    tree.set("note", JsonTree::ofText(answer.uncertainty.note));
    JsonTree numbers = JsonTree::array();
    for (const NumberEffect& effect : answer.uncertainty.effects)
        numbers.items.push_back(effectTree(effect));
    tree.set("numbers", std::move(numbers));
    JsonTree schedules = JsonTree::array();
    for (const std::string& schedule : answer.schedules)
        schedules.items.push_back(JsonTree::ofText(schedule));
    tree.set("schedules", std::move(schedules));
    JsonTree curves = JsonTree::array();
    for (const SensitivityCurve& curve : answer.curves)
        curves.items.push_back(curveTree(curve));
    tree.set("curves", std::move(curves));
    return toText(tree);
}

}  // namespace poet

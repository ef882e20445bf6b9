// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/device/device_report.h"

#include "core/base/units.h"
#include "core/device/device_columns.h"

#include <algorithm>
#include <cmath>

namespace poet {
namespace {

constexpr std::int64_t kSmallTensor = 4096;
constexpr std::int64_t kLargeTensor = 65536;

std::string spreadText(const Quantity& quantity)
{
    if (quantity.low && quantity.high) {
        const double factor = parseUnit(quantity.unit).value_or(Unit{}).factor;
        return shortNumber(*quantity.low / factor) + " to " + shortNumber(*quantity.high / factor) + " " + quantity.unit;
    }
    const double spread = quantity.relativeSpread();
    if (spread >= 0.95)
        return "x/" + shortNumber(1 + spread);
    return "+-" + shortNumber(100 * spread) + " %";
}

std::string sourceText(const Quantity& quantity)
{
    std::string text = quantity.source.empty() ? "no source" : quantity.source;
    if (!quantity.date.empty())
        text += " (" + quantity.date + ")";
    if (!quantity.note.empty())
        text += " " + quantity.note;
    return text;
}

/// "536 | 745 ...": one line of the break-even table.
std::vector<std::string> breakEvenRow(const std::string& label, const BreakEven& value)
{
    return {label, shortNumber(value.energy), shortNumber(value.energyWithIdle), shortNumber(value.time)};
}

std::string breakEvenText(const DeviceProfile& profile)
{
    std::string text;
    for (const StoreBreakEven& one : breakEvens(profile)) {
        Columns columns;
        columns.add({"Break-even with " + one.store, "energy", "with idle", "time"});
        columns.add(breakEvenRow("  tensor of " + formatBytes(kSmallTensor), one.terms.at(kSmallTensor)));
        columns.add(breakEvenRow("  tensor of " + formatBytes(kLargeTensor), one.terms.at(kLargeTensor)));
        columns.add(breakEvenRow("  large tensors", one.terms.limit()));
        text += "\n" + columns.text();
    }
    if (!text.empty())
        text += "\nBreak-even is in FLOP per float: recompute what costs less, page what costs more.\n";
    return text;
}

std::string headText(const DeviceProfile& profile)
{
    std::string text = profile.id + "  " + profile.name + "\n";
    text += "class " + std::string(name(profile.profileClass)) + (profile.basedOn.empty() ? "" : ", based on " + profile.basedOn) + "; powers of the "
            + (profile.powerScope.empty() ? "device" : profile.powerScope) + "; accounting " + std::string(name(profile.accounting)) + "; transfers ";
    for (std::size_t i = 0; i < profile.transferModels.size(); ++i)
        text += (i == 0 ? "" : ", ") + std::string(name(profile.transferModels[i]));
    text += "\nalignment " + std::to_string(profile.alignment) + " B, sizes in multiples of " + std::to_string(profile.sizeMultiple) + " B, index "
            + std::to_string(profile.indexBytes) + " B, weights in " + std::string(name(profile.weights)) + "\n";
    text += "operating points (--operating-point): ";
    for (std::size_t i = 0; i < profile.operatingPoints.size(); ++i)
        text += (i == 0 ? "" : ", ") + profile.operatingPoints[i].name;
    if (!profile.measured.empty())
        text += "\nmeasured rows: " + std::to_string(profile.measured.size());
    return text + "\n";
}

}  // namespace

QuantityText describe(const NamedQuantity& named)
{
    const Quantity& quantity = *named.quantity;
    QuantityText text;
    text.path = named.path;
    // Bare SI units read better with a prefix; counts and sizes as they were written.
    const bool takesPrefix = quantity.unit == siUnit(named.dimension) && named.dimension != Dimension::Size
                             && named.dimension != Dimension::Ratio && named.dimension != Dimension::Cycles
                             && named.dimension != Dimension::CyclePerFlop;
    text.value = takesPrefix ? siNumber(quantity.value, quantity.unit) : shortNumber(quantity.written()) + " " + quantity.unit;
    text.spread = spreadText(quantity);
    text.origin = name(quantity.origin);
    if (quantity.origin != Origin::Estimated)
        text.mark = quantity.isVerified ? "verified" : "not verified";
    text.source = sourceText(quantity);
    return text;
}

std::vector<QuantityText> describeQuantities(const DeviceProfile& profile)
{
    std::vector<QuantityText> texts;
    for (const NamedQuantity& named : quantities(profile))
        texts.push_back(describe(named));
    return texts;
}

std::vector<StoreBreakEven> breakEvens(const DeviceProfile& profile)
{
    std::vector<StoreBreakEven> all;
    for (const StoreProfile& store : profile.stores) {
        CostOptions options;
        options.store = store.id;
        if (auto terms = breakEvenTerms(profile, options))
            all.push_back({store.id, *terms});
    }
    return all;
}

std::string deviceText(const ReadProfile& read)
{
    std::string text = headText(read.profile) + "\n";
    Columns columns;
    columns.add({"number", "value", "spread", "origin", "", "source"});
    for (const QuantityText& one : describeQuantities(read.profile))
        columns.add({one.path, one.value, one.spread, one.origin, one.mark, one.source});
    text += columns.text();
    for (const StoreProfile& store : read.profile.stores) {
        if (!store.note.empty())
            text += store.id + ": " + store.note + "\n";
        if (!store.refused.empty())
            text += store.id + " is refused as a page store: " + store.refused + "\n";
    }
    if (!read.profile.notes.empty())
        text += "\nNotes\n";
    for (const std::string& note : read.profile.notes)
        text += "  - " + note + "\n";
    for (const std::string& warning : read.warnings)
        text += "  warning: " + warning + "\n";
    return text + breakEvenText(read.profile);
}

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/device/device_profile.h"
#include "core/device/field_reader.h"
#include "core/device/profile_merge.h"
#include "core/device/row_reader.h"
#include "core/device/store_reader.h"

#include <algorithm>
#include <cmath>

namespace poet {
namespace {

/// Complains about the second of two things with one name.
void checkUnique(std::vector<std::string> seen, const std::string& arrayPath, ReadState& state)
{
    for (std::size_t i = 0; i < seen.size(); ++i)
        if (std::find(seen.begin(), seen.begin() + static_cast<std::ptrdiff_t>(i), seen[i]) != seen.begin() + static_cast<std::ptrdiff_t>(i))
            state.complain(itemPath(arrayPath, i), "has the name \"" + seen[i] + "\" of an earlier one");
}

MemoryRegion readMemory(const JsonTree& tree, const std::string& path, ReadState& state)
{
    FieldReader fields(tree, path, state);
    MemoryRegion region;
    region.name = fields.text("name", true);
    region.kind = fields.choice("kind", {"sram", "dtcm", "itcm", "ccm", "psram", "sdram", "flash"}, true);
    region.bytes = fields.quantity("bytes", Dimension::Size, true).value_or(Quantity{});
    region.reservedBytes = fields.quantity("reserved_bytes", Dimension::Size);
    region.hasDma = fields.flag("dma").value_or(true);
    region.isCacheable = fields.flag("cacheable").value_or(false);
    region.cacheLineBytes = fields.wholeBytes("cache_line").value_or(0);
    region.isExecutable = fields.flag("executable").value_or(false);
    if (region.reservedBytes && region.reservedBytes->value > region.bytes.value)
        fields.complain("reserved_bytes", "is larger than the memory");
    fields.finish();
    return region;
}

OperatingPoint readPoint(const JsonTree& tree, const std::string& path, Accounting accounting, ReadState& state)
{
    FieldReader fields(tree, path, state);
    OperatingPoint point;
    point.name = fields.text("name", true);
    point.frequency = fields.quantity("frequency", Dimension::Frequency);
    point.voltage = fields.quantity("voltage", Dimension::Voltage);
    point.activePower = fields.quantity("active_power", Dimension::Power, true).value_or(Quantity{});
    point.idlePower = fields.quantity("idle_power", Dimension::Power, accounting == Accounting::ActiveAndIdle);
    point.transferPower = fields.quantity("transfer_power", Dimension::Power);
    point.switchTime = fields.quantity("switch_time", Dimension::Time);
    point.switchEnergy = fields.quantity("switch_energy", Dimension::Energy);
    if (point.idleWatts() > point.activePower.value)
        fields.complain("idle_power", "is above the active power", "Waiting cannot need more power than working.");
    if (point.transferPower && point.transferPower->value < point.idleWatts())
        fields.complain("transfer_power", "is below the idle power");
    if (point.frequency && !(point.frequency->value > 0))
        fields.complain("frequency", "must be greater than 0");
    fields.finish();
    return point;
}

Rate readRate(const JsonTree& tree, const std::string& path, ReadState& state)
{
    FieldReader fields(tree, path, state);
    Rate rate;
    rate.library = fields.text("library", true);
    rate.type = fields.choice("type", {"f32", "f64", "f16", "bf16", "i8", "u8", "i16", "i32"});
    rate.opClass = fields.choice("class", {"conv", "depthwise", "gemm", "elementwise", "pool", "norm", "softmax", "reduce", "embed",
                                           "copy", "optimizer", "other"});
    rate.flops = fields.quantity("flops", Dimension::FlopRate);
    rate.cyclesPerFlop = fields.quantity("cycles_per_flop", Dimension::CyclePerFlop);
    rate.memoryBandwidth = fields.quantity("memory_bandwidth", Dimension::Bandwidth);
    rate.callOverhead = fields.quantity("call_overhead", Dimension::Time);
    rate.flopPerJoule = fields.quantity("flop_per_joule", Dimension::FlopPerJoule);
    if (rate.flops && rate.cyclesPerFlop)
        fields.complain("cycles_per_flop", "stands beside flops", "Give one of the two.");
    if (!rate.flops && !rate.cyclesPerFlop && !rate.memoryBandwidth)
        fields.complain("flops", "is missing, and so is cycles_per_flop");
    for (const auto& [key, quantity] : {std::pair{"flops", &rate.flops}, {"cycles_per_flop", &rate.cyclesPerFlop},
                                       {"memory_bandwidth", &rate.memoryBandwidth}, {"flop_per_joule", &rate.flopPerJoule}})
        if (*quantity && !((*quantity)->value > 0))
            fields.complain(key, "must be greater than 0");
    fields.finish();
    return rate;
}

void readTransfer(const JsonTree* tree, DeviceProfile& profile, ReadState& state)
{
    if (!tree)
        return;
    FieldReader fields(*tree, "$.transfer", state);
    const auto add = [&](const JsonTree& item, const std::string& path) {
        const auto model = transferModelFromName(item.text);
        if (!model)
            state.complain(path, "\"" + item.text + "\" is none of paper, blocking, dma");
        else if (std::ranges::find(profile.transferModels, *model) != profile.transferModels.end())
            state.complain(path, "names a model twice");
        else
            profile.transferModels.push_back(*model);
    };
    if (const JsonTree* models = fields.member("model", true)) {
        if (models->kind == JsonTree::Kind::Array)
            for (std::size_t i = 0; i < models->items.size(); ++i)
                add(models->items[i], itemPath("$.transfer.model", i));
        else
            add(*models, "$.transfer.model");
    }
    profile.transferSlowdown = fields.quantity("slowdown", Dimension::Ratio);
    if (profile.transferSlowdown && profile.transferSlowdown->value < 1)
        fields.complain("slowdown", "must be at least 1");
    profile.dmaAlignment = fields.wholeBytes("dma_alignment").value_or(1);
    fields.finish();
}

/// Fields of the store that `use` names, overridden by the fields that stand beside it.
JsonTree resolveStore(const JsonTree& tree, const std::string& path, const ProfileSources& sources, ReadState& state)
{
    const JsonTree* use = tree.find("use");
    if (!use)
        return tree;
    if (use->kind != JsonTree::Kind::Text || !sources.storeText) {
        state.complain(path + ".use", "must name a store");
        return tree;
    }
    const auto text = sources.storeText(use->text);
    if (!text) {
        state.complain(path + ".use", "\"" + use->text + "\" is not a known store", text.error().hint);
        return tree;
    }
    const auto shipped = parseJsonTree(*text, "store " + use->text);
    if (!shipped) {
        state.error = shipped.error();
        return tree;
    }
    JsonTree own = tree;
    std::erase_if(own.fields, [](const auto& field) { return field.first == "use"; });
    return mergeProfiles(own, *shipped);
}

void readMeasured(FieldReader& fields, DeviceProfile& profile, const ProfileSources& sources, ReadState& state)
{
    const auto& items = fields.array("measured");
    for (std::size_t i = 0; i < items.size() && !state.error; ++i) {
        const std::string path = itemPath("$.measured", i);
        Expected<std::vector<MeasuredRow>> rows;
        if (items[i].kind == JsonTree::Kind::Text) {
            const auto text = sources.rowsText ? sources.rowsText(items[i].text) : fail(ErrorCode::FileNotFound, "no file", {});
            if (!text) {
                state.complain(path, "cannot be read: " + text.error().message, text.error().hint);
                return;
            }
            rows = parseMeasuredRows(*text, items[i].text);
        } else {
            rows = readRows(items[i], path, state.where);
        }
        if (!rows)
            state.error = rows.error();
        else
            profile.measured.insert(profile.measured.end(), rows->begin(), rows->end());
    }
}

void readTexts(FieldReader& fields, std::string_view key, std::vector<std::string>& texts)
{
    for (const JsonTree& item : fields.array(key)) {
        if (item.kind != JsonTree::Kind::Text)
            fields.complain(key, "must hold texts only");
        texts.push_back(item.text);
    }
}

void readHeader(FieldReader& fields, DeviceProfile& profile)
{
    if (fields.text("format", true) != "poet-device")
        fields.complain("format", "must be \"poet-device\"");
    if (fields.number("version", true).value_or(1) != 1)
        fields.complain("version", "is not known to this program, which reads version 1");
    profile.id = fields.text("id", true);
    profile.name = fields.text("name", true);
    profile.vendor = fields.text("vendor");
    const std::string profileClass = fields.choice("class", {"paper-constants", "corrected", "user"}, true);
    profile.profileClass = profileClass == "paper-constants" ? ProfileClass::PaperConstants
                           : profileClass == "corrected"     ? ProfileClass::Corrected
                                                             : ProfileClass::User;
    profile.basedOn = fields.text("based_on");
    readTexts(fields, "notes", profile.notes);
    if (fields.choice("accounting", {"active+idle", "paper"}) == "paper")
        profile.accounting = Accounting::Paper;
    profile.powerScope = fields.choice("power_scope", {"chip", "module", "board", "wall"});
    const std::string weights = fields.choice("weights", {"ram", "flash", "paged"});
    profile.weights = weights == "flash" ? WeightPlace::Flash : weights == "paged" ? WeightPlace::Paged : WeightPlace::Ram;
}

void readLayout(FieldReader& fields, DeviceProfile& profile)
{
    const auto powerOfTwo = [&](std::string_view key, std::int64_t fallback, std::int64_t low, std::int64_t high) {
        const std::int64_t value = fields.wholeBytes(key).value_or(fallback);
        if (value < low || value > high || (value & (value - 1)) != 0)
            fields.complain(key, "must be a power of two from " + std::to_string(low) + " to " + std::to_string(high) + " bytes");
        return value;
    };
    profile.alignment = powerOfTwo("alignment", 8, 4, 64);
    profile.sizeMultiple = powerOfTwo("size_multiple", 4, 4, 64);
    profile.indexBytes = powerOfTwo("index_bytes", 4, 1, 8);
}

/// Everything after `based_on` was merged.
DeviceProfile readProfile(const JsonTree& tree, const ProfileSources& sources, ReadState& state)
{
    DeviceProfile profile;
    FieldReader fields(tree, "$", state);
    readHeader(fields, profile);
    readLayout(fields, profile);
    const auto readAll = [&](std::string_view key, auto& into, auto read, auto keyOf) {
        const auto& items = fields.array(key);
        const std::string path = fields.pathOf(key);
        std::vector<std::string> names;
        for (std::size_t i = 0; i < items.size(); ++i) {
            into.push_back(read(items[i], itemPath(path, i)));
            names.push_back(keyOf(into.back()));
        }
        checkUnique(std::move(names), path, state);
    };
    readAll("memory", profile.memory, [&](const JsonTree& item, const std::string& path) { return readMemory(item, path, state); },
            [](const MemoryRegion& region) { return region.name; });
    readAll("operating_points", profile.operatingPoints,
            [&](const JsonTree& item, const std::string& path) { return readPoint(item, path, profile.accounting, state); },
            [](const OperatingPoint& point) { return point.name; });
    if (profile.operatingPoints.empty())
        fields.complain("operating_points", "must hold at least one point");
    readAll("rates", profile.rates, [&](const JsonTree& item, const std::string& path) { return readRate(item, path, state); },
            [](const Rate& rate) { return rate.library + "/" + rate.type + "/" + rate.opClass; });
    readTransfer(fields.member("transfer"), profile, state);
    if (profile.transferModels.empty())
        profile.transferModels.push_back(profile.accounting == Accounting::Paper ? TransferModel::Paper : TransferModel::Blocking);
    readAll("stores", profile.stores,
            [&](const JsonTree& item, const std::string& path) { return readStore(resolveStore(item, path, sources, state), path, state); },
            [](const StoreProfile& store) { return store.id; });
    readMeasured(fields, profile, sources, state);
    readTexts(fields, "sensitivity", profile.sensitivity);
    // What `poet device --json` adds; computed again from the numbers.
    fields.member("warnings");
    fields.member("break_even");
    fields.finish();
    return profile;
}

/// The tree with every `based_on` merged in; `chain` holds the ids on the way, to find cycles.
Expected<JsonTree> mergedTree(JsonTree tree, const ProfileSources& sources, std::vector<std::string> chain, ReadState& state)
{
    const JsonTree* basedOn = tree.find("based_on");
    if (!basedOn || basedOn->kind != JsonTree::Kind::Text || basedOn->text.empty())
        return tree;
    if (const JsonTree* id = tree.find("id"); id && id->kind == JsonTree::Kind::Text)
        chain.push_back(id->text);
    if (std::ranges::find(chain, basedOn->text) != chain.end()) {
        state.complain("$.based_on", "\"" + basedOn->text + "\" leads back to this profile", "Break the cycle.");
        return std::unexpected<Error>(*state.error);
    }
    const auto text = sources.profileText ? sources.profileText(basedOn->text) : fail(ErrorCode::BadProfile, "", {});
    if (!text) {
        state.complain("$.based_on", "\"" + basedOn->text + "\" is not a known profile", text.error().hint);
        return std::unexpected<Error>(*state.error);
    }
    POET_TRY(parsed, parseJsonTree(*text, "profile " + basedOn->text));
    POET_TRY(base, mergedTree(std::move(parsed), sources, std::move(chain), state));
    return mergeProfiles(tree, base);
}

}  // namespace

Expected<ReadProfile> parseDeviceProfile(std::string_view json, std::string_view where, const ProfileSources& sources)
{
    ReadState state{std::string(where), {}, {}};
    POET_TRY(parsed, parseJsonTree(json, where));
    if (parsed.kind != JsonTree::Kind::Object)
        return fail(ErrorCode::BadProfile, std::string(where) + ": $ must be an object.", "A profile begins with {\"format\": \"poet-device\".");
    POET_TRY(tree, mergedTree(std::move(parsed), sources, {}, state));
    ReadProfile result;
    result.profile = readProfile(tree, sources, state);
    if (state.error)
        return std::unexpected<Error>(*state.error);
    result.warnings = std::move(state.warnings);
    for (std::string& warning : plausibilityWarnings(result.profile))
        result.warnings.push_back(std::move(warning));
    const auto all = quantities(result.profile);
    for (const std::string& path : result.profile.sensitivity)
        if (std::ranges::find(all, path, &NamedQuantity::path) == all.end())
            return fail(ErrorCode::BadProfile, std::string(where) + ": $.sensitivity names \"" + path + "\", which this profile does not have.",
                        "Write it as 'poet device' prints it, such as stores[sd-a1].read_latency.");
    return result;
}

}  // namespace poet

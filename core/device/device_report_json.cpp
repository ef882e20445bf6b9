// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/units.h"
#include "core/device/device_columns.h"
#include "core/device/device_report.h"
#include "core/device/profile_writer.h"

#include <algorithm>

namespace poet {
namespace {

constexpr std::int64_t kSizes[] = {4096, 65536};

JsonTree toTree(const BreakEven& value)
{
    JsonTree tree = JsonTree::object();
    tree.set("energy", JsonTree::ofNumber(value.energy));
    tree.set("energy_with_idle", JsonTree::ofNumber(value.energyWithIdle));
    tree.set("time", JsonTree::ofNumber(value.time));
    return tree;
}

JsonTree directionTree(const TransferTerms& terms)
{
    JsonTree tree = JsonTree::object();
    tree.set("fixed_seconds", JsonTree::ofNumber(terms.fixedSeconds));
    tree.set("seconds_per_byte", JsonTree::ofNumber(terms.secondsPerByte));
    tree.set("fixed_joules", JsonTree::ofNumber(terms.fixedJoules));
    tree.set("joules_per_byte", JsonTree::ofNumber(terms.joulesPerByte));
    tree.set("block_bytes", JsonTree::ofNumber(static_cast<double>(terms.blockBytes)));
    return tree;
}

/// Break-even in FLOP per float for two sizes and for large tensors, with the terms it is made of.
JsonTree breakEvenTree(const DeviceProfile& profile)
{
    JsonTree all = JsonTree::array();
    for (const StoreBreakEven& one : breakEvens(profile)) {
        JsonTree tree = JsonTree::object();
        tree.set("store", JsonTree::ofText(one.store));
        for (const std::int64_t bytes : kSizes)
            tree.set(std::to_string(bytes), toTree(one.terms.at(bytes)));
        tree.set("limit", toTree(one.terms.limit()));
        tree.set("joules_per_flop", JsonTree::ofNumber(one.terms.joulesPerFlop));
        tree.set("seconds_per_flop", JsonTree::ofNumber(one.terms.secondsPerFlop));
        tree.set("idle_watts", JsonTree::ofNumber(one.terms.idleWatts));
        tree.set("page_out", directionTree(one.terms.store.out));
        tree.set("page_in", directionTree(one.terms.store.in));
        all.items.push_back(std::move(tree));
    }
    return all;
}

double ramBytes(const DeviceProfile& profile)
{
    double bytes = 0;
    for (const MemoryRegion& region : profile.memory)
        bytes += region.kind == "flash" ? 0 : region.bytes.value;
    return bytes;
}

std::size_t unverifiedNumbers(const DeviceProfile& profile)
{
    const auto all = quantities(profile);
    return static_cast<std::size_t>(std::ranges::count_if(all, [](const NamedQuantity& named) { return !named.quantity->isVerified; }));
}

JsonTree texts(const std::vector<std::string>& list)
{
    JsonTree tree = JsonTree::array();
    for (const std::string& text : list)
        tree.items.push_back(JsonTree::ofText(text));
    return tree;
}

template <class Item>
JsonTree names(const std::vector<Item>& items, std::string Item::*field)
{
    JsonTree tree = JsonTree::array();
    for (const Item& item : items)
        tree.items.push_back(JsonTree::ofText(item.*field));
    return tree;
}

JsonTree listEntry(const DeviceProfile& profile)
{
    JsonTree tree = JsonTree::object();
    tree.set("id", JsonTree::ofText(profile.id));
    tree.set("name", JsonTree::ofText(profile.name));
    tree.set("vendor", JsonTree::ofText(profile.vendor));
    tree.set("class", JsonTree::ofText(name(profile.profileClass)));
    tree.set("accounting", JsonTree::ofText(name(profile.accounting)));
    tree.set("power_scope", JsonTree::ofText(profile.powerScope));
    tree.set("ram_bytes", JsonTree::ofNumber(ramBytes(profile)));
    tree.set("active_watts", JsonTree::ofNumber(profile.operatingPoints.front().activePower.value));
    tree.set("idle_watts", JsonTree::ofNumber(profile.operatingPoints.front().idleWatts()));
    tree.set("operating_points", names(profile.operatingPoints, &OperatingPoint::name));
    std::vector<std::string> models;
    for (const TransferModel model : profile.transferModels)
        models.emplace_back(name(model));
    tree.set("transfer", texts(models));
    tree.set("stores", names(profile.stores, &StoreProfile::id));
    tree.set("break_even", breakEvenTree(profile));
    tree.set("numbers", JsonTree::ofNumber(static_cast<double>(quantities(profile).size())));
    tree.set("unverified_numbers", JsonTree::ofNumber(static_cast<double>(unverifiedNumbers(profile))));
    tree.set("notes", texts(profile.notes));
    return tree;
}

}  // namespace

std::string deviceJson(const ReadProfile& read)
{
    JsonTree tree = toTree(read.profile);
    tree.set("warnings", texts(read.warnings));
    tree.set("break_even", breakEvenTree(read.profile));
    return toText(tree);
}

std::string deviceListText(const std::vector<ReadProfile>& profiles)
{
    Columns columns;
    columns.add({"id", "RAM", "active", "idle", "rate", "store", "break-even", "name"});
    for (const ReadProfile& read : profiles) {
        const DeviceProfile& profile = read.profile;
        const OperatingPoint& point = profile.operatingPoints.front();
        const auto lines = breakEvens(profile);
        const bool hasLine = !lines.empty();
        columns.add({profile.id, formatBytes(static_cast<std::int64_t>(ramBytes(profile))), siNumber(point.activePower.value, "W"),
                     point.idlePower ? siNumber(point.idleWatts(), "W") : "-", hasLine ? siNumber(1 / lines.front().terms.secondsPerFlop, "FLOP/s") : "-",
                     hasLine ? lines.front().store : "-", hasLine ? shortNumber(lines.front().terms.at(kSizes[1]).energy) : "-", profile.name});
    }
    return columns.text() + "\nBreak-even: FLOP per float above which paging a tensor of 64 KiB costs less energy than recomputing it.\n"
           + "'poet device ID' shows every number with its origin.\n";
}

std::string deviceListJson(const std::vector<ReadProfile>& profiles)
{
    JsonTree all = JsonTree::array();
    for (const ReadProfile& read : profiles)
        all.items.push_back(listEntry(read.profile));
    return toText(all);
}

}  // namespace poet

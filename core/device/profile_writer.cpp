// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/device/profile_writer.h"

#include "core/device/field_reader.h"
#include "core/device/row_reader.h"
#include "core/device/store_reader.h"

namespace poet {
namespace {

JsonTree whole(std::int64_t value) { return JsonTree::ofNumber(static_cast<double>(value)); }

void setQuantity(JsonTree& tree, std::string_view key, const std::optional<Quantity>& quantity)
{
    if (quantity)
        tree.set(key, toTree(*quantity));
}

void setText(JsonTree& tree, std::string_view key, std::string_view text)
{
    if (!text.empty())
        tree.set(key, JsonTree::ofText(text));
}

JsonTree toTree(const MemoryRegion& region)
{
    JsonTree tree = JsonTree::object();
    setText(tree, "name", region.name);
    setText(tree, "kind", region.kind);
    tree.set("bytes", toTree(region.bytes));
    setQuantity(tree, "reserved_bytes", region.reservedBytes);
    tree.set("dma", JsonTree::ofBool(region.hasDma));
    tree.set("cacheable", JsonTree::ofBool(region.isCacheable));
    if (region.cacheLineBytes > 0)
        tree.set("cache_line", whole(region.cacheLineBytes));
    tree.set("executable", JsonTree::ofBool(region.isExecutable));
    return tree;
}

JsonTree toTree(const OperatingPoint& point)
{
    JsonTree tree = JsonTree::object();
    setText(tree, "name", point.name);
    setQuantity(tree, "frequency", point.frequency);
    setQuantity(tree, "voltage", point.voltage);
    tree.set("active_power", toTree(point.activePower));
    setQuantity(tree, "idle_power", point.idlePower);
    setQuantity(tree, "transfer_power", point.transferPower);
    setQuantity(tree, "switch_time", point.switchTime);
    setQuantity(tree, "switch_energy", point.switchEnergy);
    return tree;
}

JsonTree toTree(const Rate& rate)
{
    JsonTree tree = JsonTree::object();
    setText(tree, "library", rate.library);
    setText(tree, "type", rate.type);
    setText(tree, "class", rate.opClass);
    setQuantity(tree, "flops", rate.flops);
    setQuantity(tree, "cycles_per_flop", rate.cyclesPerFlop);
    setQuantity(tree, "memory_bandwidth", rate.memoryBandwidth);
    setQuantity(tree, "call_overhead", rate.callOverhead);
    setQuantity(tree, "flop_per_joule", rate.flopPerJoule);
    return tree;
}

template <class Item>
JsonTree toArray(const std::vector<Item>& items)
{
    JsonTree tree = JsonTree::array();
    for (const Item& item : items) {
        if constexpr (std::is_same_v<Item, std::string>)
            tree.items.push_back(JsonTree::ofText(item));
        else
            tree.items.push_back(toTree(item));
    }
    return tree;
}

JsonTree transferTree(const DeviceProfile& profile)
{
    JsonTree models = JsonTree::array();
    for (const TransferModel model : profile.transferModels)
        models.items.push_back(JsonTree::ofText(name(model)));
    JsonTree transfer = JsonTree::object();
    transfer.set("model", std::move(models));
    setQuantity(transfer, "slowdown", profile.transferSlowdown);
    if (profile.dmaAlignment > 1)
        transfer.set("dma_alignment", whole(profile.dmaAlignment));
    return transfer;
}

}  // namespace

std::string toJson(const DeviceProfile& profile) { return toText(toTree(profile)); }

JsonTree toTree(const DeviceProfile& profile)
{
    JsonTree tree = JsonTree::object();
    setText(tree, "format", "poet-device");
    tree.set("version", whole(1));
    setText(tree, "id", profile.id);
    setText(tree, "name", profile.name);
    setText(tree, "vendor", profile.vendor);
    setText(tree, "class", name(profile.profileClass));
    if (!profile.notes.empty())
        tree.set("notes", toArray(profile.notes));
    setText(tree, "accounting", name(profile.accounting));
    setText(tree, "power_scope", profile.powerScope);
    tree.set("memory", toArray(profile.memory));
    tree.set("alignment", whole(profile.alignment));
    tree.set("size_multiple", whole(profile.sizeMultiple));
    tree.set("index_bytes", whole(profile.indexBytes));
    setText(tree, "weights", name(profile.weights));
    tree.set("operating_points", toArray(profile.operatingPoints));
    tree.set("rates", toArray(profile.rates));
    tree.set("transfer", transferTree(profile));
    tree.set("stores", toArray(profile.stores));
    if (!profile.measured.empty())
        tree.set("measured", toArray(profile.measured));
    if (!profile.sensitivity.empty())
        tree.set("sensitivity", toArray(profile.sensitivity));
    return tree;
}

}  // namespace poet

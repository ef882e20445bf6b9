// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/device/store_reader.h"

namespace poet {
namespace {

/// The quantities of a store: one table for reading and writing.
struct StoreField {
    std::string_view key;
    Dimension dimension;
    std::optional<Quantity> StoreProfile::*member;
};
constexpr StoreField kStoreFields[] = {
    {"capacity", Dimension::Size, &StoreProfile::capacity},
    {"write_latency", Dimension::Time, &StoreProfile::writeLatency},
    {"write_bandwidth", Dimension::Bandwidth, &StoreProfile::writeBandwidth},
    {"read_latency", Dimension::Time, &StoreProfile::readLatency},
    {"read_bandwidth", Dimension::Bandwidth, &StoreProfile::readBandwidth},
    {"bus_bandwidth", Dimension::Bandwidth, &StoreProfile::busBandwidth},
    {"erase_time", Dimension::Time, &StoreProfile::eraseTime},
    {"write_power", Dimension::Power, &StoreProfile::writePower},
    {"read_power", Dimension::Power, &StoreProfile::readPower},
    {"erase_power", Dimension::Power, &StoreProfile::erasePower},
    {"idle_power", Dimension::Power, &StoreProfile::idlePower},
    {"endurance", Dimension::Cycles, &StoreProfile::endurance},
    {"rated_bytes_written", Dimension::Size, &StoreProfile::ratedBytesWritten},
    {"write_amplification", Dimension::Ratio, &StoreProfile::writeAmplification},
};

/// A bandwidth of 0 would take for ever, an amplification below 1 does not exist.
void checkStore(const StoreProfile& store, FieldReader& fields)
{
    for (const StoreField& field : kStoreFields) {
        const auto& quantity = store.*field.member;
        if (quantity && field.dimension == Dimension::Bandwidth && !(quantity->value > 0))
            fields.complain(field.key, "must be greater than 0");
    }
    if (store.writeAmplification && store.writeAmplification->value < 1)
        fields.complain("write_amplification", "must be at least 1");
    if (store.blockBytes < 1)
        fields.complain("block", "must be at least 1 byte");
    if (store.eraseBlockBytes % std::max<std::int64_t>(store.blockBytes, 1) != 0)
        fields.complain("erase_block", "must be a multiple of the block");
    for (const auto power : {&StoreProfile::writePower, &StoreProfile::readPower, &StoreProfile::erasePower})
        if (store.idlePower && store.*power && (store.*power)->value < store.idlePower->value)
            fields.complain("idle_power", "is above the power of a transfer");
}

}  // namespace

StoreProfile readStore(const JsonTree& tree, const std::string& path, ReadState& state)
{
    FieldReader fields(tree, path, state);
    StoreProfile store;
    store.id = fields.text("id", true);
    store.name = fields.text("name");
    store.kind = fields.choice("kind", {"sd", "emmc", "ufs", "nvme", "nor", "nand", "fram", "mram", "psram", "sdram", "file"}, true);
    store.refused = fields.text("refused");
    store.blockBytes = fields.wholeBytes("block").value_or(1);
    store.eraseBlockBytes = fields.wholeBytes("erase_block").value_or(0);
    for (const StoreField& field : kStoreFields)
        store.*field.member = fields.quantity(field.key, field.dimension);
    store.wearLevelling = fields.choice("wear_levelling", {"none", "ring", "device"});
    store.note = fields.text("note");
    checkStore(store, fields);
    fields.finish();
    return store;
}

JsonTree toTree(const StoreProfile& store)
{
    JsonTree tree = JsonTree::object();
    tree.set("id", JsonTree::ofText(store.id));
    if (!store.name.empty())
        tree.set("name", JsonTree::ofText(store.name));
    tree.set("kind", JsonTree::ofText(store.kind));
    if (!store.refused.empty())
        tree.set("refused", JsonTree::ofText(store.refused));
    tree.set("block", JsonTree::ofNumber(static_cast<double>(store.blockBytes)));
    tree.set("erase_block", JsonTree::ofNumber(static_cast<double>(store.eraseBlockBytes)));
    for (const StoreField& field : kStoreFields)
        if (const auto& quantity = store.*field.member)
            tree.set(field.key, toTree(*quantity));
    if (!store.wearLevelling.empty())
        tree.set("wear_levelling", JsonTree::ofText(store.wearLevelling));
    if (!store.note.empty())
        tree.set("note", JsonTree::ofText(store.note));
    return tree;
}

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/firmware/packed_graph.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace poet::firmware {
namespace {

/// One input is the commonest number, none the rarest of the small ones.
constexpr std::uint32_t kCountCode[] = {3, 0, 1, 2};

std::uint32_t countCode(std::uint32_t count) { return count < 4 ? kCountCode[count] : count; }
std::uint32_t countOf(std::uint32_t code) { return code == 3 ? 0 : code < 3 ? code + 1 : code; }

/// Distinct sizes, commonest first.
std::vector<std::uint32_t> sizeTable(const std::vector<ProgramNode>& nodes)
{
    std::map<std::uint32_t, int> counts;
    for (const ProgramNode& node : nodes)
        ++counts[node.bytes];
    std::vector<std::uint32_t> table;
    for (const auto& [size, count] : counts)
        table.push_back(size);
    std::ranges::stable_sort(table, [&](std::uint32_t a, std::uint32_t b) { return counts[a] > counts[b]; });
    return table;
}

void writeInputs(BitWriter& bits, const ProgramNode& node, std::size_t id, std::int32_t& saved)
{
    bits.golomb(countCode(static_cast<std::uint32_t>(node.inputs.size())), 0);
    for (std::size_t k = 0; k < node.inputs.size(); ++k) {
        const std::uint32_t back = static_cast<std::uint32_t>(id) - node.inputs[k] - 1;
        if (k == 0) {
            bits.bit(back == 0);
            if (back != 0)
                bits.golomb(back - 1, 2);
        } else if (node.isBackward) {
            bits.signedGolomb(saved - node.inputs[k], 1);
            saved = node.inputs[k];
        } else {
            bits.golomb(back, 1);
        }
    }
}

bool readInputs(BitReader& bits, ProgramNode& node, std::size_t id, std::int32_t& saved)
{
    const std::uint32_t count = countOf(bits.golomb(0));
    if (bits.isBroken() || count > id)
        return false;
    for (std::uint32_t k = 0; k < count; ++k) {
        std::int64_t input = 0;
        if (k == 0)
            input = static_cast<std::int64_t>(id) - 1 - (bits.bit() ? 0 : 1 + static_cast<std::int64_t>(bits.golomb(2)));
        else if (node.isBackward)
            input = std::int64_t{saved} - bits.signedGolomb(1);
        else
            input = static_cast<std::int64_t>(id) - 1 - bits.golomb(1);
        if (bits.isBroken() || input < 0 || input >= static_cast<std::int64_t>(id))
            return false;
        if (k > 0 && node.isBackward)
            saved = static_cast<std::int32_t>(input);
        node.inputs.push_back(static_cast<std::uint16_t>(input));
    }
    return true;
}

/// What most graphs have in common is said once: whether any node has scratch, whether exactly the forward nodes with inputs
/// may run again, and where forward and backward change.
struct Common {
    bool hasWork = false;
    bool isRegular = true;
    std::vector<std::uint32_t> changes;  ///< nodes from the one before (or the first) to each change

    static Common of(const std::vector<ProgramNode>& nodes)
    {
        Common common;
        std::size_t last = 0;
        for (std::size_t id = 0; id < nodes.size(); ++id) {
            const ProgramNode& node = nodes[id];
            common.hasWork = common.hasWork || node.workBytes > 0;
            common.isRegular = common.isRegular && (node.isBackward || node.mayRunAgain != node.inputs.empty());
            if (node.isBackward != (common.changes.size() % 2 == 1)) {
                common.changes.push_back(static_cast<std::uint32_t>(id - last));
                last = id;
            }
        }
        return common;
    }

    void write(BitWriter& bits) const
    {
        bits.bit(hasWork);
        bits.bit(isRegular);
        bits.golomb(static_cast<std::uint32_t>(changes.size()), 0);
        for (const std::uint32_t distance : changes)
            bits.golomb(distance, kDistanceBits);
    }

    bool read(BitReader& bits, std::size_t count)
    {
        hasWork = bits.bit();
        isRegular = bits.bit();
        const std::uint32_t number = bits.golomb(0);
        for (std::uint32_t i = 0; i < number && i <= count && !bits.isBroken(); ++i)
            changes.push_back(bits.golomb(kDistanceBits));
        return !bits.isBroken() && number <= count;
    }

private:
    static constexpr int kDistanceBits = 6;
};

}  // namespace

void writeNodes(ByteWriter& out, const std::vector<ProgramNode>& nodes)
{
    std::uint32_t unit = 0;
    for (const ProgramNode& node : nodes)
        unit = std::gcd(std::gcd(unit, node.bytes), node.workBytes);
    unit = std::max<std::uint32_t>(unit, 1);
    const auto table = sizeTable(nodes);
    out.varint(unit);
    out.varint(static_cast<std::uint32_t>(table.size()));
    for (const std::uint32_t size : table)
        out.varint(size / unit);
    BitWriter bits;
    const Common common = Common::of(nodes);
    common.write(bits);
    const auto firstBackward = static_cast<std::size_t>(std::ranges::find_if(nodes, &ProgramNode::isBackward) - nodes.begin());
    auto saved = static_cast<std::int32_t>(firstBackward);
    for (std::size_t id = 0; id < nodes.size(); ++id) {
        const ProgramNode& node = nodes[id];
        writeInputs(bits, node, id, saved);
        if (node.inputs.empty())
            bits.bit(node.isInput);
        if (!node.isBackward && !common.isRegular)
            bits.bit(node.mayRunAgain);
        const bool isFirst = !node.inputs.empty() && nodes[node.inputs.front()].bytes == node.bytes;
        if (!node.inputs.empty())
            bits.bit(isFirst);
        if (!isFirst)
            bits.golomb(static_cast<std::uint32_t>(std::ranges::find(table, node.bytes) - table.begin()), 2);
        if (common.hasWork)
            bits.bit(node.workBytes > 0);
        if (node.workBytes > 0)
            bits.golomb(node.workBytes / unit - 1, 4);
    }
    out.append(bits.finish());
}

bool readNodes(ByteReader in, std::size_t count, std::vector<ProgramNode>& nodes)
{
    const std::uint32_t unit = in.varint(), sizes = in.varint();
    if (in.isBroken() || unit == 0 || sizes > count)
        return false;
    std::vector<std::uint64_t> table;
    for (std::uint32_t i = 0; i < sizes; ++i)
        table.push_back(std::uint64_t{in.varint()} * unit);
    if (in.isBroken())
        return false;
    nodes.assign(count, {});
    BitReader bits(in);
    Common common;
    if (!common.read(bits, count))
        return false;
    std::size_t change = 0, distance = 0;
    std::int32_t saved = -1;  // saved tensors are counted from the first backward node
    for (std::size_t id = 0; id < count; ++id) {
        ProgramNode& node = nodes[id];
        for (; change < common.changes.size() && distance == common.changes[change]; ++change)
            distance = 0;
        ++distance;
        node.isBackward = change % 2 == 1;
        if (node.isBackward && saved < 0)
            saved = static_cast<std::int32_t>(id);
        if (!readInputs(bits, node, id, saved))
            return false;
        node.isInput = node.inputs.empty() && bits.bit();
        node.mayRunAgain = !node.isBackward && (common.isRegular ? !node.inputs.empty() : bits.bit());
        const bool isFirst = !node.inputs.empty() && bits.bit();
        const std::uint32_t index = isFirst ? 0 : bits.golomb(2);
        if (!isFirst && index >= table.size())
            return false;
        const std::uint64_t bytes = isFirst ? nodes[node.inputs.front()].bytes : table[index];
        const std::uint64_t work = common.hasWork && bits.bit() ? (std::uint64_t{bits.golomb(4)} + 1) * unit : 0;
        if (bits.isBroken() || bytes > 0x7FFFFFFF || work > 0x7FFFFFFF)
            return false;
        node.bytes = static_cast<std::uint32_t>(bytes);
        node.workBytes = static_cast<std::uint32_t>(work);
    }
    return true;
}

}  // namespace poet::firmware

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/forward_graph.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>

namespace poet {

static_assert(std::endian::native == std::endian::little, "stored weights are little-endian");

std::string_view name(ValueKind kind)
{
    switch (kind) {
    case ValueKind::Data: return "data";
    case ValueKind::Parameter: return "parameter";
    case ValueKind::Buffer: return "buffer";
    case ValueKind::Constant: return "constant";
    case ValueKind::Activation: return "activation";
    }
    return "";
}

namespace {

template <class T>
const T* attributeOf(const ForwardOp& op, std::string_view key)
{
    const auto found = op.attributes.find(std::string(key));
    return found == op.attributes.end() ? nullptr : std::get_if<T>(&found->second);
}

}  // namespace

std::int64_t ForwardOp::intAttribute(std::string_view key, std::int64_t fallback) const
{
    const auto* value = attributeOf<std::int64_t>(*this, key);
    return value ? *value : fallback;
}

double ForwardOp::floatAttribute(std::string_view key, double fallback) const
{
    const auto* value = attributeOf<double>(*this, key);
    return value ? *value : fallback;
}

std::string ForwardOp::textAttribute(std::string_view key, std::string_view fallback) const
{
    const auto* value = attributeOf<std::string>(*this, key);
    return value ? *value : std::string(fallback);
}

std::vector<std::int64_t> ForwardOp::intsAttribute(std::string_view key) const
{
    const auto* value = attributeOf<std::vector<std::int64_t>>(*this, key);
    return value ? *value : std::vector<std::int64_t>{};
}

ValueId ForwardGraph::find(std::string_view valueName) const
{
    const auto found = std::ranges::find(values, valueName, &ForwardValue::name);
    return found == values.end() ? kNoValue : static_cast<ValueId>(found - values.begin());
}

std::vector<std::vector<int>> ForwardGraph::readers() const
{
    std::vector<std::vector<int>> result(values.size());
    for (std::size_t op = 0; op < ops.size(); ++op) {
        for (const ValueId input : ops[op].inputs) {
            if (input == kNoValue)
                continue;
            auto& list = result[static_cast<std::size_t>(input)];
            if (list.empty() || list.back() != static_cast<int>(op))
                list.push_back(static_cast<int>(op));
        }
    }
    return result;
}

std::int64_t ForwardGraph::bytes(ValueId id) const
{
    return elementCount(value(id).shape) * elementBytes(value(id).type);
}

namespace {

void appendElement(std::string& out, ElementType type, std::int64_t integer)
{
    const auto size = static_cast<std::size_t>(elementBytes(type));
    char bytes[8];
    std::memcpy(bytes, &integer, sizeof bytes);
    out.append(bytes, size);
}

std::string filled(const ForwardValue& value)
{
    std::int64_t pattern = static_cast<std::int64_t>(value.stored.fill);
    if (value.type == ElementType::F32)
        pattern = std::bit_cast<std::int32_t>(static_cast<float>(value.stored.fill));
    else if (value.type == ElementType::F64)
        pattern = std::bit_cast<std::int64_t>(value.stored.fill);
    std::string result;
    for (std::int64_t i = 0; i < elementCount(value.shape); ++i)
        appendElement(result, value.type, pattern);
    return result;
}

Expected<std::string> fromVarints(const ForwardValue& value, const std::string& encoded)
{
    std::string result;
    std::uint64_t number = 0;
    int shift = 0;
    for (const char c : encoded) {
        const auto byte = static_cast<unsigned char>(c);
        if (shift < 64)
            number |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
        shift += 7;
        if (byte & 0x80U)
            continue;
        appendElement(result, value.type, std::bit_cast<std::int64_t>(number));
        number = 0;
        shift = 0;
    }
    return result;
}

}  // namespace

Expected<std::string> readStored(const ForwardValue& value)
{
    const WeightLocation& at = value.stored;
    const auto needed = static_cast<std::size_t>(elementCount(value.shape) * elementBytes(value.type));
    if (at.encoding == WeightLocation::Encoding::Filled)
        return filled(value);
    if (at.encoding == WeightLocation::Encoding::Missing)
        return fail(ErrorCode::BadModel, "The file holds only the shape of \"" + value.name + "\", not its content.",
                    "Export the model with its weights.");
    std::ifstream file(at.file, std::ios::binary);
    if (!file)
        return fail(ErrorCode::FileNotFound, "The weights file \"" + at.file + "\" cannot be opened.",
                    "Put it beside the model file.");
    std::string content(static_cast<std::size_t>(at.bytes), '\0');
    file.seekg(at.offset);
    file.read(content.data(), static_cast<std::streamsize>(content.size()));
    if (static_cast<std::size_t>(file.gcount()) != content.size())
        return fail(ErrorCode::BadModel, "\"" + at.file + "\" ends before the content of \"" + value.name + "\".",
                    "Copy the file again.");
    if (at.encoding == WeightLocation::Encoding::Varint) {
        POET_TRY(decoded, fromVarints(value, content));
        content = std::move(decoded);
    }
    if (content.size() != needed)
        return fail(ErrorCode::BadModel,
                    "\"" + value.name + "\" has " + std::to_string(content.size()) + " bytes of content instead of " +
                        std::to_string(needed) + ".",
                    "Export the model again.");
    return content;
}

}  // namespace poet

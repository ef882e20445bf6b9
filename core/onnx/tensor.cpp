// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/tensor.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string_view>

namespace poet::onnx {

using ::onnx::AttributeProto;
using ::onnx::TensorProto;

ElementType elementTypeFromOnnx(int dataType)
{
    switch (dataType) {
    case TensorProto::FLOAT: return ElementType::F32;
    case TensorProto::UINT8: return ElementType::U8;
    case TensorProto::INT8: return ElementType::I8;
    case TensorProto::UINT16: return ElementType::U16;
    case TensorProto::INT16: return ElementType::I16;
    case TensorProto::INT32: return ElementType::I32;
    case TensorProto::INT64: return ElementType::I64;
    case TensorProto::STRING: return ElementType::String;
    case TensorProto::BOOL: return ElementType::Bool;
    case TensorProto::FLOAT16: return ElementType::F16;
    case TensorProto::DOUBLE: return ElementType::F64;
    case TensorProto::UINT32: return ElementType::U32;
    case TensorProto::UINT64: return ElementType::U64;
    case TensorProto::BFLOAT16: return ElementType::BF16;
    default: return ElementType::Unknown;
    }
}

bool isSaneShape(const Shape& shape)
{
    constexpr std::int64_t kMost = std::int64_t{1} << 46;
    std::int64_t count = 1;
    for (const std::int64_t dimension : shape) {
        if (dimension < 0 || dimension > kMost || (dimension > 0 && count > kMost / dimension))
            return false;
        count *= dimension;
    }
    return true;
}

Expected<Shape> shapeOf(const TensorProto& tensor)
{
    Shape shape(tensor.dims().begin(), tensor.dims().end());
    if (!isSaneShape(shape))
        return fail(ErrorCode::BadModel, "The stored tensor \"" + tensor.name() + "\" has impossible dimensions.",
                    "Export the model again.");
    return shape;
}

namespace {

double halfToDouble(std::uint16_t bits)
{
    const int exponent = bits >> 10 & 0x1f;
    const double mantissa = bits & 0x3ff;
    double value = 0;
    if (exponent == 31)
        value = mantissa != 0 ? std::nan("") : HUGE_VAL;
    else
        value = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
    return bits & 0x8000 ? -value : value;
}

double bfloatToDouble(std::uint16_t bits)
{
    return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16));
}

template <class T>
T load(std::string_view raw, std::size_t index)
{
    T value;
    std::memcpy(&value, raw.data() + index * sizeof(T), sizeof(T));
    return value;
}

/// Element `index` of little-endian content, into the list of its kind.
void appendRaw(SmallTensor& out, std::string_view raw, std::size_t index)
{
    switch (out.type) {
    case ElementType::F32: out.floats.push_back(static_cast<double>(load<float>(raw, index))); break;
    case ElementType::F64: out.floats.push_back(load<double>(raw, index)); break;
    case ElementType::F16: out.floats.push_back(halfToDouble(load<std::uint16_t>(raw, index))); break;
    case ElementType::BF16: out.floats.push_back(bfloatToDouble(load<std::uint16_t>(raw, index))); break;
    case ElementType::Bool:
    case ElementType::U8: out.ints.push_back(load<std::uint8_t>(raw, index)); break;
    case ElementType::I8: out.ints.push_back(load<std::int8_t>(raw, index)); break;
    case ElementType::I16: out.ints.push_back(load<std::int16_t>(raw, index)); break;
    case ElementType::U16: out.ints.push_back(load<std::uint16_t>(raw, index)); break;
    case ElementType::I32: out.ints.push_back(load<std::int32_t>(raw, index)); break;
    case ElementType::U32: out.ints.push_back(load<std::uint32_t>(raw, index)); break;
    case ElementType::I64:
    case ElementType::U64: out.ints.push_back(load<std::int64_t>(raw, index)); break;
    case ElementType::String:
    case ElementType::Unknown: break;
    }
}

void appendTyped(SmallTensor& out, const TensorProto& tensor)
{
    for (const float value : tensor.float_data())
        out.floats.push_back(static_cast<double>(value));
    for (const double value : tensor.double_data())
        out.floats.push_back(value);
    for (const std::int64_t value : tensor.int64_data())
        out.ints.push_back(value);
    for (const std::uint64_t value : tensor.uint64_data())
        out.ints.push_back(static_cast<std::int64_t>(value));
    for (const std::int32_t value : tensor.int32_data()) {
        if (out.type == ElementType::F16)
            out.floats.push_back(halfToDouble(static_cast<std::uint16_t>(value)));
        else if (out.type == ElementType::BF16)
            out.floats.push_back(bfloatToDouble(static_cast<std::uint16_t>(value)));
        else
            out.ints.push_back(value);
    }
}

}  // namespace

std::optional<SmallTensor> smallTensor(const TensorProto& tensor)
{
    SmallTensor out;
    out.type = elementTypeFromOnnx(tensor.data_type());
    out.shape.assign(tensor.dims().begin(), tensor.dims().end());
    const auto size = static_cast<std::size_t>(elementBytes(out.type));
    if (size == 0 || !isSaneShape(out.shape) || tensor.data_location() == TensorProto::EXTERNAL)
        return std::nullopt;
    const auto count = static_cast<std::size_t>(elementCount(out.shape));
    const std::string_view raw = tensor.raw_data();
    if (raw.empty())
        appendTyped(out, tensor);
    else if (raw.size() == count * size)
        for (std::size_t i = 0; i < count; ++i)
            appendRaw(out, raw, i);
    const bool hasKind = isFloating(out.type) ? out.ints.empty() : out.floats.empty();
    return hasKind && out.size() == count ? std::optional(std::move(out)) : std::nullopt;
}

namespace {

bool readNumber(std::string_view text, std::int64_t& value)
{
    return std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc();
}

/// Reads the note that wire.cpp left: "poet:raw:OFFSET:BYTES".
bool readNote(std::string_view note, WeightLocation& at)
{
    if (note.starts_with("poet:raw:"))
        at.encoding = WeightLocation::Encoding::Raw;
    else if (note.starts_with("poet:varint:"))
        at.encoding = WeightLocation::Encoding::Varint;
    else
        return false;
    note.remove_prefix(note.find(':', 5) + 1);
    const std::size_t colon = note.find(':');
    return colon != std::string_view::npos && readNumber(note.substr(0, colon), at.offset) &&
           readNumber(note.substr(colon + 1), at.bytes);
}

}  // namespace

WeightLocation locate(const TensorProto& tensor, const std::filesystem::path& model)
{
    WeightLocation at;
    if (tensor.data_location() == TensorProto::EXTERNAL) {
        at.encoding = WeightLocation::Encoding::Raw;
        at.bytes = elementBytes(elementTypeFromOnnx(tensor.data_type()));
        for (const auto dimension : tensor.dims())
            at.bytes *= dimension;
        for (const auto& entry : tensor.external_data()) {
            if (entry.key() == "location")
                at.file = (model.parent_path() / entry.value()).string();
            else if (entry.key() == "offset")
                readNumber(entry.value(), at.offset);
            else if (entry.key() == "length")
                readNumber(entry.value(), at.bytes);
        }
    } else if (readNote(tensor.doc_string(), at)) {
        at.file = model.string();
    } else {
        at.encoding = WeightLocation::Encoding::Missing;
    }
    return at;
}

std::optional<Attribute> attributeFromOnnx(const AttributeProto& attribute)
{
    switch (attribute.type()) {
    case AttributeProto::INT: return attribute.i();
    case AttributeProto::FLOAT: return static_cast<double>(attribute.f());
    case AttributeProto::STRING: return attribute.s();
    case AttributeProto::INTS: return std::vector<std::int64_t>(attribute.ints().begin(), attribute.ints().end());
    case AttributeProto::FLOATS: return std::vector<double>(attribute.floats().begin(), attribute.floats().end());
    case AttributeProto::STRINGS: return std::vector<std::string>(attribute.strings().begin(), attribute.strings().end());
    case AttributeProto::TENSOR: {
        auto tensor = smallTensor(attribute.t());
        return tensor ? std::optional<Attribute>(std::move(*tensor)) : std::nullopt;
    }
    default: return std::nullopt;
    }
}

}  // namespace poet::onnx

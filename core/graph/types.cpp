// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/types.h"

namespace poet {

std::string_view name(ElementType type)
{
    switch (type) {
    case ElementType::F32: return "f32";
    case ElementType::F64: return "f64";
    case ElementType::F16: return "f16";
    case ElementType::BF16: return "bf16";
    case ElementType::I8: return "i8";
    case ElementType::U8: return "u8";
    case ElementType::I16: return "i16";
    case ElementType::U16: return "u16";
    case ElementType::I32: return "i32";
    case ElementType::U32: return "u32";
    case ElementType::I64: return "i64";
    case ElementType::U64: return "u64";
    case ElementType::Bool: return "bool";
    case ElementType::String: return "string";
    case ElementType::Unknown: return "unknown";
    }
    return "unknown";
}

int elementBytes(ElementType type)
{
    switch (type) {
    case ElementType::I8:
    case ElementType::U8:
    case ElementType::Bool: return 1;
    case ElementType::F16:
    case ElementType::BF16:
    case ElementType::I16:
    case ElementType::U16: return 2;
    case ElementType::F32:
    case ElementType::I32:
    case ElementType::U32: return 4;
    case ElementType::F64:
    case ElementType::I64:
    case ElementType::U64: return 8;
    case ElementType::String:
    case ElementType::Unknown: return 0;
    }
    return 0;
}

bool isFloating(ElementType type)
{
    return type == ElementType::F32 || type == ElementType::F64 || type == ElementType::F16 || type == ElementType::BF16;
}

std::int64_t elementCount(const Shape& shape)
{
    std::int64_t count = 1;
    for (const std::int64_t dimension : shape)
        count *= dimension;
    return count;
}

std::string shapeText(const Shape& shape)
{
    if (shape.empty())
        return "scalar";
    std::string text;
    for (const std::int64_t dimension : shape)
        text += (text.empty() ? "" : "x") + std::to_string(dimension);
    return text;
}

std::string_view name(OpClass opClass)
{
    switch (opClass) {
    case OpClass::Conv: return "conv";
    case OpClass::Depthwise: return "depthwise";
    case OpClass::Gemm: return "gemm";
    case OpClass::Elementwise: return "elementwise";
    case OpClass::Pool: return "pool";
    case OpClass::Norm: return "norm";
    case OpClass::Softmax: return "softmax";
    case OpClass::Reduce: return "reduce";
    case OpClass::Embed: return "embed";
    case OpClass::Copy: return "copy";
    case OpClass::Optimizer: return "optimizer";
    case OpClass::Other: return "other";
    }
    return "other";
}

}  // namespace poet

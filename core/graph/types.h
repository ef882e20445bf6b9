// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace poet {

/// Element types of tensors.
enum class ElementType { F32, F64, F16, BF16, I8, U8, I16, U16, I32, U32, I64, U64, Bool, String, Unknown };
[[nodiscard]] std::string_view name(ElementType type);
/// Bytes of one element; 0 for String and Unknown.
[[nodiscard]] int elementBytes(ElementType type);
/// Floating point, hence differentiable.
[[nodiscard]] bool isFloating(ElementType type);

/// Dimensions, outermost first; all known and >= 0 once a graph is built. Empty = scalar.
using Shape = std::vector<std::int64_t>;
/// Product of the dimensions; 1 for a scalar.
[[nodiscard]] std::int64_t elementCount(const Shape& shape);
/// "1x3x224x224"; "scalar" when empty.
[[nodiscard]] std::string shapeText(const Shape& shape);

/// Classes of operations that share a throughput on a device (devices.md, section 1, `rates[].class`).
enum class OpClass { Conv, Depthwise, Gemm, Elementwise, Pool, Norm, Softmax, Reduce, Embed, Copy, Optimizer, Other };
[[nodiscard]] std::string_view name(OpClass opClass);

/// What one run of an operation asks of the device, independent of any device.
struct Work {
    std::string op;           ///< name in measured rows: "Conv", "Conv.grad_data", "Conv.grad_weight", "Relu.grad" ...
    std::string key;          ///< canonical shape key, e.g. "x=1x16x32x32 w=32x16x3x3 s=1x1 p=1x1x1x1 d=1x1 g=1"
    OpClass opClass = OpClass::Other;
    double flops = 0;         ///< 2 per multiply-accumulate
    std::int64_t bytesRead = 0;     ///< activations, gradients and parameters read
    std::int64_t bytesWritten = 0;
    double macs = 0;          ///< multiply-accumulates of convolutions and matrix products, part of `flops`
};

}  // namespace poet

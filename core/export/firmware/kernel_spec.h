// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/graph/forward_graph.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

/// Which reference kernels of resources/runtime carry out an operator, and with which attributes.
namespace poet::firmware {

/// The kernels of one operation. Names are without the prefix `poet_k_`. Operands of the forward kernel: the inputs
/// (`inputs` slots, absent ones null), then the side tensors; of the backward kernel: the incoming gradient, the inputs,
/// the output, the side tensors. Attributes are shared by all kernels of the operation; their layout stands at the head
/// of the kernel's file.
struct KernelSpec {
    std::string forward;
    std::string backward;                ///< empty: no gradient
    std::vector<std::int32_t> attributes;
    std::size_t inputs = 1;
    std::vector<std::string> sides{};    ///< kernel of each side output
    std::int64_t sideWorkBytes = 0;      ///< scratch of the first side's kernel
    std::int64_t backwardWorkBytes = 0;
    std::size_t outputSlots = 1;         ///< output slots of the backward kernel
};

/// One operation in its graph.
struct OpContext {
    const ForwardGraph& graph;
    const ForwardOp& op;
    [[nodiscard]] bool has(std::size_t slot) const { return op.input(slot) != kNoValue; }
    [[nodiscard]] const Shape& in(std::size_t slot) const { return graph.value(op.input(slot)).shape; }
    [[nodiscard]] const Shape& out(std::size_t slot = 0) const { return graph.value(op.output(slot)).shape; }
    [[nodiscard]] ElementType inType(std::size_t slot) const { return graph.value(op.input(slot)).type; }
    [[nodiscard]] ElementType outType() const { return graph.value(op.output(0)).type; }
};

/// Makes the spec of one operator. Errors: UnsupportedOp naming the operation and what has no kernel.
using Binder = Expected<KernelSpec> (*)(const OpContext&);
using BinderTable = std::map<std::string, Binder, std::less<>>;

/// Rows by family; one file each.
void addElementwiseBinders(BinderTable& table);
void addMatrixBinders(BinderTable& table);
void addWindowBinders(BinderTable& table);
void addNormBinders(BinderTable& table);
void addMoveBinders(BinderTable& table);
void addRecurrentBinders(BinderTable& table);
void addLossBinders(BinderTable& table);

/// The spec of an operation. Errors: UnsupportedOp.
[[nodiscard]] Expected<KernelSpec> kernelSpec(const ForwardGraph& graph, const ForwardOp& op);

/// Helpers of the binders.
[[nodiscard]] std::int32_t floatBits(double value);
[[nodiscard]] std::unexpected<Error> noKernel(const OpContext& context, std::string_view what);
/// Strides of `shape` broadcast to `to` (0 where repeated), in elements.
[[nodiscard]] std::vector<std::int64_t> broadcastStrides(const Shape& shape, const Shape& to);
[[nodiscard]] std::vector<std::int64_t> rowMajorStrides(const Shape& shape);
void append(std::vector<std::int32_t>& to, const std::vector<std::int64_t>& from);

/// Reference kernels copy at most this many dimensions.
inline constexpr std::size_t kMaxRank = 8;

}  // namespace poet::firmware

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/graph/forward_graph.h"

#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace poet::onnx {

/// Largest result, in elements, that is computed at import.
inline constexpr std::int64_t kFoldedElements = 4096;

/// What an evaluator sees: contents of all inputs (null for omitted ones) and the operation.
struct FoldArguments {
    const ForwardOp& op;
    int opset = 0;
    std::vector<const SmallTensor*> inputs;

    [[nodiscard]] const SmallTensor* input(std::size_t slot) const { return slot < inputs.size() ? inputs[slot] : nullptr; }
    /// Integers of input `slot`, or of the attribute that older operator sets use for it.
    [[nodiscard]] std::optional<std::vector<std::int64_t>> ints(std::size_t slot, std::string_view key) const;
};

/// Contents of the outputs; empty when this case is left alone.
using FoldResult = std::vector<SmallTensor>;
using FoldRule = FoldResult (*)(const FoldArguments&);
using FoldTable = std::map<std::string_view, FoldRule>;

void addArithmeticFolds(FoldTable& table);
void addLayoutFolds(FoldTable& table);

/// Computes the outputs of `op` when all its inputs are small constants (or, for Shape and Size, always) and its rule knows how.
/// True: the outputs are constants without a producer and the operation is to be removed.
bool foldConstants(ForwardGraph& graph, ForwardOp& op);

/// The elements of `source` at the given flat positions, as a tensor of `shape`.
[[nodiscard]] SmallTensor gathered(const SmallTensor& source, Shape shape, const std::vector<std::int64_t>& positions);

}  // namespace poet::onnx

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/graph/forward_graph.h"

#include <string>
#include <string_view>
#include <vector>

namespace poet::onnx {

/// True for names that frameworks give to weights: "layer1.0.conv1.weight", "bn.running_mean", "gpu_0/conv1_w_0".
[[nodiscard]] bool looksLikeWeight(std::string_view name);

/// Decides, before shapes are known, which inputs are data and which stored tensors are parameters, buffers or constants;
/// moves inputs that are weights out of `graph.inputs` and notes what was decided.
/// Rule: an input used only in weight slots, or named like a weight, or floating-point and listed after such an input, is a
/// parameter; `dataInputs` are data whatever they look like.
void classifyStored(ForwardGraph& graph, const std::vector<std::string>& dataInputs);

/// After shapes: marks operations that only rearrange weights or constants, and turns generated weights (ConstantOfShape in
/// a weight slot) into parameters.
void classifyComputed(ForwardGraph& graph);

}  // namespace poet::onnx

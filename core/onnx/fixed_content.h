// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/graph/forward_graph.h"

namespace poet::onnx {

/// True when a stored float32 tensor holds what nobody trains: an attention mask (entries of -10,000 or less, or only zeros
/// and ones), a table of sines and cosines by position (first row only zeros and ones, nothing beyond 1), or a matrix of a
/// graph (square, and symmetric or with equal sums of all rows or columns: adjacency, Laplacian, transitions).
/// ONNX does not tell a framework's buffers from its parameters, so content has to. False when the content cannot be read
/// or has more than a million elements. Reads the model file.
[[nodiscard]] bool holdsFixedContent(const ForwardValue& value);

}  // namespace poet::onnx

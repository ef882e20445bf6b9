// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/graph/forward_graph.h"
#include "core/onnx/import.h"

#include <onnx/onnx_pb.h>

#include <filesystem>

namespace poet::onnx {

/// Turns a parsed model into a forward graph of our own types: values, operations in topological order, attributes;
/// inputs with bound dimensions. Shapes of computed values are not known yet, kinds only of inputs and stored tensors.
/// Errors: BadModel (cycle, value that nothing produces, two producers), UnsupportedOp (control flow, sequences), UnknownShape (an input without a shape), BadUsage (a dimension or data input that does not exist).
[[nodiscard]] Expected<ForwardGraph> convertModel(const ::onnx::ModelProto& model, const std::filesystem::path& path,
                                                  const ImportOptions& options);


/// Names of symbolic dimensions of the model's inputs, in file order, once each.
[[nodiscard]] std::vector<std::string> symbolicDims(const ::onnx::ModelProto& model);

/// Inputs without a stored tensor, in file order.
[[nodiscard]] std::vector<std::string> trueInputs(const ::onnx::ModelProto& model);

}  // namespace poet::onnx

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <onnx/onnx_pb.h>

#include <string>

namespace poet::onnx {

/// "Conv \"layer1.conv\"": an operation as messages name it; by its first output when it has no name.
[[nodiscard]] std::string nodeLabel(const ::onnx::NodeProto& node);

/// True for "" and "ai.onnx".
[[nodiscard]] bool isStandardDomain(const std::string& domain);

/// Refuses operations that cannot be planned as a fixed list of tensors. Errors: UnsupportedOp, naming all of them (the
/// first four, and how many more).
[[nodiscard]] Expected<void> checkSupported(const ::onnx::GraphProto& graph);

}  // namespace poet::onnx

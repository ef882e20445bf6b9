// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <onnx/onnx_pb.h>

namespace poet::onnx {

/// Replaces calls of functions that the model itself defines (as newer exporters write layers) by the functions' operations.
/// Errors: BadModel for functions that call each other in a circle, or calls with too few inputs.
[[nodiscard]] Expected<void> inlineFunctions(::onnx::ModelProto& model);

}  // namespace poet::onnx

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/onnx/import.h"

#include <onnx/onnx_pb.h>

#include <filesystem>

namespace poet::onnx {

/// Puts the branch that is taken in the place of each If whose condition follows from constants and shapes (exporters write
/// them for a Squeeze of a dimension that might not be 1). An If whose condition is data stays, and convertModel refuses it.
/// Cost: one inference of what leads to the conditions, for each level of conditions that depend on one another.
void takeKnownBranches(::onnx::ModelProto& model, const std::filesystem::path& path, const ImportOptions& options);

}  // namespace poet::onnx

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <onnx/onnx_pb.h>

#include <filesystem>

namespace poet::onnx {

/// Maps the file, leaves large tensor contents in it, and parses the rest; see wire.h for what stands in their place.
/// Errors: FileNotFound, BadModel. Threads: pure.
[[nodiscard]] Expected<::onnx::ModelProto> readModel(const std::filesystem::path& path);

}  // namespace poet::onnx

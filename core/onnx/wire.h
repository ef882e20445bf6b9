// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace poet::onnx {

/// Tensor contents up to this size stay in the model; larger ones are left in the file.
inline constexpr std::size_t kKeptContentBytes = 16384;

/// Copies a serialised ModelProto without the content of large tensors, so that a file with weights costs no more
/// memory than its structure. Every tensor with content in one field gets a `doc_string` of the form
/// "poet:raw:OFFSET:BYTES" or "poet:varint:OFFSET:BYTES", which says where the content lies in the file.
/// `file` may be a memory map: the pages of large contents are not touched.
/// Errors: BadModel with the position at which the file stops making sense.
/// Source: protobuf wire format; field numbers of onnx.proto.
[[nodiscard]] Expected<std::string> withoutLargeContents(std::string_view file);

}  // namespace poet::onnx

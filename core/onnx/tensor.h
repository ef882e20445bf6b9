// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/graph/forward_graph.h"

#include <onnx/onnx_pb.h>

#include <filesystem>
#include <optional>

namespace poet::onnx {

/// ONNX element type number to ours; Unknown for complex and 8-bit floats.
[[nodiscard]] ElementType elementTypeFromOnnx(int dataType);

/// Content of a tensor of at most `kKeptContentBytes`, if the model holds it; strings and external data have none.
[[nodiscard]] std::optional<SmallTensor> smallTensor(const ::onnx::TensorProto& tensor);

/// Where the content lies: in the model file, in an external file beside it (which need not exist), or nowhere.
[[nodiscard]] WeightLocation locate(const ::onnx::TensorProto& tensor, const std::filesystem::path& model);

/// The dimensions. Errors: BadModel for a negative one or a product beyond 2^60.
[[nodiscard]] Expected<Shape> shapeOf(const ::onnx::TensorProto& tensor);

/// True when no dimension is negative and their product is at most 2^46, so that sums of bytes fit 64 bits.
[[nodiscard]] bool isSaneShape(const Shape& shape);

/// An attribute in our types; empty for graphs and types, which the caller refuses or ignores.
[[nodiscard]] std::optional<Attribute> attributeFromOnnx(const ::onnx::AttributeProto& attribute);

}  // namespace poet::onnx

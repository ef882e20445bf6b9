// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

/// Writes structure-only ONNX files: weights are inputs that have a shape and no content.
namespace poet::examples {

using Ints = std::vector<std::int64_t>;

/// One network under construction. Values are named by what produces them; every method returns the name of its result.
/// `path` names the module, as PyTorch does: "layer1.0.conv1" gives the weight "layer1.0.conv1.weight" and the
/// operation "/layer1/layer1.0/conv1/Conv".
class ModelWriter {
public:
    explicit ModelWriter(const std::string& name);

    /// A data input; negative dimensions are the named dimension "batch".
    std::string input(const std::string& name, const Ints& shape, int elementType);
    void output(const std::string& value, const Ints& shape);

    std::string conv(const std::string& path, const std::string& x, std::int64_t in, std::int64_t out, std::int64_t kernel,
                     std::int64_t stride, std::int64_t pad, std::int64_t group, bool hasBias);
    /// As conv with a rectangular kernel, strides and pads (height, width).
    std::string conv2(const std::string& path, const std::string& x, const Ints& weight, const Ints& strides, const Ints& pads,
                      std::int64_t group, bool hasBias);
    /// Batch normalisation in training mode.
    std::string batchNorm(const std::string& path, const std::string& x, std::int64_t channels);
    std::string linear(const std::string& path, const std::string& x, std::int64_t in, std::int64_t out);
    /// x times the weight (in x out), plus the bias: a linear layer on more than two dimensions.
    std::string matMulBias(const std::string& path, const std::string& x, std::int64_t in, std::int64_t out);
    std::string layerNorm(const std::string& path, const std::string& x, std::int64_t features);
    std::string maxPool(const std::string& path, const std::string& x, std::int64_t kernel, std::int64_t stride, std::int64_t pad);
    std::string averagePool(const std::string& path, const std::string& x, std::int64_t kernel, std::int64_t stride);
    std::string dropout(const std::string& path, const std::string& x, float ratio);
    std::string embedding(const std::string& path, const std::string& indices, std::int64_t rows, std::int64_t features);
    std::string transpose(const std::string& path, const std::string& x, const Ints& perm);
    std::string reshape(const std::string& path, const std::string& x, const Ints& shape);
    /// An operation without attributes or weights.
    std::string plain(const std::string& path, const std::string& op, const std::vector<std::string>& inputs);
    std::string constant(const std::string& name, const Ints& shape, const std::vector<float>& values);
    std::string constant(const std::string& name, const Ints& shape, const Ints& values);

    /// Operation with attributes; `path` may be empty for the root module.
    ::onnx::NodeProto& node(const std::string& path, const std::string& op, const std::vector<std::string>& inputs,
                            int outputs = 1);
    std::string weight(const std::string& name, const Ints& shape);

    /// The finished file: inputs with data first, then weights.
    [[nodiscard]] ::onnx::ModelProto finish();

private:
    ::onnx::ModelProto m_model;
    std::vector<::onnx::ValueInfoProto> m_weights;
    std::vector<std::pair<std::string, int>> m_counts;
};

void addInts(::onnx::NodeProto& node, const std::string& name, const Ints& values);
void addInt(::onnx::NodeProto& node, const std::string& name, std::int64_t value);
void addFloat(::onnx::NodeProto& node, const std::string& name, float value);

}  // namespace poet::examples

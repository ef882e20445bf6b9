// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "examples/model_writer.h"

#include <algorithm>

namespace poet::examples {

using ::onnx::TensorProto;

namespace {

::onnx::ValueInfoProto valueInfo(const std::string& name, const Ints& shape, int elementType)
{
    ::onnx::ValueInfoProto info;
    info.set_name(name);
    auto* tensor = info.mutable_type()->mutable_tensor_type();
    tensor->set_elem_type(elementType);
    for (const std::int64_t dimension : shape) {
        auto* dim = tensor->mutable_shape()->add_dim();
        if (dimension < 0)
            dim->set_dim_param("batch");
        else
            dim->set_dim_value(dimension);
    }
    return info;
}

/// "layer1.0.conv1" -> "/layer1/layer1.0/conv1/": nested modules with numbers keep their parent's name.
std::string scope(const std::string& path)
{
    std::string result = "/", part;
    std::string parent;
    for (std::size_t start = 0; start < path.size();) {
        const std::size_t end = std::min(path.find('.', start), path.size());
        part = path.substr(start, end - start);
        const bool isNumber = !part.empty() && part.find_first_not_of("0123456789") == std::string::npos;
        parent = isNumber ? parent + "." + part : part;
        result += parent + "/";
        start = end + 1;
    }
    return result;
}

}  // namespace

void addInts(::onnx::NodeProto& node, const std::string& name, const Ints& values)
{
    auto* attribute = node.add_attribute();
    attribute->set_name(name);
    attribute->set_type(::onnx::AttributeProto::INTS);
    for (const std::int64_t value : values)
        attribute->add_ints(value);
}

void addInt(::onnx::NodeProto& node, const std::string& name, std::int64_t value)
{
    auto* attribute = node.add_attribute();
    attribute->set_name(name);
    attribute->set_type(::onnx::AttributeProto::INT);
    attribute->set_i(value);
}

void addFloat(::onnx::NodeProto& node, const std::string& name, float value)
{
    auto* attribute = node.add_attribute();
    attribute->set_name(name);
    attribute->set_type(::onnx::AttributeProto::FLOAT);
    attribute->set_f(value);
}

ModelWriter::ModelWriter(const std::string& name)
{
    m_model.set_ir_version(8);
    m_model.set_producer_name("poet-examples");
    m_model.add_opset_import()->set_version(17);
    m_model.mutable_graph()->set_name(name);
}

std::string ModelWriter::input(const std::string& name, const Ints& shape, int elementType)
{
    *m_model.mutable_graph()->add_input() = valueInfo(name, shape, elementType);
    return name;
}

void ModelWriter::output(const std::string& value, const Ints& shape)
{
    *m_model.mutable_graph()->add_output() = valueInfo(value, shape, TensorProto::FLOAT);
}

std::string ModelWriter::weight(const std::string& name, const Ints& shape)
{
    m_weights.push_back(valueInfo(name, shape, TensorProto::FLOAT));
    return name;
}

::onnx::NodeProto& ModelWriter::node(const std::string& path, const std::string& op, const std::vector<std::string>& inputs, int outputs)
{
    std::string name = scope(path) + op;
    const auto used = std::ranges::find(m_counts, name, &std::pair<std::string, int>::first);
    if (used == m_counts.end())
        m_counts.emplace_back(name, 0);
    else
        name += "_" + std::to_string(++used->second);
    auto& made = *m_model.mutable_graph()->add_node();
    made.set_name(name);
    made.set_op_type(op);
    for (const std::string& value : inputs)
        made.add_input(value);
    for (int i = 0; i < outputs; ++i)
        made.add_output(name + "_output_" + std::to_string(i));
    return made;
}

std::string ModelWriter::plain(const std::string& path, const std::string& op, const std::vector<std::string>& inputs)
{
    return node(path, op, inputs).output(0);
}

std::string ModelWriter::conv2(const std::string& path, const std::string& x, const Ints& weightShape, const Ints& strides,
                               const Ints& pads, std::int64_t group, bool hasBias)
{
    std::vector<std::string> inputs = {x, weight(path + ".weight", weightShape)};
    if (hasBias)
        inputs.push_back(weight(path + ".bias", {weightShape[0]}));
    auto& made = node(path, "Conv", inputs);
    addInts(made, "dilations", {1, 1});
    addInt(made, "group", group);
    addInts(made, "kernel_shape", {weightShape[2], weightShape[3]});
    addInts(made, "pads", {pads[0], pads[1], pads[0], pads[1]});
    addInts(made, "strides", strides);
    return made.output(0);
}

std::string ModelWriter::conv(const std::string& path, const std::string& x, std::int64_t in, std::int64_t out, std::int64_t kernel,
                              std::int64_t stride, std::int64_t pad, std::int64_t group, bool hasBias)
{
    return conv2(path, x, {out, in / group, kernel, kernel}, {stride, stride}, {pad, pad}, group, hasBias);
}

std::string ModelWriter::batchNorm(const std::string& path, const std::string& x, std::int64_t channels)
{
    std::vector<std::string> inputs = {x};
    for (const char* part : {".weight", ".bias", ".running_mean", ".running_var"})
        inputs.push_back(weight(path + part, {channels}));
    auto& made = node(path, "BatchNormalization", inputs, 3);
    addFloat(made, "epsilon", 1e-5F);
    addFloat(made, "momentum", 0.9F);
    addInt(made, "training_mode", 1);
    return made.output(0);
}

std::string ModelWriter::linear(const std::string& path, const std::string& x, std::int64_t in, std::int64_t out)
{
    auto& made = node(path, "Gemm", {x, weight(path + ".weight", {out, in}), weight(path + ".bias", {out})});
    addFloat(made, "alpha", 1);
    addFloat(made, "beta", 1);
    addInt(made, "transB", 1);
    return made.output(0);
}

std::string ModelWriter::matMulBias(const std::string& path, const std::string& x, std::int64_t in, std::int64_t out)
{
    const std::string turned = transpose(path, weight(path + ".weight", {out, in}), {1, 0});
    const std::string product = plain(path, "MatMul", {x, turned});
    return plain(path, "Add", {weight(path + ".bias", {out}), product});
}

std::string ModelWriter::layerNorm(const std::string& path, const std::string& x, std::int64_t features)
{
    auto& made = node(path, "LayerNormalization", {x, weight(path + ".weight", {features}), weight(path + ".bias", {features})});
    addInt(made, "axis", -1);
    addFloat(made, "epsilon", 1e-12F);
    return made.output(0);
}

std::string ModelWriter::maxPool(const std::string& path, const std::string& x, std::int64_t kernel, std::int64_t stride, std::int64_t pad)
{
    auto& made = node(path, "MaxPool", {x});
    addInts(made, "kernel_shape", {kernel, kernel});
    addInts(made, "pads", {pad, pad, pad, pad});
    addInts(made, "strides", {stride, stride});
    return made.output(0);
}

std::string ModelWriter::averagePool(const std::string& path, const std::string& x, std::int64_t kernel, std::int64_t stride)
{
    auto& made = node(path, "AveragePool", {x});
    addInts(made, "kernel_shape", {kernel, kernel});
    addInts(made, "strides", {stride, stride});
    return made.output(0);
}

std::string ModelWriter::dropout(const std::string& path, const std::string& x, float ratio)
{
    const std::string rate = constant(path + ".ratio", {}, std::vector<float>{ratio});
    auto& training = *m_model.mutable_graph()->add_node();
    training.set_op_type("Constant");
    training.add_output(path + ".training");
    auto* value = training.add_attribute();
    value->set_name("value");
    value->set_type(::onnx::AttributeProto::TENSOR);
    value->mutable_t()->set_data_type(TensorProto::BOOL);
    value->mutable_t()->add_int32_data(1);
    return plain(path, "Dropout", {x, rate, path + ".training"});
}

std::string ModelWriter::embedding(const std::string& path, const std::string& indices, std::int64_t rows, std::int64_t features)
{
    return plain(path, "Gather", {weight(path + ".weight", {rows, features}), indices});
}

std::string ModelWriter::transpose(const std::string& path, const std::string& x, const Ints& perm)
{
    auto& made = node(path, "Transpose", {x});
    addInts(made, "perm", perm);
    return made.output(0);
}

std::string ModelWriter::reshape(const std::string& path, const std::string& x, const Ints& shape)
{
    const std::string name = x + "_shape";
    return plain(path, "Reshape", {x, constant(name, {static_cast<std::int64_t>(shape.size())}, shape)});
}

std::string ModelWriter::constant(const std::string& name, const Ints& shape, const std::vector<float>& values)
{
    auto& tensor = *m_model.mutable_graph()->add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(TensorProto::FLOAT);
    for (const std::int64_t dimension : shape)
        tensor.add_dims(dimension);
    for (const float value : values)
        tensor.add_float_data(value);
    return name;
}

std::string ModelWriter::constant(const std::string& name, const Ints& shape, const Ints& values)
{
    auto& tensor = *m_model.mutable_graph()->add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(TensorProto::INT64);
    for (const std::int64_t dimension : shape)
        tensor.add_dims(dimension);
    for (const std::int64_t value : values)
        tensor.add_int64_data(value);
    return name;
}

::onnx::ModelProto ModelWriter::finish()
{
    for (auto& info : m_weights)
        *m_model.mutable_graph()->add_input() = std::move(info);
    m_weights.clear();
    return std::move(m_model);
}

}  // namespace poet::examples

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <onnx/onnx_pb.h>

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

/// Small ONNX models for tests, written to a file that goes away with the builder.
namespace poet::testing {

class ModelBuilder {
public:
    explicit ModelBuilder(int opset = 17)
        : m_path(std::filesystem::temp_directory_path() / ("poet-test-" + std::to_string(::getpid()) + "-" + std::to_string(s_count++) + ".onnx"))
    {
        m_model.set_ir_version(8);
        m_model.add_opset_import()->set_version(opset);
    }
    ModelBuilder(const ModelBuilder&) = delete;
    ModelBuilder& operator=(const ModelBuilder&) = delete;
    ~ModelBuilder() { std::filesystem::remove(m_path); }

    ModelBuilder& input(const std::string& name, const std::vector<std::int64_t>& shape, int type = ::onnx::TensorProto::FLOAT)
    {
        *m_model.mutable_graph()->add_input() = info(name, shape, type);
        return *this;
    }
    ModelBuilder& output(const std::string& name)
    {
        m_model.mutable_graph()->add_output()->set_name(name);
        m_model.mutable_graph()->mutable_output()->rbegin()->mutable_type()->mutable_tensor_type()->set_elem_type(1);
        return *this;
    }
    ModelBuilder& weight(const std::string& name, const std::vector<std::int64_t>& shape, float value = 0.5F)
    {
        auto& tensor = *m_model.mutable_graph()->add_initializer();
        tensor.set_name(name);
        tensor.set_data_type(::onnx::TensorProto::FLOAT);
        std::int64_t count = 1;
        for (const std::int64_t d : shape) {
            tensor.add_dims(d);
            count *= d;
        }
        for (std::int64_t i = 0; i < count; ++i)
            tensor.add_float_data(value);
        return *this;
    }
    ModelBuilder& scalar(const std::string& name, float value)
    {
        constantNode(name, {}).add_float_data(value);
        return *this;
    }
    ModelBuilder& ints(const std::string& name, const std::vector<std::int64_t>& values)
    {
        auto& tensor = constantNode(name, {static_cast<std::int64_t>(values.size())});
        tensor.set_data_type(::onnx::TensorProto::INT64);
        for (const std::int64_t v : values)
            tensor.add_int64_data(v);
        return *this;
    }
    ModelBuilder& node(const std::string& op, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
                       const std::string& domain = "")
    {
        auto& made = *m_model.mutable_graph()->add_node();
        made.set_op_type(op);
        made.set_domain(domain);
        made.set_name(op + "_" + outputs.front());
        for (const auto& value : inputs)
            made.add_input(value);
        for (const auto& value : outputs)
            made.add_output(value);
        return *this;
    }
    /// Attributes of the last node.
    ModelBuilder& with(const std::string& name, std::int64_t value)
    {
        auto& attribute = add(name, ::onnx::AttributeProto::INT);
        attribute.set_i(value);
        return *this;
    }
    ModelBuilder& with(const std::string& name, const std::vector<std::int64_t>& values)
    {
        auto& attribute = add(name, ::onnx::AttributeProto::INTS);
        for (const std::int64_t v : values)
            attribute.add_ints(v);
        return *this;
    }
    ModelBuilder& withFloat(const std::string& name, float value)
    {
        add(name, ::onnx::AttributeProto::FLOAT).set_f(value);
        return *this;
    }
    ModelBuilder& withText(const std::string& name, const std::string& value)
    {
        add(name, ::onnx::AttributeProto::STRING).set_s(value);
        return *this;
    }

    [[nodiscard]] ::onnx::ModelProto& proto() { return m_model; }
    /// Writes the file and gives its path.
    [[nodiscard]] std::filesystem::path write() const
    {
        std::ofstream file(m_path, std::ios::binary);
        m_model.SerializeToOstream(&file);
        return m_path;
    }

private:
    static ::onnx::ValueInfoProto info(const std::string& name, const std::vector<std::int64_t>& shape, int type)
    {
        ::onnx::ValueInfoProto result;
        result.set_name(name);
        result.mutable_type()->mutable_tensor_type()->set_elem_type(type);
        result.mutable_type()->mutable_tensor_type()->mutable_shape();
        for (const std::int64_t d : shape)
            result.mutable_type()->mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_value(d);
        return result;
    }
    ::onnx::TensorProto& constantNode(const std::string& name, const std::vector<std::int64_t>& shape)
    {
        auto& made = *m_model.mutable_graph()->add_node();
        made.set_op_type("Constant");
        made.add_output(name);
        auto* attribute = made.add_attribute();
        attribute->set_name("value");
        attribute->set_type(::onnx::AttributeProto::TENSOR);
        attribute->mutable_t()->set_data_type(::onnx::TensorProto::FLOAT);
        for (const std::int64_t d : shape)
            attribute->mutable_t()->add_dims(d);
        return *attribute->mutable_t();
    }
    ::onnx::AttributeProto& add(const std::string& name, ::onnx::AttributeProto::AttributeType type)
    {
        auto& attribute = *m_model.mutable_graph()->mutable_node()->rbegin()->add_attribute();
        attribute.set_name(name);
        attribute.set_type(type);
        return attribute;
    }

    static inline int s_count = 0;
    std::filesystem::path m_path;
    ::onnx::ModelProto m_model;
};

}  // namespace poet::testing

/// Fails the test with the error's text when `result` holds one.
#define POET_REQUIRE_OK(result) ASSERT_TRUE((result).has_value()) << (result).error().text()

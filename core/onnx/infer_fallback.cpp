// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/infer.h"
#include "core/onnx/tensor.h"

#include <onnx/defs/schema.h>
#include <onnx/onnx_pb.h>
#include <onnx/shape_inference/implementation.h>

#include <algorithm>
#include <exception>

namespace poet::onnx {

namespace {

int onnxType(ElementType type)
{
    for (int number = 1; number <= 16; ++number)
        if (elementTypeFromOnnx(number) == type)
            return number;
    return 0;
}

void addInput(const ForwardValue& value, const std::string& name, ::onnx::GraphProto& graph)
{
    auto* info = graph.add_input();
    info->set_name(name);
    auto* tensor = info->mutable_type()->mutable_tensor_type();
    tensor->set_elem_type(onnxType(value.type));
    tensor->mutable_shape();
    for (const std::int64_t dimension : value.shape)
        tensor->mutable_shape()->add_dim()->set_dim_value(dimension);
    if (!value.constant)
        return;
    auto* content = graph.add_initializer();
    content->set_name(name);
    content->set_data_type(onnxType(value.type));
    for (const std::int64_t dimension : value.shape)
        content->add_dims(dimension);
    for (const std::int64_t number : value.constant->ints) {
        if (value.type == ElementType::I64)
            content->add_int64_data(number);
        else
            content->add_int32_data(static_cast<std::int32_t>(number));
    }
    for (const double number : value.constant->floats)
        content->add_float_data(static_cast<float>(number));
}

void addAttribute(const std::string& name, const Attribute& value, ::onnx::NodeProto& node)
{
    auto* attribute = node.add_attribute();
    attribute->set_name(name);
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
        attribute->set_type(::onnx::AttributeProto::INT);
        attribute->set_i(*number);
    } else if (const auto* real = std::get_if<double>(&value)) {
        attribute->set_type(::onnx::AttributeProto::FLOAT);
        attribute->set_f(static_cast<float>(*real));
    } else if (const auto* text = std::get_if<std::string>(&value)) {
        attribute->set_type(::onnx::AttributeProto::STRING);
        attribute->set_s(*text);
    } else if (const auto* numbers = std::get_if<std::vector<std::int64_t>>(&value)) {
        attribute->set_type(::onnx::AttributeProto::INTS);
        for (const std::int64_t entry : *numbers)
            attribute->add_ints(entry);
    } else {
        node.mutable_attribute()->RemoveLast();
    }
}

::onnx::ModelProto singleOperation(const ForwardGraph& graph, const ForwardOp& op)
{
    ::onnx::ModelProto model;
    model.set_ir_version(8);
    auto* opset = model.add_opset_import();
    opset->set_domain(op.domain);
    // Later operator sets are unknown to libonnx; the newest it knows is the best guess.
    opset->set_version(op.domain.empty() ? std::clamp(graph.opset, 1, 17) : 1);
    auto* node = model.mutable_graph()->add_node();
    node->set_op_type(op.type);
    node->set_domain(op.domain);
    for (std::size_t slot = 0; slot < op.inputs.size(); ++slot) {
        const std::string name = op.inputs[slot] == kNoValue ? "" : "i" + std::to_string(slot);
        node->add_input(name);
        if (!name.empty())
            addInput(graph.value(op.inputs[slot]), name, *model.mutable_graph());
    }
    for (std::size_t slot = 0; slot < op.outputs.size(); ++slot)
        node->add_output(op.outputs[slot] == kNoValue ? "" : "o" + std::to_string(slot));
    for (const auto& [name, value] : op.attributes)
        addAttribute(name, value, *node);
    return model;
}

bool takeShapes(const ::onnx::ModelProto& model, ForwardGraph& graph, const ForwardOp& op)
{
    for (std::size_t slot = 0; slot < op.outputs.size(); ++slot) {
        if (op.outputs[slot] == kNoValue)
            continue;
        const auto& infos = model.graph().value_info();
        const auto info = std::ranges::find_if(infos, [&](const auto& i) { return i.name() == "o" + std::to_string(slot); });
        if (info == infos.end() || !info->type().tensor_type().has_shape())
            return false;
        Shape shape;
        for (const auto& dimension : info->type().tensor_type().shape().dim()) {
            if (!dimension.has_dim_value())
                return false;
            shape.push_back(dimension.dim_value());
        }
        graph.value(op.outputs[slot]).type = elementTypeFromOnnx(info->type().tensor_type().elem_type());
        graph.value(op.outputs[slot]).shape = shape;
    }
    return true;
}

}  // namespace

Expected<void> inferByLibrary(ForwardGraph& graph, ForwardOp& op)
{
    InferContext context(graph, op);
    const bool isKnown = ::onnx::OpSchemaRegistry::Schema(op.type, std::clamp(graph.opset, 1, 17), op.domain) != nullptr;
    // What the file declares counts when the operator's definition gives nothing.
    const bool isDeclared = std::ranges::all_of(op.outputs, [&](ValueId id) {
        return id == kNoValue || graph.value(id).type != ElementType::Unknown;
    });
    if (isKnown) {
        try {
            auto model = singleOperation(graph, op);
            ::onnx::shape_inference::InferShapes(model);
            if (takeShapes(model, graph, op))
                return {};
        } catch (const std::exception&) {
            // Reported below as a shape that cannot be found.
        }
        if (!isDeclared)
            return context.unknown("its definition does not give it");
    }
    if (isDeclared) {
        graph.notes.push_back({NoteKind::Read, "The shape of %1 \"%2\" is taken from the file.", {(op.domain.empty() ? "" : op.domain + ".") + op.type, op.name}});
        return {};
    }
    // An operator nobody knows: most keep the shape of their first input, and training treats it conservatively.
    if (op.outputs.size() == 1 && context.hasInput(0)) {
        context.set(0, context.type(0), context.shape(0));
        graph.notes.push_back({NoteKind::Conservative, "Operator %1 (\"%2\") is unknown; its output is assumed to have the shape of its first input.", {(op.domain.empty() ? "" : op.domain + ".") + op.type, op.name}});
        return {};
    }
    return context.unknown("the operator is unknown");
}

}  // namespace poet::onnx

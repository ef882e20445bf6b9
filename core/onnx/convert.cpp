// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/convert.h"

#include "core/onnx/refused.h"
#include "core/onnx/tensor.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace poet::onnx {

using ::onnx::GraphProto;
using ::onnx::ModelProto;
using ::onnx::NodeProto;
using ::onnx::ValueInfoProto;

namespace {

class Converter {
public:
    Converter(const ModelProto& model, const std::filesystem::path& path, const ImportOptions& options)
        : m_model(model), m_path(path), m_options(options)
    {
    }

    Expected<ForwardGraph> run()
    {
        m_graph.file = m_path.string();
        m_graph.name = m_path.stem().string();
        for (const auto& import : m_model.opset_import())
            if (isStandardDomain(import.domain()))
                m_graph.opset = static_cast<int>(import.version());
        if (m_model.graph().node().empty())
            return fail(ErrorCode::BadModel, "The model has no operations.", "Export the model again.");
        POET_CHECK(checkSupported(m_model.graph()));
        POET_CHECK(checkOptions());
        POET_CHECK(addInitializers());
        POET_CHECK(addInputs());
        POET_TRY(order, executionOrder());
        for (const int node : order)
            POET_CHECK(addNode(m_model.graph().node(node)));
        POET_CHECK(addOutputs());
        for (const auto* list : {&m_model.graph().value_info(), &m_model.graph().output()})
            for (const ValueInfoProto& info : *list)
                noteDeclared(info);
        return std::move(m_graph);
    }

private:
    ValueId addValue(const std::string& name)
    {
        const auto id = static_cast<ValueId>(m_graph.values.size());
        m_graph.values.push_back({});
        m_graph.values.back().name = name;
        m_ids.emplace(name, id);
        return id;
    }

    Expected<void> checkOptions() const
    {
        const auto dims = symbolicDims(m_model);
        for (const auto& [dim, size] : m_options.dims) {
            if (size < 1)
                return fail(ErrorCode::BadUsage, "Dimension \"" + dim + "\" must be at least 1.", "Give a positive size.");
            if (std::ranges::find(dims, dim) == dims.end())
                return fail(ErrorCode::BadUsage, "The model has no dimension named \"" + dim + "\".", knownNames(dims));
        }
        const auto inputs = trueInputs(m_model);
        for (const std::string& name : m_options.dataInputs)
            if (std::ranges::find(inputs, name) == inputs.end())
                return fail(ErrorCode::BadUsage, "The model has no input named \"" + name + "\".", knownNames(inputs));
        return {};
    }

    static std::string knownNames(const std::vector<std::string>& names)
    {
        if (names.empty())
            return "It has none.";
        std::string text = "It has: ";
        for (std::size_t i = 0; i < names.size() && i < 8; ++i)
            text += (i ? ", " : "") + names[i];
        return text + (names.size() > 8 ? ", ..." : ".");
    }

    Expected<void> addInitializers()
    {
        for (const auto& tensor : m_model.graph().initializer()) {
            if (m_ids.contains(tensor.name()))
                return twice(tensor.name());
            POET_TRY(shape, shapeOf(tensor));
            ForwardValue& value = m_graph.value(addValue(tensor.name()));
            value.type = elementTypeFromOnnx(tensor.data_type());
            value.shape = shape;
            value.constant = smallTensor(tensor);
            value.stored = locate(tensor, m_path);
            value.kind = ValueKind::Parameter;
        }
        for (const auto& tensor : m_model.graph().sparse_initializer()) {
            const Shape shape(tensor.dims().begin(), tensor.dims().end());
            if (m_ids.contains(tensor.values().name()))
                return twice(tensor.values().name());
            if (!isSaneShape(shape))
                return fail(ErrorCode::BadModel, "The stored tensor \"" + tensor.values().name() + "\" has impossible dimensions.", "Export the model again.");
            ForwardValue& value = m_graph.value(addValue(tensor.values().name()));
            value.type = elementTypeFromOnnx(tensor.values().data_type());
            value.shape = shape;
            value.kind = ValueKind::Parameter;
            m_graph.notes.push_back({NoteKind::Conservative, "The sparse weight \"%1\" is planned as a dense one.", {value.name}});
        }
        return {};
    }

    static Expected<void> twice(const std::string& name)
    {
        return fail(ErrorCode::BadModel, "Two things in the model produce the value \"" + name + "\".",
                    "Export the model again.");
    }

    Expected<void> addInputs()
    {
        for (const ValueInfoProto& input : m_model.graph().input()) {
            if (m_ids.contains(input.name()))
                continue;  // an initializer that is also an input: its stored value counts
            if (!input.type().has_tensor_type())
                return fail(ErrorCode::UnsupportedOp, "Input \"" + input.name() + "\" is no tensor.",
                            "Export the model with tensors as inputs.");
            POET_TRY(shape, boundShape(input));
            ForwardValue& value = m_graph.value(addValue(input.name()));
            value.type = elementTypeFromOnnx(input.type().tensor_type().elem_type());
            value.shape = shape;
            value.kind = ValueKind::Data;
            m_graph.inputs.push_back(m_ids.at(input.name()));
        }
        return {};
    }

    Expected<Shape> boundShape(const ValueInfoProto& input)
    {
        const auto& type = input.type().tensor_type();
        if (!type.has_shape())
            return fail(ErrorCode::UnknownShape, "Input \"" + input.name() + "\" has no shape.",
                        "Export the model with the shapes of its inputs.");
        Shape shape;
        for (const auto& dim : type.shape().dim()) {
            if (dim.has_dim_value() && dim.dim_value() >= 0) {
                shape.push_back(dim.dim_value());
                continue;
            }
            const std::string symbol =
                dim.dim_param().empty() ? input.name() + "." + std::to_string(shape.size()) : dim.dim_param();
            const auto bound = m_options.dims.find(symbol);
            if (bound == m_options.dims.end() && m_assumed.insert(symbol).second)
                m_graph.notes.push_back({NoteKind::Read, "Dimension \"%1\" is taken as 1; set it with --dim %1=SIZE.", {symbol}});
            shape.push_back(bound == m_options.dims.end() ? 1 : bound->second);
        }
        if (!isSaneShape(shape))
            return fail(ErrorCode::BadModel, "Input \"" + input.name() + "\" has impossible dimensions.",
                        "Export the model again.");
        return shape;
    }

    /// Kahn's algorithm, taking ready nodes in file order, so that a sorted file keeps its order.
    Expected<std::vector<int>> executionOrder() const
    {
        const auto& nodes = m_model.graph().node();
        std::unordered_map<std::string, int> producer;
        for (int i = 0; i < nodes.size(); ++i)
            for (const auto& output : nodes[i].output())
                if (!output.empty() && (m_ids.contains(output) || !producer.emplace(output, i).second))
                    return std::unexpected(twice(output).error());
        std::vector<int> missing(static_cast<std::size_t>(nodes.size()), 0);
        std::vector<std::vector<int>> readers(static_cast<std::size_t>(nodes.size()));
        for (int i = 0; i < nodes.size(); ++i) {
            for (const auto& input : nodes[i].input()) {
                if (input.empty() || m_ids.contains(input))
                    continue;
                const auto found = producer.find(input);
                if (found == producer.end())
                    return fail(ErrorCode::BadModel, nodeLabel(nodes[i]) + " reads \"" + input + "\", which nothing produces.",
                                "Export the model again.");
                ++missing[static_cast<std::size_t>(i)];
                readers[static_cast<std::size_t>(found->second)].push_back(i);
            }
        }
        return sorted(missing, readers);
    }

    Expected<std::vector<int>> sorted(std::vector<int>& missing, const std::vector<std::vector<int>>& readers) const
    {
        std::set<int> ready;
        for (std::size_t i = 0; i < missing.size(); ++i)
            if (missing[i] == 0)
                ready.insert(static_cast<int>(i));
        std::vector<int> order;
        while (!ready.empty()) {
            const int node = *ready.begin();
            ready.erase(ready.begin());
            order.push_back(node);
            for (const int reader : readers[static_cast<std::size_t>(node)])
                if (--missing[static_cast<std::size_t>(reader)] == 0)
                    ready.insert(reader);
        }
        if (order.size() == missing.size())
            return order;
        const auto stuck = std::ranges::find_if(missing, [](int count) { return count > 0; }) - missing.begin();
        return fail(ErrorCode::BadModel,
                    "The model's graph has a cycle: " + nodeLabel(m_model.graph().node(static_cast<int>(stuck))) +
                        " waits for its own result.",
                    "Export the model again.");
    }

    Expected<void> addNode(const NodeProto& node)
    {
        ForwardOp op;
        op.type = node.op_type();
        op.domain = isStandardDomain(node.domain()) ? "" : node.domain();
        op.name = uniqueName(node);
        for (const auto& attribute : node.attribute())
            if (auto value = attributeFromOnnx(attribute))
                op.attributes.emplace(attribute.name(), std::move(*value));
        for (const auto& input : node.input())
            op.inputs.push_back(input.empty() ? kNoValue : m_ids.at(input));
        for (const auto& output : node.output()) {
            op.outputs.push_back(output.empty() ? kNoValue : addValue(output));
            if (!output.empty())
                m_graph.values.back().producer = static_cast<int>(m_graph.ops.size());
        }
        if (op.type == "Constant")
            return addConstant(node, op);
        m_graph.ops.push_back(std::move(op));
        return {};
    }

    std::string uniqueName(const NodeProto& node)
    {
        std::string name = node.name();
        for (int i = 0; i < node.output_size() && name.empty(); ++i)
            name = node.output(i);
        if (name.empty())
            name = node.op_type();
        const std::string base = name;
        for (int copy = 2; !m_names.insert(name).second; ++copy)
            name = base + "_" + std::to_string(copy);
        return name;
    }

    /// A Constant node becomes a stored value without a producer.
    Expected<void> addConstant(const NodeProto& node, const ForwardOp& op)
    {
        if (op.outputs.size() != 1 || op.outputs[0] == kNoValue)
            return fail(ErrorCode::BadModel, nodeLabel(node) + " must have one output.", "Export the model again.");
        ForwardValue& value = m_graph.value(op.outputs[0]);
        value.producer = -1;
        value.kind = ValueKind::Constant;
        for (const auto& attribute : node.attribute()) {
            if (attribute.name() == "value" && attribute.has_t()) {
                POET_TRY(shape, shapeOf(attribute.t()));
                value.type = elementTypeFromOnnx(attribute.t().data_type());
                value.shape = shape;
                value.constant = smallTensor(attribute.t());
                value.stored = locate(attribute.t(), m_path);
                return {};
            }
            if (fillFromScalars(attribute, value))
                return {};
        }
        return fail(ErrorCode::UnsupportedOp, nodeLabel(node) + " has no dense tensor as its value.",
                    "Export the model without sparse or text constants.");
    }

    static bool fillFromScalars(const ::onnx::AttributeProto& attribute, ForwardValue& value)
    {
        SmallTensor content;
        if (attribute.name() == "value_int" || attribute.name() == "value_ints") {
            content.type = ElementType::I64;
            content.ints.assign(attribute.ints().begin(), attribute.ints().end());
            if (attribute.name() == "value_int")
                content.ints = {attribute.i()};
        } else if (attribute.name() == "value_float" || attribute.name() == "value_floats") {
            content.type = ElementType::F32;
            content.floats.assign(attribute.floats().begin(), attribute.floats().end());
            if (attribute.name() == "value_float")
                content.floats = {static_cast<double>(attribute.f())};
        } else {
            return false;
        }
        if (attribute.name().ends_with("s"))
            content.shape = {static_cast<std::int64_t>(content.size())};
        value.type = content.type;
        value.shape = content.shape;
        value.constant = std::move(content);
        return true;
    }

    Expected<void> addOutputs()
    {
        for (const ValueInfoProto& output : m_model.graph().output()) {
            const auto found = m_ids.find(output.name());
            if (found == m_ids.end())
                return fail(ErrorCode::BadModel, "The model's output \"" + output.name() + "\" is produced by nothing.",
                            "Export the model again.");
            m_graph.outputs.push_back(found->second);
        }
        if (m_graph.outputs.empty())
            return fail(ErrorCode::BadModel, "The model has no outputs.", "Export the model again.");
        return {};
    }

    /// Types and shapes that the file declares help with operators that nobody knows.
    void noteDeclared(const ValueInfoProto& info)
    {
        const auto found = m_ids.find(info.name());
        if (found == m_ids.end() || !info.type().has_tensor_type() || !info.type().tensor_type().has_shape())
            return;
        ForwardValue& value = m_graph.value(found->second);
        Shape shape;
        for (const auto& dim : info.type().tensor_type().shape().dim()) {
            const auto bound = m_options.dims.find(dim.dim_param());
            if (!dim.has_dim_value() && dim.dim_param().empty())
                return;
            shape.push_back(dim.has_dim_value() ? dim.dim_value() : bound == m_options.dims.end() ? 1 : bound->second);
        }
        if (value.producer < 0 || !isSaneShape(shape))
            return;
        value.type = elementTypeFromOnnx(info.type().tensor_type().elem_type());
        value.shape = shape;
    }

    const ModelProto& m_model;
    const std::filesystem::path& m_path;
    const ImportOptions& m_options;
    ForwardGraph m_graph;
    std::unordered_map<std::string, ValueId> m_ids;
    std::unordered_set<std::string> m_names;
    std::set<std::string> m_assumed;
};

}  // namespace

Expected<ForwardGraph> convertModel(const ModelProto& model, const std::filesystem::path& path, const ImportOptions& options)
{
    return Converter(model, path, options).run();
}

}  // namespace poet::onnx

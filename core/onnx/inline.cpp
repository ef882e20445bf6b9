// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/inline.h"

#include <map>
#include <string>
#include <utility>

namespace poet::onnx {

using ::onnx::FunctionProto;
using ::onnx::ModelProto;
using ::onnx::NodeProto;

namespace {

/// Calls within calls, and operations after inlining; more means a circle or an attack.
constexpr int kDeepestCall = 32;
constexpr int kMostNodes = 200000;

using Functions = std::map<std::pair<std::string, std::string>, const FunctionProto*>;

class Inliner {
public:
    explicit Inliner(const Functions& functions) : m_functions(functions) {}

    /// Appends `node`, or what it stands for, to the result.
    bool add(const NodeProto& node, int depth)
    {
        const auto function = m_functions.find({node.domain(), node.op_type()});
        if (function == m_functions.end()) {
            *m_result.Add() = node;
            return m_result.size() <= kMostNodes;
        }
        return depth < kDeepestCall && expand(node, *function->second, depth);
    }

    [[nodiscard]] google::protobuf::RepeatedPtrField<NodeProto>& result() { return m_result; }

private:
    bool expand(const NodeProto& call, const FunctionProto& function, int depth)
    {
        const std::string scope = (call.name().empty() ? call.op_type() + "_" + std::to_string(m_calls) : call.name()) + "/";
        ++m_calls;
        std::map<std::string, std::string> actual;
        for (int i = 0; i < function.input_size(); ++i)
            actual[function.input(i)] = i < call.input_size() ? call.input(i) : "";
        for (int i = 0; i < function.output_size(); ++i)
            if (i < call.output_size() && !call.output(i).empty())
                actual[function.output(i)] = call.output(i);
        const auto rename = [&](const std::string& name) {
            if (name.empty())
                return name;
            const auto found = actual.find(name);
            return found == actual.end() ? scope + name : found->second;
        };
        for (const NodeProto& inner : function.node()) {
            NodeProto node = inner;
            node.set_name(scope + (inner.name().empty() ? inner.op_type() + "_" + std::to_string(m_result.size()) : inner.name()));
            for (auto& input : *node.mutable_input())
                input = rename(input);
            for (auto& output : *node.mutable_output())
                output = rename(output);
            bindAttributes(call, node);
            if (!add(node, depth + 1))
                return false;
        }
        return true;
    }

    /// Attributes that refer to the call's attributes take their values, or go away.
    static void bindAttributes(const NodeProto& call, NodeProto& node)
    {
        auto& attributes = *node.mutable_attribute();
        for (int i = attributes.size(); i-- > 0;) {
            if (attributes[i].ref_attr_name().empty())
                continue;
            const std::string name = attributes[i].name();
            const std::string wanted = attributes[i].ref_attr_name();
            attributes.DeleteSubrange(i, 1);
            for (const auto& given : call.attribute())
                if (given.name() == wanted) {
                    *attributes.Add() = given;
                    attributes.rbegin()->set_name(name);
                }
        }
    }

    const Functions& m_functions;
    google::protobuf::RepeatedPtrField<NodeProto> m_result;
    int m_calls = 0;
};

}  // namespace

Expected<void> inlineFunctions(ModelProto& model)
{
    if (model.functions().empty())
        return {};
    Functions functions;
    for (const FunctionProto& function : model.functions())
        functions.emplace(std::pair(function.domain(), function.name()), &function);
    Inliner inliner(functions);
    for (const NodeProto& node : model.graph().node())
        if (!inliner.add(node, 0))
            return fail(ErrorCode::BadModel,
                        "The functions of the model that " + node.op_type() + " \"" + node.name() + "\" calls never end.",
                        "Export the model again.");
    model.mutable_graph()->mutable_node()->Swap(&inliner.result());
    model.clear_functions();
    return {};
}

}  // namespace poet::onnx

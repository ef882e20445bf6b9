// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/branches.h"

#include "core/onnx/convert.h"
#include "core/onnx/infer.h"
#include "core/onnx/kinds.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>

namespace poet::onnx {

using ::onnx::GraphProto;
using ::onnx::ModelProto;
using ::onnx::NodeProto;

namespace {

/// Levels of conditions that depend on one another; more is nonsense.
constexpr int kMostRounds = 256;

bool isIf(const NodeProto& node)
{
    return node.op_type() == "If" && (node.domain().empty() || node.domain() == "ai.onnx") && node.input_size() == 1;
}

const GraphProto* branchOf(const NodeProto& node, bool condition)
{
    for (const auto& attribute : node.attribute())
        if (attribute.name() == (condition ? "then_branch" : "else_branch") && attribute.has_g())
            return &attribute.g();
    return nullptr;
}

class BranchTaker {
public:
    BranchTaker(ModelProto& model, const std::filesystem::path& path, const ImportOptions& options)
        : m_model(model), m_path(path), m_options(options)
    {
    }

    /// Takes the branches whose conditions depend on no other If. False: there was none to take.
    bool round()
    {
        m_producer.clear();
        const auto& nodes = m_model.graph().node();
        for (int i = 0; i < nodes.size(); ++i)
            for (const auto& output : nodes[i].output())
                m_producer.emplace(output, i);
        std::set<int> needed;
        std::set<std::string> conditions;
        for (const NodeProto& node : nodes) {
            if (!isIf(node))
                continue;
            std::set<int> own;
            if (!collect(node.input(0), own))
                continue;
            needed.insert(own.begin(), own.end());
            conditions.insert(node.input(0));
        }
        return !conditions.empty() && replace(evaluate(needed, conditions));
    }

private:
    /// Adds the operations that `name` is computed from to `found`; false when one of them is an If.
    bool collect(const std::string& name, std::set<int>& found) const
    {
        std::vector<std::string> open = {name};
        while (!open.empty()) {
            const auto at = m_producer.find(open.back());
            open.pop_back();
            if (at == m_producer.end() || !found.insert(at->second).second)
                continue;
            const NodeProto& node = m_model.graph().node(at->second);
            if (isIf(node))
                return false;
            open.insert(open.end(), node.input().begin(), node.input().end());
        }
        return true;
    }

    /// What the conditions are, as far as they follow from constants and shapes.
    std::unordered_map<std::string, bool> evaluate(const std::set<int>& needed, const std::set<std::string>& conditions) const
    {
        ModelProto part;
        *part.mutable_opset_import() = m_model.opset_import();
        GraphProto& graph = *part.mutable_graph();
        *graph.mutable_initializer() = m_model.graph().initializer();
        *graph.mutable_input() = m_model.graph().input();
        for (const int node : needed)
            *graph.add_node() = m_model.graph().node(node);
        // A graph must do something; a condition may be a stored value.
        for (const std::string& condition : conditions) {
            NodeProto& copy = *graph.add_node();
            copy.set_op_type("Identity");
            copy.add_input(condition);
            copy.add_output("poet:condition:" + condition);
            graph.add_output()->set_name(copy.output(0));
        }
        std::unordered_map<std::string, bool> known;
        auto forward = convertModel(part, m_path, m_options);
        if (!forward)
            return known;
        classifyStored(*forward, m_options.dataInputs);
        if (!inferShapes(*forward))
            return known;
        for (const std::string& condition : conditions) {
            const ValueId id = forward->find("poet:condition:" + condition);
            const auto& content = id == kNoValue ? std::nullopt : forward->value(id).constant;
            if (content && content->ints.size() == 1)
                known.emplace(condition, content->ints[0] != 0);
        }
        return known;
    }

    bool replace(const std::unordered_map<std::string, bool>& known)
    {
        google::protobuf::RepeatedPtrField<NodeProto> result;
        bool isChanged = false;
        for (const NodeProto& node : m_model.graph().node()) {
            const auto condition = isIf(node) ? known.find(node.input(0)) : known.end();
            const GraphProto* branch = condition == known.end() ? nullptr : branchOf(node, condition->second);
            if (!branch || branch->output_size() != node.output_size()) {
                *result.Add() = node;
                continue;
            }
            inlineBranch(node, *branch, result);
            isChanged = true;
        }
        if (isChanged)
            m_model.mutable_graph()->mutable_node()->Swap(&result);
        return isChanged;
    }

    void inlineBranch(const NodeProto& node, const GraphProto& branch, google::protobuf::RepeatedPtrField<NodeProto>& result)
    {
        const std::string scope = (node.name().empty() ? "If_" + std::to_string(m_taken) : node.name()) + "/";
        ++m_taken;
        std::set<std::string> own;
        for (const auto& tensor : branch.initializer())
            own.insert(tensor.name());
        for (const NodeProto& inner : branch.node())
            own.insert(inner.output().begin(), inner.output().end());
        const auto renamed = [&](const std::string& name) { return !name.empty() && own.contains(name) ? scope + name : name; };
        for (const auto& tensor : branch.initializer()) {
            auto& copy = *m_model.mutable_graph()->add_initializer();
            copy = tensor;
            copy.set_name(scope + tensor.name());
        }
        for (const NodeProto& inner : branch.node()) {
            NodeProto& copy = *result.Add();
            copy = inner;
            for (auto& input : *copy.mutable_input())
                input = renamed(input);
            for (auto& output : *copy.mutable_output())
                output = renamed(output);
            for (auto& attribute : *copy.mutable_attribute())
                renameInside(attribute, renamed);
        }
        for (int i = 0; i < node.output_size(); ++i) {
            NodeProto& copy = *result.Add();
            copy.set_op_type("Identity");
            copy.add_input(renamed(branch.output(i).name()));
            copy.add_output(node.output(i));
        }
    }

    /// Graphs within the branch read its values by name.
    template <class Rename>
    static void renameInside(::onnx::AttributeProto& attribute, const Rename& renamed)
    {
        if (!attribute.has_g())
            return;
        for (NodeProto& node : *attribute.mutable_g()->mutable_node()) {
            for (auto& input : *node.mutable_input())
                input = renamed(input);
            for (auto& inner : *node.mutable_attribute())
                renameInside(inner, renamed);
        }
        for (auto& output : *attribute.mutable_g()->mutable_output())
            output.set_name(renamed(output.name()));
    }

    ModelProto& m_model;
    const std::filesystem::path& m_path;
    const ImportOptions& m_options;
    std::unordered_map<std::string, int> m_producer;
    int m_taken = 0;
};

}  // namespace

void takeKnownBranches(ModelProto& model, const std::filesystem::path& path, const ImportOptions& options)
{
    if (std::ranges::none_of(model.graph().node(), isIf))
        return;
    BranchTaker taker(model, path, options);
    for (int round = 0; round < kMostRounds && taker.round(); ++round) {
    }
}

}  // namespace poet::onnx

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/infer.h"

#include "core/onnx/fold.h"
#include "core/onnx/tensor.h"

#include <algorithm>

namespace poet::onnx {

const SmallTensor* InferContext::constant(std::size_t slot) const
{
    if (!hasInput(slot))
        return nullptr;
    const auto& content = m_graph.value(m_op.input(slot)).constant;
    return content ? &*content : nullptr;
}

std::optional<std::vector<std::int64_t>> InferContext::ints(std::size_t slot, std::string_view key) const
{
    if (hasInput(slot)) {
        const SmallTensor* content = constant(slot);
        return content && !isFloating(content->type) ? std::optional(content->ints) : std::nullopt;
    }
    if (!m_op.has(key))
        return std::nullopt;
    const std::int64_t single = m_op.intAttribute(key, -1);
    auto list = m_op.intsAttribute(key);
    return list.empty() && m_op.intAttribute(key, -2) == single ? std::vector<std::int64_t>{single} : list;
}

void InferContext::set(std::size_t output, ElementType type, Shape shape)
{
    const ValueId id = m_op.output(output);
    if (id == kNoValue)
        return;
    m_graph.value(id).type = type;
    m_graph.value(id).shape = std::move(shape);
}

void InferContext::toAttribute(std::size_t slot, std::string_view key)
{
    const SmallTensor* content = constant(slot);
    if (!content)
        return;
    if (isFloating(content->type)) {
        if (content->size() == 1)
            m_op.attributes[std::string(key)] = content->floats[0];
    } else {
        m_op.attributes[std::string(key)] = content->ints;
    }
}

void InferContext::keepInputs(std::size_t count)
{
    if (m_op.inputs.size() > count)
        m_op.inputs.resize(count);
}

void InferContext::makeOutput(std::size_t output)
{
    if (m_op.outputs.size() <= output)
        m_op.outputs.resize(output + 1, kNoValue);
    if (m_op.outputs[output] != kNoValue)
        return;
    const auto self = static_cast<int>(&m_op - m_graph.ops.data());
    m_op.outputs[output] = static_cast<ValueId>(m_graph.values.size());
    m_graph.values.push_back({});
    m_graph.values.back().name = m_op.name + ":" + std::to_string(output);
    m_graph.values.back().producer = self;
}

Expected<void> InferContext::needInputs(std::size_t count) const
{
    for (std::size_t slot = 0; slot < count; ++slot)
        if (!hasInput(slot))
            return broken("it needs " + std::to_string(count) + " inputs");
    return {};
}

Expected<std::int64_t> InferContext::axis(std::int64_t value, std::int64_t rank) const
{
    if (value < -rank || value >= rank)
        return broken("axis " + std::to_string(value) + " does not exist in " + std::to_string(rank) + " dimensions");
    return value < 0 ? value + rank : value;
}

std::unexpected<Error> InferContext::unknown(const std::string& why) const
{
    return fail(ErrorCode::UnknownShape, "The shape of " + m_op.type + " \"" + m_op.name + "\" cannot be found: " + why + ".",
                "Export the model with static shapes.");
}

std::unexpected<Error> InferContext::broken(const std::string& why) const
{
    return fail(ErrorCode::BadModel, m_op.type + " \"" + m_op.name + "\" is inconsistent: " + why + ".",
                "Export the model again.");
}

bool areSane(const std::vector<std::int64_t>& numbers)
{
    return std::ranges::all_of(numbers, [](std::int64_t n) { return n >= -kLargestNumber && n <= kLargestNumber; });
}

std::optional<Shape> broadcast(const Shape& a, const Shape& b)
{
    Shape result(std::max(a.size(), b.size()), 1);
    for (std::size_t i = 0; i < result.size(); ++i) {
        const std::int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1;
        const std::int64_t y = i < b.size() ? b[b.size() - 1 - i] : 1;
        if (x != y && x != 1 && y != 1)
            return std::nullopt;
        result[result.size() - 1 - i] = x == 1 ? y : x;
    }
    return result;
}

const InferTable& inferTable()
{
    static const InferTable table = [] {
        InferTable rules;
        addElementwiseRules(rules);
        addConvRules(rules);
        addAttentionRules(rules);
        addMatrixRules(rules);
        addShapeRules(rules);
        addResizeRules(rules);
        addIndexRules(rules);
        addReduceRules(rules);
        addNormRules(rules);
        addRecurrentRules(rules);
        addGeneratorRules(rules);
        return rules;
    }();
    return table;
}

namespace {

Expected<void> inferOne(ForwardGraph& graph, ForwardOp& op)
{
    InferContext context(graph, op);
    const auto& table = inferTable();
    const auto rule = op.domain.empty() || op.domain == "com.microsoft" ? table.find(op.type) : table.end();
    if (rule == table.end())
        return inferByLibrary(graph, op);
    return rule->second(context);
}

Expected<void> checkOutputs(const ForwardGraph& graph, const ForwardOp& op)
{
    for (const ValueId output : op.outputs) {
        if (output == kNoValue)
            continue;
        const ForwardValue& value = graph.value(output);
        if (!isSaneShape(value.shape))
            return fail(ErrorCode::BadModel,
                        op.type + " \"" + op.name + "\" would have the shape " + shapeText(value.shape) + ".",
                        "Export the model again.");
    }
    return {};
}

/// Operations whose outputs' shapes only the data decides, and those that read them.
class LostOps {
public:
    explicit LostOps(std::size_t values) : m_isLost(values, false) {}

    [[nodiscard]] bool reaches(const ForwardOp& op) const
    {
        return std::ranges::any_of(op.inputs, [this](ValueId id) { return isLost(id); });
    }
    [[nodiscard]] bool isLost(ValueId id) const
    {
        return id != kNoValue && static_cast<std::size_t>(id) < m_isLost.size() && m_isLost[static_cast<std::size_t>(id)];
    }
    [[nodiscard]] const std::optional<Error>& why() const { return m_why; }

    /// Takes `op` out of the graph: without outputs it is not kept.
    void add(ForwardGraph& graph, ForwardOp& op)
    {
        m_isLost.resize(graph.values.size(), false);
        for (const ValueId output : op.outputs)
            if (output != kNoValue)
                m_isLost[static_cast<std::size_t>(output)] = true;
        op.inputs.clear();
        op.outputs.clear();
    }
    void explain(Error why)
    {
        if (!m_why)
            m_why = std::move(why);
    }

private:
    std::vector<bool> m_isLost;
    std::optional<Error> m_why;
};

/// Gives up outputs that are lost and dispensable. Errors: the first reason, when another output is lost or none is left.
Expected<void> dropLostOutputs(ForwardGraph& graph, const LostOps& lost, const std::set<std::string>& dispensable)
{
    std::vector<ValueId> kept;
    for (const ValueId output : graph.outputs) {
        const std::string& name = graph.value(output).name;
        if (!lost.isLost(output)) {
            kept.push_back(output);
            continue;
        }
        if (!dispensable.contains(name))
            return std::unexpected(*lost.why());
        graph.notes.push_back({NoteKind::Refused, "Output \"%1\" takes no part in training: %2", {name, lost.why()->message}});
    }
    if (kept.empty())
        return std::unexpected(*lost.why());
    graph.outputs = std::move(kept);
    return {};
}

}  // namespace

Expected<void> inferShapes(ForwardGraph& graph, const std::set<std::string>& dispensable)
{
    LostOps lost(graph.values.size());
    for (ForwardOp& op : graph.ops) {
        if (lost.reaches(op)) {
            lost.add(graph, op);
            continue;
        }
        // A folded result still gets its rule first, for the canonical form of what stays.
        if (foldConstants(graph, op))
            continue;
        if (auto found = inferOne(graph, op); !found) {
            if (found.error().code != ErrorCode::UnknownShape)
                return std::unexpected(std::move(found).error());
            lost.explain(std::move(found).error());
            lost.add(graph, op);
            continue;
        }
        POET_CHECK(checkOutputs(graph, op));
    }
    return lost.why() ? dropLostOutputs(graph, lost, dispensable) : Expected<void>{};
}

}  // namespace poet::onnx

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/fold.h"

#include "core/onnx/kinds.h"

#include <algorithm>

namespace poet::onnx {

std::optional<std::vector<std::int64_t>> FoldArguments::ints(std::size_t slot, std::string_view key) const
{
    if (const SmallTensor* given = input(slot))
        return isFloating(given->type) ? std::nullopt : std::optional(given->ints);
    if (!op.has(key))
        return std::nullopt;
    return op.intsAttribute(key);
}

SmallTensor gathered(const SmallTensor& source, Shape shape, const std::vector<std::int64_t>& positions)
{
    SmallTensor result;
    result.type = source.type;
    result.shape = std::move(shape);
    for (const std::int64_t position : positions) {
        if (isFloating(source.type))
            result.floats.push_back(source.floats[static_cast<std::size_t>(position)]);
        else
            result.ints.push_back(source.ints[static_cast<std::size_t>(position)]);
    }
    return result;
}

namespace {

const FoldTable& foldTable()
{
    static const FoldTable table = [] {
        FoldTable rules;
        addArithmeticFolds(rules);
        addLayoutFolds(rules);
        return rules;
    }();
    return table;
}

SmallTensor integers(Shape shape, std::vector<std::int64_t> values)
{
    SmallTensor tensor;
    tensor.type = ElementType::I64;
    tensor.shape = std::move(shape);
    tensor.ints = std::move(values);
    return tensor;
}

/// Shape and Size need no content, only the shape of their input.
FoldResult foldShape(const ForwardGraph& graph, const ForwardOp& op)
{
    const ValueId input = op.input(0);
    if (input == kNoValue)
        return {};
    const Shape& shape = graph.value(input).shape;
    if (op.type == "Size")
        return {integers({}, {elementCount(shape)})};
    const auto rank = static_cast<std::int64_t>(shape.size());
    const auto bound = [rank](std::int64_t v) { return std::clamp<std::int64_t>(v < 0 ? v + rank : v, 0, rank); };
    const std::int64_t start = bound(op.intAttribute("start", 0));
    const std::int64_t end = std::max(start, bound(op.intAttribute("end", rank)));
    return {integers({end - start}, {shape.begin() + start, shape.begin() + end})};
}

/// A few stored numbers that scale a computed shape, entry by entry: shape arithmetic, not a weight.
bool isShapeFactor(const ForwardGraph& graph, const ForwardOp& op, const ForwardValue& value)
{
    constexpr std::size_t kMostDimensions = 8;
    const bool isSmall = value.constant && value.constant->size() <= kMostDimensions && value.shape.size() == 1 && !looksLikeWeight(value.name);
    return isSmall && std::ranges::any_of(op.inputs, [&](ValueId id) {
        const ForwardValue* other = id == kNoValue ? nullptr : &graph.value(id);
        const bool isComputed = other && other->constant && other->kind == ValueKind::Constant &&
                                other->stored.encoding == WeightLocation::Encoding::Missing;
        return isComputed && other->shape == value.shape;
    });
}

FoldResult evaluate(const ForwardGraph& graph, const ForwardOp& op)
{
    if (!op.domain.empty())
        return {};
    if (op.type == "Shape" || op.type == "Size")
        return foldShape(graph, op);
    const auto rule = foldTable().find(op.type);
    if (rule == foldTable().end())
        return {};
    FoldArguments arguments{op, graph.opset, {}};
    for (const ValueId input : op.inputs) {
        if (input == kNoValue) {
            arguments.inputs.push_back(nullptr);
            continue;
        }
        const ForwardValue& value = graph.value(input);
        if (!value.constant || (value.kind != ValueKind::Constant && !isShapeFactor(graph, op, value)))
            return {};
        arguments.inputs.push_back(&*value.constant);
    }
    return rule->second(arguments);
}

}  // namespace

bool foldConstants(ForwardGraph& graph, ForwardOp& op)
{
    FoldResult results = evaluate(graph, op);
    if (results.size() < op.outputs.size() || results.empty())
        return false;
    for (std::size_t i = 0; i < op.outputs.size(); ++i) {
        if (op.outputs[i] == kNoValue)
            continue;
        ForwardValue& value = graph.value(op.outputs[i]);
        value.type = results[i].type;
        value.shape = results[i].shape;
        value.kind = ValueKind::Constant;
        value.producer = -1;
        value.constant = std::move(results[i]);
    }
    op.outputs.clear();
    op.inputs.clear();
    return true;
}

}  // namespace poet::onnx

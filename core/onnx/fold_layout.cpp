// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/fold.h"
#include "core/onnx/infer.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace poet::onnx {

namespace {

using Ints = std::vector<std::int64_t>;

/// Shape of the output by the same rule that shapes any operation, on a graph that holds only this one.
std::optional<Shape> shapeByRule(const FoldArguments& a, std::size_t output = 0)
{
    ForwardGraph graph;
    graph.opset = a.opset;
    ForwardOp op = a.op;
    op.inputs.clear();
    for (const SmallTensor* input : a.inputs) {
        op.inputs.push_back(input ? static_cast<ValueId>(graph.values.size()) : kNoValue);
        if (input)
            graph.values.push_back({"", input->type, input->shape, ValueKind::Constant, -1, *input, {}});
    }
    for (ValueId& id : op.outputs) {
        id = static_cast<ValueId>(graph.values.size());
        graph.values.push_back({});
    }
    InferContext context(graph, op);
    const auto rule = inferTable().find(op.type);
    if (rule == inferTable().end() || !rule->second(context) || op.output(output) == kNoValue)
        return std::nullopt;
    const Shape shape = graph.value(op.output(output)).shape;
    for (const std::int64_t dimension : shape)
        if (dimension < 0 || dimension > kFoldedElements)
            return std::nullopt;
    return shape.size() <= 8 && elementCount(shape) <= kFoldedElements ? std::optional(shape) : std::nullopt;
}

Ints strides(const Shape& shape)
{
    Ints result(shape.size(), 1);
    for (std::size_t i = shape.size(); i-- > 1;)
        result[i - 1] = result[i] * shape[i];
    return result;
}

/// Coordinates of flat position `index` in `shape`.
Ints coordinates(std::int64_t index, const Shape& shape)
{
    Ints result(shape.size(), 0);
    for (std::size_t i = shape.size(); i-- > 0;) {
        result[i] = index % shape[i];
        index /= shape[i];
    }
    return result;
}

/// Builds the output by asking, for the coordinates of every element, which source element it is.
template <class Source>
FoldResult mapped(const SmallTensor& x, const Shape& shape, Source source)
{
    Ints positions;
    for (std::int64_t i = 0; i < elementCount(shape); ++i) {
        const std::int64_t position = source(coordinates(i, shape));
        if (position < 0 || position >= static_cast<std::int64_t>(x.size()))
            return {};
        positions.push_back(position);
    }
    return {gathered(x, shape, positions)};
}

std::int64_t dot(const Ints& a, const Ints& b)
{
    return std::inner_product(a.begin(), a.end(), b.begin(), std::int64_t{0});
}

FoldResult relabel(const FoldArguments& a)
{
    const auto shape = a.input(0) ? shapeByRule(a) : std::nullopt;
    if (!shape || elementCount(*shape) != static_cast<std::int64_t>(a.input(0)->size()))
        return {};
    SmallTensor result = *a.input(0);
    result.shape = *shape;
    return {result};
}

FoldResult transpose(const FoldArguments& a)
{
    const auto shape = a.input(0) ? shapeByRule(a) : std::nullopt;
    if (!shape)
        return {};
    Ints perm = a.op.intsAttribute("perm");
    for (auto i = static_cast<std::int64_t>(shape->size()); perm.size() < shape->size();)
        perm.push_back(--i);
    const Ints steps = strides(a.input(0)->shape);
    return mapped(*a.input(0), *shape, [&](const Ints& at) {
        std::int64_t position = 0;
        for (std::size_t i = 0; i < at.size(); ++i)
            position += at[i] * steps[static_cast<std::size_t>(perm[i])];
        return position;
    });
}

/// Expand and Tile: coordinates modulo the input's dimensions.
FoldResult repeat(const FoldArguments& a)
{
    const auto shape = a.input(0) ? shapeByRule(a) : std::nullopt;
    if (!shape)
        return {};
    const Shape& own = a.input(0)->shape;
    const Ints steps = strides(own);
    return mapped(*a.input(0), *shape, [&](const Ints& at) {
        std::int64_t position = 0;
        for (std::size_t i = 0; i < own.size(); ++i)
            if (own[i] > 0)
                position += at[at.size() - own.size() + i] % own[i] * steps[i];
        return position;
    });
}

FoldResult concat(const FoldArguments& a)
{
    const auto shape = a.input(0) ? shapeByRule(a) : std::nullopt;
    if (!shape)
        return {};
    const std::int64_t axis = a.op.intAttribute("axis", 0);
    const auto along = static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(shape->size()) : axis);
    SmallTensor result{a.input(0)->type, *shape, {}, {}};
    for (std::int64_t i = 0; i < elementCount(*shape); ++i) {
        Ints at = coordinates(i, *shape);
        std::size_t slot = 0;
        while (at[along] >= a.input(slot)->shape[along])
            at[along] -= a.input(slot++)->shape[along];
        const SmallTensor& from = *a.input(slot);
        const auto position = static_cast<std::size_t>(dot(at, strides(from.shape)));
        if (isFloating(from.type) != isFloating(result.type))
            return {};
        if (isFloating(from.type))
            result.floats.push_back(from.floats[position]);
        else
            result.ints.push_back(from.ints[position]);
    }
    return {result};
}

FoldResult gather(const FoldArguments& a)
{
    const SmallTensor *x = a.input(0), *indices = a.input(1);
    if (!x || !indices || isFloating(indices->type) || x->shape.empty())
        return {};
    const auto shape = shapeByRule(a);
    if (!shape)
        return {};
    const std::int64_t raw = a.op.intAttribute("axis", 0);
    const auto axis = static_cast<std::size_t>(raw < 0 ? raw + static_cast<std::int64_t>(x->shape.size()) : raw);
    const Ints steps = strides(x->shape);
    const Ints indexSteps = strides(indices->shape);
    return mapped(*x, *shape, [&](const Ints& at) -> std::int64_t {
        std::int64_t index = 0;
        for (std::size_t i = 0; i < indexSteps.size(); ++i)
            index += at[axis + i] * indexSteps[i];
        std::int64_t chosen = indices->ints[static_cast<std::size_t>(index)];
        chosen += chosen < 0 ? x->shape[axis] : 0;
        if (chosen < 0 || chosen >= x->shape[axis])
            return -1;
        std::int64_t position = chosen * steps[axis];
        for (std::size_t i = 0; i < axis; ++i)
            position += at[i] * steps[i];
        for (std::size_t i = axis + 1; i < x->shape.size(); ++i)
            position += at[i - 1 + indexSteps.size()] * steps[i];
        return position;
    });
}

FoldResult slice(const FoldArguments& a)
{
    const auto shape = a.input(0) ? shapeByRule(a) : std::nullopt;
    const auto starts = a.ints(1, "starts");
    if (!shape || !starts)
        return {};
    const Shape& own = a.input(0)->shape;
    Ints first(own.size(), 0), step(own.size(), 1);
    const auto axes = a.ints(3, "axes");
    const auto steps = a.ints(4, "steps");
    for (std::size_t i = 0; i < starts->size(); ++i) {
        const std::int64_t named = axes && !axes->empty() ? (*axes)[i] : static_cast<std::int64_t>(i);
        const auto axis = static_cast<std::size_t>(named < 0 ? named + static_cast<std::int64_t>(own.size()) : named);
        step[axis] = steps && !steps->empty() ? (*steps)[i] : 1;
        const std::int64_t start = (*starts)[i] < 0 ? (*starts)[i] + own[axis] : (*starts)[i];
        first[axis] = std::clamp<std::int64_t>(start, 0, step[axis] > 0 ? own[axis] : own[axis] - 1);
    }
    const Ints flat = strides(own);
    return mapped(*a.input(0), *shape, [&](const Ints& at) {
        std::int64_t position = 0;
        for (std::size_t i = 0; i < own.size(); ++i)
            position += (first[i] + at[i] * step[i]) * flat[i];
        return position;
    });
}

FoldResult split(const FoldArguments& a)
{
    if (!a.input(0))
        return {};
    FoldResult results;
    const std::int64_t raw = a.op.intAttribute("axis", 0);
    const auto axis = static_cast<std::size_t>(raw < 0 ? raw + static_cast<std::int64_t>(a.input(0)->shape.size()) : raw);
    const Ints flat = strides(a.input(0)->shape);
    std::int64_t offset = 0;
    for (std::size_t output = 0; output < a.op.outputs.size(); ++output) {
        const auto shape = shapeByRule(a, output);
        if (!shape)
            return {};
        auto piece = mapped(*a.input(0), *shape, [&](const Ints& at) { return dot(at, flat) + offset * flat[axis]; });
        if (piece.empty())
            return {};
        results.push_back(std::move(piece[0]));
        offset += (*shape)[axis];
    }
    return results;
}

FoldResult constantOfShape(const FoldArguments& a)
{
    const auto shape = a.input(0) ? shapeByRule(a) : std::nullopt;
    if (!shape)
        return {};
    SmallTensor fill{ElementType::F32, {1}, {}, {0}};
    if (const auto found = a.op.attributes.find("value"); found != a.op.attributes.end())
        if (const auto* given = std::get_if<SmallTensor>(&found->second); given && given->size() == 1)
            fill = *given;
    return {gathered(fill, *shape, Ints(static_cast<std::size_t>(elementCount(*shape)), 0))};
}

FoldResult range(const FoldArguments& a)
{
    const bool isMixed = !a.input(0) || !a.input(2) || isFloating(a.input(0)->type) != isFloating(a.input(2)->type);
    const auto shape = isMixed ? std::nullopt : shapeByRule(a);
    if (!shape)
        return {};
    SmallTensor result{a.input(0)->type, *shape, {}, {}};
    for (std::int64_t i = 0; i < (*shape)[0]; ++i) {
        if (isFloating(result.type))
            result.floats.push_back(a.input(0)->floats[0] + static_cast<double>(i) * a.input(2)->floats[0]);
        else
            result.ints.push_back(a.input(0)->ints[0] + i * a.input(2)->ints[0]);
    }
    return {result};
}

}  // namespace

void addLayoutFolds(FoldTable& table)
{
    for (const char* op : {"Reshape", "Flatten", "Squeeze", "Unsqueeze", "Identity"})
        table.emplace(op, relabel);
    table.emplace("Transpose", transpose);
    table.emplace("Expand", repeat);
    table.emplace("Tile", repeat);
    table.emplace("Concat", concat);
    table.emplace("Gather", gather);
    table.emplace("Slice", slice);
    table.emplace("Split", split);
    table.emplace("ConstantOfShape", constantOfShape);
    table.emplace("Range", range);
}

}  // namespace poet::onnx

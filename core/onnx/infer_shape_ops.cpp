// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/infer.h"
#include "core/onnx/tensor.h"

#include <algorithm>

namespace poet::onnx {

namespace {

using Ints = std::vector<std::int64_t>;

Expected<void> shapeOfInput(InferContext& c)
{
    POET_CHECK(c.needInputs(1));
    c.set(0, ElementType::I64, {c.rank(0)});
    return {};
}

Expected<void> size(InferContext& c)
{
    c.set(0, ElementType::I64, {});
    return {};
}

Expected<void> reshape(InferContext& c)
{
    POET_CHECK(c.needInputs(1));
    const auto target = c.ints(1, "shape");
    if (!target)
        return c.unknown("the target shape is computed from data");
    const Shape& input = c.shape(0);
    const bool zeroIsZero = c.op().intAttribute("allowzero", 0) != 0;
    Shape shape = *target;
    std::int64_t known = 1;
    std::ptrdiff_t open = -1;
    Shape given = shape;
    std::ranges::replace_if(given, [](std::int64_t d) { return d <= 0; }, 1);
    if (!isSaneShape(given) || shape.size() > 64)
        return c.broken("its target shape is impossible");
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] == 0 && !zeroIsZero) {
            if (i >= input.size())
                return c.broken("its target copies a dimension that the input does not have");
            shape[i] = input[i];
        }
        if (shape[i] == -1 && open < 0)
            open = static_cast<std::ptrdiff_t>(i);
        else if (shape[i] < 0)
            return c.broken("its target shape has a negative dimension");
        else
            known *= shape[i];
    }
    const std::int64_t count = elementCount(input);
    if (open >= 0)
        shape[static_cast<std::size_t>(open)] = known > 0 ? count / known : 0;
    if (elementCount(shape) != count)
        return c.broken("the input " + shapeText(input) + " does not fit the target " + shapeText(shape));
    c.set(0, c.type(0), shape);
    c.keepInputs(1);
    return {};
}

Expected<void> flatten(InferContext& c)
{
    POET_CHECK(c.needInputs(1));
    const Shape& input = c.shape(0);
    const std::int64_t axis = c.op().intAttribute("axis", 1);
    const std::int64_t split = axis < 0 ? axis + c.rank(0) : axis;
    if (split < 0 || split > c.rank(0))
        return c.broken("its axis does not exist");
    const auto middle = input.begin() + split;
    c.set(0, c.type(0), {elementCount(Shape(input.begin(), middle)), elementCount(Shape(middle, input.end()))});
    return {};
}

Expected<void> squeeze(InferContext& c)
{
    POET_CHECK(c.needInputs(1));
    const Shape& input = c.shape(0);
    const auto axes = c.ints(1, "axes");
    if (!axes && c.hasInput(1))
        return c.unknown("its axes are computed from data");
    std::vector<bool> dropped(input.size(), false);
    for (std::size_t i = 0; i < input.size() && !axes; ++i)
        dropped[i] = input[i] == 1;
    for (const std::int64_t axis : axes.value_or(Ints{})) {
        POET_TRY(position, c.axis(axis, c.rank(0)));
        if (input[static_cast<std::size_t>(position)] != 1)
            return c.broken("dimension " + std::to_string(position) + " is not 1");
        dropped[static_cast<std::size_t>(position)] = true;
    }
    Shape shape;
    for (std::size_t i = 0; i < input.size(); ++i)
        if (!dropped[i])
            shape.push_back(input[i]);
    c.toAttribute(1, "axes");
    c.set(0, c.type(0), shape);
    c.keepInputs(1);
    return {};
}

Expected<void> unsqueeze(InferContext& c)
{
    POET_CHECK(c.needInputs(1));
    const auto axes = c.ints(1, "axes");
    if (!axes)
        return c.unknown("its axes are computed from data");
    const auto rank = static_cast<std::int64_t>(c.shape(0).size() + axes->size());
    Shape shape(static_cast<std::size_t>(rank), 0);
    for (const std::int64_t axis : *axes) {
        POET_TRY(position, c.axis(axis, rank));
        if (shape[static_cast<std::size_t>(position)] == 1)
            return c.broken("it names an axis twice");
        shape[static_cast<std::size_t>(position)] = 1;
    }
    std::size_t next = 0;
    for (std::int64_t& dimension : shape)
        if (dimension == 0)
            dimension = c.shape(0)[next++];
    c.toAttribute(1, "axes");
    c.set(0, c.type(0), shape);
    c.keepInputs(1);
    return {};
}

Expected<void> transpose(InferContext& c)
{
    POET_CHECK(c.needInputs(1));
    const Shape& input = c.shape(0);
    Ints perm = c.op().intsAttribute("perm");
    if (perm.empty())
        for (std::int64_t i = c.rank(0); i-- > 0;)
            perm.push_back(i);
    Ints sorted = perm;
    std::ranges::sort(sorted);
    bool isPermutation = perm.size() == input.size();
    for (std::size_t i = 0; i < sorted.size(); ++i)
        isPermutation = isPermutation && sorted[i] == static_cast<std::int64_t>(i);
    if (!isPermutation)
        return c.broken("perm is no permutation of its " + std::to_string(input.size()) + " dimensions");
    Shape shape;
    for (const std::int64_t axis : perm)
        shape.push_back(input[static_cast<std::size_t>(axis)]);
    c.op().attributes["perm"] = perm;
    c.set(0, c.type(0), shape);
    return {};
}

Expected<void> expand(InferContext& c)
{
    POET_CHECK(c.needInputs(2));
    const auto target = c.ints(1, "");
    if (!target)
        return c.unknown("the target shape is computed from data");
    const auto shape = broadcast(c.shape(0), *target);
    if (!shape)
        return c.broken("the input " + shapeText(c.shape(0)) + " does not fit the target " + shapeText(*target));
    c.set(0, c.type(0), *shape);
    c.keepInputs(1);
    return {};
}

Expected<void> tile(InferContext& c)
{
    POET_CHECK(c.needInputs(2));
    const auto repeats = c.ints(1, "");
    if (!repeats)
        return c.unknown("the repeats are computed from data");
    Shape shape = c.shape(0);
    if (repeats->size() != shape.size() || !areSane(*repeats) || !isSaneShape(*repeats))
        return c.broken("it needs one repeat a dimension");
    for (std::size_t i = 0; i < shape.size(); ++i)
        shape[i] *= (*repeats)[i];
    c.toAttribute(1, "repeats");
    c.set(0, c.type(0), shape);
    c.keepInputs(1);
    return {};
}

Expected<void> concat(InferContext& c)
{
    POET_CHECK(c.needInputs(std::max<std::size_t>(1, c.op().inputs.size())));
    Shape shape = c.shape(0);
    POET_TRY(axis, c.axis(c.op().intAttribute("axis", c.opset() < 4 ? 1 : 0), c.rank(0)));
    const auto along = static_cast<std::size_t>(axis);
    for (std::size_t slot = 1; slot < c.op().inputs.size(); ++slot) {
        Shape other = c.shape(slot);
        if (other.size() != shape.size())
            return c.broken("its inputs have different numbers of dimensions");
        const std::int64_t added = other[along];
        other[along] = shape[along];
        if (other != shape)
            return c.broken("its inputs differ beside the axis");
        shape[along] += added;
    }
    c.op().attributes["axis"] = axis;
    c.set(0, c.type(0), shape);
    return {};
}

Expected<void> split(InferContext& c)
{
    POET_CHECK(c.needInputs(1));
    const Shape input = c.shape(0);
    POET_TRY(axis, c.axis(c.op().intAttribute("axis", 0), c.rank(0)));
    const auto along = static_cast<std::size_t>(axis);
    const auto count = static_cast<std::int64_t>(c.op().outputs.size());
    auto sizes = c.ints(1, "split");
    if (!sizes && c.hasInput(1))
        return c.unknown("the sizes of its parts are computed from data");
    if (count < 1)
        return c.broken("it has no outputs");
    if (!sizes) {
        // Equal parts; with num_outputs (operator set 18) the last may be smaller.
        const std::int64_t part = (input[along] + count - 1) / count;
        sizes = Ints(static_cast<std::size_t>(count), part);
        sizes->back() = input[along] - part * (count - 1);
    }
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < sizes->size() && areSane(*sizes); ++i)
        sum += (*sizes)[i];
    if (static_cast<std::int64_t>(sizes->size()) != count || sum != input[along] || sizes->back() < 0)
        return c.broken("the sizes of its parts do not fit dimension " + std::to_string(axis) + " of " + shapeText(input));
    for (std::size_t i = 0; i < sizes->size(); ++i) {
        Shape shape = input;
        shape[along] = (*sizes)[i];
        c.set(i, c.type(0), shape);
    }
    c.op().attributes["axis"] = axis;
    c.op().attributes["split"] = *sizes;
    c.keepInputs(1);
    return {};
}

/// Elements from start to end (exclusive) by step, after clamping. Source: ONNX Slice.
std::int64_t sliceLength(std::int64_t start, std::int64_t end, std::int64_t step, std::int64_t size)
{
    const auto clamp = [size](std::int64_t v, std::int64_t low, std::int64_t high) {
        return std::clamp(v < 0 ? v + size : v, low, high);
    };
    if (step > 0)
        return std::max<std::int64_t>(0, (clamp(end, 0, size) - clamp(start, 0, size) + step - 1) / step);
    const std::int64_t last = end < -size ? -1 : clamp(end, -1, size - 1);
    return std::max<std::int64_t>(0, (clamp(start, 0, size - 1) - last - step - 1) / -step);
}

Expected<void> slice(InferContext& c)
{
    POET_CHECK(c.needInputs(1));
    const auto starts = c.ints(1, "starts");
    const auto ends = c.ints(2, "ends");
    auto axes = c.ints(3, "axes");
    auto steps = c.ints(4, "steps");
    if (!starts || !ends || (!axes && c.hasInput(3)) || (!steps && c.hasInput(4)))
        return c.unknown("its bounds are computed from data");
    if (!axes) {
        axes = Ints();
        for (std::size_t i = 0; i < starts->size(); ++i)
            axes->push_back(static_cast<std::int64_t>(i));
    }
    if (!steps)
        steps = Ints(starts->size(), 1);
    for (std::int64_t& step : *steps)
        step = std::clamp(step, -kLargestNumber, kLargestNumber);
    if (starts->size() != ends->size() || starts->size() != axes->size() || starts->size() != steps->size())
        return c.broken("its bounds differ in number");
    Shape shape = c.shape(0);
    for (std::size_t i = 0; i < starts->size(); ++i) {
        POET_TRY(axis, c.axis((*axes)[i], c.rank(0)));
        (*axes)[i] = axis;
        std::int64_t& dimension = shape[static_cast<std::size_t>(axis)];
        if ((*steps)[i] == 0)
            return c.broken("a step is 0");
        dimension = sliceLength((*starts)[i], (*ends)[i], (*steps)[i], dimension);
    }
    auto& attributes = c.op().attributes;
    attributes["starts"] = *starts;
    attributes["ends"] = *ends;
    attributes["axes"] = *axes;
    attributes["steps"] = *steps;
    c.set(0, c.type(0), shape);
    c.keepInputs(1);
    return {};
}

Expected<void> pad(InferContext& c)
{
    POET_CHECK(c.needInputs(1));
    auto pads = c.ints(1, "pads");
    const auto axes = c.ints(3, "axes");
    if (!pads || (!axes && c.hasInput(3)))
        return c.unknown("its pads are computed from data");
    Shape shape = c.shape(0);
    const std::size_t rank = shape.size();
    if (axes && !axes->empty()) {
        if (pads->size() != 2 * axes->size())
            return c.broken("it needs two pads an axis");
        Ints all(2 * rank, 0);
        for (std::size_t i = 0; i < axes->size(); ++i) {
            POET_TRY(axis, c.axis((*axes)[i], c.rank(0)));
            all[static_cast<std::size_t>(axis)] = (*pads)[i];
            all[static_cast<std::size_t>(axis) + rank] = (*pads)[i + axes->size()];
        }
        pads = all;
    }
    if (pads->size() != 2 * rank || !areSane(*pads))
        return c.broken("it needs two pads a dimension");
    for (std::size_t i = 0; i < rank; ++i) {
        shape[i] += (*pads)[i] + (*pads)[i + rank];
        if (shape[i] < 0)
            return c.broken("it removes more than there is");
    }
    c.op().attributes["pads"] = *pads;
    if (const SmallTensor* value = c.constant(2); value && value->floats.size() == 1)
        c.op().attributes["value"] = value->floats[0];
    c.set(0, c.type(0), shape);
    c.keepInputs(1);
    return {};
}

}  // namespace

void addShapeRules(InferTable& table)
{
    table.emplace("Shape", shapeOfInput);
    table.emplace("Size", size);
    table.emplace("Reshape", reshape);
    table.emplace("Flatten", flatten);
    table.emplace("Squeeze", squeeze);
    table.emplace("Unsqueeze", unsqueeze);
    table.emplace("Transpose", transpose);
    table.emplace("Expand", expand);
    table.emplace("Tile", tile);
    table.emplace("Concat", concat);
    table.emplace("Split", split);
    table.emplace("Slice", slice);
    table.emplace("Pad", pad);
}

}  // namespace poet::onnx

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/infer.h"

namespace poet::onnx {

namespace {

/// Axes are an attribute or, since operator sets 13 to 18, an input; they become an attribute.
Expected<void> reduce(InferContext& c)
{
    POET_CHECK(c.needInputs(1));
    const Shape& input = c.shape(0);
    const auto given = c.ints(1, "axes");
    if (!given && c.hasInput(1))
        return c.unknown("its axes are computed from data");
    std::vector<std::int64_t> axes = given.value_or(std::vector<std::int64_t>{});
    const bool keep = c.op().intAttribute("keepdims", 1) != 0;
    if (axes.empty() && c.op().intAttribute("noop_with_empty_axes", 0) == 0)
        for (std::int64_t i = 0; i < c.rank(0); ++i)
            axes.push_back(i);
    std::vector<bool> reduced(input.size(), false);
    for (std::int64_t& axis : axes) {
        POET_TRY(position, c.axis(axis, c.rank(0)));
        axis = position;
        reduced[static_cast<std::size_t>(position)] = true;
    }
    Shape shape;
    for (std::size_t i = 0; i < input.size(); ++i) {
        if (!reduced[i])
            shape.push_back(input[i]);
        else if (keep)
            shape.push_back(1);
    }
    c.op().attributes["axes"] = axes;
    c.op().attributes["keepdims"] = std::int64_t{keep};
    c.set(0, c.type(0), shape);
    c.keepInputs(1);
    return {};
}

Expected<void> argReduce(InferContext& c)
{
    POET_CHECK(c.needInputs(1));
    Shape shape = c.shape(0);
    POET_TRY(axis, c.axis(c.op().intAttribute("axis", 0), c.rank(0)));
    if (c.op().intAttribute("keepdims", 1) != 0)
        shape[static_cast<std::size_t>(axis)] = 1;
    else
        shape.erase(shape.begin() + axis);
    c.set(0, ElementType::I64, shape);
    return {};
}

}  // namespace

void addReduceRules(InferTable& table)
{
    for (const char* type : {"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2",
                             "ReduceLogSum", "ReduceLogSumExp", "ReduceSumSquare"})
        table.emplace(type, reduce);
    table.emplace("ArgMax", argReduce);
    table.emplace("ArgMin", argReduce);
}

}  // namespace poet::onnx

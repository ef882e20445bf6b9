// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/infer.h"

#include "core/onnx/tensor.h"

#include <cmath>

namespace poet::onnx {

namespace {

Shape part(const Shape& shape, std::int64_t from, std::int64_t to)
{
    return {shape.begin() + from, shape.begin() + to};
}

Shape joined(Shape a, const Shape& b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

Expected<void> gather(InferContext& c)
{
    POET_CHECK(c.needInputs(2));
    POET_TRY(axis, c.axis(c.op().intAttribute("axis", 0), c.rank(0)));
    c.op().attributes["axis"] = axis;
    c.set(0, c.type(0), joined(joined(part(c.shape(0), 0, axis), c.shape(1)), part(c.shape(0), axis + 1, c.rank(0))));
    return {};
}

Expected<void> gatherElements(InferContext& c)
{
    POET_CHECK(c.needInputs(2));
    c.set(0, c.type(0), c.shape(1));
    return {};
}

Expected<void> gatherND(InferContext& c)
{
    POET_CHECK(c.needInputs(2));
    const Shape& indices = c.shape(1);
    const std::int64_t batch = c.op().intAttribute("batch_dims", 0);
    if (indices.empty() || batch < 0 || batch > c.rank(0) || batch + indices.back() > c.rank(0))
        return c.broken("its indices do not fit its data");
    c.set(0, c.type(0), joined(part(indices, 0, c.rank(1) - 1), part(c.shape(0), batch + indices.back(), c.rank(0))));
    return {};
}

Expected<void> scatter(InferContext& c)
{
    POET_CHECK(c.needInputs(3));
    c.set(0, c.type(0), c.shape(0));
    return {};
}

Expected<void> oneHot(InferContext& c)
{
    POET_CHECK(c.needInputs(3));
    const SmallTensor* depth = c.constant(1);
    if (!depth || depth->size() != 1)
        return c.unknown("its depth is computed from data");
    const double wanted = depth->ints.empty() ? depth->floats[0] : static_cast<double>(depth->ints[0]);
    if (!(wanted >= 0 && wanted < static_cast<double>(kLargestNumber)))
        return c.broken("its depth is impossible");
    const auto count = static_cast<std::int64_t>(wanted);
    Shape shape = c.shape(0);
    POET_TRY(axis, c.axis(c.op().intAttribute("axis", -1), c.rank(0) + 1));
    shape.insert(shape.begin() + axis, count);
    c.set(0, c.type(2), shape);
    return {};
}

Expected<void> topK(InferContext& c)
{
    POET_CHECK(c.needInputs(1));
    const auto k = c.ints(1, "k");
    if (!k || k->empty())
        return c.unknown("the number of its results is computed from data");
    Shape shape = c.shape(0);
    POET_TRY(axis, c.axis(c.op().intAttribute("axis", -1), c.rank(0)));
    shape[static_cast<std::size_t>(axis)] = (*k)[0];
    c.op().attributes["k"] = (*k)[0];
    c.op().attributes["axis"] = axis;
    c.set(0, c.type(0), shape);
    c.set(1, ElementType::I64, shape);
    c.keepInputs(1);
    return {};
}

Expected<void> dataDependent(InferContext& c)
{
    return c.unknown("it depends on the values of its input");
}

Expected<void> sameShape(InferContext& c)
{
    POET_CHECK(c.needInputs(1));
    c.set(0, c.type(0), c.shape(0));
    return {};
}

Expected<void> gridSample(InferContext& c)
{
    POET_CHECK(c.needInputs(2));
    const Shape& grid = c.shape(1);
    if (c.rank(0) < 3 || grid.size() != c.shape(0).size())
        return c.broken("its grid does not fit its input");
    c.set(0, c.type(0), joined({c.shape(0)[0], c.shape(0)[1]}, part(grid, 1, c.rank(1) - 1)));
    return {};
}

Expected<void> affineGrid(InferContext& c)
{
    POET_CHECK(c.needInputs(2));
    const auto size = c.ints(1, "");
    if (!size || size->size() < 4)
        return c.unknown("its size is computed from data");
    c.set(0, c.type(0),
          joined(joined({(*size)[0]}, Shape(size->begin() + 2, size->end())), {static_cast<std::int64_t>(size->size()) - 2}));
    c.keepInputs(1);
    return {};
}

/// Columns put together to an image. Source: ONNX Col2Im.
Expected<void> col2im(InferContext& c)
{
    POET_CHECK(c.needInputs(3));
    const auto image = c.ints(1, "");
    const auto block = c.ints(2, "");
    if (!image || !block || c.rank(0) != 3 || !isSaneShape(*block) || !isSaneShape(*image))
        return c.unknown("its image size is computed from data");
    c.set(0, c.type(0), joined({c.shape(0)[0], c.shape(0)[1] / std::max<std::int64_t>(1, elementCount(*block))}, *image));
    c.keepInputs(1);
    return {};
}

}  // namespace

void addIndexRules(InferTable& table)
{
    table.emplace("Gather", gather);
    table.emplace("GatherElements", gatherElements);
    table.emplace("GatherND", gatherND);
    for (const char* type : {"Scatter", "ScatterElements", "ScatterND"})
        table.emplace(type, scatter);
    table.emplace("OneHot", oneHot);
    table.emplace("TopK", topK);
    for (const char* type : {"NonZero", "Compress", "Unique", "NonMaxSuppression"})
        table.emplace(type, dataDependent);
    for (const char* type : {"CumSum", "ReverseSequence", "Trilu"})
        table.emplace(type, sameShape);
    table.emplace("GridSample", gridSample);
    table.emplace("AffineGrid", affineGrid);
    table.emplace("Col2Im", col2im);
}

}  // namespace poet::onnx

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/firmware/kernel_spec.h"
#include "core/export/firmware/narrow.h"

#include <algorithm>

namespace poet::firmware {
namespace {

/// A strided copy: elements `dims` are read with `from` strides and written with `to` strides.
struct Move {
    Shape dims;
    std::vector<std::int64_t> from, to;
    std::int64_t fromFirst = 0, toFirst = 0, fill = 0;
    double fillValue = 0;
};

Expected<KernelSpec> moveSpec(const OpContext& c, const Move& move)
{
    if (move.dims.size() > kMaxRank)
        return noKernel(c, "more than 8 dimensions");
    const int bytes = elementBytes(c.outType());
    if (move.fill > 0 && bytes != 4)
        return noKernel(c, "padding of this element type");
    KernelSpec spec{.forward = "move", .backward = "move_grad", .attributes = {}};
    spec.attributes = {narrow(static_cast<std::int64_t>(move.dims.size())), narrow(move.fromFirst), narrow(move.toFirst), narrow(move.fill),
                       floatBits(move.fillValue), narrow(elementCount(c.in(0))), bytes};
    append(spec.attributes, move.dims);
    append(spec.attributes, move.from);
    append(spec.attributes, move.to);
    return spec;
}

Expected<KernelSpec> transpose(const OpContext& c)
{
    const auto own = rowMajorStrides(c.in(0));
    auto perm = c.op.intsAttribute("perm");
    if (perm.empty())
        for (std::size_t d = own.size(); d-- > 0;)
            perm.push_back(static_cast<std::int64_t>(d));
    Move move{c.out(), {}, rowMajorStrides(c.out())};
    for (const std::int64_t axis : perm)
        move.from.push_back(own[static_cast<std::size_t>(axis)]);
    return moveSpec(c, move);
}

/// Views: one run of all elements.
Expected<KernelSpec> copy(const OpContext& c)
{
    return moveSpec(c, {{elementCount(c.out())}, {1}, {1}});
}

Expected<KernelSpec> expand(const OpContext& c)
{
    return moveSpec(c, {c.out(), broadcastStrides(c.in(0), c.out()), rowMajorStrides(c.out())});
}

/// Each dimension is (repeats, size): the repeats read the same elements.
Expected<KernelSpec> tile(const OpContext& c)
{
    const Shape &x = c.in(0), &y = c.out();
    const auto own = rowMajorStrides(x), whole = rowMajorStrides(y);
    Move move;
    for (std::size_t d = 0; d < x.size(); ++d) {
        if (x[d] != y[d]) {
            move.dims.push_back(x[d] == 0 ? 0 : y[d] / x[d]);
            move.from.push_back(0);
            move.to.push_back(whole[d] * x[d]);
        }
        move.dims.push_back(x[d]);
        move.from.push_back(own[d]);
        move.to.push_back(whole[d]);
    }
    return moveSpec(c, move);
}

Expected<KernelSpec> slice(const OpContext& c)
{
    const Shape& x = c.in(0);
    const auto starts = c.op.intsAttribute("starts"), ends = c.op.intsAttribute("ends");
    auto axes = c.op.intsAttribute("axes"), steps = c.op.intsAttribute("steps");
    if (starts.empty())
        return noKernel(c, "computed bounds");
    Move move{c.out(), rowMajorStrides(x), rowMajorStrides(c.out())};
    for (std::size_t i = 0; i < starts.size(); ++i) {
        const std::size_t d = axisOf(axes.empty() ? static_cast<std::int64_t>(i) : axes[i], x.size());
        const std::int64_t step = steps.empty() ? 1 : steps[i];
        std::int64_t start = starts[i] < 0 ? starts[i] + x[d] : starts[i];
        start = step > 0 ? std::clamp<std::int64_t>(start, 0, x[d]) : std::clamp<std::int64_t>(start, 0, x[d] - 1);
        move.fromFirst += start * move.from[d];
        move.from[d] *= step;
    }
    return moveSpec(c, move);
}

/// Padding by what lies at the edge; pads that cut only shift.
Expected<KernelSpec> padMode(const OpContext& c, int mode, const std::vector<std::int64_t>& pads)
{
    const Shape& x = c.in(0);
    KernelSpec spec{.forward = "pad_mode", .backward = "pad_mode_grad", .attributes = {narrow(static_cast<std::int64_t>(x.size())), mode, narrow(elementCount(x))}};
    append(spec.attributes, x);
    append(spec.attributes, c.out());
    append(spec.attributes, std::vector<std::int64_t>(pads.begin(), pads.begin() + static_cast<std::ptrdiff_t>(x.size())));
    return x.size() > kMaxRank || elementBytes(c.outType()) != 4 ? noKernel(c, "this shape or element type") : Expected<KernelSpec>(std::move(spec));
}

/// Constant padding; negative pads cut.
Expected<KernelSpec> pad(const OpContext& c)
{
    const Shape &x = c.in(0), &y = c.out();
    const auto pads = c.op.intsAttribute("pads");
    const std::string mode = c.op.textAttribute("mode", "constant");
    if (pads.size() == 2 * x.size() && (mode == "reflect" || mode == "edge" || mode == "wrap"))
        return padMode(c, mode == "reflect" ? 0 : mode == "edge" ? 1 : 2, pads);
    if (mode != "constant" || pads.size() != 2 * x.size())
        return noKernel(c, "this mode");
    Move move{x, rowMajorStrides(x), rowMajorStrides(y)};
    move.fill = elementCount(y);
    move.fillValue = c.op.floatAttribute("value", 0);
    for (std::size_t d = 0; d < x.size(); ++d) {
        const std::int64_t begin = pads[d], end = pads[x.size() + d];
        move.toFirst += std::max<std::int64_t>(begin, 0) * move.to[d];
        move.fromFirst += std::max<std::int64_t>(-begin, 0) * move.from[d];
        move.dims[d] = x[d] - std::max<std::int64_t>(-begin, 0) - std::max<std::int64_t>(-end, 0);
    }
    return moveSpec(c, move);
}

/// The pieces of Split, by output; the spec of output 0 (kernelSpecOfOutput shifts it).
Expected<KernelSpec> split(const OpContext& c)
{
    return moveSpec(c, {c.out(), rowMajorStrides(c.in(0)), rowMajorStrides(c.out())});
}

Expected<KernelSpec> concat(const OpContext& c)
{
    const std::size_t axis = axisOf(c.op.intAttribute("axis", 0), c.out().size());
    if (elementBytes(c.outType()) != 4)
        return noKernel(c, "this element type");
    KernelSpec spec{.forward = "concat", .backward = "concat_grad", .attributes = {}, .inputs = c.op.inputs.size()};
    std::int64_t outer = 1;
    for (std::size_t d = 0; d < axis; ++d)
        outer *= c.out()[d];
    spec.attributes = {narrow(static_cast<std::int64_t>(c.op.inputs.size())), narrow(outer)};
    for (std::size_t slot = 0; slot < c.op.inputs.size(); ++slot)
        spec.attributes.push_back(narrow(elementCount(c.in(slot)) / std::max<std::int64_t>(outer, 1)));
    return spec;
}

Expected<KernelSpec> gather(const OpContext& c)
{
    const Shape& x = c.in(0);
    const std::size_t axis = axisOf(c.op.intAttribute("axis", 0), x.size());
    std::int64_t outer = 1, inner = 1;
    for (std::size_t d = 0; d < x.size(); ++d)
        (d < axis ? outer : d > axis ? inner : outer) *= d == axis ? 1 : x[d];
    KernelSpec spec{.forward = "gather", .backward = "gather_grad", .attributes = {}, .inputs = 2};
    if (!c.has(1))
        return noKernel(c, "missing indices");
    const auto& constant = c.graph.value(c.op.input(1)).constant;
    const std::int64_t lookUps = elementCount(c.in(1));
    const bool isKnown = constant && static_cast<std::int64_t>(constant->ints.size()) == lookUps;
    spec.attributes = {narrow(outer), narrow(x[axis]), narrow(inner), narrow(lookUps), isKnown ? 0 : elementBytes(c.inType(1)), elementBytes(c.outType())};
    if (isKnown)
        append(spec.attributes, constant->ints);
    return spec;
}

/// Indices as an operand, or in the attributes when they are small and known.
bool indicesInAttributes(const OpContext& c)
{
    const auto& constant = c.graph.value(c.op.input(1)).constant;
    return constant && static_cast<std::int64_t>(constant->ints.size()) == elementCount(c.in(1));
}

Expected<KernelSpec> gatherElements(const OpContext& c)
{
    const Shape& x = c.in(0);
    const std::size_t axis = axisOf(c.op.intAttribute("axis", 0), x.size());
    if (!c.has(1) || elementBytes(c.outType()) != 4 || x.size() > kMaxRank)
        return noKernel(c, "this element type or rank");
    auto strides = rowMajorStrides(x);
    const bool isKnown = indicesInAttributes(c);
    KernelSpec spec{.forward = "gather_elements", .backward = "gather_elements_grad", .attributes = {}, .inputs = 2};
    spec.attributes = {narrow(static_cast<std::int64_t>(x.size())), narrow(x[axis]), narrow(strides[axis]), narrow(elementCount(x)),
                       isKnown ? 0 : elementBytes(c.inType(1))};
    append(spec.attributes, c.out());
    strides[axis] = 0;
    append(spec.attributes, strides);
    if (isKnown)
        append(spec.attributes, c.graph.value(c.op.input(1)).constant->ints);
    return spec;
}

/// Values elsewhere and at the index are two constants.
Expected<KernelSpec> oneHot(const OpContext& c)
{
    const auto& values = c.has(2) ? c.graph.value(c.op.input(2)).constant : c.graph.value(c.op.input(0)).constant;
    if (!c.has(2) || !values || values->size() != 2 || (isFloating(c.outType()) && c.outType() != ElementType::F32) || c.out().empty())
        return noKernel(c, "computed values");
    const bool isFloat = c.outType() == ElementType::F32;
    const std::size_t axis = axisOf(c.op.intAttribute("axis", -1), c.out().size());
    const Shape& y = c.out();
    const auto at = static_cast<std::ptrdiff_t>(axis);
    const auto value = [&](std::size_t i) {
        const double number = values->floats.empty() ? static_cast<double>(values->ints[i]) : values->floats[i];
        return isFloat ? floatBits(number) : static_cast<std::int32_t>(number);
    };
    return KernelSpec{.forward = "one_hot", .backward = "",
                      .attributes = {narrow(elementCount(Shape(y.begin(), y.begin() + at))), narrow(y[axis]), narrow(elementCount(Shape(y.begin() + at + 1, y.end()))),
                                     elementBytes(c.inType(0)), value(0), value(1), isFloat ? 0 : elementBytes(c.outType())}};
}

Expected<KernelSpec> trilu(const OpContext& c)
{
    const Shape& x = c.in(0);
    std::int64_t diagonal = c.op.intAttribute("k", 0);
    if (c.has(1)) {
        const auto& constant = c.graph.value(c.op.input(1)).constant;
        if (!constant || constant->ints.size() != 1)
            return noKernel(c, "a computed diagonal");
        diagonal = constant->ints[0];
    }
    if (x.size() < 2 || c.outType() != ElementType::F32)
        return noKernel(c, "this shape or element type");
    const std::int64_t area = x[x.size() - 2] * x.back();
    return KernelSpec{.forward = "trilu", .backward = "trilu_grad",
                      .attributes = {narrow(area == 0 ? 0 : elementCount(x) / area), narrow(x[x.size() - 2]), narrow(x.back()), narrow(diagonal),
                                     narrow(c.op.intAttribute("upper", 1))}};
}

/// Both rearrangements are transposes of a finer shape.
Expected<KernelSpec> depthToSpace(const OpContext& c)
{
    const Shape& x = c.in(0);
    const std::int64_t b = c.op.intAttribute("blocksize", 1);
    if (x.size() != 4)
        return noKernel(c, "other than two spatial dimensions");
    const std::int64_t depth = x[1] / (b * b);
    const bool isCrd = c.op.textAttribute("mode", "DCR") == "CRD";
    const Shape fine = isCrd ? Shape{x[0], depth, b, b, x[2], x[3]} : Shape{x[0], b, b, depth, x[2], x[3]};
    const std::vector<std::size_t> order = isCrd ? std::vector<std::size_t>{0, 1, 4, 2, 5, 3} : std::vector<std::size_t>{0, 3, 4, 1, 5, 2};
    Move move;
    const auto own = rowMajorStrides(fine);
    for (const std::size_t d : order) {
        move.dims.push_back(fine[d]);
        move.from.push_back(own[d]);
    }
    move.to = rowMajorStrides(move.dims);
    return moveSpec(c, move);
}

Expected<KernelSpec> spaceToDepth(const OpContext& c)
{
    const Shape& x = c.in(0);
    const std::int64_t b = c.op.intAttribute("blocksize", 1);
    if (x.size() != 4)
        return noKernel(c, "other than two spatial dimensions");
    const Shape fine{x[0], x[1], x[2] / b, b, x[3] / b, b};
    Move move;
    const auto own = rowMajorStrides(fine);
    for (const std::size_t d : {0U, 3U, 5U, 1U, 2U, 4U}) {
        move.dims.push_back(fine[d]);
        move.from.push_back(own[d]);
    }
    move.to = rowMajorStrides(move.dims);
    return moveSpec(c, move);
}

}  // namespace

void addMoveBinders(BinderTable& table)
{
    table.insert({{"Transpose", transpose}, {"Reshape", copy}, {"Flatten", copy}, {"Squeeze", copy}, {"Unsqueeze", copy},
                  {"Expand", expand}, {"Tile", tile}, {"Slice", slice}, {"Pad", pad}, {"Split", split}, {"Concat", concat},
                  {"Gather", gather}, {"GatherElements", gatherElements}, {"OneHot", oneHot}, {"Trilu", trilu},
                  {"DepthToSpace", depthToSpace}, {"SpaceToDepth", spaceToDepth}});
}

}  // namespace poet::firmware

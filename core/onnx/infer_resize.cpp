// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/infer.h"

#include <cmath>

namespace poet::onnx {

namespace {

/// Since operator set 18 the sizes may only bound the result: one scale, the smallest or the largest that they ask for, is
/// used for all axes. Source: ONNX Resize, keep_aspect_ratio_policy.
Expected<void> keepAspectRatio(InferContext& c, const std::vector<std::int64_t>& axes, std::vector<std::int64_t>& sizes)
{
    const std::string policy = c.op().textAttribute("keep_aspect_ratio_policy", "stretch");
    if (policy == "stretch" || axes.empty())
        return {};
    double scale = policy == "not_larger" ? HUGE_VAL : 0;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        POET_TRY(axis, c.axis(axes[i], c.rank(0)));
        const auto from = static_cast<double>(c.shape(0)[static_cast<std::size_t>(axis)]);
        if (from <= 0 || sizes[i] < 0 || sizes[i] > kLargestNumber)
            return c.broken("its sizes are impossible");
        const double own = static_cast<double>(sizes[i]) / from;
        scale = policy == "not_larger" ? std::min(scale, own) : std::max(scale, own);
    }
    for (std::size_t i = 0; i < axes.size(); ++i) {
        POET_TRY(axis, c.axis(axes[i], c.rank(0)));
        const double size = scale * static_cast<double>(c.shape(0)[static_cast<std::size_t>(axis)]);
        if (size > static_cast<double>(kLargestNumber))
            return c.broken("its sizes are impossible");
        sizes[i] = static_cast<std::int64_t>(std::floor(size + 0.5));
    }
    return {};
}

using Ints = std::vector<std::int64_t>;

/// Resize and its predecessor Upsample; `scales` and `sizes` moved between slots over the operator sets.
Expected<void> resize(InferContext& c)
{
    POET_CHECK(c.needInputs(1));
    const bool isUpsample = c.op().type == "Upsample";
    const std::size_t scaleSlot = isUpsample || c.opset() < 11 ? 1 : 2;
    std::vector<double> scales;
    if (const SmallTensor* given = c.constant(scaleSlot))
        scales = given->floats;
    else if (const auto found = c.op().attributes.find("scales"); found != c.op().attributes.end())
        if (const auto* list = std::get_if<std::vector<double>>(&found->second))
            scales = *list;
    std::optional<Ints> sizes;
    if (!isUpsample && c.opset() >= 11 && c.hasInput(3))
        sizes = c.ints(3, "");
    if (scales.empty() && !sizes)
        return c.unknown("its scales are computed from data");
    Shape shape = c.shape(0);
    Ints axes = c.op().intsAttribute("axes");
    if (axes.empty())
        for (std::int64_t i = 0; i < c.rank(0); ++i)
            axes.push_back(i);
    if (axes.size() != (sizes ? sizes->size() : scales.size()))
        return c.broken("it needs one scale or size an axis");
    if (sizes)
        POET_CHECK(keepAspectRatio(c, axes, *sizes));
    for (std::size_t i = 0; i < axes.size(); ++i) {
        POET_TRY(axis, c.axis(axes[i], c.rank(0)));
        std::int64_t& dimension = shape[static_cast<std::size_t>(axis)];
        if (!sizes && !(scales[i] > 0 && static_cast<double>(dimension) * scales[i] < static_cast<double>(kLargestNumber)))
            return c.broken("a scale is impossible");
        dimension = sizes ? (*sizes)[i] : static_cast<std::int64_t>(std::floor(static_cast<double>(dimension) * scales[i] + 1e-9));
    }
    if (!scales.empty())
        c.op().attributes["scales"] = scales;
    c.op().type = "Resize";
    c.set(0, c.type(0), shape);
    c.keepInputs(1);
    return {};
}

Expected<void> depthToSpace(InferContext& c)
{
    POET_CHECK(c.needInputs(1));
    const Shape& in = c.shape(0);
    const std::int64_t b = c.op().intAttribute("blocksize", 0);
    if (in.size() != 4 || b < 1 || b > 65536)
        return c.broken("it needs four dimensions and a blocksize");
    if (c.op().type == "DepthToSpace")
        c.set(0, c.type(0), {in[0], in[1] / (b * b), in[2] * b, in[3] * b});
    else
        c.set(0, c.type(0), {in[0], in[1] * b * b, in[2] / b, in[3] / b});
    return {};
}

Expected<void> centerCropPad(InferContext& c)
{
    POET_CHECK(c.needInputs(2));
    const auto target = c.ints(1, "");
    if (!target)
        return c.unknown("the target shape is computed from data");
    Shape shape = c.shape(0);
    Ints axes = c.op().intsAttribute("axes");
    for (std::int64_t i = 0; i < c.rank(0) && c.op().intsAttribute("axes").empty(); ++i)
        axes.push_back(i);
    for (std::size_t i = 0; i < axes.size() && i < target->size(); ++i) {
        POET_TRY(axis, c.axis(axes[i], c.rank(0)));
        shape[static_cast<std::size_t>(axis)] = (*target)[i];
    }
    c.set(0, c.type(0), shape);
    c.keepInputs(1);
    return {};
}

}  // namespace

void addResizeRules(InferTable& table)
{
    table.emplace("Resize", resize);
    table.emplace("Upsample", resize);
    table.emplace("DepthToSpace", depthToSpace);
    table.emplace("SpaceToDepth", depthToSpace);
    table.emplace("CenterCropPad", centerCropPad);
}

}  // namespace poet::onnx

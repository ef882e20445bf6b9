// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/infer.h"
#include "core/onnx/tensor.h"

#include <algorithm>

namespace poet::onnx {

namespace {

using Ints = std::vector<std::int64_t>;

/// Window attributes of convolutions and pools, brought to full lists in the operation itself.
struct Window {
    Ints kernel, strides, dilations, pads;
    std::string autoPad;
    bool isCeil = false;
};

Expected<Window> readWindow(InferContext& c, std::size_t spatial, const Shape& kernelFromWeight)
{
    ForwardOp& op = c.op();
    Window w{op.intsAttribute("kernel_shape"), op.intsAttribute("strides"), op.intsAttribute("dilations"),
             op.intsAttribute("pads"), op.textAttribute("auto_pad", "NOTSET"), op.intAttribute("ceil_mode", 0) != 0};
    if (w.kernel.empty())
        w.kernel = kernelFromWeight;
    if (w.strides.empty())
        w.strides.assign(spatial, 1);
    if (w.dilations.empty())
        w.dilations.assign(spatial, 1);
    if (w.pads.empty())
        w.pads.assign(2 * spatial, 0);
    if (w.kernel.size() != spatial || w.strides.size() != spatial || w.dilations.size() != spatial ||
        w.pads.size() != 2 * spatial)
        return c.broken("its window does not have " + std::to_string(spatial) + " dimensions");
    const auto positive = [](std::int64_t v) { return v > 0 && v < (1 << 16); };
    if (!std::ranges::all_of(w.kernel, positive) || !std::ranges::all_of(w.strides, positive) ||
        !std::ranges::all_of(w.dilations, positive))
        return c.broken("its window has a size that is not positive");
    if (!areSane(w.pads) || !isSaneShape(w.kernel))
        return c.broken("its window has impossible sizes");
    return w;
}

/// Writes the window back, with the pads that auto_pad stands for: the canonical form.
void writeWindow(InferContext& c, const Window& w)
{
    auto& attributes = c.op().attributes;
    attributes["kernel_shape"] = w.kernel;
    attributes["strides"] = w.strides;
    attributes["dilations"] = w.dilations;
    attributes["pads"] = w.pads;
    attributes.erase("auto_pad");
}

/// Resolves auto_pad for one spatial dimension. Source: ONNX Conv and pool definitions.
void resolvePads(Window& w, const Shape& input, std::size_t spatial)
{
    if (w.autoPad == "VALID")
        w.pads.assign(2 * spatial, 0);
    if (w.autoPad != "SAME_UPPER" && w.autoPad != "SAME_LOWER")
        return;
    for (std::size_t i = 0; i < spatial; ++i) {
        const std::int64_t extent = (w.kernel[i] - 1) * w.dilations[i] + 1;
        const std::int64_t out = (input[i + 2] + w.strides[i] - 1) / w.strides[i];
        const std::int64_t total = std::max<std::int64_t>(0, (out - 1) * w.strides[i] + extent - input[i + 2]);
        const std::int64_t small = total / 2;
        w.pads[i] = w.autoPad == "SAME_UPPER" ? small : total - small;
        w.pads[i + spatial] = total - w.pads[i];
    }
}

std::int64_t windowOutput(const Window& w, std::int64_t input, std::size_t i, std::size_t spatial)
{
    const std::int64_t extent = (w.kernel[i] - 1) * w.dilations[i] + 1;
    const std::int64_t room = input + w.pads[i] + w.pads[i + spatial] - extent;
    if (room < 0)
        return 0;
    std::int64_t out = (w.isCeil ? (room + w.strides[i] - 1) / w.strides[i] : room / w.strides[i]) + 1;
    // A window must not start beyond the input and its left pad (what frameworks do for ceil_mode).
    if (w.isCeil && (out - 1) * w.strides[i] >= input + w.pads[i])
        --out;
    return out;
}

Expected<Shape> slide(InferContext& c, Window& w, const Shape& input, std::int64_t channels)
{
    const std::size_t spatial = input.size() - 2;
    resolvePads(w, input, spatial);
    Shape shape = {input[0], channels};
    for (std::size_t i = 0; i < spatial; ++i) {
        shape.push_back(windowOutput(w, input[i + 2], i, spatial));
        if (shape.back() < 1)
            return c.broken("its window is larger than the padded input " + shapeText(input));
    }
    writeWindow(c, w);
    return shape;
}

Expected<void> conv(InferContext& c)
{
    POET_CHECK(c.needInputs(2));
    const Shape input = c.shape(0);
    const Shape weight = c.shape(1);
    if (input.size() < 3 || weight.size() != input.size())
        return c.broken("input " + shapeText(input) + " and weight " + shapeText(weight) + " do not fit");
    const std::int64_t group = c.op().intAttribute("group", 1);
    c.op().attributes["group"] = group;
    if (group < 1 || group > input[1] || weight[1] * group != input[1] || weight[0] % group != 0)
        return c.broken("input " + shapeText(input) + " and weight " + shapeText(weight) + " do not fit " +
                        std::to_string(group) + " groups");
    POET_TRY(window, readWindow(c, input.size() - 2, Shape(weight.begin() + 2, weight.end())));
    POET_TRY(shape, slide(c, window, input, weight[0]));
    c.set(0, c.op().type == "ConvInteger" ? ElementType::I32 : c.type(0), shape);
    return {};
}

Expected<void> quantizedConv(InferContext& c)
{
    POET_CHECK(c.needInputs(8));
    const Shape input = c.shape(0);
    const Shape weight = c.shape(3);
    if (input.size() < 3 || weight.size() != input.size())
        return c.broken("input " + shapeText(input) + " and weight " + shapeText(weight) + " do not fit");
    POET_TRY(window, readWindow(c, input.size() - 2, Shape(weight.begin() + 2, weight.end())));
    POET_TRY(shape, slide(c, window, input, weight[0]));
    c.set(0, c.type(7), shape);
    return {};
}

Expected<void> convTranspose(InferContext& c)
{
    POET_CHECK(c.needInputs(2));
    const Shape input = c.shape(0);
    const Shape weight = c.shape(1);
    if (input.size() < 3 || weight.size() != input.size() || weight[0] != input[1])
        return c.broken("input " + shapeText(input) + " and weight " + shapeText(weight) + " do not fit");
    const std::size_t spatial = input.size() - 2;
    const std::int64_t group = c.op().intAttribute("group", 1);
    c.op().attributes["group"] = group;
    if (group < 1 || group > weight[0])
        return c.broken("it has an impossible number of groups");
    POET_TRY(w, readWindow(c, spatial, Shape(weight.begin() + 2, weight.end())));
    Ints extra = c.op().intsAttribute("output_padding");
    extra.resize(spatial, 0);
    const Ints wanted = c.op().intsAttribute("output_shape");
    if (!areSane(extra) || !areSane(wanted) || (!wanted.empty() && wanted.size() < spatial) ||
        std::ranges::any_of(input, [](std::int64_t d) { return d > (std::int64_t{1} << 32); }))
        return c.broken("its sizes are impossible");
    Shape shape = {input[0], weight[1] * group};
    for (std::size_t i = 0; i < spatial; ++i) {
        const std::int64_t full = w.strides[i] * (input[i + 2] - 1) + extra[i] + (w.kernel[i] - 1) * w.dilations[i] + 1;
        const bool isSame = w.autoPad == "SAME_UPPER" || w.autoPad == "SAME_LOWER";
        if (isSame || !wanted.empty()) {
            const std::int64_t out = wanted.empty() ? input[i + 2] * w.strides[i] : wanted[wanted.size() - spatial + i];
            const std::int64_t total = std::max<std::int64_t>(0, full - out);
            w.pads[i] = w.autoPad == "SAME_UPPER" ? total / 2 : total - total / 2;
            w.pads[i + spatial] = total - w.pads[i];
            shape.push_back(out);
        } else {
            shape.push_back(full - w.pads[i] - w.pads[i + spatial]);
        }
        if (shape.back() < 1)
            return c.broken("its output would be empty");
    }
    writeWindow(c, w);
    c.op().attributes["output_padding"] = extra;
    c.set(0, c.type(0), shape);
    return {};
}

/// The offsets have the spatial dimensions of the output.
Expected<void> deformConv(InferContext& c)
{
    POET_CHECK(c.needInputs(3));
    if (c.rank(0) < 3 || c.rank(1) != c.rank(0) || c.rank(2) != c.rank(0))
        return c.broken("its input, weight and offsets do not fit");
    Shape shape = c.shape(2);
    shape[0] = c.shape(0)[0];
    shape[1] = c.shape(1)[0];
    c.set(0, c.type(0), shape);
    return {};
}

Expected<void> pool(InferContext& c)
{
    POET_CHECK(c.needInputs(1));
    const Shape input = c.shape(0);
    if (input.size() < 3)
        return c.broken("its input " + shapeText(input) + " has no spatial dimensions");
    POET_TRY(window, readWindow(c, input.size() - 2, {}));
    POET_TRY(shape, slide(c, window, input, input[1]));
    c.set(0, c.type(0), shape);
    c.set(1, ElementType::I64, shape);
    return {};
}

Expected<void> globalPool(InferContext& c)
{
    POET_CHECK(c.needInputs(1));
    Shape shape = c.shape(0);
    if (shape.size() < 2)
        return c.broken("its input " + shapeText(shape) + " has no spatial dimensions");
    std::fill(shape.begin() + 2, shape.end(), 1);
    c.set(0, c.type(0), shape);
    return {};
}

Expected<void> maxUnpool(InferContext& c)
{
    POET_CHECK(c.needInputs(2));
    const Shape input = c.shape(0);
    if (const auto wanted = c.ints(2, "output_shape"); wanted && wanted->size() == input.size()) {
        c.set(0, c.type(0), *wanted);
        return {};
    }
    if (c.hasInput(2) || input.size() < 3)
        return c.unknown("its output shape is computed from data");
    POET_TRY(w, readWindow(c, input.size() - 2, {}));
    Shape shape = {input[0], input[1]};
    for (std::size_t i = 0; i + 2 < input.size(); ++i)
        shape.push_back((input[i + 2] - 1) * w.strides[i] - w.pads[i] - w.pads[i + input.size() - 2] + w.kernel[i]);
    c.set(0, c.type(0), shape);
    return {};
}

Expected<void> roi(InferContext& c)
{
    POET_CHECK(c.needInputs(2));
    Shape shape = {c.shape(1).empty() ? 1 : c.shape(1)[0], c.shape(0).size() > 1 ? c.shape(0)[1] : 1};
    const Ints pooled = c.op().intsAttribute("pooled_shape");
    shape.push_back(pooled.size() == 2 ? pooled[0] : c.op().intAttribute("output_height", 1));
    shape.push_back(pooled.size() == 2 ? pooled[1] : c.op().intAttribute("output_width", 1));
    c.set(0, c.type(0), shape);
    return {};
}

}  // namespace

void addConvRules(InferTable& table)
{
    table.emplace("Conv", conv);
    table.emplace("FusedConv", conv);
    table.emplace("ConvInteger", conv);
    table.emplace("QLinearConv", quantizedConv);
    table.emplace("ConvTranspose", convTranspose);
    table.emplace("DeformConv", deformConv);
    for (const char* type : {"MaxPool", "AveragePool", "LpPool"})
        table.emplace(type, pool);
    for (const char* type : {"GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool"})
        table.emplace(type, globalPool);
    table.emplace("MaxUnpool", maxUnpool);
    table.emplace("RoiAlign", roi);
    table.emplace("MaxRoiPool", roi);
}

}  // namespace poet::onnx

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/firmware/kernel_spec.h"
#include "core/export/firmware/narrow.h"

namespace poet::firmware {
namespace {

/// Attributes of a window over one or two spatial dimensions; one gets a height of 1.
struct Window {
    std::int64_t kernel[2] = {1, 1}, stride[2] = {1, 1}, dilation[2] = {1, 1}, begin[2] = {0, 0}, end[2] = {0, 0};
};

void spread(std::int64_t (&to)[2], const std::vector<std::int64_t>& from, std::size_t first, std::size_t rank)
{
    for (std::size_t d = 0; d < rank && first + d < from.size(); ++d)
        to[2 - rank + d] = from[first + d];
}

/// SAME padding puts the odd element at the end (UPPER) or at the beginning.
void autoPad(const OpContext& c, Window& window, std::size_t rank, const Shape& wide, const Shape& narrowShape)
{
    const std::string mode = c.op.textAttribute("auto_pad", "NOTSET");
    if (mode != "SAME_UPPER" && mode != "SAME_LOWER")
        return;
    for (std::size_t d = 0; d < rank; ++d) {
        const std::size_t k = 2 - rank + d;
        const std::int64_t total = std::max<std::int64_t>(
            0, (narrowShape[2 + d] - 1) * window.stride[k] + (window.kernel[k] - 1) * window.dilation[k] + 1 - wide[2 + d]);
        window.begin[k] = mode == "SAME_UPPER" ? total / 2 : total - total / 2;
        window.end[k] = total - window.begin[k];
    }
}

Window windowOf(const OpContext& c, std::size_t rank, const Shape& kernelShape, const Shape& wide, const Shape& narrowShape)
{
    Window window;
    spread(window.kernel, kernelShape, 0, rank);
    spread(window.stride, c.op.intsAttribute("strides"), 0, rank);
    spread(window.dilation, c.op.intsAttribute("dilations"), 0, rank);
    spread(window.begin, c.op.intsAttribute("pads"), 0, rank);
    spread(window.end, c.op.intsAttribute("pads"), rank, rank);
    autoPad(c, window, rank, wide, narrowShape);
    return window;
}

std::int64_t height(const Shape& shape) { return shape.size() == 4 ? shape[2] : 1; }

/// `wide`: the shape that a convolution reads, `small`: what it makes; a transposed one swaps them.
Expected<KernelSpec> convolution(const OpContext& c, const Shape& wide, const Shape& small, const std::string& kernel)
{
    if (wide.size() != 3 && wide.size() != 4)
        return noKernel(c, "other than one to three spatial dimensions");
    const std::size_t rank = wide.size() - 2;
    const Window w = windowOf(c, rank, Shape(c.in(1).begin() + 2, c.in(1).end()), wide, small);
    KernelSpec spec{.forward = kernel, .backward = kernel + "_grad", .attributes = {}, .inputs = 3};
    spec.attributes = {narrow(wide[0]), narrow(wide[1]), narrow(height(wide)), narrow(wide.back()), narrow(small[1]),
                       narrow(height(small)), narrow(small.back()), narrow(c.op.intAttribute("group", 1)), narrow(w.kernel[0]),
                       narrow(w.kernel[1]), narrow(w.stride[0]), narrow(w.stride[1]), narrow(w.begin[0]), narrow(w.begin[1]),
                       narrow(w.dilation[0]), narrow(w.dilation[1])};
    return spec;
}

/// Attributes of one kind in three dimensions, `fallback` where absent.
std::vector<std::int64_t> triple(const std::vector<std::int64_t>& from, std::size_t first, std::int64_t fallback)
{
    std::vector<std::int64_t> result(3, fallback);
    for (std::size_t d = 0; d < 3 && first + d < from.size(); ++d)
        result[d] = from[first + d];
    return result;
}

/// Strides, padding and dilations of a window in three dimensions, in the order of poet_volume.inl.
struct VolumeWindow {
    std::vector<std::int64_t> kernel, stride, begin, dilation, end;
};

VolumeWindow volumeWindow(const OpContext& c, const Shape& kernelShape, const Shape& wide, const Shape& small)
{
    VolumeWindow w{triple(kernelShape, 0, 1), triple(c.op.intsAttribute("strides"), 0, 1), triple(c.op.intsAttribute("pads"), 0, 0),
                   triple(c.op.intsAttribute("dilations"), 0, 1), triple(c.op.intsAttribute("pads"), 3, 0)};
    const std::string mode = c.op.textAttribute("auto_pad", "NOTSET");
    for (std::size_t d = 0; d < 3 && mode.starts_with("SAME"); ++d) {
        const std::int64_t total = std::max<std::int64_t>(0, (small[2 + d] - 1) * w.stride[d] + (w.kernel[d] - 1) * w.dilation[d] + 1 - wide[2 + d]);
        w.begin[d] = mode == "SAME_UPPER" ? total / 2 : total - total / 2;
        w.end[d] = total - w.begin[d];
    }
    return w;
}

Expected<KernelSpec> convolution3(const OpContext& c, const Shape& wide, const Shape& small, const std::string& kernel)
{
    const VolumeWindow w = volumeWindow(c, Shape(c.in(1).begin() + 2, c.in(1).end()), wide, small);
    KernelSpec spec{.forward = kernel, .backward = kernel + "_grad", .attributes = {}, .inputs = 3};
    append(spec.attributes, wide);
    append(spec.attributes, Shape(small.begin() + 1, small.end()));
    spec.attributes.push_back(narrow(c.op.intAttribute("group", 1)));
    for (const auto* part : {&w.kernel, &w.stride, &w.begin, &w.dilation})
        append(spec.attributes, *part);
    return spec;
}

Expected<KernelSpec> conv(const OpContext& c)
{
    if (c.in(0).size() == 5)
        return convolution3(c, c.in(0), c.out(), "conv3");
    return convolution(c, c.in(0), c.out(), "conv");
}

Expected<KernelSpec> convTranspose(const OpContext& c)
{
    if (c.in(0).size() == 5)
        return convolution3(c, c.out(), c.in(0), "conv3_transpose");
    return convolution(c, c.out(), c.in(0), "conv_transpose");
}

Expected<KernelSpec> pool3(const OpContext& c, const std::string& kernel, const Shape& kernelShape)
{
    const Shape &x = c.in(0), &y = c.out();
    const VolumeWindow w = volumeWindow(c, kernelShape, x, y);
    KernelSpec spec{.forward = kernel + "3", .backward = kernel + "3_grad", .attributes = {}};
    spec.attributes.push_back(narrow(x[0] * x[1]));
    append(spec.attributes, Shape(x.begin() + 2, x.end()));
    append(spec.attributes, Shape(y.begin() + 2, y.end()));
    append(spec.attributes, w.kernel);
    append(spec.attributes, w.stride);
    spec.attributes.insert(spec.attributes.end(), {8, narrow(c.op.intAttribute("count_include_pad", 0))});
    append(spec.attributes, w.begin);
    append(spec.attributes, w.dilation);
    append(spec.attributes, w.end);
    return spec;
}

Expected<KernelSpec> pool(const OpContext& c, const std::string& kernel, const Shape& kernelShape)
{
    const Shape &x = c.in(0), &y = c.out();
    if (x.size() == 5)
        return pool3(c, kernel, kernelShape);
    if (x.size() != 3 && x.size() != 4)
        return noKernel(c, "other than one to three spatial dimensions");
    const Window w = windowOf(c, x.size() - 2, kernelShape, x, y);
    KernelSpec spec{.forward = kernel, .backward = kernel + "_grad", .attributes = {}};
    spec.attributes = {narrow(x[0] * x[1]), narrow(height(x)), narrow(x.back()), narrow(height(y)), narrow(y.back()),
                       narrow(w.kernel[0]), narrow(w.kernel[1]), narrow(w.stride[0]), narrow(w.stride[1]), narrow(w.begin[0]),
                       narrow(w.begin[1]), narrow(w.dilation[0]), narrow(w.dilation[1]), 8,
                       narrow(c.op.intAttribute("count_include_pad", 0)), narrow(w.end[0]), narrow(w.end[1])};
    return spec;
}

Expected<KernelSpec> maxPool(const OpContext& c)
{
    POET_TRY(spec, pool(c, "max_pool", c.op.intsAttribute("kernel_shape")));
    spec.sides = {spec.forward + "_index"};
    return spec;
}

Expected<KernelSpec> averagePool(const OpContext& c)
{
    return pool(c, "average_pool", c.op.intsAttribute("kernel_shape"));
}

Expected<KernelSpec> globalMaxPool(const OpContext& c)
{
    POET_TRY(spec, pool(c, "max_pool", Shape(c.in(0).begin() + 2, c.in(0).end())));
    spec.sides = {spec.forward + "_index"};
    return spec;
}

/// Positions and rounding of Resize by its attributes; one to three dimensions behind batch and channels.
Expected<KernelSpec> resize(const OpContext& c)
{
    const Shape &x = c.in(0), &y = c.out();
    const std::string mode = c.op.textAttribute("mode", "nearest");
    if (x.size() < 3 || x.size() > 5 || x[0] != y[0] || x[1] != y[1] || (mode != "nearest" && mode != "linear" && mode != "cubic"))
        return noKernel(c, "mode " + mode + " or these dimensions");
    const std::string where = c.op.textAttribute("coordinate_transformation_mode", c.op.type == "Upsample" ? "asymmetric" : "half_pixel");
    const int coordinates = where == "asymmetric" ? 1 : where == "align_corners" ? 2 : where == "pytorch_half_pixel" ? 3 : where == "half_pixel" ? 0 : -1;
    const std::string rounding = c.op.textAttribute("nearest_mode", c.op.type == "Upsample" ? "floor" : "round_prefer_floor");
    const int round = rounding == "floor" ? 2 : rounding == "ceil" ? 3 : rounding == "round_prefer_ceil" ? 1 : 0;
    if (coordinates < 0)
        return noKernel(c, "coordinates " + where);
    const auto scale = [](std::int64_t from, std::int64_t to) { return floatBits(static_cast<double>(to) / static_cast<double>(from)); };
    if (x.size() == 5 || mode == "cubic") {
        if (c.op.intAttribute("exclude_outside", 0) != 0)
            return noKernel(c, "exclude_outside");
        const std::int64_t depth = x.size() == 5 ? x[2] : 1, newDepth = x.size() == 5 ? y[2] : 1;
        const std::int64_t rows = x.size() == 5 ? x[3] : height(x), newRows = x.size() == 5 ? y[3] : height(y);
        KernelSpec wide{.forward = "resize3", .backward = "resize3_grad", .attributes = {}};
        wide.attributes = {narrow(x[0] * x[1]), narrow(depth), narrow(rows), narrow(x.back()), narrow(newDepth), narrow(newRows), narrow(y.back()),
                           mode == "cubic" ? 2 : mode == "linear" ? 1 : 0, coordinates, round, scale(depth, newDepth), scale(rows, newRows), scale(x.back(), y.back()),
                           floatBits(c.op.floatAttribute("cubic_coeff_a", -0.75))};
        return wide;
    }
    KernelSpec spec{.forward = "resize", .backward = "resize_grad", .attributes = {}};
    spec.attributes = {narrow(x[0] * x[1]), narrow(height(x)), narrow(x.back()), narrow(height(y)), narrow(y.back()), mode == "linear",
                       coordinates, round, scale(height(x), height(y)), scale(x.back(), y.back())};
    return spec;
}

}  // namespace

void addWindowBinders(BinderTable& table)
{
    table.insert({{"Conv", conv}, {"ConvTranspose", convTranspose}, {"MaxPool", maxPool}, {"AveragePool", averagePool},
                  {"GlobalMaxPool", globalMaxPool}, {"Resize", resize}, {"Upsample", resize}});
}

}  // namespace poet::firmware

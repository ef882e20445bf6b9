// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/firmware/kernel_spec.h"
#include "core/export/firmware/narrow.h"

#include <algorithm>

namespace poet::firmware {
namespace {

Expected<KernelSpec> batchNorm(const OpContext& c)
{
    const Shape& x = c.in(0);
    if (x.size() < 2)
        return noKernel(c, "fewer than two dimensions");
    const bool isTraining = c.op.intAttribute("training_mode", 0) != 0;
    const std::string kernel = isTraining ? "batch_norm" : "batch_norm_eval";
    KernelSpec spec{.forward = kernel, .backward = kernel + "_grad", .attributes = {}, .inputs = 5};
    spec.attributes = {narrow(x[0]), narrow(x[1]), narrow(elementCount(Shape(x.begin() + 2, x.end()))),
                       floatBits(c.op.floatAttribute("epsilon", 1e-5)), floatBits(c.op.floatAttribute("momentum", 0.9)), 0};
    if (isTraining)
        spec.sides = {"batch_norm_stats"};
    return spec;
}

KernelSpec norm(std::int64_t rows, std::int64_t length, std::int64_t groups, std::int64_t area, double epsilon)
{
    KernelSpec spec{.forward = "norm", .backward = "norm_grad", .attributes = {}, .inputs = 3, .sides = {"norm_stats"}};
    spec.attributes = {narrow(rows), narrow(length), narrow(groups), narrow(area), floatBits(epsilon), 0};
    return spec;
}

Expected<KernelSpec> layerNorm(const OpContext& c)
{
    const Shape& x = c.in(0);
    const auto axis = static_cast<std::ptrdiff_t>(axisOf(c.op.intAttribute("axis", -1), x.size()));
    const std::int64_t rows = elementCount(Shape(x.begin(), x.begin() + axis));
    const std::int64_t length = elementCount(Shape(x.begin() + axis, x.end()));
    for (std::size_t slot = 1; slot < 3; ++slot)
        if (c.has(slot) && elementCount(c.in(slot)) != length)
            return noKernel(c, "a broadcast scale");
    return norm(rows, length, 1, 1, c.op.floatAttribute("epsilon", 1e-5));
}

/// As layer normalization, without mean and bias.
Expected<KernelSpec> rmsNorm(const OpContext& c)
{
    POET_TRY(spec, layerNorm(c));
    spec.attributes[5] = 3;
    return spec;
}

/// Axis of a running sum: an operand in the standard, an attribute once folded.
Expected<KernelSpec> cumSum(const OpContext& c)
{
    const Shape& x = c.in(0);
    std::int64_t axis = c.op.intAttribute("axis", 0);
    if (c.has(1)) {
        const auto& constant = c.graph.value(c.op.input(1)).constant;
        if (!constant || constant->ints.size() != 1)
            return noKernel(c, "a computed axis");
        axis = constant->ints[0];
    }
    const auto at = static_cast<std::ptrdiff_t>(axisOf(axis, x.size()));
    KernelSpec spec{.forward = "cum_sum", .backward = "cum_sum_grad", .attributes = {}};
    spec.attributes = {narrow(elementCount(Shape(x.begin(), x.begin() + at))), narrow(x[static_cast<std::size_t>(at)]),
                       narrow(elementCount(Shape(x.begin() + at + 1, x.end()))), narrow(c.op.intAttribute("exclusive", 0)), narrow(c.op.intAttribute("reverse", 0))};
    return spec;
}

Expected<KernelSpec> topK(const OpContext& c)
{
    const Shape& x = c.in(0);
    const auto at = static_cast<std::ptrdiff_t>(axisOf(c.op.intAttribute("axis", -1), x.size()));
    KernelSpec spec{.forward = "top_k", .backward = "top_k_grad", .attributes = std::vector<std::int32_t>(14, 0), .inputs = 1, .sides = {"top_k_index"}};
    spec.attributes[0] = narrow(elementCount(Shape(x.begin(), x.begin() + at)));
    spec.attributes[1] = narrow(x[static_cast<std::size_t>(at)]);
    spec.attributes[2] = narrow(elementCount(Shape(x.begin() + at + 1, x.end())));
    spec.attributes[3] = narrow(c.out()[static_cast<std::size_t>(at)]);
    spec.attributes[4] = narrow(c.op.intAttribute("largest", 1));
    spec.attributes[13] = 8;
    return spec;
}

Expected<KernelSpec> groupNorm(const OpContext& c)
{
    const Shape& x = c.in(0);
    if (x.size() < 2)
        return noKernel(c, "fewer than two dimensions");
    const std::int64_t groups = c.op.type == "InstanceNormalization" ? x[1] : c.op.intAttribute("num_groups", c.op.intAttribute("groups", 1));
    const std::int64_t area = elementCount(Shape(x.begin() + 2, x.end()));
    if (groups <= 0 || x[1] % groups != 0 || (c.has(1) && elementCount(c.in(1)) != x[1]))
        return noKernel(c, "one scale a group");
    return norm(x[0] * groups, x[1] / groups * area, groups, area, c.op.floatAttribute("epsilon", 1e-5));
}

/// Softmax over one axis, or before operator set 13 over all from the axis on (the import says which by its attribute).
template <bool isLog>
Expected<KernelSpec> softmax(const OpContext& c)
{
    const Shape& x = c.in(0);
    if (x.empty())
        return noKernel(c, "a scalar");
    const auto axis = static_cast<std::ptrdiff_t>(axisOf(c.op.intAttribute("axis", -1), x.size()));
    const std::string kernel = isLog ? "log_softmax" : "softmax";
    KernelSpec spec{.forward = kernel, .backward = kernel + "_grad", .attributes = {}};
    spec.attributes = {narrow(elementCount(Shape(x.begin(), x.begin() + axis))), narrow(x[static_cast<std::size_t>(axis)]),
                       narrow(elementCount(Shape(x.begin() + axis + 1, x.end())))};
    return spec;
}

KernelSpec reduceOver(const Shape& x, const std::vector<bool>& isReduced, int kind, bool isMean)
{
    Shape kept = x;
    std::int64_t total = 1;
    for (std::size_t d = 0; d < x.size(); ++d)
        if (isReduced[d]) {
            total *= x[d];
            kept[d] = 1;
        }
    auto strides = rowMajorStrides(kept);
    for (std::size_t d = 0; d < x.size(); ++d)
        if (isReduced[d])
            strides[d] = 0;
    KernelSpec spec{.forward = "reduce", .backward = "reduce_grad", .attributes = {}};
    spec.attributes = {narrow(static_cast<std::int64_t>(x.size())), kind, floatBits(isMean ? 1.0 / static_cast<double>(total) : 1.0)};
    append(spec.attributes, x);
    append(spec.attributes, strides);
    return spec;
}

template <int kind, bool isMean = false>
Expected<KernelSpec> reduce(const OpContext& c)
{
    const Shape& x = c.in(0);
    const auto axes = c.op.intsAttribute("axes");
    const bool isAll = axes.empty() && c.op.intAttribute("noop_with_empty_axes", 0) == 0;
    std::vector<bool> isReduced(x.size(), isAll);
    for (const std::int64_t axis : axes)
        isReduced[axisOf(axis, x.size())] = true;
    // A dimension of size 1 that is kept looks like a reduced one to the kernel, with the same result.
    return reduceOver(x, isReduced, kind, isMean);
}

Expected<KernelSpec> globalAverage(const OpContext& c)
{
    std::vector<bool> isReduced(c.in(0).size(), true);
    std::fill_n(isReduced.begin(), std::min<std::size_t>(2, isReduced.size()), false);
    return reduceOver(c.in(0), isReduced, 0, true);
}

}  // namespace

void addNormBinders(BinderTable& table)
{
    table.insert({{"BatchNormalization", batchNorm}, {"LayerNormalization", layerNorm}, {"RMSNormalization", rmsNorm}, {"SimplifiedLayerNormalization", rmsNorm},
                  {"CumSum", cumSum}, {"TopK", topK}, {"GroupNormalization", groupNorm},
                  {"InstanceNormalization", groupNorm}, {"Softmax", softmax<false>}, {"LogSoftmax", softmax<true>},
                  {"ReduceSum", reduce<0>}, {"ReduceMean", reduce<0, true>}, {"ReduceMax", reduce<1>}, {"ReduceMin", reduce<2>},
                  {"ReduceL1", reduce<3>}, {"ReduceL2", reduce<4>}, {"ReduceSumSquare", reduce<5>}, {"ReduceLogSumExp", reduce<6>},
                  {"ReduceLogSum", reduce<7>}, {"ReduceProd", reduce<8>}, {"GlobalAveragePool", globalAverage}});
}

}  // namespace poet::firmware

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/training/rules/rule.h"
#include "core/training/rules/sides.h"

#include <algorithm>

namespace poet::training {

namespace {

/// Mean and inverse deviation of every normalised group: what backward needs beside the input.
SideOutput statistics(const OpView& view, Shape shape)
{
    SideOutput side;
    side.suffix = "statistics";
    side.type = ElementType::F32;
    side.shape = std::move(shape);
    side.inputs = {0};
    side.flops = 4.0 * static_cast<double>(view.inCount(0));
    return side;
}

/// In training mode backward goes through the batch's own statistics; in evaluation mode through fixed ones, and then the
/// input is needed only for the gradient of the scale.
void batchNormalization(const OpView& view, OpPlan& plan)
{
    for (std::size_t slot = 3; slot < plan.slots.size(); ++slot)
        plan.slots[slot].kind = SlotGradient::Kind::None;
    holdInput(view, plan);
    const auto elements = static_cast<double>(view.inCount(0));
    if (view.op.intAttribute("training_mode", 0) == 0) {
        plan.slots[0].inputs = {1, 4};
        plan.slots[0].sides = {};
        plan.slots[1].inputs = {0, 3, 4};
        plan.slots[1].sides = {};
        plan.flops = 2 * elements;
        plan.slots[0].flops = elements;
        plan.slots[1].flops = 3 * elements;
        return;
    }
    plan.sides = {statistics(view, {2, view.in(1).empty() ? 1 : view.in(1)[0]})};
    plan.flops = 2 * elements;
}

/// Rows: all dimensions before the axis.
void layerNormalization(const OpView& view, OpPlan& plan)
{
    const Shape& x = view.in(0);
    const auto axis = static_cast<std::ptrdiff_t>(view.op.intAttribute("axis", 0));
    const std::int64_t rows = elementCount(Shape(x.begin(), x.begin() + axis));
    const bool hasMean = view.op.type != "RMSNormalization" && view.op.type != "SimplifiedLayerNormalization";
    plan.sides = {statistics(view, {hasMean ? 2 : 1, rows})};
    plan.flops = 4 * static_cast<double>(view.inCount(0));
    // Mean and inverse deviation as outputs of the operation are the side output.
    for (int output = 1; output < 3; ++output)
        plan.outputFromSide[output] = 0;
}

void instanceNormalization(const OpView& view, OpPlan& plan)
{
    const Shape& x = view.in(0);
    const std::int64_t groups = view.op.type == "InstanceNormalization" ? (x.size() > 1 ? x[1] : 1)
                                                                        : view.op.intAttribute("num_groups", view.op.intAttribute("groups", 1));
    plan.sides = {statistics(view, {2, (x.empty() ? 1 : x[0]) * groups})};
    plan.flops = 4 * static_cast<double>(view.inCount(0));
}

/// The residual sum is an output of its own or lost; backward needs it, so it is kept as a side output.
void skipNormalization(const OpView& view, OpPlan& plan)
{
    SideOutput sum;
    sum.suffix = "sum";
    sum.type = view.type();
    sum.shape = view.in(0);
    sum.inputs = {0, 1};
    sum.flops = static_cast<double>(view.inCount(0));
    SideOutput stats = statistics(view, {2, view.inCount(0) / std::max<std::int64_t>(1, view.in(0).empty() ? 1 : view.in(0).back())});
    stats.inputs = {};
    stats.sides = {0};
    plan.sides = {sum, stats};
    plan.flops = 4 * static_cast<double>(view.inCount(0));
    plan.mainIgnoresInputs = true;
    plan.outputFromSide = {{1, 1}, {2, 1}, {3, 0}};
}

}  // namespace

void addNormalizationRules(RuleTable& table)
{
    using enum OpClass;
    const OpRule rows[] = {
        {"BatchNormalization", Norm, 4, 5, "0:i0,i1,s0;1:i0,s0;2:", batchNormalization},
        {"LayerNormalization", Norm, 8, 8, "0:i0,i1,s0;1:i0,s0;2:", layerNormalization},
        {"RMSNormalization", Norm, 6, 6, "0:i0,i1,s0;1:i0,s0", layerNormalization},
        {"SimplifiedLayerNormalization", Norm, 6, 6, "0:i0,i1,s0;1:i0,s0", layerNormalization},
        {"InstanceNormalization", Norm, 8, 8, "0:i0,i1,s0;1:i0,s0;2:", instanceNormalization},
        {"GroupNormalization", Norm, 8, 8, "0:i0,i1,s0;1:i0,s0;2:", instanceNormalization},
        {"GroupNorm", Norm, 8, 8, "0:i0,i1,s0;1:i0,s0;2:", instanceNormalization},
        {"SkipLayerNormalization", Norm, 9, 8, "0:i2,s0,s1;1:i2,s0,s1;2:s0,s1;3:;4:", skipNormalization},
        {"SkipSimplifiedLayerNormalization", Norm, 7, 7, "0:i2,s0,s1;1:i2,s0,s1;2:s0,s1;3:", skipNormalization},
        {"LRN", Norm, 12, 15, "0:i0,o0"},
        {"LpNormalization", Norm, 4, 5, "0:i0,o0"},
        {"MeanVarianceNormalization", Norm, 8, 8, "0:i0,o0"},
    };
    for (const OpRule& row : rows)
        table.emplace(row.op, row);
}

}  // namespace poet::training

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/training/rules/rule.h"
#include "core/training/rules/sides.h"

#include <algorithm>

namespace poet::training {

namespace {

double windowElements(const ForwardOp& op)
{
    return static_cast<double>(elementCount(op.intsAttribute("kernel_shape")));
}

void averagePool(const OpView& view, OpPlan& plan)
{
    plan.flops = static_cast<double>(view.outCount()) * windowElements(view.op);
    plan.slots[0].flops = plan.flops;
    plan.key = "x=" + shapeText(view.in(0)) + " k=" + listText(view.op.intsAttribute("kernel_shape")) + " s=" +
               listText(view.op.intsAttribute("strides")) + " p=" + listText(view.op.intsAttribute("pads"));
    holdInput(view, plan);
}

/// Backward scatters by the indices of the largest elements (8 bytes each, as frameworks keep them).
void maxPool(const OpView& view, OpPlan& plan)
{
    averagePool(view, plan);
    plan.sides = {selectedIndices(view, plan.flops)};
    plan.flops = static_cast<double>(view.outCount());
    plan.slots[0].flops = static_cast<double>(view.outCount());
}

void globalMaxPool(const OpView& view, OpPlan& plan)
{
    plan.flops = static_cast<double>(view.inCount(0));
    plan.sides = {selectedIndices(view, plan.flops)};
    plan.flops = static_cast<double>(view.outCount());
    plan.slots[0].flops = static_cast<double>(view.inCount(0));
    holdInput(view, plan);
}

void globalAverage(const OpView& view, OpPlan& plan)
{
    plan.flops = static_cast<double>(view.inCount(0));
    plan.slots[0].flops = static_cast<double>(view.inCount(0));
    holdInput(view, plan);
}

}  // namespace

void addPoolingRules(RuleTable& table)
{
    const OpRule rows[] = {
        {"MaxPool", OpClass::Pool, 0, 0, "0:s0", maxPool},
        {"GlobalMaxPool", OpClass::Pool, 0, 0, "0:s0", globalMaxPool},
        {"AveragePool", OpClass::Pool, 0, 0, "0:", averagePool},
        {"GlobalAveragePool", OpClass::Pool, 0, 0, "0:", globalAverage},
        {"LpPool", OpClass::Pool, 0, 0, "0:i0,o0", averagePool},
        {"GlobalLpPool", OpClass::Pool, 0, 0, "0:i0,o0", globalAverage},
        {"MaxUnpool", OpClass::Pool, 1, 1, "0:i1"},
        {"RoiAlign", OpClass::Pool, 8, 8, "0:i1,i2"},
        {"MaxRoiPool", OpClass::Pool, 4, 2, "0:i0,i1,o0"},
    };
    for (const OpRule& row : rows)
        table.emplace(row.op, row);
}

}  // namespace poet::training

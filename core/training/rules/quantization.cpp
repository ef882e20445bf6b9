// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/training/rules/rule.h"

namespace poet::training {

namespace {

/// Integer arithmetic has no gradient; its work is counted like that of the floating-point operator.
void integerConv(const OpView& view, OpPlan& plan)
{
    const Shape& weight = view.in(view.op.type == "QLinearConv" ? 3 : 1);
    if (!weight.empty() && weight[0] > 0)
        plan.macs = static_cast<double>(view.outCount()) * static_cast<double>(elementCount(weight) / weight[0]);
    plan.flops = 2 * plan.macs;
}

void integerMatMul(const OpView& view, OpPlan& plan)
{
    plan.macs = static_cast<double>(view.outCount()) * static_cast<double>(view.in(0).empty() ? 1 : view.in(0).back());
    plan.flops = 2 * plan.macs;
}

/// Outputs beside the first are two scalars.
void dynamic(const OpView& view, OpPlan& plan)
{
    plan.flops = 4.0 * static_cast<double>(view.inCount(0));
}

}  // namespace

void addQuantizationRules(RuleTable& table)
{
    using enum OpClass;
    const OpRule rows[] = {
        // Straight-through estimator, as quantisation-aware training uses it.
        {"QuantizeLinear", Elementwise, 3, 1, "0:="},
        {"DequantizeLinear", Elementwise, 2, 1, "0:="},
        {"DynamicQuantizeLinear", Elementwise, 4, 1, "0:=", dynamic},
        {"ConvInteger", Conv, 0, 0, "", integerConv},
        {"QLinearConv", Conv, 0, 0, "", integerConv},
        {"MatMulInteger", Gemm, 0, 0, "", integerMatMul},
        {"QLinearMatMul", Gemm, 0, 0, "", integerMatMul},
    };
    for (const OpRule& row : rows)
        table.emplace(row.op, row);
}

}  // namespace poet::training

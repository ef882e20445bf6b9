// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/training/rules/rule.h"
#include "core/training/rules/sides.h"

#include <algorithm>

namespace poet::training {

namespace {

/// Attributes of the canonical key, as in measured rows (devices.md, section 4).
std::string windowKey(const ForwardOp& op)
{
    return " s=" + listText(op.intsAttribute("strides")) + " p=" + listText(op.intsAttribute("pads")) +
           " d=" + listText(op.intsAttribute("dilations")) + " g=" + std::to_string(op.intAttribute("group", 1));
}

/// 2 FLOP a multiply-accumulate: output elements x input channels of a group x kernel; a convolution's data gradient and
/// weight gradient cost as much as its forward each.
void fillCosts(OpPlan& plan, double macs, double outputs, bool hasBias)
{
    plan.macs = macs;
    plan.flops = 2 * macs + (hasBias ? outputs : 0);
    for (std::size_t slot = 0; slot < plan.slots.size(); ++slot) {
        plan.slots[slot].macs = slot < 2 ? macs : 0;
        plan.slots[slot].flops = slot < 2 ? 2 * macs : outputs;
    }
}

void conv(const OpView& view, OpPlan& plan)
{
    const Shape& weight = view.in(1);
    const double perOutput = static_cast<double>(elementCount(weight)) / static_cast<double>(std::max<std::int64_t>(1, weight[0]));
    const auto outputs = static_cast<double>(view.outCount());
    fillCosts(plan, outputs * perOutput, outputs, view.hasInput(2));
    plan.key = "x=" + shapeText(view.in(0)) + " w=" + shapeText(weight) + windowKey(view.op);
    holdInput(view, plan);
    const std::int64_t group = view.op.intAttribute("group", 1);
    if (group > 1 && weight[1] == 1)
        plan.opClass = OpClass::Depthwise;
}

/// Every input element meets its group's output channels and the kernel.
void convTranspose(const OpView& view, OpPlan& plan)
{
    const Shape& weight = view.in(1);
    const double perInput = static_cast<double>(elementCount(weight)) / static_cast<double>(std::max<std::int64_t>(1, weight[0]));
    fillCosts(plan, static_cast<double>(view.inCount(0)) * perInput, static_cast<double>(view.outCount()), view.hasInput(2));
    plan.key = "x=" + shapeText(view.in(0)) + " w=" + shapeText(weight) + windowKey(view.op);
    holdInput(view, plan);
}

}  // namespace

void addConvolutionRules(RuleTable& table)
{
    using enum OpClass;
    const OpRule rows[] = {
        {"Conv", Conv, 0, 0, "0:i1;1:i0;2:", conv},
        // com.microsoft: with the activation that follows, whose gradient reads the output; the fourth input is added before it.
        {"FusedConv", Conv, 0, 0, "0:i1,o0;1:i0,o0;2:o0;3:o0", conv},
        {"ConvTranspose", Conv, 0, 0, "0:i1;1:i0;2:", convTranspose},
        {"DeformConv", Conv, 20, 20, "0:i1,i2,i4;1:i0,i2,i4;2:i0,i1,i4;3:;4:i0,i1,i2"},
    };
    for (const OpRule& row : rows)
        table.emplace(row.op, row);
}

}  // namespace poet::training

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/training/rules/rule.h"

namespace poet::training {

namespace {

SideOutput perStep(const OpView& view, std::string suffix, std::int64_t width, double flops)
{
    // Y is sequence x directions x batch x hidden, or batch first; the last dimension is the hidden size.
    SideOutput side;
    side.suffix = std::move(suffix);
    side.type = view.type();
    side.shape = view.out();
    if (!side.shape.empty())
        side.shape.back() = width;
    side.flops = flops;
    for (const int slot : {0, 5, 6})
        if (view.hasInput(static_cast<std::size_t>(slot)))
            side.inputs.push_back(slot);
    return side;
}

/// One pass over the sequence yields everything, so all gradients read the same: input, output, gates and cells.
void recurrent(const OpView& view, OpPlan& plan)
{
    const bool isLstm = view.op.type == "LSTM";
    const std::int64_t gates = isLstm ? 4 : view.op.type == "GRU" ? 4 : 1;
    const std::int64_t weights = isLstm ? 4 : view.op.type == "GRU" ? 3 : 1;
    const std::int64_t hidden = view.op.intAttribute("hidden_size", 1);
    const auto inputSize = static_cast<double>(view.in(0).empty() ? 1 : view.in(0).back());
    if (view.op.output(0) == kNoValue) {
        plan.treatment = Treatment::Conservative;
        return;
    }
    const double rows = static_cast<double>(view.outCount()) / static_cast<double>(hidden);
    const double macs = rows * static_cast<double>(weights * hidden) * (inputSize + static_cast<double>(hidden));
    const double pointwise = static_cast<double>(view.outCount()) * 4 * static_cast<double>(gates);
    plan.key = "x=" + shapeText(view.in(0)) + " h=" + std::to_string(hidden) + " dir=" + view.op.textAttribute("direction", "forward");
    plan.flops = 2 * macs + pointwise;
    plan.macs = macs;
    SlotGradient all;
    all.kind = SlotGradient::Kind::Compute;
    all.inputs = {0, 1, 2};
    all.outputs = {0};
    if (gates > 1) {
        // The gates' pass does the work; what follows only applies them.
        plan.sides.push_back(perStep(view, "gates", gates * hidden, plan.flops));
        plan.sides.back().macs = macs;
        plan.macs = 0;
        all.sides.push_back(0);
        plan.flops = pointwise;
    }
    if (isLstm) {
        plan.sides.push_back(perStep(view, "cells", hidden, pointwise));
        plan.sides.back().sides = {0};
        all.sides.push_back(1);
    }
    plan.outputFromSide[1] = -1;
    if (isLstm)
        plan.outputFromSide[2] = 1;
    for (const std::size_t slot : {5U, 6U}) {
        if (view.hasInput(slot))
            all.inputs.push_back(static_cast<int>(slot));
    }
    for (std::size_t slot = 0; slot < plan.slots.size(); ++slot) {
        if (slot == 4)
            continue;
        plan.slots[slot] = all;
        plan.slots[slot].macs = slot <= 2 ? macs * (slot == 0 ? 1.0 : 0.5) : 0;
        plan.slots[slot].flops = slot <= 2 ? 2 * macs * (slot == 0 ? 1.0 : 0.5) : pointwise;
    }
}

}  // namespace

void addRecurrentRules(RuleTable& table)
{
    using enum OpClass;
    const OpRule rows[] = {
        {"LSTM", Gemm, 0, 0, "", recurrent},
        {"GRU", Gemm, 0, 0, "", recurrent},
        {"RNN", Gemm, 0, 0, "", recurrent},
    };
    for (const OpRule& row : rows)
        table.emplace(row.op, row);
}

}  // namespace poet::training

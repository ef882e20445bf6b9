// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/training/rules/rule.h"

#include <algorithm>

namespace poet::training {

namespace {

/// One tensor that the pass over the sequence leaves for backward: `width` numbers a step and hidden unit.
struct Kept {
    std::string_view suffix;
    std::int64_t width;
};

/// Lean: the gates (of a GRU with the candidate's hidden part), and an LSTM's cells. PyTorch 1.13 on a CPU runs the cell
/// step by step (aten/src/ATen/native/RNN.cpp): it keeps tanh of the cells, the operands of in-place products, and each
/// step's state beside the stacked output.
std::vector<Kept> keptBy(const OpView& view)
{
    const bool isLstm = view.op.type == "LSTM";
    if (!view.keepsLikePyTorch())
        return isLstm ? std::vector<Kept>{{"gates", 4}, {"cells", 1}} : view.op.type == "GRU" ? std::vector<Kept>{{"gates", 4}} : std::vector<Kept>{};
    if (isLstm)
        return {{"gates", 4}, {"cells", 1}, {"tanh", 1}, {"states", 1}};
    if (view.op.type == "GRU")
        return {{"gates", 3}, {"hidden", 1}, {"candidates", 1}, {"difference", 1}, {"states", 1}};
    return {{"states", 1}};
}

SideOutput perStep(const OpView& view, const Kept& kept, std::int64_t hidden, double flops)
{
    // Y is sequence x directions x batch x hidden, or batch first; the last dimension is the hidden size.
    SideOutput side;
    side.suffix = kept.suffix;
    side.type = view.type();
    side.shape = view.out();
    if (!side.shape.empty())
        side.shape.back() = kept.width * hidden;
    side.flops = flops;
    for (const int slot : {0, 5, 6})
        if (view.hasInput(static_cast<std::size_t>(slot)))
            side.inputs.push_back(slot);
    return side;
}

/// The first side's pass does the work; what follows only applies or copies it.
void addKept(const OpView& view, OpPlan& plan, std::int64_t hidden, double pointwise)
{
    for (const Kept& kept : keptBy(view)) {
        const bool isFirst = plan.sides.empty();
        plan.sides.push_back(perStep(view, kept, hidden, isFirst ? plan.flops : pointwise));
        plan.sides.back().readsWeights = isFirst;
        if (isFirst)
            plan.sides.back().macs = plan.macs;
        else
            plan.sides.back().sides = {0};
    }
    if (plan.sides.empty())
        return;
    plan.macs = 0;
    plan.flops = pointwise;
}

/// What PyTorch holds for a while at the start of backward: the sum of the recurrent weights' gradients so far, a step's
/// own, and the new sum; the input has no gradient by then. Its share of the input products in forward counts as scratch of
/// the kernel, as in the measured peaks.
void addWorkspace(const OpView& view, OpPlan& plan)
{
    if (!view.keepsLikePyTorch() || view.in(2).empty() || view.in(2)[0] <= 0)
        return;
    const std::int64_t numbers = 3 * view.inCount(2) / view.in(2)[0] - view.inCount(0);
    plan.backwardWorkspaceBytes = std::max<std::int64_t>(0, numbers) * elementBytes(view.type());
}

/// One pass over the sequence yields everything, so all gradients read the same: input, output, gates and cells.
void recurrent(const OpView& view, OpPlan& plan)
{
    const bool isLstm = view.op.type == "LSTM";
    const std::int64_t gates = isLstm || view.op.type == "GRU" ? 4 : 1;
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
    addKept(view, plan, hidden, pointwise);
    addWorkspace(view, plan);
    plan.outputFromSide[1] = -1;
    if (isLstm)
        plan.outputFromSide[2] = 1;
    SlotGradient all;
    all.kind = SlotGradient::Kind::Compute;
    all.inputs = {0, 1, 2};
    // PyTorch's steps read each step's own state, not the stacked output.
    if (!view.keepsLikePyTorch())
        all.outputs = {0};
    for (std::size_t side = 0; side < plan.sides.size(); ++side)
        all.sides.push_back(static_cast<int>(side));
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

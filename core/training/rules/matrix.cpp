// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/training/rules/rule.h"

#include <algorithm>
#include <set>

namespace poet::training {

namespace {

/// A is (rows x K) with rows all dimensions but its last, or K x rows with transA.
void gemm(const OpView& view, OpPlan& plan)
{
    const Shape& b = view.in(1);
    const bool transB = view.op.intAttribute("transB", 0) != 0;
    const double depth = static_cast<double>(b.size() == 2 ? b[transB ? 1 : 0] : 1);
    const auto outputs = static_cast<double>(view.outCount());
    plan.macs = outputs * depth;
    plan.flops = 2 * plan.macs + (view.hasInput(2) ? outputs : 0);
    for (std::size_t slot = 0; slot < plan.slots.size(); ++slot) {
        plan.slots[slot].macs = slot < 2 ? plan.macs : 0;
        plan.slots[slot].flops = slot < 2 ? 2 * plan.macs : outputs;
    }
    plan.key = "x=" + shapeText(view.in(0)) + " w=" + shapeText(b) + " ta=" + std::to_string(view.op.intAttribute("transA", 0)) +
               " tb=" + std::to_string(transB);
}

void matMul(const OpView& view, OpPlan& plan)
{
    const Shape& a = view.in(0);
    const bool transA = view.op.intAttribute("transA", 0) != 0 && a.size() > 1;
    const double depth = static_cast<double>(a.empty() ? 1 : transA ? a[a.size() - 2] : a.back());
    const double macs = depth * static_cast<double>(view.outCount());
    plan.macs = macs;
    plan.flops = 2 * macs;
    for (SlotGradient& slot : plan.slots) {
        slot.macs = macs;
        slot.flops = 2 * macs;
    }
    plan.key = "x=" + shapeText(a) + " y=" + shapeText(view.in(1));
}

/// Work is the product of all distinct letters' sizes; every gradient reads all other inputs.
void einsum(const OpView& view, OpPlan& plan)
{
    const std::string equation = view.op.textAttribute("equation", "");
    std::set<char> seen;
    double macs = 1;
    std::size_t slot = 0, position = 0;
    for (const char letter : equation.substr(0, equation.find("->"))) {
        if (letter == ',') {
            ++slot;
            position = 0;
        } else if (letter != ' ' && letter != '.' && slot < view.op.inputs.size() && position < view.in(slot).size()) {
            const auto size = static_cast<double>(view.in(slot)[position++]);
            macs *= seen.insert(letter).second ? size : 1;
        }
    }
    // One operand alone is rearranged and summed, not multiplied.
    const bool isProduct = view.op.inputs.size() > 1;
    plan.macs = isProduct ? std::max(macs, static_cast<double>(view.outCount())) : 0;
    plan.flops = isProduct ? 2 * plan.macs : macs;
    plan.key += " eq=" + equation;
    plan.slots.assign(view.op.inputs.size(), {});
    for (std::size_t own = 0; own < plan.slots.size(); ++own) {
        plan.slots[own].kind = SlotGradient::Kind::Compute;
        plan.slots[own].macs = plan.macs;
        plan.slots[own].flops = plan.flops;
        for (std::size_t other = 0; other < plan.slots.size(); ++other)
            if (other != own)
                plan.slots[own].inputs.push_back(static_cast<int>(other));
    }
}

void det(const OpView& view, OpPlan& plan)
{
    const Shape& x = view.in(0);
    const double n = static_cast<double>(x.empty() ? 1 : x.back());
    plan.flops = static_cast<double>(view.outCount()) * n * n * n;
    plan.slots[0].flops = 2 * plan.flops;
}

}  // namespace

void addMatrixRules(RuleTable& table)
{
    const OpRule rows[] = {
        {"Gemm", OpClass::Gemm, 0, 0, "0:i1;1:i0;2:", gemm},
        {"MatMul", OpClass::Gemm, 0, 0, "0:i1;1:i0", matMul},
        {"Einsum", OpClass::Gemm, 0, 0, "", einsum},
        {"Det", OpClass::Gemm, 0, 0, "0:i0,o0", det},
        {"FusedMatMul", OpClass::Gemm, 0, 0, "0:i1;1:i0", matMul},
        {"FusedGemm", OpClass::Gemm, 0, 0, "0:i1,o0;1:i0,o0;2:o0", gemm},
        {"DFT", OpClass::Other, 40, 40, "0:"},
        {"STFT", OpClass::Other, 40, 40, "0:i2;2:i0"},
        {"MelWeightMatrix", OpClass::Other, 4, 0, ""},
    };
    for (const OpRule& row : rows)
        table.emplace(row.op, row);
}

}  // namespace poet::training

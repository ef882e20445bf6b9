// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/training/rules/rule.h"

namespace poet::training {

namespace {

/// The power of a constant exponent needs the base only; a trained exponent needs base and result.
void pow(const OpView& view, OpPlan& plan)
{
    if (plan.slots.size() < 2)
        return;
    const auto& exponent = view.graph.value(view.op.inputs[1]);
    if (exponent.constant && exponent.constant->size() == 1) {
        const double power = exponent.constant->floats.empty() ? static_cast<double>(exponent.constant->ints[0]) : exponent.constant->floats[0];
        if (power == 1 || power == 0)
            plan.slots[0].inputs.clear();
    }
}

/// A cast to the same type shares memory; between floating types the gradient is cast back.
void cast(const OpView& view, OpPlan& plan)
{
    if (view.graph.value(view.op.inputs[0]).type == view.graph.value(view.op.outputs[0]).type)
        plan.treatment = Treatment::View;
}

/// Several inputs: the largest wins; each gradient reads all inputs to know which.
void selectAmong(const OpView& view, OpPlan& plan)
{
    if (view.op.inputs.size() == 1) {
        plan.treatment = Treatment::View;
        plan.slots[0].kind = SlotGradient::Kind::Alias;
        return;
    }
    for (SlotGradient& slot : plan.slots) {
        slot.inputs.clear();
        for (std::size_t other = 0; other < view.op.inputs.size(); ++other)
            slot.inputs.push_back(static_cast<int>(other));
    }
}

}  // namespace

void addArithmeticRules(RuleTable& table)
{
    using enum OpClass;
    const OpRule rows[] = {
        {"Add", Elementwise, 1, 1, "*:="},
        {"Sum", Elementwise, 1, 1, "*:="},
        {"Sub", Elementwise, 1, 1, "0:=;1:"},
        {"Mean", Elementwise, 1, 1, "*:"},
        {"Mul", Elementwise, 1, 1, "0:i1;1:i0"},
        {"Div", Elementwise, 1, 2, "0:i1;1:i0,i1"},
        {"Pow", Elementwise, 10, 12, "0:i0,i1;1:i0,o0", pow},
        {"Max", Elementwise, 1, 1, "*:", selectAmong},
        {"Min", Elementwise, 1, 1, "*:", selectAmong},
        {"Mod", Elementwise, 3, 1, "0:="},
        {"Where", Elementwise, 1, 1, "1:i0;2:i0"},
        {"Neg", Elementwise, 1, 1, "0:"},
        {"Abs", Elementwise, 1, 2, "0:i0"},
        {"Exp", Elementwise, 4, 1, "0:o0"},
        {"Log", Elementwise, 4, 1, "0:i0"},
        {"Sqrt", Elementwise, 2, 2, "0:o0"},
        {"Reciprocal", Elementwise, 1, 3, "0:o0"},
        {"Erf", Elementwise, 6, 5, "0:i0"},
        {"Sin", Elementwise, 4, 5, "0:i0"},
        {"Cos", Elementwise, 4, 5, "0:i0"},
        {"Tan", Elementwise, 5, 3, "0:o0"},
        {"Asin", Elementwise, 5, 4, "0:i0"},
        {"Acos", Elementwise, 5, 4, "0:i0"},
        {"Atan", Elementwise, 5, 3, "0:i0"},
        {"Sinh", Elementwise, 5, 5, "0:i0"},
        {"Cosh", Elementwise, 5, 5, "0:i0"},
        {"Asinh", Elementwise, 6, 4, "0:i0"},
        {"Acosh", Elementwise, 6, 4, "0:i0"},
        {"Atanh", Elementwise, 6, 3, "0:i0"},
        {"Floor", Elementwise, 1, 0, ""},
        {"Ceil", Elementwise, 1, 0, ""},
        {"Round", Elementwise, 1, 0, ""},
        {"Sign", Elementwise, 1, 0, ""},
        {"Not", Elementwise, 1, 0, ""},
        {"And", Elementwise, 1, 0, ""},
        {"Or", Elementwise, 1, 0, ""},
        {"Xor", Elementwise, 1, 0, ""},
        {"Equal", Elementwise, 1, 0, ""},
        {"Greater", Elementwise, 1, 0, ""},
        {"GreaterOrEqual", Elementwise, 1, 0, ""},
        {"Less", Elementwise, 1, 0, ""},
        {"LessOrEqual", Elementwise, 1, 0, ""},
        {"IsInf", Elementwise, 1, 0, ""},
        {"IsNaN", Elementwise, 1, 0, ""},
        {"BitShift", Elementwise, 1, 0, ""},
        {"BitwiseAnd", Elementwise, 1, 0, ""},
        {"BitwiseOr", Elementwise, 1, 0, ""},
        {"BitwiseXor", Elementwise, 1, 0, ""},
        {"BitwiseNot", Elementwise, 1, 0, ""},
        {"Cast", Copy, 1, 1, "0:", cast},
        {"CastLike", Copy, 1, 1, "0:", cast},
        {"Identity", Copy, 0, 0, "0:=", nullptr, Treatment::View},
    };
    for (const OpRule& row : rows)
        table.emplace(row.op, row);
}

}  // namespace poet::training

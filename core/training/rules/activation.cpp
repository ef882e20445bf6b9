// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/training/rules/rule.h"

namespace poet::training {

namespace {

void softmaxAxis(const OpView& view, OpPlan& plan)
{
    plan.key += " axis=" + std::to_string(view.op.intAttribute("axis", -1));
}

/// A bound that is an input of its own; those with constant bounds are attributes by now.
void clip(const OpView& view, OpPlan& plan)
{
    for (std::size_t slot = 1; slot < view.op.inputs.size(); ++slot)
        plan.slots[slot].kind = SlotGradient::Kind::None;
}

}  // namespace

void addActivationRules(RuleTable& table)
{
    using enum OpClass;
    const OpRule rows[] = {
        // Backward from their own output.
        {"Relu", Elementwise, 1, 1, "0:o0"},
        {"Sigmoid", Elementwise, 4, 3, "0:o0"},
        {"Tanh", Elementwise, 5, 3, "0:o0"},
        {"Softmax", Softmax, 5, 4, "0:o0", softmaxAxis},
        {"LogSoftmax", Softmax, 5, 4, "0:o0", softmaxAxis},
        // Backward from their input.
        {"LeakyRelu", Elementwise, 2, 2, "0:i0"},
        {"ThresholdedRelu", Elementwise, 1, 1, "0:i0"},
        {"PRelu", Elementwise, 2, 2, "0:i0,i1;1:i0"},
        {"Elu", Elementwise, 5, 5, "0:i0"},
        {"Celu", Elementwise, 6, 6, "0:i0"},
        {"Selu", Elementwise, 6, 6, "0:i0"},
        {"Gelu", Elementwise, 8, 12, "0:i0"},
        {"FastGelu", Elementwise, 8, 12, "0:i0"},
        {"BiasGelu", Elementwise, 9, 13, "0:i0,i1;1:i0,i1"},
        {"QuickGelu", Elementwise, 6, 8, "0:i0"},
        {"Silu", Elementwise, 5, 7, "0:i0"},
        {"Swish", Elementwise, 5, 7, "0:i0"},
        {"Mish", Elementwise, 9, 12, "0:i0"},
        {"Softplus", Elementwise, 5, 5, "0:i0"},
        {"Softsign", Elementwise, 3, 4, "0:i0"},
        {"HardSwish", Elementwise, 4, 4, "0:i0"},
        {"HardSigmoid", Elementwise, 3, 2, "0:i0"},
        {"Clip", Elementwise, 2, 2, "0:i0", clip},
        {"Shrink", Elementwise, 2, 1, "0:i0"},
        {"Hardmax", Softmax, 2, 0, ""},
    };
    for (const OpRule& row : rows)
        table.emplace(row.op, row);
}

}  // namespace poet::training

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/training/rules/rule.h"

namespace poet::training {

namespace {

/// In evaluation mode, or at ratio 0, the input itself; in training a mask of one byte an element. It is a function of seed,
/// step, node and element (firmware.md), so it may be made again; PyTorch draws from a generator that has moved on.
void dropout(const OpView& view, OpPlan& plan)
{
    if (view.op.intAttribute("training_mode", 0) == 0 || view.op.floatAttribute("ratio", 0.5) == 0) {
        plan.treatment = Treatment::View;
        plan.slots[0] = {};
        plan.slots[0].kind = SlotGradient::Kind::Alias;
        return;
    }
    SideOutput mask;
    mask.suffix = "mask";
    // On a CPU, PyTorch multiplies by numbers: 0, or what makes up for the dropped ones.
    mask.type = view.keepsLikePyTorch() ? view.type() : ElementType::Bool;
    mask.shape = view.out();
    mask.maskElements = view.outCount();
    mask.flops = 4.0 * static_cast<double>(view.outCount());
    mask.isDeterministic = !view.keepsLikePyTorch();
    // What may run again has an input, although nothing but its shape matters here.
    mask.inputs = {0};
    mask.readsContent = false;
    plan.sides = {mask};
    plan.outputFromSide = {{1, 0}};
}

void notRepeatable(const OpView&, OpPlan& plan)
{
    plan.isDeterministic = false;
}

}  // namespace

void addRandomRules(RuleTable& table)
{
    using enum OpClass;
    const OpRule rows[] = {
        {"Dropout", Elementwise, 2, 2, "0:s0", dropout},
        {"RandomNormal", Elementwise, 10, 0, "", notRepeatable},
        {"RandomNormalLike", Elementwise, 10, 0, "", notRepeatable},
        {"RandomUniform", Elementwise, 5, 0, "", notRepeatable},
        {"RandomUniformLike", Elementwise, 5, 0, "", notRepeatable},
        {"Bernoulli", Elementwise, 5, 0, "", notRepeatable},
        {"Multinomial", Elementwise, 10, 0, "", notRepeatable},
    };
    for (const OpRule& row : rows)
        table.emplace(row.op, row);
}

}  // namespace poet::training

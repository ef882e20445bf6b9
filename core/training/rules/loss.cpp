// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/training/rules/rule.h"
#include "core/training/rules/sides.h"

namespace poet::training {

namespace {

/// A loss inside the model: its log-probabilities are kept for backward.
void softmaxCrossEntropy(const OpView& view, OpPlan& plan)
{
    SideOutput logs;
    logs.suffix = "log_prob";
    logs.type = view.type();
    logs.shape = view.in(0);
    logs.inputs = {0};
    logs.flops = 5.0 * static_cast<double>(view.inCount(0));
    plan.sides = {logs};
    plan.outputFromSide = {{1, 0}};
    plan.flops = static_cast<double>(view.inCount(1));
    plan.slots[0].flops = 2.0 * static_cast<double>(view.inCount(0));
}

void negativeLogLikelihood(const OpView& view, OpPlan& plan)
{
    plan.flops = static_cast<double>(view.inCount(1));
    plan.slots[0].flops = static_cast<double>(view.inCount(0));
    holdInput(view, plan);
}

}  // namespace

void addLossRules(RuleTable& table)
{
    const OpRule rows[] = {
        {"SoftmaxCrossEntropyLoss", OpClass::Softmax, 0, 0, "0:i1,s0", softmaxCrossEntropy},
        {"NegativeLogLikelihoodLoss", OpClass::Reduce, 0, 0, "0:i1", negativeLogLikelihood},
    };
    for (const OpRule& row : rows)
        table.emplace(row.op, row);
}

}  // namespace poet::training

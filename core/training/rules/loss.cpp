// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/training/rules/rule.h"
#include "core/training/rules/sides.h"

namespace poet::training {

namespace {

/// Weights of the classes scale each sample's gradient, so backward reads them too.
void readClassWeights(const OpView& view, OpPlan& plan)
{
    if (view.hasInput(2))
        plan.slots[0].inputs.push_back(2);
}

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
    readClassWeights(view, plan);
}

void negativeLogLikelihood(const OpView& view, OpPlan& plan)
{
    plan.flops = static_cast<double>(view.inCount(1));
    plan.slots[0].flops = static_cast<double>(view.inCount(0));
    readClassWeights(view, plan);
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

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/training/rules/rule.h"
#include "core/training/rules/sides.h"

namespace poet::training {

namespace {

/// Work is by input element; the gradient is spread back over the input.
void reduce(const OpView& view, OpPlan& plan)
{
    plan.flops = static_cast<double>(view.inCount(0));
    for (SlotGradient& slot : plan.slots)
        slot.flops = static_cast<double>(view.inCount(0)) * plan.backwardRate;
    if (view.op.type == "ReduceMean")
        holdInput(view, plan);
    plan.key += " axes=" + listText(view.op.intsAttribute("axes"));
}

}  // namespace

void addReductionRules(RuleTable& table)
{
    using enum OpClass;
    const OpRule rows[] = {
        {"ReduceSum", Reduce, 1, 1, "0:", reduce},
        {"ReduceMean", Reduce, 1, 1, "0:", reduce},
        {"ReduceMax", Reduce, 1, 2, "0:i0,o0", reduce},
        {"ReduceMin", Reduce, 1, 2, "0:i0,o0", reduce},
        {"ReduceProd", Reduce, 1, 2, "0:i0,o0", reduce},
        {"ReduceL1", Reduce, 1, 2, "0:i0", reduce},
        {"ReduceL2", Reduce, 2, 2, "0:i0,o0", reduce},
        {"ReduceLogSum", Reduce, 1, 2, "0:o0", reduce},
        {"ReduceLogSumExp", Reduce, 5, 5, "0:i0,o0", reduce},
        {"ReduceSumSquare", Reduce, 2, 2, "0:i0", reduce},
        {"ArgMax", Reduce, 1, 0, "", reduce},
        {"ArgMin", Reduce, 1, 0, "", reduce},
    };
    for (const OpRule& row : rows)
        table.emplace(row.op, row);
}

}  // namespace poet::training

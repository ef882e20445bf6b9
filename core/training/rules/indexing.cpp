// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/training/rules/rule.h"
#include "core/training/rules/sides.h"

#include <algorithm>
#include <cmath>

namespace poet::training {

namespace {

void gather(const OpView& view, OpPlan& plan)
{
    plan.key += " axis=" + std::to_string(view.op.intAttribute("axis", 0));
    plan.slots[0].flops = static_cast<double>(view.outCount());
    if (view.op.type == "GatherElements")
        holdInput(view, plan);
    // One constant index picks a slice: frameworks make a view that keeps the whole input.
    const auto& index = view.graph.value(view.op.inputs[1]);
    const bool isOne = index.constant && index.constant->ints.size() == 1 && index.shape.empty();
    if (view.op.type == "Gather" && isOne)
        makePart(view, plan);
}

/// A heap of k over every row.
void topK(const OpView& view, OpPlan& plan)
{
    const double k = static_cast<double>(std::max<std::int64_t>(2, view.op.intAttribute("k", 1)));
    plan.flops = static_cast<double>(view.inCount(0)) * std::log2(k);
    plan.sides = {selectedIndices(view, plan.flops)};
    plan.flops = static_cast<double>(view.outCount());
    plan.slots[0].flops = static_cast<double>(view.outCount());
    plan.outputFromSide = {{1, 0}};
}

}  // namespace

void addIndexingRules(RuleTable& table)
{
    using enum OpClass;
    const OpRule rows[] = {
        {"Gather", Embed, 0, 1, "0:i1", gather},
        {"GatherElements", Embed, 0, 1, "0:i1", gather},
        {"GatherND", Embed, 0, 1, "0:i1", gather},
        {"Scatter", Embed, 0, 1, "0:i1;2:i1"},
        {"ScatterElements", Embed, 0, 1, "0:i1;2:i1"},
        {"ScatterND", Embed, 0, 1, "0:i1;2:i1"},
        {"OneHot", Embed, 1, 0, ""},
        {"TopK", Reduce, 1, 1, "0:s0", topK},
        {"CumSum", Reduce, 1, 1, "0:"},
        {"ReverseSequence", Copy, 0, 0, "0:i1"},
        {"GridSample", Embed, 12, 20, "0:i1;1:i0,i1"},
        {"AffineGrid", Elementwise, 6, 6, "0:"},
        {"NonZero", Other, 1, 0, ""},
        {"Compress", Other, 0, 1, "0:i1"},
        {"Unique", Other, 4, 0, ""},
        {"NonMaxSuppression", Other, 4, 0, ""},
    };
    for (const OpRule& row : rows)
        table.emplace(row.op, row);
}

}  // namespace poet::training

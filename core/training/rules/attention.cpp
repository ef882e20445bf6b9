// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/training/rules/rule.h"

namespace poet::training {

namespace {

/// Sizes of one attention, in elements.
struct Extent {
    double queries = 1;  ///< batch x heads x query sequence
    double keys = 1;     ///< key sequence
    double width = 1;    ///< of one head
};

/// The logarithm of each row's sum: what backward needs beside the operands and the output. Source: Dao et al. 2022
/// (FlashAttention), which frameworks use for the fused operation; the scores are made again, not kept.
SideOutput rowSums(const OpView& view, const Extent& extent)
{
    SideOutput side;
    side.suffix = "statistics";
    side.shape = {static_cast<std::int64_t>(extent.queries)};
    side.flops = 2 * extent.queries * extent.keys * extent.width;
    for (std::size_t slot = 0; slot < std::min<std::size_t>(2, view.op.inputs.size()); ++slot)
        if (view.hasInput(slot))
            side.inputs.push_back(static_cast<int>(slot));
    return side;
}

/// Two products forward (scores, and scores by values), five backward with the scores made again.
void fillCosts(OpPlan& plan, const Extent& extent)
{
    const double macs = extent.queries * extent.keys * extent.width;
    plan.macs = 2 * macs;
    plan.flops = 4 * macs + 5 * extent.queries * extent.keys;
    for (std::size_t slot = 0; slot < std::min<std::size_t>(3, plan.slots.size()); ++slot) {
        plan.slots[slot].macs = 5 * macs / 3;
        plan.slots[slot].flops = 2 * plan.slots[slot].macs;
    }
}

/// com.microsoft.Attention: input, one weight for query, key and value, bias. The projections are kept.
void projected(const OpView& view, OpPlan& plan)
{
    const Shape& input = view.in(0);
    const Shape& weight = view.in(1);
    const double heads = static_cast<double>(std::max<std::int64_t>(1, view.op.intAttribute("num_heads", 1)));
    const auto rows = static_cast<double>(input[0] * input[1]);
    const Extent extent{static_cast<double>(input[0] * input[1]) * heads, static_cast<double>(input[1]),
                        static_cast<double>(view.out().back()) / heads};
    SideOutput projection;
    projection.suffix = "projections";
    projection.type = view.type();
    projection.shape = {input[0], input[1], weight[1]};
    projection.inputs = {0};
    projection.macs = rows * static_cast<double>(weight[0] * weight[1]);
    projection.flops = 2 * projection.macs;
    SideOutput sums = rowSums(view, extent);
    sums.inputs = {};
    sums.sides = {0};
    plan.sides = {projection, sums};
    plan.slots.assign(view.op.inputs.size(), {});
    fillCosts(plan, extent);
    for (std::size_t slot = 0; slot < std::min<std::size_t>(3, plan.slots.size()); ++slot) {
        plan.slots[slot].kind = SlotGradient::Kind::Compute;
        plan.slots[slot].inputs = slot == 0 ? std::vector<int>{1} : slot == 1 ? std::vector<int>{0} : std::vector<int>{};
        plan.slots[slot].outputs = {0};
        plan.slots[slot].sides = {0, 1};
        plan.slots[slot].macs += slot < 2 ? projection.macs : 0;
        plan.slots[slot].flops = 2 * plan.slots[slot].macs;
    }
    plan.mainIgnoresInputs = true;
}

void attention(const OpView& view, OpPlan& plan)
{
    if (view.op.type == "Attention" && !view.op.domain.empty())
        return projected(view, plan);
    const Shape& query = view.in(0);
    const Shape& key = view.in(1);
    const std::int64_t heads = view.op.intAttribute("q_num_heads", view.op.intAttribute("num_heads", 1));
    const bool isSplit = query.size() == 4;
    const auto number = [](std::int64_t n) { return static_cast<double>(std::max<std::int64_t>(1, n)); };
    const Extent extent = isSplit ? Extent{number(query[0] * query[1] * query[2]), number(key[2]), number(query[3])}
                                  : Extent{number(query[0] * heads * query[1]), number(key[1]), number(query[2]) / number(heads)};
    plan.sides = {rowSums(view, extent)};
    for (std::size_t slot = 3; slot < plan.slots.size(); ++slot)
        plan.slots[slot].kind = SlotGradient::Kind::None;
    fillCosts(plan, extent);
}

}  // namespace

void addAttentionRules(RuleTable& table)
{
    using enum OpClass;
    const OpRule rows[] = {
        {"Attention", Gemm, 0, 0, "*:i0,i1,i2,o0,s0", attention},
        {"MultiHeadAttention", Gemm, 0, 0, "*:i0,i1,i2,o0,s0", attention},
        {"GroupQueryAttention", Gemm, 0, 0, "*:i0,i1,i2,o0,s0", attention},
        {"RotaryEmbedding", Elementwise, 4, 4, "0:i1,i2,i3"},
    };
    for (const OpRule& row : rows)
        table.emplace(row.op, row);
}

}  // namespace poet::training

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/infer.h"

namespace poet::onnx {

namespace {

/// com.microsoft.Attention: input batch x sequence x width, one weight width x (q + k + v) for all three projections.
Expected<void> projectedAttention(InferContext& c)
{
    POET_CHECK(c.needInputs(2));
    const Shape input = c.shape(0);
    const Shape weight = c.shape(1);
    if (input.size() != 3 || weight.size() != 2)
        return c.broken("its input must have three dimensions and its weight two");
    const auto sizes = c.op().intsAttribute("qkv_hidden_sizes");
    const std::int64_t width = sizes.size() == 3 ? sizes[2] : weight[1] / 3;
    if (width < 0 || width > weight[1])
        return c.broken("its widths do not fit its weight");
    const std::int64_t heads = c.op().intAttribute("num_heads", 1);
    if (heads < 1 || width < heads)
        return c.broken("its heads do not fit its width");
    c.set(0, c.type(0), {input[0], input[1], width});
    c.set(1, c.type(0), {2, input[0], heads, input[1], width / heads});
    return {};
}

/// Attention of operator set 23: 4-D operands batch x heads x sequence x size, or 3-D ones with the heads side by side.
Expected<void> standardAttention(InferContext& c)
{
    POET_CHECK(c.needInputs(3));
    const Shape query = c.shape(0);
    const Shape value = c.shape(2);
    if (query.size() != value.size() || c.shape(1).size() != value.size() || (query.size() != 3 && query.size() != 4))
        return c.broken("its operands must have three or four dimensions");
    if (c.hasInput(4) || c.hasInput(5))
        return c.unknown("it goes on from keys and values of an earlier call");
    if (query.size() == 4) {
        c.set(0, c.type(0), {query[0], query[1], query[2], value[3]});
        c.set(1, c.type(1), c.shape(1));
        c.set(2, c.type(2), value);
        c.set(3, c.type(0), {query[0], query[1], query[2], value[2]});
        return {};
    }
    const std::int64_t heads = c.op().intAttribute("q_num_heads", 1);
    const std::int64_t shared = c.op().intAttribute("kv_num_heads", heads);
    if (heads < 1 || shared < 1 || value[2] % shared != 0 || query[2] % heads != 0 || heads > query[2])
        return c.broken("its heads do not fit its width");
    c.set(0, c.type(0), {query[0], query[1], heads * (value[2] / shared)});
    c.set(1, c.type(1), {c.shape(1)[0], shared, c.shape(1)[1], c.shape(1)[2] / shared});
    c.set(2, c.type(2), {value[0], shared, value[1], value[2] / shared});
    c.set(3, c.type(0), {query[0], heads, query[1], value[1]});
    return {};
}

Expected<void> attention(InferContext& c)
{
    return c.op().domain.empty() ? standardAttention(c) : projectedAttention(c);
}

/// com.microsoft.MultiHeadAttention and GroupQueryAttention on separate query, key and value, batch x sequence x width.
Expected<void> separateAttention(InferContext& c)
{
    POET_CHECK(c.needInputs(1));
    const Shape query = c.shape(0);
    if (query.size() != 3 || !c.hasInput(1) || !c.hasInput(2) || c.shape(2).size() != 3 || c.op().outputs.size() > 1)
        return c.unknown("its operands are packed, or it goes on from keys and values of an earlier call");
    const std::int64_t heads = c.op().intAttribute("num_heads", 1);
    if (heads < 1 || heads > query[2] || c.shape(1).size() != 3)
        return c.broken("its heads do not fit its width");
    const bool isGrouped = c.op().type == "GroupQueryAttention";
    c.set(0, c.type(0), {query[0], query[1], isGrouped ? query[2] : c.shape(2)[2]});
    return {};
}

Expected<void> rotary(InferContext& c)
{
    POET_CHECK(c.needInputs(3));
    c.set(0, c.type(0), c.shape(0));
    return {};
}

}  // namespace

void addAttentionRules(InferTable& table)
{
    table.emplace("Attention", attention);
    table.emplace("MultiHeadAttention", separateAttention);
    table.emplace("GroupQueryAttention", separateAttention);
    table.emplace("RotaryEmbedding", rotary);
}

}  // namespace poet::onnx

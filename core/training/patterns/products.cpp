// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/training/patterns/pattern.h"

#include <algorithm>

namespace poet::training {

namespace {

/// A weight as the right operand of a product, seen through a transpose of the stored weight.
struct Weight {
    ValueId value = kNoValue;
    bool isTransposed = false;
};

Weight weightOf(const ForwardGraph& graph, ValueId value)
{
    if (value == kNoValue || graph.value(value).kind != ValueKind::Parameter || graph.value(value).shape.size() != 2)
        return {};
    const int producer = graph.value(value).producer;
    if (producer >= 0) {
        const ForwardOp& op = graph.ops[static_cast<std::size_t>(producer)];
        if (op.type == "Transpose" && op.isWeightArithmetic && op.intsAttribute("perm") == std::vector<std::int64_t>{1, 0})
            return {op.inputs[0], true};
    }
    return {value, false};
}

Match linear(ValueId x, const Weight& weight, ValueId bias)
{
    Match match{"Gemm", {{"transB", std::int64_t{weight.isTransposed}}, {"transA", std::int64_t{0}}}, {x, weight.value}, ""};
    match.attributes["alpha"] = 1.0;
    match.attributes["beta"] = 1.0;
    if (bias != kNoValue)
        match.inputs.push_back(bias);
    match.note = weight.isTransposed ? "Weights transposed on the fly" : "Products by a weight, with their bias,";
    return match;
}

/// MatMul by a two-dimensional weight.
std::optional<std::pair<ValueId, Weight>> weightProduct(Matcher& m, ValueId value)
{
    const ForwardOp* product = m.made(value, "MatMul");
    if (!product || m.shape(product->inputs[0]).size() < 2 || m.isParameter(product->inputs[0]))
        return std::nullopt;
    const Weight weight = weightOf(m.graph(), product->inputs[1]);
    return weight.value == kNoValue ? std::nullopt : std::optional(std::pair(product->inputs[0], weight));
}

/// A bias of one number an output feature: N, or 1 x ... x N.
bool isBias(const Matcher& m, ValueId value, ValueId product)
{
    return m.isParameter(value) && !m.shape(value).empty() && !m.shape(product).empty() && m.shape(value).back() == m.shape(product).back() &&
           elementCount(m.shape(value)) == m.shape(value).back() && m.shape(value).size() <= m.shape(product).size();
}

}  // namespace

/// x * W^T + b, x * W + b, x * W^T, x * W; and Gemm by a weight that is transposed on the fly.
std::optional<Match> matchLinear(Matcher& m)
{
    const ForwardOp& root = m.root();
    if (root.type == "Add" && root.inputs.size() == 2) {
        const std::size_t mark = m.mark();
        for (std::size_t own = 0; own < 2; ++own) {
            m.forget(mark);
            if (!isBias(m, root.inputs[1 - own], root.inputs[own]))
                continue;
            if (const auto found = weightProduct(m, root.inputs[own]))
                return linear(found->first, found->second, root.inputs[1 - own]);
        }
    }
    if (root.type == "MatMul")
        if (const auto found = weightProduct(m, m.result()))
            return linear(found->first, found->second, kNoValue);
    if (root.type == "Gemm") {
        const Weight weight = weightOf(m.graph(), root.input(1));
        if (!weight.isTransposed)
            return std::nullopt;
        Match match{"Gemm", root.attributes, root.inputs, "Weights transposed on the fly"};
        match.inputs[1] = weight.value;
        match.attributes["transB"] = std::int64_t{root.intAttribute("transB", 0) == 0};
        return match;
    }
    return std::nullopt;
}

/// exp(x - max) / sum of it, with or without the maximum.
std::optional<Match> matchSoftmax(Matcher& m)
{
    if (m.root().type != "Div" || m.root().inputs.size() != 2)
        return std::nullopt;
    const ForwardOp* exp = m.made(m.root().inputs[0], "Exp");
    const ForwardOp* sum = m.made(m.root().inputs[1], "ReduceSum");
    if (!exp || !sum || sum->inputs[0] != m.root().inputs[0])
        return std::nullopt;
    const auto axes = sum->intsAttribute("axes");
    if (axes.size() != 1 || sum->intAttribute("keepdims", 1) == 0)
        return std::nullopt;
    ValueId x = exp->inputs[0];
    if (const ForwardOp* shifted = m.made(x, "Sub"))
        if (const ForwardOp* most = m.made(shifted->inputs[1], "ReduceMax");
            most && most->inputs[0] == shifted->inputs[0] && most->intsAttribute("axes") == axes)
            x = shifted->inputs[0];
    if (x == exp->inputs[0] && m.covered().size() > 2)
        return std::nullopt;
    return Match{"Softmax", {{"axis", axes[0]}}, {x}, "Softmax"};
}

/// x - log(sum(exp(x))).
std::optional<Match> matchLogSoftmax(Matcher& m)
{
    if (m.root().type != "Sub" || m.root().inputs.size() != 2)
        return std::nullopt;
    const ForwardOp* norm = m.made(m.root().inputs[1], "ReduceLogSumExp");
    if (!norm || norm->inputs[0] != m.root().inputs[0])
        return std::nullopt;
    const auto axes = norm->intsAttribute("axes");
    if (axes.size() != 1 || norm->intAttribute("keepdims", 1) == 0)
        return std::nullopt;
    return Match{"LogSoftmax", {{"axis", axes[0]}}, {norm->inputs[0]}, "LogSoftmax"};
}

}  // namespace poet::training

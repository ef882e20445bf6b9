// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/training/patterns/pattern.h"

#include <algorithm>

/// What attention blocks of language models write out. Frameworks run these steps as they stand, and keep for each what its
/// rule says (a product by cosines keeps the cosines; a product of repeated keys keeps the repeated ones), so nothing is
/// rewritten: the report says what was seen.
namespace poet::training {

namespace {

const ForwardOp* producerOf(const ForwardGraph& graph, ValueId value, std::string_view type)
{
    const int op = value == kNoValue ? -1 : graph.value(value).producer;
    return op >= 0 && graph.ops[at(op)].type == type && graph.ops[at(op)].domain.empty() ? &graph.ops[at(op)] : nullptr;
}

/// Half of a tensor's last dimension: the first or second one, or every second element from 0 or 1 on.
struct Half {
    ValueId whole = kNoValue;
    bool isSecond = false;
    bool isStrided = false;
};

std::optional<Half> halfOf(const ForwardGraph& graph, ValueId value)
{
    if (const ForwardOp* split = producerOf(graph, value, "Split")) {
        const Shape& whole = graph.value(split->inputs[0]).shape;
        const bool isHalved = split->outputs.size() == 2 && split->intAttribute("axis", 0) == std::ssize(whole) - 1 &&
                              graph.value(split->outputs[0]).shape == graph.value(split->outputs[1]).shape;
        return isHalved ? std::optional(Half{split->inputs[0], value == split->outputs[1], false}) : std::nullopt;
    }
    const ForwardOp* slice = producerOf(graph, value, "Slice");
    if (!slice)
        return std::nullopt;
    const Shape& whole = graph.value(slice->inputs[0]).shape;
    const auto axes = slice->intsAttribute("axes"), starts = slice->intsAttribute("starts"), steps = slice->intsAttribute("steps");
    const bool isOfLast = axes.size() == 1 && starts.size() == 1 && (axes[0] == -1 || axes[0] == std::ssize(whole) - 1);
    if (!isOfLast || whole.empty() || graph.value(value).shape.empty() || 2 * graph.value(value).shape.back() != whole.back())
        return std::nullopt;
    const std::int64_t step = steps.empty() ? 1 : steps[0];
    const std::int64_t start = starts[0] < 0 ? starts[0] + whole.back() : starts[0];
    if (step == 1 && (start == 0 || start == whole.back() / 2))
        return Half{slice->inputs[0], start > 0, false};
    if (step == 2 && (start == 0 || start == 1))
        return Half{slice->inputs[0], start == 1, true};
    return std::nullopt;
}

/// Through Unsqueeze and Reshape.
ValueId behindViews(const ForwardGraph& graph, ValueId value)
{
    for (;;) {
        const ForwardOp* view = producerOf(graph, value, "Unsqueeze");
        view = view ? view : producerOf(graph, value, "Reshape");
        if (!view)
            return value;
        value = view->inputs[0];
    }
}

/// [-second, first], or these interleaved; gives the tensor that is turned.
ValueId turnedOf(const ForwardGraph& graph, ValueId value)
{
    const ForwardOp* joined = producerOf(graph, behindViews(graph, value), "Concat");
    if (!joined || joined->inputs.size() != 2)
        return kNoValue;
    const ForwardOp* negative = producerOf(graph, behindViews(graph, joined->inputs[0]), "Neg");
    const auto second = negative ? halfOf(graph, negative->inputs[0]) : std::nullopt;
    const auto first = halfOf(graph, behindViews(graph, joined->inputs[1]));
    const bool isTurned = first && second && first->whole == second->whole && !first->isSecond && second->isSecond && first->isStrided == second->isStrided;
    return isTurned ? first->whole : kNoValue;
}

/// The two factors of a product of half a tensor: the half first.
std::optional<std::pair<Half, ValueId>> halfProduct(const ForwardGraph& graph, ValueId value)
{
    const ForwardOp* product = producerOf(graph, value, "Mul");
    for (std::size_t own = 0; product && product->inputs.size() == 2 && own < 2; ++own)
        if (const auto half = halfOf(graph, behindViews(graph, product->inputs[own])))
            return std::pair(*half, product->inputs[1 - own]);
    return std::nullopt;
}

/// `value` = one half * cosine -/+ the other half * sine, as Sub or Add.
bool isRotatedHalf(const ForwardGraph& graph, ValueId value, bool isSecond, ValueId& whole)
{
    const ForwardOp* sum = producerOf(graph, behindViews(graph, value), isSecond ? "Add" : "Sub");
    const auto a = sum && sum->inputs.size() == 2 ? halfProduct(graph, sum->inputs[0]) : std::nullopt;
    const auto b = a ? halfProduct(graph, sum->inputs[1]) : std::nullopt;
    if (!b || a->first.whole != b->first.whole || a->first.isSecond == b->first.isSecond || a->second == b->second)
        return false;
    whole = a->first.whole;
    return true;
}

Match asItStands(ValueId x, std::string note) { return {"", {}, {x}, std::move(note)}; }

/// A tensor that a new dimension repeats: Unsqueeze, Expand or Tile along it, Reshape. Gives the tensor before.
ValueId repeatedOf(const ForwardGraph& graph, ValueId value)
{
    const ForwardOp* joined = producerOf(graph, value, "Reshape");
    const ForwardOp* repeat = joined ? producerOf(graph, joined->inputs[0], "Expand") : nullptr;
    if (joined && !repeat)
        repeat = producerOf(graph, joined->inputs[0], "Tile");
    const ForwardOp* added = repeat ? producerOf(graph, repeat->inputs[0], "Unsqueeze") : nullptr;
    if (joined && repeat && !added)
        added = producerOf(graph, repeat->inputs[0], "Reshape");
    if (!added)
        return kNoValue;
    const Shape& before = graph.value(repeat->inputs[0]).shape;
    const Shape& after = graph.value(repeat->outputs[0]).shape;
    int grown = 0;
    for (std::size_t i = 0; before.size() == after.size() && i < before.size(); ++i)
        grown += before[i] != after[i];
    return before.size() == after.size() && grown == 1 && after.size() > 3 ? added->inputs[0] : kNoValue;
}

}  // namespace

/// x * cos + [-x2, x1] * sin by halves, the same by neighbours, or both halves rotated apart and joined. Source: Su et al.,
/// RoFormer, 2021.
std::optional<Match> matchRotaryEmbedding(Matcher& m)
{
    const ForwardGraph& graph = m.graph();
    const ForwardOp& root = m.root();
    if (root.type == "Add" && root.inputs.size() == 2)
        for (std::size_t own = 0; own < 2; ++own) {
            const ForwardOp* plain = producerOf(graph, root.inputs[own], "Mul");
            const ForwardOp* turned = producerOf(graph, root.inputs[1 - own], "Mul");
            for (std::size_t slot = 0; plain && turned && slot < 2; ++slot)
                if (const ValueId x = turnedOf(graph, turned->inputs[slot]); x != kNoValue && std::ranges::find(plain->inputs, x) != plain->inputs.end())
                    return asItStands(x, "Rotary position embedding");
        }
    ValueId first = kNoValue, second = kNoValue;
    const bool isJoined = root.type == "Concat" && root.inputs.size() == 2 && isRotatedHalf(graph, root.inputs[0], false, first) &&
                          isRotatedHalf(graph, root.inputs[1], true, second);
    return isJoined && first == second ? std::optional(asItStands(first, "Rotary position embedding")) : std::nullopt;
}

/// A product of queries with keys, or of weights with values, of which several heads share one: the shared ones are repeated
/// before it. Source: Ainslie et al., GQA, 2023.
std::optional<Match> matchGroupedQueries(Matcher& m)
{
    const ForwardGraph& graph = m.graph();
    if (m.root().type != "MatMul")
        return std::nullopt;
    ValueId operand = m.root().inputs[1];
    if (const ForwardOp* transposed = producerOf(graph, operand, "Transpose"))
        operand = transposed->inputs[0];
    const ValueId shared = repeatedOf(graph, operand);
    return shared == kNoValue ? std::nullopt : std::optional(asItStands(m.root().inputs[0], "Keys or values shared by grouped queries"));
}

}  // namespace poet::training

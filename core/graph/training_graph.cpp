// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/training_graph.h"

#include "core/graph/forward_graph.h"

#include <algorithm>
#include <numeric>

namespace poet {

std::string_view name(NodeRole role)
{
    switch (role) {
    case NodeRole::Input: return "input";
    case NodeRole::Forward: return "forward";
    case NodeRole::Side: return "side";
    case NodeRole::Loss: return "loss";
    case NodeRole::Backward: return "backward";
    case NodeRole::Accumulate: return "accumulate";
    }
    return "";
}

std::string_view name(Optimizer optimizer)
{
    switch (optimizer) {
    case Optimizer::Sgd: return "sgd";
    case Optimizer::SgdBuffered: return "sgd-buffered";
    case Optimizer::Momentum: return "momentum";
    case Optimizer::Adam: return "adam";
    }
    return "";
}

std::optional<Optimizer> optimizerFromName(std::string_view text)
{
    for (const Optimizer optimizer : {Optimizer::Sgd, Optimizer::SgdBuffered, Optimizer::Momentum, Optimizer::Adam})
        if (name(optimizer) == text)
            return optimizer;
    return std::nullopt;
}

std::string_view name(Keeping keeping)
{
    return keeping == Keeping::Lean ? "lean" : "pytorch";
}

std::optional<Keeping> keepingFromName(std::string_view text)
{
    for (const Keeping keeping : {Keeping::Lean, Keeping::PyTorch})
        if (name(keeping) == text)
            return keeping;
    return std::nullopt;
}

namespace {

std::int64_t trainedBytes(const TrainingGraph& graph)
{
    return std::accumulate(graph.parameters.begin(), graph.parameters.end(), std::int64_t{0},
                           [](std::int64_t sum, const TrainingParameter& p) { return sum + (p.isTrained ? p.bytes : 0); });
}

}  // namespace

namespace {

/// First element and number of elements of a slice along its axis.
struct Stretch {
    std::int64_t first = 0;
    std::int64_t count = 1;
};

Stretch stretchOf(const ForwardGraph& graph, const ForwardOp& op, const NodeRead::Slice& slice, std::size_t axis)
{
    const std::int64_t size = graph.value(op.type == "Concat" ? op.outputs[0] : op.inputs[0]).shape[axis];
    const auto slot = static_cast<std::size_t>(slice.slot);
    if (op.type == "Concat") {
        Stretch stretch{0, graph.value(op.inputs[slot]).shape[axis]};
        for (std::size_t before = 0; before < slot; ++before)
            stretch.first += graph.value(op.inputs[before]).shape[axis];
        return stretch;
    }
    if (op.type == "Split") {
        const auto sizes = op.intsAttribute("split");
        return {std::accumulate(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(slot), std::int64_t{0}), sizes[slot]};
    }
    std::int64_t first = 0;
    if (op.type == "Slice")
        first = op.intsAttribute("starts")[0];
    else if (const auto& index = graph.value(op.inputs[1]).constant; index && !index->ints.empty())
        first = index->ints[0];
    first = std::clamp<std::int64_t>(first < 0 ? first + size : first, 0, size);
    return {first, op.type == "Slice" ? graph.value(op.outputs[0]).shape[axis] : 1};
}

}  // namespace

SliceLayout layoutOf(const ForwardGraph& graph, const NodeRead::Slice& slice)
{
    const ForwardOp& op = graph.ops[static_cast<std::size_t>(slice.op)];
    const Shape& whole = graph.value(op.type == "Concat" ? op.outputs[0] : op.inputs[0]).shape;
    const std::int64_t axis = op.type == "Slice" ? op.intsAttribute("axes")[0] : op.intAttribute("axis", 0);
    const Stretch stretch = stretchOf(graph, op, slice, static_cast<std::size_t>(axis));
    const std::int64_t inner = elementCount(Shape(whole.begin() + static_cast<std::ptrdiff_t>(axis) + 1, whole.end()));
    SliceLayout layout;
    layout.rows = elementCount(Shape(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(axis)));
    layout.rowStride = whole[static_cast<std::size_t>(axis)] * inner;
    layout.offset = stretch.first * inner;
    layout.rowElements = stretch.count * inner;
    return layout;
}

std::int64_t TrainingGraph::parameterBytes() const
{
    std::int64_t sum = 0;
    for (const TrainingParameter& parameter : parameters)
        sum += parameter.isBuffer ? 0 : parameter.bytes;
    return sum;
}

std::int64_t TrainingGraph::gradientBytes() const
{
    return optimizer == Optimizer::Sgd ? 0 : trainedBytes(*this);
}

std::int64_t TrainingGraph::optimizerBytes() const
{
    if (optimizer == Optimizer::Momentum)
        return trainedBytes(*this);
    return optimizer == Optimizer::Adam ? 2 * trainedBytes(*this) : 0;
}

}  // namespace poet

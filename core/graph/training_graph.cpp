// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/training_graph.h"

#include "core/graph/forward_graph.h"

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

SliceLayout layoutOf(const ForwardGraph& graph, const NodeRead::Slice& slice)
{
    const ForwardOp& op = graph.ops[static_cast<std::size_t>(slice.op)];
    const bool isConcat = op.type == "Concat";
    const Shape& whole = graph.value(isConcat ? op.outputs[0] : op.inputs[0]).shape;
    const auto axis = static_cast<std::ptrdiff_t>(op.intAttribute("axis", 0));
    const std::int64_t inner = elementCount(Shape(whole.begin() + axis + 1, whole.end()));
    SliceLayout layout;
    layout.rows = elementCount(Shape(whole.begin(), whole.begin() + axis));
    layout.rowStride = whole[static_cast<std::size_t>(axis)] * inner;
    std::int64_t first = 0, count = 1;
    if (isConcat) {
        for (int slot = 0; slot < slice.slot; ++slot)
            first += graph.value(op.inputs[static_cast<std::size_t>(slot)]).shape[static_cast<std::size_t>(axis)];
        count = graph.value(op.inputs[static_cast<std::size_t>(slice.slot)]).shape[static_cast<std::size_t>(axis)];
    } else if (const auto& index = graph.value(op.inputs[1]).constant; index && !index->ints.empty()) {
        first = index->ints[0] < 0 ? index->ints[0] + whole[static_cast<std::size_t>(axis)] : index->ints[0];
    }
    layout.offset = first * inner;
    layout.rowElements = count * inner;
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

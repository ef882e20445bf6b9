// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/training/builder.h"

#include <algorithm>
#include <set>

namespace poet::training {

namespace {

constexpr std::string_view kPrime = "\u2032";

}  // namespace

void Builder::addGradient(ValueId value, GradientRef gradient)
{
    auto& current = m_gradients[at(value)];
    if (!current) {
        current = std::move(gradient);
        return;
    }
    TrainingNode node;
    node.name = "grad " + m_forward.value(value).name + " +";
    node.op = "Accumulate";
    node.role = NodeRole::Accumulate;
    node.value = value;
    const int producer = m_forward.value(value).producer;
    if (producer >= 0)
        node.block = m_forward.ops[at(producer)].block;
    const std::int64_t bytes = bytesOf(value);
    node.work = {{"Add", "x=" + shapeText(m_forward.value(value).shape), OpClass::Elementwise,
                  static_cast<double>(elementCount(m_forward.value(value).shape)), 2 * bytes, bytes}};
    std::vector<NodeRead> reads = {{current->node, NodeRead::Kind::Gradient, value, current->slices},
                                   {gradient.node, NodeRead::Kind::Gradient, value, gradient.slices}};
    current = GradientRef{addNode(std::move(node), std::move(reads)), {}};
}

/// Reads of the gradients of the operation's outputs that have one.
std::vector<NodeRead> Builder::incoming(std::size_t op) const
{
    std::vector<NodeRead> reads;
    for (const ValueId output : m_forward.ops[op].outputs)
        if (output != kNoValue && m_gradients[at(output)])
            reads.push_back({m_gradients[at(output)]->node, NodeRead::Kind::Gradient, output, m_gradients[at(output)]->slices});
    return reads;
}

/// Passes on gradients that need no operation; returns the nodes that the others need, one a differentiable activation input.
/// Gradients of parameters go with the first of them.
std::vector<Builder::BackwardGroup> Builder::backwardGroups(std::size_t op)
{
    const ForwardOp& forward = m_forward.ops[op];
    const OpPlan& plan = m_ops[op].plan;
    std::vector<BackwardGroup> groups;
    std::vector<std::size_t> weightSlots;
    for (std::size_t slot = 0; slot < forward.inputs.size(); ++slot) {
        const ValueId value = forward.inputs[slot];
        if (value == kNoValue || !needsGradient(value) || plan.slots[slot].kind == SlotGradient::Kind::None)
            continue;
        const bool isActivation = place(value).node >= 0;
        const bool isWhole = plan.treatment == Treatment::View ||
                             m_forward.value(value).shape == m_forward.value(forward.outputs[0]).shape;
        const auto& gradient = m_gradients[at(forward.outputs[0])];
        const bool isPassedOn = plan.treatment == Treatment::View || plan.slots[slot].kind == SlotGradient::Kind::Alias;
        if (isActivation && isPassedOn && isWhole && gradient) {
            addGradient(value, *gradient);
        } else if (isActivation && plan.slots[slot].kind == SlotGradient::Kind::Slice && gradient) {
            GradientRef part = *gradient;
            part.slices.push_back({static_cast<int>(op), static_cast<int>(slot)});
            addGradient(value, std::move(part));
        } else if (!isActivation) {
            weightSlots.push_back(slot);
        } else if (const auto same = std::ranges::find(groups, value, &BackwardGroup::value); same != groups.end()) {
            same->slots.push_back(slot);
        } else {
            groups.push_back({value, {slot}});
        }
    }
    // Small gradients first: less waits in memory while the others are made.
    std::ranges::stable_sort(groups, {}, [this](const BackwardGroup& group) { return bytesOf(group.value); });
    if (groups.empty() && !weightSlots.empty())
        groups.push_back({});
    if (!groups.empty())
        groups.front().slots.insert(groups.front().slots.end(), weightSlots.begin(), weightSlots.end());
    return groups;
}

Work Builder::partWork(std::size_t op, const std::vector<std::size_t>& slots, std::string_view part) const
{
    const ForwardOp& forward = m_forward.ops[op];
    const OpState& state = m_ops[op];
    Work work{forward.type + std::string(part), state.plan.key, state.plan.opClass, 0, 0, 0, 0};
    std::set<int> inputs, outputs, sides;
    for (const std::size_t slot : slots) {
        const SlotGradient& gradient = state.plan.slots[slot];
        const ValueId value = forward.inputs[slot];
        const double own = static_cast<double>(elementCount(m_forward.value(forward.outputs[0]).shape));
        const double elements = std::max(own, static_cast<double>(elementCount(m_forward.value(value).shape)));
        work.macs += gradient.kind == SlotGradient::Kind::Compute ? gradient.macs : 0;
        if (gradient.kind != SlotGradient::Kind::Compute)
            work.flops += own;
        else
            work.flops += gradient.flops >= 0 ? gradient.flops : state.plan.backwardRate * elements;
        // An embedding's gradient touches the looked-up rows, not the table.
        const std::int64_t rows = bytesOf(forward.outputs[0]);
        work.bytesWritten += state.plan.opClass == OpClass::Embed ? std::min(bytesOf(value), rows) : bytesOf(value);
        inputs.insert(gradient.inputs.begin(), gradient.inputs.end());
        outputs.insert(gradient.outputs.begin(), gradient.outputs.end());
        sides.insert(gradient.sides.begin(), gradient.sides.end());
    }
    for (const ValueId output : forward.outputs)
        if (output != kNoValue && m_gradients[at(output)])
            work.bytesRead += bytesOf(output);
    for (const int input : inputs)
        if (forward.input(at(input)) != kNoValue)
            work.bytesRead += bytesOf(forward.inputs[at(input)]);
    for (const int output : outputs)
        if (forward.output(at(output)) != kNoValue)
            work.bytesRead += bytesOf(forward.outputs[at(output)]);
    for (const int side : sides)
        work.bytesRead += m_out.nodes[at(state.sides[at(side)])].bytes;
    return work;
}

/// A data part and a weight part, as measured rows name them; only those that exist.
std::vector<Work> Builder::backwardWork(std::size_t op, const BackwardGroup& group) const
{
    const ForwardOp& forward = m_forward.ops[op];
    std::vector<std::size_t> data, weights;
    for (const std::size_t slot : group.slots)
        (place(forward.inputs[slot]).node >= 0 ? data : weights).push_back(slot);
    const OpClass opClass = m_ops[op].plan.opClass;
    const bool isProduct = opClass == OpClass::Conv || opClass == OpClass::Depthwise || opClass == OpClass::Gemm;
    std::vector<Work> parts;
    if (!data.empty()) {
        const bool isRightOperand = isProduct && data.front() == 1;
        parts.push_back(partWork(op, data, isRightOperand ? ".grad_weight" : isProduct || !weights.empty() ? ".grad_data" : ".grad"));
    }
    if (!weights.empty())
        parts.push_back(partWork(op, weights, ".grad_weight"));
    return parts;
}

void Builder::addBackwardNode(std::size_t op, const BackwardGroup& group, std::size_t number, std::size_t count)
{
    const ForwardOp& forward = m_forward.ops[op];
    const OpState& state = m_ops[op];
    TrainingNode node;
    node.name = forward.name + std::string(kPrime) + (count > 1 ? ":" + std::to_string(number) : "");
    node.op = forward.type;
    node.role = NodeRole::Backward;
    node.value = group.value;
    node.forward = state.main;
    node.forwardOp = static_cast<int>(op);
    node.block = forward.block;
    node.work = backwardWork(op, group);
    node.workspaceBytes = state.plan.backwardWorkspaceBytes;
    std::vector<NodeRead> reads = incoming(op);
    std::set<int> inputs, outputs, sides, held;
    for (const std::size_t slot : group.slots) {
        const SlotGradient& gradient = state.plan.slots[slot];
        held.insert(gradient.held.begin(), gradient.held.end());
        inputs.insert(gradient.inputs.begin(), gradient.inputs.end());
        outputs.insert(gradient.outputs.begin(), gradient.outputs.end());
        sides.insert(gradient.sides.begin(), gradient.sides.end());
        if (place(forward.inputs[slot]).node < 0)
            for (const int parameter : place(forward.inputs[slot]).parameters)
                if (m_out.parameters[at(parameter)].isTrained && std::ranges::find(node.parameterGradients, parameter) == node.parameterGradients.end())
                    node.parameterGradients.push_back(parameter);
    }
    for (const int input : inputs)
        if (forward.input(at(input)) != kNoValue)
            reads.push_back(readOf(forward.inputs[at(input)]));
    for (const int output : outputs)
        if (forward.output(at(output)) != kNoValue && place(forward.outputs[at(output)]).node >= 0)
            reads.push_back(readOf(forward.outputs[at(output)]));
    for (const int side : sides)
        reads.push_back({state.sides[at(side)], NodeRead::Kind::Side, kNoValue, {}});
    for (const int input : held)
        if (const ValueId value = forward.input(at(input)); value != kNoValue && place(value).node >= 0)
            reads.push_back({place(value).node, NodeRead::Kind::Held, value, {}});
    const NodeId id = addNode(std::move(node), std::move(reads));
    if (group.value != kNoValue)
        addGradient(group.value, {id, {}});
}

void Builder::addOpBackward(std::size_t op)
{
    const bool hasGradient = std::ranges::any_of(m_forward.ops[op].outputs, [&](ValueId id) {
        return id != kNoValue && m_gradients[at(id)].has_value();
    });
    if (!hasGradient)
        return;
    const auto groups = backwardGroups(op);
    for (std::size_t i = 0; i < groups.size(); ++i)
        addBackwardNode(op, groups[i], i, groups.size());
}

void Builder::addBackward()
{
    for (std::size_t op = m_ops.size(); op-- > 0;)
        if (m_ops[op].isLive)
            addOpBackward(op);
}

}  // namespace poet::training

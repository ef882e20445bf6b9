// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/training/builder.h"

#include <algorithm>

namespace poet::training {

namespace {

void addUnique(std::vector<int>& list, int id)
{
    if (std::ranges::find(list, id) == list.end())
        list.push_back(id);
}

}  // namespace

Builder::Builder(const ForwardGraph& forward, const TrainingOptions& options, TrainingGraph& out)
    : m_forward(forward), m_options(options), m_out(out), m_places(forward.values.size()), m_needs(forward.values.size(), false),
      m_used(forward.values.size(), false), m_ops(forward.ops.size()), m_gradients(forward.values.size())
{
}

Expected<void> Builder::addParameters()
{
    std::vector<bool> isRead(m_forward.values.size(), false);
    for (const ForwardOp& op : m_forward.ops)
        for (const ValueId input : op.inputs)
            if (input != kNoValue)
                isRead[at(input)] = true;
    std::map<ValueId, int> parameterOf;
    for (std::size_t id = 0; id < m_forward.values.size(); ++id) {
        const ForwardValue& value = m_forward.values[id];
        const bool isStored = value.kind != ValueKind::Data && value.producer < 0;
        if (!isStored || !isRead[id])
            continue;
        const bool isWeight = value.kind == ValueKind::Parameter;
        parameterOf[static_cast<ValueId>(id)] = static_cast<int>(m_out.parameters.size());
        m_places[id].parameters = {static_cast<int>(m_out.parameters.size())};
        m_out.parameters.push_back({value.name, value.type, value.shape, m_forward.bytes(static_cast<ValueId>(id)),
                                    isWeight, !isWeight});
    }
    for (const ForwardOp& op : m_forward.ops) {
        if (!op.isWeightArithmetic)
            continue;
        Place joined;
        for (const ValueId input : op.inputs)
            if (input != kNoValue)
                for (const int parameter : place(input).parameters)
                    addUnique(joined.parameters, parameter);
        for (const ValueId output : op.outputs)
            if (output != kNoValue)
                m_places[at(output)] = joined;
    }
    return applyFreeze(m_forward, m_options, m_out, parameterOf);
}

void Builder::findLive(const std::vector<ValueId>& losses)
{
    for (const ValueId value : losses)
        m_used[at(value)] = true;
    const auto readers = m_forward.readers();
    for (std::size_t op = m_ops.size(); op-- > 0;) {
        const ForwardOp& forward = m_forward.ops[op];
        m_ops[op].isLive = !forward.isWeightArithmetic && std::ranges::any_of(forward.outputs, [&](ValueId id) {
            return id != kNoValue && isUsed(id);
        });
        if (!m_ops[op].isLive)
            continue;
        m_ops[op].plan = planOperation(m_forward, forward, m_options.keeping, &readers);
        for (const ValueId input : forward.inputs)
            if (input != kNoValue)
                m_used[at(input)] = true;
    }
}

/// A value needs a gradient when it is, or is computed differentiably from, a trained parameter.
void Builder::findGradients()
{
    for (std::size_t id = 0; id < m_places.size(); ++id)
        m_needs[id] = std::ranges::any_of(m_places[id].parameters, [&](int p) { return m_out.parameters[at(p)].isTrained; });
    for (std::size_t op = 0; op < m_ops.size(); ++op) {
        if (!m_ops[op].isLive)
            continue;
        const ForwardOp& forward = m_forward.ops[op];
        bool needs = false;
        for (std::size_t slot = 0; slot < forward.inputs.size(); ++slot)
            needs = needs || (forward.inputs[slot] != kNoValue && needsGradient(forward.inputs[slot]) &&
                              m_ops[op].plan.slots[slot].kind != SlotGradient::Kind::None);
        for (const ValueId output : forward.outputs)
            if (output != kNoValue)
                m_needs[at(output)] = needs && (isFloating(m_forward.value(output).type) || forward.type == "QuantizeLinear");
    }
}

void Builder::addInputs()
{
    for (const ValueId input : m_forward.inputs) {
        if (!isUsed(input))
            continue;
        TrainingNode node;
        node.name = m_forward.value(input).name;
        node.op = "Input";
        node.role = NodeRole::Input;
        node.value = input;
        m_places[at(input)].node = addNode(std::move(node), {});
    }
}

NodeId Builder::addNode(TrainingNode node, std::vector<NodeRead> reads, const std::vector<ValueId>& weights)
{
    if (node.value != kNoValue && node.shape.empty() && node.bytes == 0) {
        node.shape = m_forward.value(node.value).shape;
        node.type = m_forward.value(node.value).type;
        node.bytes = bytesOf(node.value);
    }
    for (const NodeRead& read : reads) {
        if (read.node >= 0)
            addUnique(node.inputs, read.node);
        if (read.kind == NodeRead::Kind::Value && read.value != kNoValue)
            for (const int parameter : place(read.value).parameters)
                addUnique(node.parametersRead, parameter);
    }
    for (const ValueId weight : weights)
        for (const int parameter : place(weight).parameters)
            addUnique(node.parametersRead, parameter);
    node.reads = std::move(reads);
    node.recomputable = node.recomputable && !node.inputs.empty();
    m_out.nodes.push_back(std::move(node));
    return static_cast<NodeId>(m_out.nodes.size()) - 1;
}

void Builder::addSides(std::size_t op)
{
    const ForwardOp& forward = m_forward.ops[op];
    OpState& state = m_ops[op];
    for (const SideOutput& side : state.plan.sides) {
        TrainingNode node;
        node.name = forward.name + ":" + side.suffix;
        node.op = forward.type;
        node.role = NodeRole::Side;
        node.type = side.type;
        node.shape = side.shape;
        node.bytes = elementCount(side.shape) * elementBytes(side.type);
        node.indexElements = side.indexElements;
        node.maskElements = side.maskElements;
        node.forwardOp = static_cast<int>(op);
        node.block = forward.block;
        node.recomputable = side.isDeterministic && state.plan.isDeterministic;
        std::vector<NodeRead> reads;
        std::int64_t bytesRead = 0;
        for (const int slot : side.inputs) {
            reads.push_back(readOf(forward.inputs[at(slot)]));
            bytesRead += side.readsContent ? bytesOf(forward.inputs[at(slot)]) : 0;
        }
        for (const int earlier : side.sides) {
            reads.push_back({state.sides[at(earlier)], NodeRead::Kind::Side, kNoValue, {}});
            bytesRead += m_out.nodes[at(state.sides[at(earlier)])].bytes;
        }
        node.work = {{forward.type + "." + side.suffix, state.plan.key, state.plan.opClass, side.flops, bytesRead, node.bytes, side.macs}};
        std::vector<ValueId> weights;
        for (std::size_t slot = 1; slot < forward.inputs.size() && side.readsWeights; ++slot)
            if (forward.inputs[slot] != kNoValue && place(forward.inputs[slot]).node < 0)
                weights.push_back(forward.inputs[slot]);
        state.sides.push_back(addNode(std::move(node), std::move(reads), weights));
    }
}

/// The node of one output: reads the operation's inputs and the sides that spare it work.
void Builder::addOutput(std::size_t op, std::size_t output)
{
    const ForwardOp& forward = m_forward.ops[op];
    OpState& state = m_ops[op];
    const bool isMain = state.main < 0;
    TrainingNode node;
    node.name = isMain ? forward.name : forward.name + ":" + std::to_string(output);
    node.op = forward.type;
    node.value = forward.outputs[output];
    node.forwardOp = static_cast<int>(op);
    node.block = forward.block;
    node.workspaceBytes = isMain ? state.plan.workspaceBytes : 0;
    // A further output comes with the main run at no cost, so it cannot be had again alone.
    node.recomputable = state.plan.isDeterministic && (isMain || state.plan.outputsAreSeparate);
    std::vector<NodeRead> reads;
    Work work{forward.type, state.plan.key, state.plan.opClass, state.plan.flops, 0, bytesOf(node.value), state.plan.macs};
    for (const ValueId input : forward.inputs) {
        if (input == kNoValue || (state.plan.mainIgnoresInputs && place(input).node >= 0))
            continue;
        reads.push_back(readOf(input));
        // An embedding reads the looked-up rows, not the table.
        work.bytesRead += std::min(bytesOf(input), state.plan.opClass == OpClass::Embed ? work.bytesWritten : bytesOf(input));
    }
    for (std::size_t side = 0; side < state.sides.size(); ++side) {
        if (!state.plan.sides[side].isReadByMain)
            continue;
        reads.push_back({state.sides[side], NodeRead::Kind::Side, kNoValue, {}});
        work.bytesRead += m_out.nodes[at(state.sides[side])].bytes;
    }
    if (state.plan.outputsAreSeparate)
        work.bytesRead = work.bytesWritten;
    if (isMain || state.plan.outputsAreSeparate)
        node.work = {work};
    const NodeId id = addNode(std::move(node), std::move(reads));
    m_places[at(forward.outputs[output])].node = id;
    if (isMain) {
        state.main = id;
        for (const NodeId side : state.sides)
            m_out.nodes[at(side)].forward = id;
    }
}

/// An output that is part of a side output, or of the main one: a small copy.
void Builder::addFromSide(std::size_t op, std::size_t output, int side)
{
    const ForwardOp& forward = m_forward.ops[op];
    OpState& state = m_ops[op];
    const NodeId source = side < 0 ? state.main : state.sides[at(side)];
    const ValueId value = forward.outputs[output];
    if (m_out.nodes[at(source)].bytes == bytesOf(value)) {
        m_places[at(value)].node = source;
        return;
    }
    TrainingNode node;
    node.name = forward.name + ":" + std::to_string(output);
    node.op = forward.type;
    node.value = value;
    node.forwardOp = static_cast<int>(op);
    node.block = forward.block;
    node.recomputable = true;
    node.work = {{forward.type + ".copy", state.plan.key, OpClass::Copy, 0, bytesOf(value), bytesOf(value)}};
    const auto kind = side < 0 ? NodeRead::Kind::Value : NodeRead::Kind::Side;
    m_places[at(value)].node = addNode(std::move(node), {{source, kind, side < 0 ? forward.outputs[0] : kNoValue, {}}});
}

void Builder::addMain(std::size_t op)
{
    const ForwardOp& forward = m_forward.ops[op];
    const OpPlan& plan = m_ops[op].plan;
    if (plan.treatment == Treatment::View) {
        m_places[at(forward.outputs[0])] = place(forward.inputs[0]);
        return;
    }
    if (plan.treatment == Treatment::Part && place(forward.inputs[0]).node >= 0) {
        m_ops[op].main = place(forward.inputs[0]).node;
        for (std::size_t output = 0; output < forward.outputs.size(); ++output) {
            Place part = place(forward.inputs[0]);
            part.slices.push_back({static_cast<int>(op), static_cast<int>(output)});
            if (forward.outputs[output] != kNoValue)
                m_places[at(forward.outputs[output])] = std::move(part);
        }
        return;
    }
    addSides(op);
    for (std::size_t output = 0; output < forward.outputs.size(); ++output) {
        const ValueId value = forward.outputs[output];
        if (value == kNoValue)
            continue;
        if (const auto side = plan.outputFromSide.find(static_cast<int>(output)); side != plan.outputFromSide.end()) {
            if (isUsed(value))
                addFromSide(op, output, side->second);
        } else if (isUsed(value) || (output == 0 && !plan.outputsAreSeparate)) {
            addOutput(op, output);
        }
    }
}

void Builder::addForward()
{
    for (std::size_t op = 0; op < m_ops.size(); ++op)
        if (m_ops[op].isLive)
            addMain(op);
    noteConservative();
}

void Builder::noteConservative()
{
    std::map<std::string, int> counts;
    for (std::size_t op = 0; op < m_ops.size(); ++op)
        if (m_ops[op].isLive && m_ops[op].plan.treatment == Treatment::Conservative)
            ++counts[m_forward.ops[op].type];
    for (const auto& [type, count] : counts)
        m_out.notes.push_back({NoteKind::Conservative, "Operator %1 has no rule (%2 \u00d7): backward is taken to read all its inputs and outputs and to cost twice its forward.", {type, std::to_string(count)}});
}

}  // namespace poet::training

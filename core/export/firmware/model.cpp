// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/firmware/model.h"

#include "core/export/firmware/binder.h"
#include "core/training/rules/rule.h"

#include <algorithm>

namespace poet::firmware {
namespace {

constexpr std::int64_t kParameterAlignment = 8;

std::int64_t aligned(std::int64_t bytes)
{
    return (bytes + kParameterAlignment - 1) / kParameterAlignment * kParameterAlignment;
}

std::string bytesOfConstant(const SmallTensor& tensor)
{
    std::string bytes;
    const auto put = [&](const void* from, std::size_t n) { bytes.append(static_cast<const char*>(from), n); };
    for (const std::int64_t value : tensor.ints)
        put(&value, static_cast<std::size_t>(elementBytes(tensor.type)));  // little endian: the low bytes
    for (const double value : tensor.floats) {
        const float narrow = static_cast<float>(value);
        tensor.type == ElementType::F64 ? put(&value, 8) : put(&narrow, 4);
    }
    return bytes;
}

bool isViewOp(const ForwardGraph& graph, const ForwardOp& op)
{
    return training::planOperation(graph, op).treatment == training::Treatment::View;
}

}  // namespace

Expected<BoundModel> bindModel(const TrainingGraph& graph, const CostGraph& costs)
{
    BoundModel model;
    POET_CHECK(ModelBinder(graph, costs, model).run());
    return model;
}

Expected<void> ModelBinder::run()
{
    m_places.resize(m_forward.values.size());
    POET_CHECK(bindParameters());
    for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
        if (m_graph.nodes[i].role == NodeRole::Side)
            m_sides[m_graph.nodes[i].forwardOp].push_back(static_cast<NodeId>(i));
    const auto targets = std::ranges::count(m_graph.nodes, "Target", &TrainingNode::op);
    for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
        const TrainingNode& node = m_graph.nodes[i];
        POET_TRY(call, bindNode(static_cast<NodeId>(i)));
        m_out.nodes.push_back(std::move(call));
        int input = -1;
        if (node.role == NodeRole::Input) {
            input = static_cast<int>(m_out.inputNames.size());
            m_out.inputNames.push_back(node.op == "Target" && targets == 1 ? "target" : node.name);
        }
        m_out.inputOf.push_back(input);
        if (node.role == NodeRole::Loss && elementCount(node.shape) == 1 && node.op != "LossLogProbs")
            m_out.losses.push_back(static_cast<NodeId>(i));
        if (node.role == NodeRole::Backward && node.op == "Seed" && !node.inputs.empty()) {
            m_out.losses.push_back(node.inputs.front());
            if (node.lossWeight != 1)
                m_out.lossWeights[node.inputs.front()] = node.lossWeight;
        }
    }
    handBack();
    placeOutputs();
    assignGradientModes();
    return {};
}

/// Stored values become parameters (trained, or running statistics) or constants; then what is made from them.
Expected<void> ModelBinder::bindParameters()
{
    for (std::size_t id = 0; id < m_forward.values.size(); ++id) {
        const ForwardValue& value = m_forward.values[id];
        const auto known = std::ranges::find(m_graph.parameters, value.name, &TrainingParameter::name);
        if (value.producer >= 0 || value.kind == ValueKind::Data || known == m_graph.parameters.end())
            continue;
        if (value.kind == ValueKind::Constant) {
            POET_CHECK(bindConstant(static_cast<ValueId>(id)));
            continue;
        }
        m_places[id] = Operand{Operand::Kind::Param, static_cast<int>(m_out.parameters.size()), 0, 0};
        BoundParameter parameter{value.name, value.type, value.shape, m_forward.bytes(static_cast<ValueId>(id)), static_cast<ValueId>(id)};
        parameter.isTrained = known->isTrained;
        m_out.parameters.push_back(std::move(parameter));
    }
    for (const ForwardOp& op : m_forward.ops) {
        if (op.isWeightArithmetic)
            POET_CHECK(bindRearrangement(op));
        shareStored(op);
    }
    return {};
}

/// Another shape of a stored value lies where that does, also where training counts it among its own operations.
void ModelBinder::shareStored(const ForwardOp& op)
{
    if (op.outputs.size() != 1 || op.input(0) == kNoValue || op.output(0) == kNoValue)
        return;
    const auto& from = m_places[static_cast<std::size_t>(op.input(0))];
    auto& to = m_places[static_cast<std::size_t>(op.output(0))];
    const bool isSameMemory = isViewOp(m_forward, op) && elementCount(m_forward.value(op.input(0)).shape) == elementCount(m_forward.value(op.output(0)).shape);
    if (from && !to && isSameMemory)
        to = from;
}

Expected<void> ModelBinder::bindConstant(ValueId id)
{
    const ForwardValue& value = m_forward.value(id);
    const std::int64_t wanted = m_forward.bytes(id);
    std::string bytes;
    if (value.constant && (!value.constant->ints.empty() || !value.constant->floats.empty())) {
        bytes = bytesOfConstant(*value.constant);
    } else if (wanted > 0) {
        POET_TRY(stored, readStored(value));
        bytes = stored;
    }
    if (static_cast<std::int64_t>(bytes.size()) != wanted)
        return fail(ErrorCode::BadModel, "The constant '" + value.name + "' holds " + std::to_string(bytes.size()) + " bytes instead of " +
                                             std::to_string(wanted) + ".");
    m_places[static_cast<std::size_t>(id)] = Operand{Operand::Kind::Const, 0, static_cast<std::int64_t>(m_out.constants.size()), 0};
    m_out.constants += bytes;
    m_out.constants.resize(static_cast<std::size_t>(aligned(static_cast<std::int64_t>(m_out.constants.size()))));
    return {};
}

/// An operation on weights and constants only. Views share memory; others run before each step, for weights change.
Expected<void> ModelBinder::bindRearrangement(const ForwardOp& op)
{
    const auto isPlaced = [&](std::size_t slot) { return op.input(slot) == kNoValue || m_places[static_cast<std::size_t>(op.input(slot))].has_value(); };
    for (std::size_t slot = 0; slot < op.outputs.size(); ++slot) {
        const ValueId output = op.outputs[slot];
        if (output == kNoValue || m_places[static_cast<std::size_t>(output)])
            continue;
        if (m_forward.value(output).constant && m_forward.value(output).constant->size() > 0) {
            POET_CHECK(bindConstant(output));
            continue;
        }
        if (!isPlaced(0) || !isFloating(m_forward.value(output).type))
            continue;  // arithmetic on shapes that nothing here reads
        if (isViewOp(m_forward, op)) {
            m_places[static_cast<std::size_t>(output)] = m_places[static_cast<std::size_t>(op.inputs[0])];
            continue;
        }
        // Inputs that the kernel does not read, such as the shape of Expand, need no place.
        const auto known = kernelSpec(m_forward, op);
        const std::size_t read = known ? known->inputs : op.inputs.size();
        bool isReady = true;
        for (std::size_t i = 0; i < read; ++i)
            isReady = isReady && isPlaced(i);
        if (!isReady)
            continue;
        if (!known)
            return std::unexpected(known.error());
        const KernelSpec& spec = *known;
        BoundCall call{.kernel = spec.forward, .in = {}, .out = {}, .gradients = {}, .attributes = spec.attributes};
        for (std::size_t i = 0; i < spec.inputs; ++i)
            call.in.push_back(op.input(i) == kNoValue ? Operand{} : *m_places[static_cast<std::size_t>(op.input(i))]);
        if (op.type == "Split")
            for (std::size_t before = 0; before < slot; ++before)
                call.attributes[1] += static_cast<std::int32_t>(m_forward.bytes(op.outputs[before]) / 4);
        const auto number = static_cast<int>(m_out.parameters.size());
        m_places[static_cast<std::size_t>(output)] = Operand{Operand::Kind::Param, number, 0, 0};
        call.out[0] = *m_places[static_cast<std::size_t>(output)];
        const ForwardValue& value = m_forward.value(output);
        BoundParameter parameter{value.name, value.type, value.shape, m_forward.bytes(output), output};
        parameter.isDerived = true;
        for (const Operand& in : call.in)
            parameter.isTrained = parameter.isTrained || (in.kind == Operand::Kind::Param && m_out.parameters[static_cast<std::size_t>(in.number)].isTrained);
        m_out.parameters.push_back(std::move(parameter));
        m_out.prologue.push_back(std::move(call));
        m_rearrangements.push_back(static_cast<int>(&op - m_forward.ops.data()));
    }
    return {};
}

/// Backward of the rearrangements, last first.
void ModelBinder::handBack()
{
    for (std::size_t i = m_out.prologue.size(); i-- > 0;) {
        const BoundCall& forward = m_out.prologue[i];
        const auto made = static_cast<std::size_t>(forward.out[0].number);
        const auto spec = kernelSpec(m_forward, m_forward.ops[static_cast<std::size_t>(m_rearrangements[i])]);
        if (!m_out.parameters[made].isTrained || !spec || spec->backward.empty())
            continue;
        BoundCall call{.kernel = spec->backward, .in = {}, .out = {}, .gradients = {}, .attributes = forward.attributes};
        Operand incoming = forward.out[0];
        incoming.mode = 2;
        call.in.push_back(incoming);
        call.in.insert(call.in.end(), forward.in.begin(), forward.in.end());
        call.in.push_back(forward.out[0]);
        for (Operand target : forward.in) {
            const bool isTrained = target.kind == Operand::Kind::Param && m_out.parameters[static_cast<std::size_t>(target.number)].isTrained;
            target.mode = 2;
            call.gradients.push_back(isTrained ? target : Operand{});
        }
        m_out.epilogue.push_back(std::move(call));
    }
}

/// Which node holds each output of the model, seen through views.
void ModelBinder::placeOutputs()
{
    for (const ValueId output : m_forward.outputs) {
        ValueId value = output;
        for (int depth = 0; depth < 64 && value != kNoValue; ++depth) {
            const auto found = std::ranges::find_if(m_graph.nodes, [&](const TrainingNode& node) {
                return node.value == value && (node.role == NodeRole::Forward || node.role == NodeRole::Input);
            });
            if (found != m_graph.nodes.end()) {
                m_out.outputs.emplace_back(static_cast<NodeId>(found - m_graph.nodes.begin()), m_forward.value(output).name);
                break;
            }
            const int producer = m_forward.value(value).producer;
            if (producer < 0 || !isViewOp(m_forward, m_forward.ops[static_cast<std::size_t>(producer)]))
                break;
            value = m_forward.ops[static_cast<std::size_t>(producer)].input(0);
        }
    }
}

/// A parameter whose gradient comes from one call only can take it at once; others need a buffer until all have come.
void ModelBinder::assignGradientModes()
{
    std::vector<int> uses(m_out.parameters.size(), 0);
    const auto count = [&](const std::vector<BoundCall>& calls) {
        for (const BoundCall& call : calls)
            for (const Operand& gradient : call.gradients)
                if (gradient.kind == Operand::Kind::Param)
                    ++uses[static_cast<std::size_t>(gradient.number)];
    };
    count(m_out.nodes);
    count(m_out.epilogue);
    for (std::size_t i = 0; i < m_out.parameters.size(); ++i)
        m_out.parameters[i].isDeferred = m_out.parameters[i].isTrained && (m_out.parameters[i].isDerived || uses[i] != 1);
    // Buffers of gradients are laid out as the parameters are; those that immediate update needs come first.
    const auto place = [&](bool isTrained, bool isDeferred) {
        for (BoundParameter& parameter : m_out.parameters)
            if (parameter.isTrained == isTrained && parameter.isDeferred == isDeferred) {
                parameter.offset = m_out.parameterBytes;
                m_out.parameterBytes += aligned(parameter.bytes);
            }
    };
    place(true, true);
    m_out.ownGradientBytes = m_out.parameterBytes;
    place(true, false);
    m_out.gradientBytes = m_out.parameterBytes;
    place(false, false);
    const auto apply = [&](std::vector<BoundCall>& calls) {
        for (BoundCall& call : calls)
            for (Operand& gradient : call.gradients)
                if (gradient.kind == Operand::Kind::Param)
                    gradient.mode = m_out.parameters[static_cast<std::size_t>(gradient.number)].isDeferred ? 2 : 3;
    };
    apply(m_out.nodes);
    apply(m_out.epilogue);
}

Expected<std::string> initialParameters(const TrainingGraph& graph, const BoundModel& model)
{
    std::string memory(static_cast<std::size_t>(model.parameterBytes), '\0');
    for (const BoundParameter& parameter : model.parameters) {
        if (parameter.isDerived || parameter.bytes == 0)
            continue;
        POET_TRY(bytes, readStored(graph.forward->value(parameter.value)));
        if (static_cast<std::int64_t>(bytes.size()) != parameter.bytes)
            return fail(ErrorCode::BadModel, "The weight '" + parameter.name + "' holds " + std::to_string(bytes.size()) + " bytes instead of " +
                                                 std::to_string(parameter.bytes) + ".");
        std::ranges::copy(bytes, memory.begin() + parameter.offset);
    }
    return memory;
}

}  // namespace poet::firmware

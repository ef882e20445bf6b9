// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/firmware/binder.h"
#include "core/export/firmware/narrow.h"
#include "core/training/rules/rule.h"

#include <algorithm>
#include <bit>

namespace poet::firmware {
namespace {

constexpr std::size_t kPoolIndexBytes = 13;  ///< attribute of poet_pool.inl

/// Slots of further incoming gradients of a recurrent layer: of its last state and last cell.
constexpr std::size_t kFirstStateGradient = 12;

bool isRecurrent(const ForwardOp& op) { return op.type == "LSTM" || op.type == "GRU" || op.type == "RNN"; }

}  // namespace

Operand ModelBinder::operandOf(const TrainingNode& node, ValueId value, BoundCall& call) const
{
    if (value == kNoValue)
        return {};
    for (const NodeRead& read : node.reads)
        if (read.kind == NodeRead::Kind::Value && read.value == value && read.node >= 0)
            return operandOf(read, call);
    const auto& place = m_places[static_cast<std::size_t>(value)];
    return place ? *place : Operand{};
}

/// The side tensor, if this node reads it.
Operand ModelBinder::sideOf(const TrainingNode& node, std::size_t side) const
{
    const auto sides = m_sides.find(node.forwardOp);
    if (sides == m_sides.end() || side >= sides->second.size())
        return {};
    const NodeId id = sides->second[side];
    return std::ranges::any_of(node.reads, [&](const NodeRead& read) { return read.node == id && read.kind == NodeRead::Kind::Side; }) ? own(id)
                                                                                                                                   : Operand{};
}

/// The spec of an operation, with the bytes of an index as the device keeps them.
Expected<KernelSpec> ModelBinder::specOf(int op) const
{
    POET_TRY(spec, kernelSpec(m_forward, m_forward.ops[static_cast<std::size_t>(op)]));
    const auto sides = m_sides.find(op);
    if (sides == m_sides.end() || spec.sides.empty() || !spec.sides.front().ends_with("_index"))
        return spec;
    const auto side = static_cast<std::size_t>(sides->second.front());
    const std::int64_t elements = m_graph.nodes[side].indexElements;
    if (elements > 0)
        spec.attributes[kPoolIndexBytes] = narrow(std::bit_floor(static_cast<std::uint64_t>(std::min<std::int64_t>(8, m_costs.nodes[side].bytes / elements))));
    return spec;
}

Expected<BoundCall> ModelBinder::bindNode(NodeId id)
{
    const TrainingNode& node = m_graph.nodes[static_cast<std::size_t>(id)];
    if (isFloating(node.type) && node.type != ElementType::F32)
        return fail(ErrorCode::UnsupportedOp, "'" + node.name + "' is of type " + std::string(name(node.type)) +
                                                  "; the reference kernels compute in float32.", "Export without --with-kernels.");
    switch (node.role) {
    case NodeRole::Input: return BoundCall{};
    case NodeRole::Forward: return bindForward(id);
    case NodeRole::Side: return bindSide(id);
    case NodeRole::Loss: return bindLoss(id);
    case NodeRole::Accumulate: return bindAccumulate(id);
    case NodeRole::Backward: return node.forwardOp < 0 ? bindLoss(id) : bindBackward(id);
    }
    return BoundCall{};
}

Expected<BoundCall> ModelBinder::bindForward(NodeId id)
{
    const TrainingNode& node = m_graph.nodes[static_cast<std::size_t>(id)];
    const ForwardOp& op = m_forward.ops[static_cast<std::size_t>(node.forwardOp)];
    if (node.value != op.output(0))
        return bindFurtherOutput(id);
    POET_TRY(spec, specOf(node.forwardOp));
    BoundCall call{.kernel = spec.forward, .in = {}, .out = {own(id), {}, {}}, .gradients = {}, .attributes = spec.attributes};
    for (std::size_t slot = 0; slot < spec.inputs; ++slot) {
        call.in.push_back(operandOf(node, op.input(slot), call));
        if (op.input(slot) != kNoValue && call.in.back().kind == Operand::Kind::None)
            return fail(ErrorCode::UnsupportedOp, "The kernel of " + op.type + " '" + op.name + "' has no place to read '" + m_forward.value(op.input(slot)).name + "' from.",
                        "Export without --with-kernels and link a kernel of your own.");
    }
    for (std::size_t side = 0; side < spec.sides.size(); ++side)
        call.in.push_back(sideOf(node, side));
    return call;
}

/// Pieces of Split, and the last states of recurrent layers.
Expected<BoundCall> ModelBinder::bindFurtherOutput(NodeId id)
{
    const TrainingNode& node = m_graph.nodes[static_cast<std::size_t>(id)];
    const ForwardOp& op = m_forward.ops[static_cast<std::size_t>(node.forwardOp)];
    const auto output = static_cast<std::size_t>(std::ranges::find(op.outputs, node.value) - op.outputs.begin());
    POET_TRY(spec, specOf(node.forwardOp));
    BoundCall call{.kernel = "move", .in = {}, .out = {own(id), {}, {}}, .gradients = {}, .attributes = {}};
    if (op.type == "Split") {
        const Shape& x = m_forward.value(op.input(0)).shape;
        const std::int64_t rawAxis = op.intAttribute("axis", 0);
        const auto axis = static_cast<std::size_t>(rawAxis < 0 ? rawAxis + static_cast<std::int64_t>(x.size()) : rawAxis);
        const auto strides = rowMajorStrides(x);
        std::int64_t first = 0;
        for (std::size_t before = 0; before < output; ++before)
            first += m_forward.value(op.output(before)).shape[axis] * strides[axis];
        call.in.push_back(operandOf(node, op.input(0), call));
        call.attributes = {narrow(static_cast<std::int64_t>(x.size())), narrow(first), 0, 0, 0, narrow(elementCount(x)), elementBytes(node.type)};
        append(call.attributes, node.shape);
        append(call.attributes, strides);
        append(call.attributes, rowMajorStrides(node.shape));
        return call;
    }
    if (!isRecurrent(op) || op.intAttribute("layout", 0) != 0 || spec.attributes[4] != 1 || spec.attributes[5] != 0 || node.reads.empty())
        return fail(ErrorCode::UnsupportedOp, "There is no reference kernel for output " + std::to_string(output) + " of " + op.type + " '" + op.name + "'.",
                    "Export without --with-kernels and link a kernel of your own.");
    const std::int64_t count = elementCount(node.shape), all = count * spec.attributes[0];
    call.in.push_back(own(node.reads.front().node));
    call.attributes = {1, narrow(all - count), 0, 0, 0, narrow(all), 4, narrow(count), 1, 1};
    return call;
}

Expected<BoundCall> ModelBinder::bindSide(NodeId id)
{
    const TrainingNode& node = m_graph.nodes[static_cast<std::size_t>(id)];
    const ForwardOp& op = m_forward.ops[static_cast<std::size_t>(node.forwardOp)];
    POET_TRY(spec, specOf(node.forwardOp));
    const auto& sides = m_sides.at(node.forwardOp);
    const auto side = static_cast<std::size_t>(std::ranges::find(sides, id) - sides.begin());
    if (side >= spec.sides.size())
        return fail(ErrorCode::UnsupportedOp, "There is no reference kernel for '" + node.name + "'.", "Export without --with-kernels.");
    BoundCall call{.kernel = spec.sides[side], .in = {}, .out = {own(id), {}, {}}, .gradients = {}, .attributes = spec.attributes};
    call.workBytes = side == 0 ? (spec.sideWorkBytes + 7) / 8 * 8 : 0;
    for (std::size_t slot = 0; slot < spec.inputs; ++slot)
        call.in.push_back(operandOf(node, op.input(slot), call));
    for (std::size_t earlier = 0; earlier < side; ++earlier)
        call.in.push_back(sideOf(node, earlier));
    if (op.type == "BatchNormalization")  // running mean and variance
        for (std::size_t buffer = 0; buffer < 2; ++buffer) {
            const auto& place = m_places[static_cast<std::size_t>(op.input(3 + buffer))];
            if (place && place->kind == Operand::Kind::Param && !m_out.parameters[static_cast<std::size_t>(place->number)].isDerived)
                call.out[1 + buffer] = *place;
        }
    return call;
}

/// What a read means: a whole tensor, a stretch of one, or a strided part that is copied to the workspace first.
Operand ModelBinder::operandOf(const NodeRead& read, BoundCall& call) const
{
    Operand operand = own(read.node);
    const std::int64_t bytes = read.value == kNoValue ? kFloatBytes : elementBytes(m_forward.value(read.value).type);
    for (const NodeRead::Slice& slice : read.slices) {
        const SliceLayout at = layoutOf(m_forward, slice);
        if (at.rows <= 1) {
            operand.offset += at.offset * bytes;
            continue;
        }
        BoundCall copy{.kernel = "move", .in = {operand}, .out = {}, .gradients = {}, .attributes = {}};
        copy.attributes = {2, narrow(at.offset), 0, 0, 0, narrow(at.rows * at.rowStride), narrow(bytes), narrow(at.rows), narrow(at.rowElements), narrow(at.rowStride), 1,
                           narrow(at.rowElements), 1};
        operand = {Operand::Kind::Work, 0, call.workBytes, 0};
        copy.out[0] = operand;
        call.workBytes += (at.rows * at.rowElements * bytes + 7) / 8 * 8;
        call.before.push_back(std::move(copy));
    }
    return operand;
}

/// Where each gradient goes: data gradients into the node's tensor, those of weights to them.
void ModelBinder::addGradients(const TrainingNode& node, NodeId id, const KernelSpec& spec, BoundCall& call)
{
    const ForwardOp& op = m_forward.ops[static_cast<std::size_t>(node.forwardOp)];
    const training::OpPlan plan = training::planOperation(m_forward, op);
    bool isWritten = false;
    call.gradients.resize(spec.inputs);
    for (std::size_t slot = 0; slot < spec.inputs && slot < plan.slots.size(); ++slot) {
        const ValueId value = op.input(slot);
        const auto kind = plan.slots[slot].kind;
        if (value == kNoValue || kind == training::SlotGradient::Kind::None)
            continue;
        const auto& place = m_places[static_cast<std::size_t>(value)];
        if (!place && value == node.value) {
            const bool isPassedOn = kind == training::SlotGradient::Kind::Slice ||
                                    (kind == training::SlotGradient::Kind::Alias && m_forward.value(value).shape == m_forward.value(op.output(0)).shape);
            if (isPassedOn)
                continue;
            call.gradients[slot] = own(id);
            call.gradients[slot].mode = isWritten ? 2 : 1;
            isWritten = true;
        } else if (place && place->kind == Operand::Kind::Param && !node.parameterGradients.empty() &&
                   m_out.parameters[static_cast<std::size_t>(place->number)].isTrained) {
            call.gradients[slot] = *place;
            call.gradients[slot].mode = 2;
        }
    }
}

Expected<BoundCall> ModelBinder::bindBackward(NodeId id)
{
    const TrainingNode& node = m_graph.nodes[static_cast<std::size_t>(id)];
    const ForwardOp& op = m_forward.ops[static_cast<std::size_t>(node.forwardOp)];
    if (op.type == "Split")
        return bindSplitBackward(id);
    POET_TRY(spec, specOf(node.forwardOp));
    if (spec.backward.empty())
        return fail(ErrorCode::UnsupportedOp, "There is no backward kernel for " + op.type + " '" + op.name + "'.", "Export without --with-kernels.");
    BoundCall call{.kernel = spec.backward, .in = {Operand{}}, .out = {own(id), {}, {}}, .gradients = {}, .attributes = spec.attributes};
    call.workBytes = (spec.backwardWorkBytes + 7) / 8 * 8;
    for (std::size_t slot = 0; slot < spec.inputs; ++slot)
        call.in.push_back(operandOf(node, op.input(slot), call));
    call.in.push_back(operandOf(node, op.output(0), call));
    for (std::size_t side = 0; side < spec.sides.size(); ++side)
        call.in.push_back(sideOf(node, side));
    for (const NodeRead& read : node.reads) {
        if (read.kind != NodeRead::Kind::Gradient)
            continue;
        const auto output = static_cast<std::size_t>(std::ranges::find(op.outputs, read.value) - op.outputs.begin());
        if (output == 0) {
            call.in[0] = operandOf(read, call);
        } else if (isRecurrent(op)) {
            call.in.resize(std::max(call.in.size(), kFirstStateGradient + output));
            call.in[kFirstStateGradient + output - 1] = operandOf(read, call);
        } else {
            return fail(ErrorCode::UnsupportedOp, "There is no backward kernel for output " + std::to_string(output) + " of '" + op.name + "'.");
        }
    }
    addGradients(node, id, spec, call);
    return call;
}

/// The pieces' gradients side by side; zeros where a piece has none.
Expected<BoundCall> ModelBinder::bindSplitBackward(NodeId id)
{
    const TrainingNode& node = m_graph.nodes[static_cast<std::size_t>(id)];
    const ForwardOp& op = m_forward.ops[static_cast<std::size_t>(node.forwardOp)];
    const Shape& x = m_forward.value(op.input(0)).shape;
    const std::int64_t rawAxis = op.intAttribute("axis", 0);
    const auto axis = static_cast<std::ptrdiff_t>(rawAxis < 0 ? rawAxis + static_cast<std::int64_t>(x.size()) : rawAxis);
    const std::int64_t outer = elementCount(Shape(x.begin(), x.begin() + axis));
    BoundCall call{.kernel = "concat", .in = {}, .out = {own(id), {}, {}}, .gradients = {}, .attributes = {narrow(static_cast<std::int64_t>(op.outputs.size())), narrow(outer)}};
    for (const ValueId output : op.outputs) {
        call.attributes.push_back(narrow(elementCount(m_forward.value(output).shape) / std::max<std::int64_t>(outer, 1)));
        const auto read = std::ranges::find_if(node.reads, [&](const NodeRead& r) { return r.kind == NodeRead::Kind::Gradient && r.value == output; });
        call.in.push_back(read == node.reads.end() ? Operand{} : operandOf(*read, call));
    }
    return call;
}

Expected<BoundCall> ModelBinder::bindAccumulate(NodeId id)
{
    const TrainingNode& node = m_graph.nodes[static_cast<std::size_t>(id)];
    BoundCall call{.kernel = "sum", .in = {}, .out = {own(id), {}, {}}, .gradients = {}, .attributes = {}};
    for (const NodeRead& read : node.reads)
        call.in.push_back(operandOf(read, call));
    call.attributes = {narrow(node.bytes / kFloatBytes), narrow(static_cast<std::int64_t>(call.in.size()))};
    return call;
}

namespace {

/// Dimension of the classes: the one that the log-probabilities were normalised over, as their shape key says.
std::size_t classAxis(const TrainingNode& logs)
{
    const std::string& key = logs.work.empty() ? std::string() : logs.work.front().key;
    const auto at = key.find("axis=");
    return at == std::string::npos ? 1 : static_cast<std::size_t>(std::stoi(key.substr(at + 5)));
}

std::vector<std::int32_t> crossEntropyAttributes(const Shape& shape, std::size_t axis)
{
    const auto cut = static_cast<std::ptrdiff_t>(axis);
    return {narrow(elementCount(Shape(shape.begin(), shape.begin() + cut))), narrow(shape[axis]),
            narrow(elementCount(Shape(shape.begin() + cut + 1, shape.end())))};
}

constexpr std::int32_t kIgnoredTarget = -100;  // as PyTorch has it

}  // namespace

/// Loss nodes and their backward: no operation of the forward graph.
Expected<BoundCall> ModelBinder::bindLoss(NodeId id)
{
    const TrainingNode& node = m_graph.nodes[static_cast<std::size_t>(id)];
    const bool isBackward = node.role == NodeRole::Backward;
    BoundCall call{.kernel = "", .in = {}, .out = {own(id), {}, {}}, .gradients = {}, .attributes = {}};
    if (isBackward)
        call.in.push_back({});
    for (const NodeRead& read : node.reads)
        call.in.push_back(operandOf(read, call));
    if (isBackward)
        call.gradients = {{Operand::Kind::Tensor, id, 0, 1}};
    if (node.op == "LossLogProbs") {
        call.kernel = "log_softmax";
        call.attributes = crossEntropyAttributes(node.shape, classAxis(node));
    } else if (node.op == "CrossEntropy") {
        const TrainingNode& logs = m_graph.nodes[static_cast<std::size_t>(node.reads[0].node)];
        const TrainingNode& target = m_graph.nodes[static_cast<std::size_t>(node.reads[1].node)];
        call.kernel = isBackward ? "nll_grad" : "nll";
        call.attributes = crossEntropyAttributes(logs.shape, classAxis(logs));
        call.attributes.insert(call.attributes.end(), {isFloating(target.type) ? 0 : elementBytes(target.type), kIgnoredTarget, floatBits(node.lossWeight), 0});
    } else if (node.op == "MeanSquaredError" || node.op == "BinaryCrossEntropy") {
        const TrainingNode& target = m_graph.nodes[static_cast<std::size_t>(node.reads[1].node)];
        call.kernel = (node.op == "MeanSquaredError" ? std::string("mse") : "bce_logits") + (isBackward ? "_grad" : "");
        call.attributes = {narrow(elementCount(target.shape)), isFloating(target.type) ? 0 : elementBytes(target.type), floatBits(node.lossWeight)};
    } else if (node.op == "Seed") {
        call = BoundCall{.kernel = "fill", .in = {}, .out = {own(id), {}, {}}, .gradients = {}, .attributes = {narrow(node.bytes / kFloatBytes), floatBits(node.lossWeight)}};
    } else {
        return fail(ErrorCode::UnsupportedOp, "There is no reference kernel for the loss " + node.op + ".", "Export without --with-kernels.");
    }
    return call;
}

}  // namespace poet::firmware

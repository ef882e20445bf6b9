// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/training/builder.h"
#include "core/training/loss_terms.h"

#include <algorithm>

namespace poet::training {

namespace {

/// The operation that produced `value`, seen through views that keep its shape.
const ForwardOp* producer(const ForwardGraph& forward, ValueId value)
{
    for (int depth = 0; depth < 4; ++depth) {
        const int op = forward.value(value).producer;
        if (op < 0)
            return nullptr;
        const ForwardOp& found = forward.ops[at(op)];
        const bool isSame = (found.type == "Identity" || found.type == "Reshape" || found.type == "Squeeze" || found.type == "Flatten") &&
                            found.input(0) != kNoValue;
        if (!isSame)
            return &found;
        value = found.inputs[0];
    }
    return nullptr;
}

/// Class scores lie along dimension 1 (PyTorch's convention), or along the last one when a matrix product made them.
std::int64_t classAxis(const ForwardGraph& forward, ValueId value)
{
    const auto rank = static_cast<std::int64_t>(forward.value(value).shape.size());
    const ForwardOp* op = producer(forward, value);
    for (int depth = 0; op && depth < 4 && (op->type == "Add" || op->type == "Mul" || op->type == "Cast" || op->type == "Div"); ++depth)
        op = op->input(0) == kNoValue ? nullptr : producer(forward, op->inputs[0]);
    const bool isProduct = op && (op->type == "MatMul" || op->type == "Gemm" || op->type == "Einsum");
    return rank <= 2 || isProduct ? rank - 1 : 1;
}

bool isLossAlready(const ForwardGraph& forward, ValueId value)
{
    const ForwardOp* op = producer(forward, value);
    if (forward.value(value).shape.empty())
        return true;
    if (!op || op->input(0) == kNoValue)
        return false;
    // A mean or sum over everything, the batch included, is one number for the step.
    const auto rank = forward.value(op->inputs[0]).shape.size();
    const auto axes = op->intsAttribute("axes");
    const bool isWhole = (op->type == "ReduceMean" || op->type == "ReduceSum") && rank > 0 && (axes.empty() || axes.size() == rank) &&
                         op->intAttribute("noop_with_empty_axes", 0) == 0;
    // The second output of a cross entropy are its log-probabilities.
    const bool isLossOp = op->type == "SoftmaxCrossEntropyLoss" || op->type == "NegativeLogLikelihoodLoss";
    return isWhole || (isLossOp && value != op->output(1));
}

/// Steps back over a final Softmax or Sigmoid that the loss includes.
void absorb(const ForwardGraph& forward, LossPlan& loss, std::vector<Note>& notes)
{
    const ForwardOp* op = producer(forward, loss.value);
    if (!op)
        return;
    const auto rank = static_cast<std::int64_t>(forward.value(loss.value).shape.size());
    // A Softmax over several dimensions at once (operator sets before 13) is none over the classes.
    const bool isSoftmax = loss.kind == "cross-entropy" && (op->type == "Softmax" || op->type == "LogSoftmax") && op->intAttribute("coerced", 0) == 0;
    const bool isSigmoid = loss.kind == "bce" && op->type == "Sigmoid";
    if (!isSoftmax && !isSigmoid)
        return;
    const std::int64_t axis = op->intAttribute("axis", forward.opset < 13 ? 1 : -1);
    loss.value = op->inputs[0];
    loss.classAxis = isSoftmax ? (axis < 0 ? axis + rank : axis) : loss.classAxis;
    notes.push_back({NoteKind::Recognised, "%1 \"%2\" at the output is part of the loss.", {op->type, op->name}});
}

/// A Sigmoid output under a cross entropy, or a Softmax under a binary one, is likely to be trained otherwise.
void doubtKind(const ForwardGraph& forward, const LossPlan& loss, std::vector<Note>& notes)
{
    const ForwardOp* op = producer(forward, loss.value);
    const std::string& output = forward.value(loss.value).name;
    if (op && loss.kind == "cross-entropy" && op->type == "Sigmoid")
        notes.push_back({NoteKind::Read, "Output \"%1\" ends in a Sigmoid but is trained by a cross entropy; --loss %1=bce may be meant.", {output}});
    if (op && loss.kind == "bce" && op->type == "Softmax")
        notes.push_back({NoteKind::Read, "Output \"%1\" ends in a Softmax but is trained by a binary cross entropy; --loss %1=cross-entropy may be meant.", {output}});
}

std::int64_t one(const Shape& shape) { return elementCount(shape); }

TrainingNode lossNode(const Builder& builder, const LossPlan& loss, const std::string& op)
{
    TrainingNode node;
    node.name = op + " of " + builder.forward().value(loss.value).name;
    node.op = op;
    node.role = NodeRole::Loss;
    node.type = builder.forward().value(loss.value).type;
    node.lossWeight = loss.weight;
    return node;
}

NodeId addTarget(Builder& builder, const LossPlan& loss, ElementType type, Shape shape)
{
    TrainingNode node;
    node.name = "target of " + builder.forward().value(loss.output).name;
    node.op = "Target";
    node.role = NodeRole::Input;
    node.type = type;
    node.shape = std::move(shape);
    node.bytes = one(node.shape) * elementBytes(type);
    return builder.addNode(std::move(node), {});
}

NodeRead plainRead(NodeId node) { return {node, NodeRead::Kind::Side, kNoValue, {}}; }

NodeId addScalar(Builder& builder, const LossPlan& loss, const std::string& op, std::vector<NodeRead> reads, double flops, std::int64_t bytesRead)
{
    TrainingNode node = lossNode(builder, loss, op);
    node.bytes = elementBytes(node.type);
    node.work = {{op, "x=" + shapeText(builder.forward().value(loss.value).shape), OpClass::Reduce, flops, bytesRead, node.bytes}};
    return builder.addNode(std::move(node), std::move(reads));
}

/// The first gradient: same shape as what the loss reads.
void addLossBackward(Builder& builder, const LossPlan& loss, const std::string& op, NodeId forward, std::vector<NodeRead> reads)
{
    if (!builder.needsGradient(loss.value))
        return;
    TrainingNode node = lossNode(builder, loss, op);
    node.name += "\u2032";
    node.role = NodeRole::Backward;
    node.value = loss.value;
    node.forward = forward;
    const std::int64_t bytes = builder.bytesOf(loss.value);
    const Shape& shape = builder.forward().value(loss.value).shape;
    node.work = {{op + ".grad", "x=" + shapeText(shape), OpClass::Softmax, 2.0 * static_cast<double>(one(shape)), bytes, bytes}};
    builder.addGradient(loss.value, {builder.addNode(std::move(node), std::move(reads)), {}});
}

void addCrossEntropy(Builder& builder, const LossPlan& loss)
{
    const Shape& shape = builder.forward().value(loss.value).shape;
    Shape targets = shape;
    if (!targets.empty())
        targets.erase(targets.begin() + std::clamp<std::int64_t>(loss.classAxis, 0, static_cast<std::int64_t>(shape.size()) - 1));
    const NodeId target = addTarget(builder, loss, ElementType::I64, targets);
    TrainingNode logs = lossNode(builder, loss, "LossLogProbs");
    logs.shape = shape;
    logs.bytes = builder.bytesOf(loss.value);
    logs.work = {{"LogSoftmax", "x=" + shapeText(shape) + " axis=" + std::to_string(loss.classAxis), OpClass::Softmax,
                  5.0 * static_cast<double>(one(shape)), logs.bytes, logs.bytes}};
    const NodeId logProbs = builder.addNode(std::move(logs), {builder.readOf(loss.value)});
    const std::vector<NodeRead> both = {plainRead(logProbs), plainRead(target)};
    const auto samples = static_cast<double>(one(targets));
    addScalar(builder, loss, "CrossEntropy", both, samples, 2 * elementBytes(ElementType::I64) * one(targets));
    addLossBackward(builder, loss, "CrossEntropy", logProbs, both);
}

/// Mean squared error and binary cross entropy (from scores): backward reads output and target.
void addElementwiseLoss(Builder& builder, const LossPlan& loss, const std::string& op)
{
    const ForwardValue& value = builder.forward().value(loss.value);
    const NodeId target = addTarget(builder, loss, value.type, value.shape);
    const std::vector<NodeRead> both = {builder.readOf(loss.value), plainRead(target)};
    const double flops = (op == "MeanSquaredError" ? 3.0 : 8.0) * static_cast<double>(one(value.shape));
    const NodeId scalar = addScalar(builder, loss, op, both, flops, 2 * builder.bytesOf(loss.value));
    addLossBackward(builder, loss, op, scalar, both);
}

/// Outputs that can carry a loss, in file order, once each.
std::vector<ValueId> trainableOutputs(const ForwardGraph& forward)
{
    std::vector<ValueId> outputs;
    for (const ValueId output : forward.outputs) {
        const ForwardValue& value = forward.value(output);
        const bool isSeen = std::ranges::find(outputs, output) != outputs.end();
        if (!isSeen && isFloating(value.type) && value.kind == ValueKind::Activation)
            outputs.push_back(output);
    }
    return outputs;
}

Expected<void> checkNames(const ForwardGraph& forward, const std::vector<LossTerm>& terms, const std::vector<ValueId>& outputs)
{
    for (const LossTerm& term : terms) {
        const bool isThere = std::ranges::any_of(outputs, [&](ValueId id) { return forward.value(id).name == term.output; });
        if (term.output.empty() || isThere)
            continue;
        std::string known;
        for (std::size_t i = 0; i < outputs.size() && i < 8; ++i)
            known += (i ? ", " : "") + forward.value(outputs[i]).name;
        return fail(ErrorCode::BadUsage, "The model has no floating-point output named \"" + term.output + "\".", "It has: " + known + ".");
    }
    return {};
}

/// The term for an output: its own, or the one of all others; null when it takes no part.
const LossTerm* termOf(const std::vector<LossTerm>& terms, const std::string& output)
{
    const auto own = std::ranges::find(terms, output, &LossTerm::output);
    const auto common = std::ranges::find(terms, std::string(), &LossTerm::output);
    return own != terms.end() ? &*own : common != terms.end() ? &*common : nullptr;
}

std::string listed(const ForwardGraph& forward, const std::vector<ValueId>& outputs)
{
    std::string names;
    for (const ValueId id : outputs)
        names += (names.empty() ? "\"" : ", \"") + forward.value(id).name + "\"";
    return names;
}

}  // namespace

Expected<std::vector<LossPlan>> planLosses(const ForwardGraph& forward, const TrainingOptions& options, std::vector<Note>& notes)
{
    POET_TRY(terms, parseLossTerms(options.loss));
    const std::vector<ValueId> outputs = trainableOutputs(forward);
    if (outputs.empty())
        return fail(ErrorCode::BadModel, "The model has no floating-point output that could be trained.",
                    "Export the model before its arg-max or quantisation.");
    POET_CHECK(checkNames(forward, terms, outputs));
    const bool hasNames = std::ranges::any_of(terms, [](const LossTerm& term) { return !term.output.empty(); });
    const bool hasLoss = std::ranges::any_of(outputs, [&](ValueId id) { return isLossAlready(forward, id); });
    std::vector<LossPlan> losses;
    std::vector<ValueId> unused;
    for (const ValueId output : outputs) {
        const LossTerm* term = termOf(terms, forward.value(output).name);
        const bool isLoss = isLossAlready(forward, output);
        // Beside a loss that the model computes itself, its other outputs are results to look at.
        if (!term || (hasLoss && !isLoss && !hasNames && term->kind != "none")) {
            unused.push_back(output);
            continue;
        }
        LossPlan loss{term->kind, output, classAxis(forward, output), term->weight, output};
        if (isLoss && term->kind != "none") {
            loss.kind = "none";
            notes.push_back({NoteKind::Read, "Output \"%1\" is a loss already; nothing is added to it.", {forward.value(output).name}});
        }
        absorb(forward, loss, notes);
        doubtKind(forward, loss, notes);
        losses.push_back(loss);
    }
    if (!unused.empty())
        notes.push_back({NoteKind::Read, "No loss is put on %1; name an output in --loss to train it.", {listed(forward, unused)}});
    const bool isWeighted = std::ranges::any_of(losses, [](const LossPlan& loss) { return loss.weight != 1; });
    if (losses.size() > 1)
        notes.push_back({NoteKind::Read, isWeighted ? "The losses of %1 outputs are added with the given weights." : "The losses of %1 outputs are added with equal weights.", {std::to_string(losses.size())}});
    return losses;
}

void addLosses(Builder& builder, const std::vector<LossPlan>& losses)
{
    for (const LossPlan& loss : losses) {
        if (loss.kind == "cross-entropy")
            addCrossEntropy(builder, loss);
        else if (loss.kind == "mse")
            addElementwiseLoss(builder, loss, "MeanSquaredError");
        else if (loss.kind == "bce")
            addElementwiseLoss(builder, loss, "BinaryCrossEntropy");
        else
            addLossBackward(builder, loss, "Seed", builder.place(loss.value).node, {builder.readOf(loss.value)});
    }
}

}  // namespace poet::training

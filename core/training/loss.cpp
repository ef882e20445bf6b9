// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/training/builder.h"

#include <algorithm>

namespace poet::training {

namespace {

std::size_t at(int id) { return static_cast<std::size_t>(id); }

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
    const bool isLossOp = op && (op->type == "SoftmaxCrossEntropyLoss" || op->type == "NegativeLogLikelihoodLoss");
    return isLossOp || forward.value(value).shape.empty();
}

/// Steps back over a final Softmax or Sigmoid that the loss includes.
void absorb(const ForwardGraph& forward, LossPlan& loss, std::vector<std::string>& notes)
{
    const ForwardOp* op = producer(forward, loss.value);
    if (!op)
        return;
    const auto rank = static_cast<std::int64_t>(forward.value(loss.value).shape.size());
    const bool isSoftmax = loss.kind == "cross-entropy" && (op->type == "Softmax" || op->type == "LogSoftmax");
    const bool isSigmoid = loss.kind == "bce" && op->type == "Sigmoid";
    if (!isSoftmax && !isSigmoid)
        return;
    const std::int64_t axis = op->intAttribute("axis", forward.opset < 13 ? 1 : -1);
    loss.value = op->inputs[0];
    loss.classAxis = isSoftmax ? (axis < 0 ? axis + rank : axis) : loss.classAxis;
    notes.push_back(op->type + " \"" + op->name + "\" at the output is part of the loss.");
}

std::int64_t one(const Shape& shape) { return elementCount(shape); }

TrainingNode lossNode(const Builder& builder, const LossPlan& loss, const std::string& op)
{
    TrainingNode node;
    node.name = op + " of " + builder.forward().value(loss.value).name;
    node.op = op;
    node.role = NodeRole::Loss;
    node.type = builder.forward().value(loss.value).type;
    return node;
}

NodeId addTarget(Builder& builder, const LossPlan& loss, ElementType type, Shape shape)
{
    TrainingNode node;
    node.name = "target of " + builder.forward().value(loss.value).name;
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

}  // namespace

Expected<std::vector<LossPlan>> planLosses(const ForwardGraph& forward, const TrainingOptions& options, std::vector<std::string>& notes)
{
    const std::string& kind = options.loss;
    if (kind != "cross-entropy" && kind != "bce" && kind != "mse" && kind != "none")
        return fail(ErrorCode::BadUsage, "There is no loss named \"" + kind + "\".", "Use cross-entropy, bce, mse or none.");
    std::vector<LossPlan> losses;
    for (const ValueId output : forward.outputs) {
        const ForwardValue& value = forward.value(output);
        const bool isSeen = std::ranges::find(losses, output, &LossPlan::value) != losses.end();
        if (isSeen || !isFloating(value.type) || value.kind != ValueKind::Activation)
            continue;
        LossPlan loss{kind, output, classAxis(forward, output)};
        if (kind != "none" && isLossAlready(forward, output)) {
            loss.kind = "none";
            notes.push_back("Output \"" + value.name + "\" is a loss already; nothing is added to it.");
        }
        absorb(forward, loss, notes);
        losses.push_back(loss);
    }
    if (losses.empty())
        return fail(ErrorCode::BadModel, "The model has no floating-point output that could be trained.",
                    "Export the model before its arg-max or quantisation.");
    if (losses.size() > 1)
        notes.push_back("The losses of " + std::to_string(losses.size()) + " outputs are added with equal weights.");
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

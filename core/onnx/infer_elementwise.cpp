// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/infer.h"

#include "core/onnx/tensor.h"

#include <algorithm>

namespace poet::onnx {

Expected<void> sameAsFirst(InferContext& c)
{
    POET_CHECK(c.needInputs(1));
    c.set(0, c.type(0), c.shape(0));
    return {};
}

namespace {

Expected<void> broadcastAll(InferContext& c, ElementType type)
{
    Shape shape = c.shape(0);
    for (std::size_t slot = 1; slot < c.op().inputs.size(); ++slot) {
        if (!c.hasInput(slot))
            continue;
        const auto joined = broadcast(shape, c.shape(slot));
        if (!joined)
            return c.broken("the shapes " + shapeText(shape) + " and " + shapeText(c.shape(slot)) + " do not fit");
        shape = *joined;
    }
    c.set(0, type, shape);
    return {};
}

Expected<void> arithmetic(InferContext& c)
{
    POET_CHECK(c.needInputs(std::max<std::size_t>(1, c.op().inputs.size())));
    return broadcastAll(c, c.type(0));
}

/// Two operands, both given.
Expected<void> binary(InferContext& c)
{
    POET_CHECK(c.needInputs(2));
    c.keepInputs(2);
    return broadcastAll(c, c.type(0));
}

/// Before operator set 13 these worked on all dimensions from the axis on, as if they were one.
Expected<void> softmax(InferContext& c)
{
    POET_CHECK(c.needInputs(1));
    if (c.rank(0) > 0) {
        POET_TRY(axis, c.axis(c.op().intAttribute("axis", c.opset() < 13 ? 1 : -1), c.rank(0)));
        std::int64_t behind = 1;
        for (auto i = static_cast<std::size_t>(axis) + 1; i < c.shape(0).size(); ++i)
            behind *= c.shape(0)[i];
        c.op().attributes["axis"] = axis;
        if (c.opset() < 13 && behind > 1)
            c.op().attributes["coerced"] = std::int64_t{1};
    }
    return sameAsFirst(c);
}

Expected<void> comparison(InferContext& c)
{
    POET_CHECK(c.needInputs(2));
    return broadcastAll(c, ElementType::Bool);
}

Expected<void> where(InferContext& c)
{
    POET_CHECK(c.needInputs(3));
    return broadcastAll(c, c.type(1));
}

Expected<void> cast(InferContext& c)
{
    POET_CHECK(c.needInputs(1));
    c.set(0, elementTypeFromOnnx(static_cast<int>(c.op().intAttribute("to", 1))), c.shape(0));
    return {};
}

Expected<void> castLike(InferContext& c)
{
    POET_CHECK(c.needInputs(2));
    c.set(0, c.type(1), c.shape(0));
    c.keepInputs(1);
    return {};
}

/// Bounds became inputs in operator set 11; constant ones become attributes.
Expected<void> clip(InferContext& c)
{
    POET_CHECK(c.needInputs(1));
    const bool known = (!c.hasInput(1) || c.constant(1)) && (!c.hasInput(2) || c.constant(2));
    if (known) {
        c.toAttribute(1, "min");
        c.toAttribute(2, "max");
        c.keepInputs(1);
    }
    return sameAsFirst(c);
}

/// training_mode is an input since operator set 12; before, exporters write Dropout only into training graphs.
Expected<void> dropout(InferContext& c)
{
    POET_CHECK(c.needInputs(1));
    std::int64_t training = 0;
    if (c.opset() >= 12) {
        if (const SmallTensor* mode = c.constant(2); mode && !mode->ints.empty())
            training = mode->ints[0] != 0;
        if (c.hasInput(1))
            c.toAttribute(1, "ratio");
        else
            c.op().attributes["ratio"] = 0.5;
    } else {
        training = c.op().floatAttribute("ratio", 0.5) > 0;
    }
    c.op().attributes["training_mode"] = training;
    c.keepInputs(1);
    c.set(0, c.type(0), c.shape(0));
    c.set(1, ElementType::Bool, c.shape(0));
    return {};
}

Expected<void> quantize(InferContext& c)
{
    POET_CHECK(c.needInputs(2));
    c.set(0, c.hasInput(2) ? c.type(2) : ElementType::U8, c.shape(0));
    return {};
}

Expected<void> dequantize(InferContext& c)
{
    POET_CHECK(c.needInputs(2));
    c.set(0, c.type(1), c.shape(0));
    return {};
}

Expected<void> dynamicQuantize(InferContext& c)
{
    POET_CHECK(c.needInputs(1));
    c.set(0, ElementType::U8, c.shape(0));
    c.set(1, ElementType::F32, {});
    c.set(2, ElementType::U8, {});
    return {};
}

Expected<void> unaryBool(InferContext& c)
{
    POET_CHECK(c.needInputs(1));
    c.set(0, ElementType::Bool, c.shape(0));
    return {};
}

}  // namespace

void addElementwiseRules(InferTable& table)
{
    for (const char* type :
         {"Abs", "Acos", "Acosh", "Asin", "Asinh", "Atan", "Atanh", "BitwiseNot", "Ceil", "Celu", "Cos", "Cosh", "Elu", "Erf",
          "Exp", "Floor", "Gelu", "HardSigmoid", "HardSwish", "Identity", "LeakyRelu", "Log",
          "LpNormalization", "LRN", "Mish", "MeanVarianceNormalization", "Neg", "Not", "PRelu", "QuickGelu", "Reciprocal",
          "Relu", "Round", "Selu", "Shrink", "Sigmoid", "Sign", "Sin", "Sinh", "Silu", "Softplus", "Softsign",
          "Sqrt", "Swish", "Tan", "Tanh", "ThresholdedRelu", "FastGelu", "BiasGelu"})
        table.emplace(type, sameAsFirst);
    for (const char* type : {"Softmax", "LogSoftmax", "Hardmax"})
        table.emplace(type, softmax);
    for (const char* type : {"Max", "Min", "Mean", "Sum"})
        table.emplace(type, arithmetic);
    for (const char* type : {"Add", "Sub", "Mul", "Div", "Mod", "Pow", "BitShift", "BitwiseAnd", "BitwiseOr", "BitwiseXor"})
        table.emplace(type, binary);
    for (const char* type : {"And", "Or", "Xor", "Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual"})
        table.emplace(type, comparison);
    table.emplace("IsInf", unaryBool);
    table.emplace("IsNaN", unaryBool);
    table.emplace("Where", where);
    table.emplace("Cast", cast);
    table.emplace("CastLike", castLike);
    table.emplace("Clip", clip);
    table.emplace("Dropout", dropout);
    table.emplace("QuantizeLinear", quantize);
    table.emplace("DequantizeLinear", dequantize);
    table.emplace("DynamicQuantizeLinear", dynamicQuantize);
}

}  // namespace poet::onnx

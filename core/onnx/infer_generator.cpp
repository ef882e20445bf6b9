// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/infer.h"

#include "core/onnx/tensor.h"

#include <cmath>

namespace poet::onnx {

namespace {

Expected<void> constantOfShape(InferContext& c)
{
    POET_CHECK(c.needInputs(1));
    const auto shape = c.ints(0, "");
    if (!shape)
        return c.unknown("its shape is computed from data");
    ElementType type = ElementType::F32;
    if (const auto found = c.op().attributes.find("value"); found != c.op().attributes.end())
        if (const auto* fill = std::get_if<SmallTensor>(&found->second))
            type = fill->type;
    c.set(0, type, *shape);
    c.keepInputs(0);
    return {};
}

Expected<void> range(InferContext& c)
{
    POET_CHECK(c.needInputs(3));
    double bounds[3] = {};
    for (std::size_t i = 0; i < 3; ++i) {
        const SmallTensor* bound = c.constant(i);
        if (!bound || bound->size() != 1)
            return c.unknown("its bounds are computed from data");
        bounds[i] = bound->ints.empty() ? bound->floats[0] : static_cast<double>(bound->ints[0]);
    }
    if (bounds[2] == 0)
        return c.broken("its step is 0");
    const double count = std::ceil((bounds[1] - bounds[0]) / bounds[2]);
    c.set(0, c.type(0), {static_cast<std::int64_t>(std::max(0.0, std::min(count, 1e15)))});
    return {};
}

Expected<void> random(InferContext& c)
{
    const auto type = elementTypeFromOnnx(static_cast<int>(c.op().intAttribute("dtype", 1)));
    c.set(0, type, c.op().intsAttribute("shape"));
    return {};
}

Expected<void> randomLike(InferContext& c)
{
    POET_CHECK(c.needInputs(1));
    const auto type = c.op().has("dtype") ? elementTypeFromOnnx(static_cast<int>(c.op().intAttribute("dtype", 1))) : c.type(0);
    c.set(0, type, c.shape(0));
    return {};
}

Expected<void> multinomial(InferContext& c)
{
    POET_CHECK(c.needInputs(1));
    if (c.rank(0) != 2)
        return c.broken("its input must have two dimensions");
    c.set(0, ElementType::I32, {c.shape(0)[0], c.op().intAttribute("sample_size", 1)});
    return {};
}

Expected<void> window(InferContext& c)
{
    const auto size = c.ints(0, "");
    if (!size || size->size() != 1)
        return c.unknown("its size is computed from data");
    c.set(0, elementTypeFromOnnx(static_cast<int>(c.op().intAttribute("output_datatype", 1))), {(*size)[0]});
    return {};
}

/// Frames of a signal: batch x frames x bins x 2, half the bins when `onesided`.
Expected<void> shortTimeTransform(InferContext& c)
{
    POET_CHECK(c.needInputs(2));
    const auto step = c.ints(1, "");
    const auto given = c.hasInput(3) ? c.ints(3, "") : std::nullopt;
    const Shape signal = c.shape(0);
    if (!step || step->size() != 1 || (c.hasInput(3) && (!given || given->size() != 1)))
        return c.unknown("its frames are computed from data");
    if (signal.size() < 2 || (*step)[0] < 1 || (!given && !c.hasInput(2)) || (c.hasInput(2) && c.rank(2) != 1))
        return c.broken("its frames do not fit the signal " + shapeText(signal));
    const std::int64_t length = given ? (*given)[0] : c.shape(2)[0];
    if (length < 1 || length > signal[1])
        return c.broken("its frames do not fit the signal " + shapeText(signal));
    const bool isHalf = c.op().intAttribute("onesided", 1) != 0;
    c.set(0, c.type(0), {signal[0], (signal[1] - length) / (*step)[0] + 1, isHalf ? length / 2 + 1 : length, 2});
    return {};
}

/// batch x ... x 1 or 2 becomes batch x ... x 2; the transformed axis is an input since operator set 20.
Expected<void> fourierTransform(InferContext& c)
{
    POET_CHECK(c.needInputs(1));
    Shape shape = c.shape(0);
    const auto length = c.ints(1, "");
    const auto axes = c.opset() >= 20 ? c.ints(2, "") : std::optional(std::vector{c.op().intAttribute("axis", 1)});
    if ((c.hasInput(1) && (!length || length->size() != 1)) || (c.hasInput(2) && !axes))
        return c.unknown("its length or axis is computed from data");
    if (shape.size() < 2)
        return c.broken("its input must have two dimensions");
    POET_TRY(axis, c.axis(axes && axes->size() == 1 ? (*axes)[0] : -2, c.rank(0)));
    auto& points = shape[static_cast<std::size_t>(axis)];
    points = length ? (*length)[0] : points;
    if (c.op().intAttribute("onesided", 0) != 0)
        points = points / 2 + 1;
    shape.back() = 2;
    c.set(0, c.type(0), shape);
    return {};
}

Expected<void> melWeights(InferContext& c)
{
    POET_CHECK(c.needInputs(2));
    const auto bins = c.ints(0, "");
    const auto length = c.ints(1, "");
    if (!bins || !length || bins->size() != 1 || length->size() != 1)
        return c.unknown("its size is computed from data");
    c.set(0, elementTypeFromOnnx(static_cast<int>(c.op().intAttribute("output_datatype", 1))), {(*length)[0] / 2 + 1, (*bins)[0]});
    return {};
}

/// SoftmaxCrossEntropyLoss and NegativeLogLikelihoodLoss: scalar unless reduction is none.
Expected<void> loss(InferContext& c)
{
    POET_CHECK(c.needInputs(2));
    const bool isScalar = c.op().textAttribute("reduction", "mean") != "none";
    c.set(0, c.type(0), isScalar ? Shape{} : c.shape(1));
    c.set(1, c.type(0), c.shape(0));
    return {};
}

}  // namespace

void addGeneratorRules(InferTable& table)
{
    table.emplace("ConstantOfShape", constantOfShape);
    table.emplace("Range", range);
    for (const char* type : {"RandomNormal", "RandomUniform"})
        table.emplace(type, random);
    for (const char* type : {"RandomNormalLike", "RandomUniformLike", "EyeLike", "Bernoulli"})
        table.emplace(type, randomLike);
    table.emplace("Multinomial", multinomial);
    for (const char* type : {"HannWindow", "HammingWindow", "BlackmanWindow"})
        table.emplace(type, window);
    table.emplace("DFT", fourierTransform);
    table.emplace("STFT", shortTimeTransform);
    table.emplace("MelWeightMatrix", melWeights);
    table.emplace("SoftmaxCrossEntropyLoss", loss);
    table.emplace("NegativeLogLikelihoodLoss", loss);
}

}  // namespace poet::onnx

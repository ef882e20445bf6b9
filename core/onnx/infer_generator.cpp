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
    for (const char* type : {"RandomNormalLike", "RandomUniformLike", "EyeLike"})
        table.emplace(type, randomLike);
    table.emplace("Multinomial", multinomial);
    for (const char* type : {"HannWindow", "HammingWindow", "BlackmanWindow"})
        table.emplace(type, window);
    table.emplace("SoftmaxCrossEntropyLoss", loss);
    table.emplace("NegativeLogLikelihoodLoss", loss);
}

}  // namespace poet::onnx

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/infer.h"

#include <algorithm>

namespace poet::onnx {

namespace {

/// Training mode is an attribute since operator set 14; before, additional outputs mean training.
Expected<void> batchNormalization(InferContext& c)
{
    POET_CHECK(c.needInputs(5));
    std::int64_t outputs = 0;
    for (const ValueId output : c.op().outputs)
        outputs += output != kNoValue;
    const bool isTraining = c.opset() >= 14 ? c.op().intAttribute("training_mode", 0) != 0 : outputs > 1;
    c.op().attributes["training_mode"] = std::int64_t{isTraining};
    c.set(0, c.type(0), c.shape(0));
    for (std::size_t i = 1; i < c.op().outputs.size(); ++i)
        c.set(i, c.type(3), c.shape(3));
    return {};
}

Expected<void> layerNormalization(InferContext& c)
{
    POET_CHECK(c.needInputs(1));
    POET_TRY(axis, c.axis(c.op().intAttribute("axis", -1), c.rank(0)));
    Shape statistics = c.shape(0);
    for (auto i = static_cast<std::size_t>(axis); i < statistics.size(); ++i)
        statistics[i] = 1;
    c.op().attributes["axis"] = axis;
    c.set(0, c.type(0), c.shape(0));
    c.set(1, ElementType::F32, statistics);
    c.set(2, ElementType::F32, statistics);
    return {};
}

/// GroupNormalization, and com.microsoft's GroupNorm with its channels last.
Expected<void> groupNormalization(InferContext& c)
{
    POET_CHECK(c.needInputs(1));
    const Shape& x = c.shape(0);
    const std::int64_t groups = c.op().intAttribute("num_groups", c.op().intAttribute("groups", 1));
    if (x.size() < 2 || groups < 1 || groups > std::max(x[1], x.back()))
        return c.broken(std::to_string(groups) + " groups do not fit the input " + shapeText(x));
    c.set(0, c.type(0), x);
    return {};
}

/// com.microsoft's fused residual and LayerNormalization: outputs are result, mean, inverse deviation, sum.
Expected<void> skipNormalization(InferContext& c)
{
    POET_CHECK(c.needInputs(2));
    Shape statistics = c.shape(0);
    if (!statistics.empty())
        statistics.back() = 1;
    c.set(0, c.type(0), c.shape(0));
    c.set(1, ElementType::F32, statistics);
    c.set(2, ElementType::F32, statistics);
    c.set(3, c.type(0), c.shape(0));
    return {};
}

}  // namespace

void addNormRules(InferTable& table)
{
    table.emplace("BatchNormalization", batchNormalization);
    table.emplace("LayerNormalization", layerNormalization);
    table.emplace("SimplifiedLayerNormalization", layerNormalization);
    table.emplace("RMSNormalization", layerNormalization);
    table.emplace("InstanceNormalization", sameAsFirst);
    for (const char* type : {"GroupNormalization", "GroupNorm"})
        table.emplace(type, groupNormalization);
    for (const char* type : {"SkipLayerNormalization", "SkipSimplifiedLayerNormalization"})
        table.emplace(type, skipNormalization);
}

}  // namespace poet::onnx

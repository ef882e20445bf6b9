// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/firmware/kernel_spec.h"
#include "core/export/firmware/narrow.h"

#include <limits>

namespace poet::firmware {

namespace {

/// Losses that the model computes itself, classes along dimension 1; with weights of the classes when there are any.
Expected<KernelSpec> lossOf(const OpContext& c, KernelSpec spec)
{
    const Shape& scores = c.in(0);
    if (scores.size() < 2 || isFloating(c.inType(1)) || (c.has(2) && c.inType(2) != ElementType::F32))
        return noKernel(c, "these operands");
    const std::string reduction = c.op.textAttribute("reduction", "mean");
    const std::int64_t ignored = c.op.intAttribute("ignore_index", std::numeric_limits<std::int32_t>::min());
    spec.attributes = {narrow(scores[0]), narrow(scores[1]), narrow(elementCount(Shape(scores.begin() + 2, scores.end()))),
                       elementBytes(c.inType(1)), narrow(ignored), floatBits(1), reduction == "none" ? 2 : reduction == "sum" ? 1 : 0};
    spec.inputs = 3;
    return spec;
}

Expected<KernelSpec> softmaxCrossEntropy(const OpContext& c)
{
    return lossOf(c, {.forward = "nll_side", .backward = "nll_side_grad", .attributes = {}, .sides = {"log_softmax"}});
}

Expected<KernelSpec> negativeLogLikelihood(const OpContext& c)
{
    return lossOf(c, {.forward = "nll", .backward = "nll_pick_grad", .attributes = {}});
}

}  // namespace

void addLossBinders(BinderTable& table)
{
    table.insert({{"SoftmaxCrossEntropyLoss", softmaxCrossEntropy}, {"NegativeLogLikelihoodLoss", negativeLogLikelihood}});
}

}  // namespace poet::firmware

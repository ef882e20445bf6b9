// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/training/at.h"
#include "core/training/rules/rule.h"
#include "core/training/rules/sides.h"

#include <algorithm>

namespace poet::training {

const RuleTable& ruleTable()
{
    static const RuleTable table = [] {
        RuleTable rules;
        addActivationRules(rules);
        addArithmeticRules(rules);
        addAttentionRules(rules);
        addConvolutionRules(rules);
        addMatrixRules(rules);
        addPoolingRules(rules);
        addNormalizationRules(rules);
        addReductionRules(rules);
        addLayoutRules(rules);
        addIndexingRules(rules);
        addRecurrentRules(rules);
        addRandomRules(rules);
        addQuantizationRules(rules);
        addLossRules(rules);
        return rules;
    }();
    return table;
}

std::string listText(const std::vector<std::int64_t>& list)
{
    return list.empty() ? "" : shapeText(list);
}

SideOutput selectedIndices(const OpView& view, double flops)
{
    SideOutput indices;
    indices.suffix = "indices";
    indices.type = ElementType::I64;
    indices.shape = view.out();
    indices.indexElements = view.outCount();
    indices.inputs = {0};
    indices.flops = flops;
    return indices;
}

void holdInput(const OpView& view, OpPlan& plan)
{
    for (SlotGradient& slot : plan.slots)
        if (view.keepsLikePyTorch())
            slot.held = {0};
}

namespace {

/// A batched product reads `value`, or a view of it.
bool isMultiplied(const ForwardGraph& graph, const std::vector<std::vector<int>>& readers, ValueId value)
{
    constexpr std::string_view kViews[] = {"Reshape", "Squeeze", "Unsqueeze", "Flatten", "Identity"};
    return value != kNoValue && std::ranges::any_of(readers[at(value)], [&](int reader) {
        const ForwardOp& op = graph.ops[at(reader)];
        if (op.type == "MatMul")
            return graph.value(op.outputs[0]).shape.size() > 2;
        return std::ranges::find(kViews, op.type) != std::end(kViews) && op.inputs[0] == value && isMultiplied(graph, readers, op.outputs[0]);
    });
}

}  // namespace

void makePart(const OpView& view, OpPlan& plan)
{
    if (view.graph.value(view.op.inputs[0]).kind != ValueKind::Activation)
        return;
    const auto readers = view.readers ? std::vector<std::vector<int>>() : view.graph.readers();
    const auto& known = view.readers ? *view.readers : readers;
    if (std::ranges::none_of(view.op.outputs, [&](ValueId output) { return isMultiplied(view.graph, known, output); }))
        plan.treatment = Treatment::Part;
}

std::string shapeKey(const OpView& view)
{
    std::string key;
    const char* names[] = {"x", "y", "z"};
    std::size_t shown = 0;
    for (std::size_t slot = 0; slot < view.op.inputs.size() && shown < 3; ++slot)
        if (view.hasInput(slot))
            key += (key.empty() ? "" : " ") + std::string(names[shown++]) + "=" + shapeText(view.in(slot));
    if (view.op.output(0) != kNoValue)
        key += (key.empty() ? "o=" : " o=") + shapeText(view.out());
    return key;
}

namespace {

/// Reads "i1", "o0", "s0" lists; "=" and "/" are the kinds without an operation.
SlotGradient parseReads(std::string_view text)
{
    SlotGradient gradient;
    gradient.kind = SlotGradient::Kind::Compute;
    if (text == "=")
        gradient.kind = SlotGradient::Kind::Alias;
    else if (text == "/")
        gradient.kind = SlotGradient::Kind::Slice;
    for (std::size_t i = 0; i + 1 < text.size() && gradient.kind == SlotGradient::Kind::Compute; i += 3) {
        const int number = text[i + 1] - '0';
        auto& list = text[i] == 'i' ? gradient.inputs : text[i] == 'o' ? gradient.outputs : gradient.sides;
        list.push_back(number);
    }
    return gradient;
}

std::vector<SlotGradient> parseGradients(std::string_view text, std::size_t slots)
{
    std::vector<SlotGradient> result(slots);
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(';'), text.size());
        const std::string_view entry = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const SlotGradient gradient = parseReads(entry.substr(2));
        if (entry[0] == '*') {
            std::ranges::fill(result, gradient);
        } else if (const auto slot = static_cast<std::size_t>(entry[0] - '0'); slot < slots) {
            result[slot] = gradient;
        }
    }
    return result;
}

std::int64_t outputElements(const OpView& view)
{
    std::int64_t sum = 0;
    for (std::size_t slot = 0; slot < view.op.outputs.size(); ++slot)
        if (view.op.outputs[slot] != kNoValue)
            sum += view.outCount(slot);
    return sum;
}

/// Backward reads every input and output; it costs twice forward, one gradient after another.
OpPlan conservative(const OpView& view)
{
    OpPlan plan;
    plan.treatment = Treatment::Conservative;
    plan.key = shapeKey(view);
    std::int64_t elements = outputElements(view);
    SlotGradient all;
    all.kind = SlotGradient::Kind::Compute;
    for (std::size_t slot = 0; slot < view.op.inputs.size(); ++slot) {
        if (view.hasInput(slot))
            elements += view.inCount(slot);
        all.inputs.push_back(static_cast<int>(slot));
    }
    for (std::size_t slot = 0; slot < view.op.outputs.size(); ++slot)
        all.outputs.push_back(static_cast<int>(slot));
    plan.flops = static_cast<double>(elements);
    all.flops = 2 * plan.flops / static_cast<double>(std::max<std::size_t>(1, view.op.inputs.size()));
    plan.slots.assign(view.op.inputs.size(), all);
    return plan;
}

}  // namespace

OpPlan planOperation(const ForwardGraph& graph, const ForwardOp& op, Keeping keeping, const std::vector<std::vector<int>>* readers)
{
    const OpView view{graph, op, keeping, readers};
    const auto& table = ruleTable();
    const auto row = op.domain.empty() || op.domain == "com.microsoft" ? table.find(op.type) : table.end();
    if (row == table.end())
        return conservative(view);
    const OpRule& rule = row->second;
    OpPlan plan;
    plan.treatment = rule.treatment;
    plan.opClass = rule.opClass;
    plan.key = shapeKey(view);
    plan.flops = rule.flopsPerElement * static_cast<double>(outputElements(view));
    plan.backwardRate = rule.backwardPerElement;
    plan.slots = parseGradients(rule.gradients, op.inputs.size());
    if (rule.refine)
        rule.refine(view, plan);
    return plan;
}

}  // namespace poet::training

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/kinds.h"

#include "core/onnx/fixed_content.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace poet::onnx {

namespace {

/// Input slots that hold weights, by operator; also what has no gradient there: running statistics of BatchNormalization
/// (slots 3 and 4), weights of the classes of a loss.
const std::map<std::string_view, std::vector<std::size_t>> kWeightSlots = {
    {"Conv", {1, 2}},          {"FusedConv", {1, 2}},           {"FusedGemm", {1, 2}},
    {"ConvTranspose", {1, 2}},        {"Gemm", {1, 2}},
    {"DeformConv", {1, 3}},    {"ConvInteger", {1}},      {"QLinearConv", {3, 8}},          {"MatMulInteger", {1}},
    {"QLinearMatMul", {3}},    {"BatchNormalization", {1, 2, 3, 4}}, {"LayerNormalization", {1, 2}},
    {"InstanceNormalization", {1, 2}}, {"GroupNormalization", {1, 2}}, {"RMSNormalization", {1}},
    {"SimplifiedLayerNormalization", {1}}, {"SkipLayerNormalization", {2, 3, 4}}, {"PRelu", {1}},
    {"LSTM", {1, 2, 3, 7}},    {"GRU", {1, 2, 3}},               {"RNN", {1, 2, 3}},
    {"SoftmaxCrossEntropyLoss", {2}}, {"NegativeLogLikelihoodLoss", {2}}};

/// Operations that a weight may pass through on its way to its slot.
const std::set<std::string_view> kLayout = {"Transpose", "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Identity", "Slice",
                                            "Concat", "Split", "Cast"};

bool isUntrainedSlot(const ForwardOp& op, std::size_t slot)
{
    return (op.type == "BatchNormalization" && slot >= 3) || op.type.ends_with("Loss");
}

bool isNormalization(const ForwardOp& op)
{
    return op.type.find("Normalization") != std::string::npos;
}

/// How a value is used, seen through layout operations.
struct Uses {
    bool inWeightSlot = false;
    bool inStatisticSlot = false;
    bool inNormalization = false;  ///< one of the weight slots is a normalisation's
    bool isDequantized = false;    ///< reaches its weight slot through DequantizeLinear
    bool asTable = false;  ///< looked up by Gather, or right operand of MatMul
    bool asLeft = false;   ///< left operand of MatMul or Gemm: what multiplies features from the left mixes nodes of a graph
    bool elsewhere = false;
};

class UseFinder {
public:
    explicit UseFinder(const ForwardGraph& graph) : m_graph(graph), m_readers(graph.readers()) {}

    Uses of(ValueId value) const
    {
        Uses uses;
        visit(value, uses, 0);
        return uses;
    }

private:
    void visit(ValueId value, Uses& uses, int depth) const
    {
        for (const int reader : m_readers[static_cast<std::size_t>(value)]) {
            const ForwardOp& op = m_graph.ops[static_cast<std::size_t>(reader)];
            for (std::size_t slot = 0; slot < op.inputs.size(); ++slot)
                if (op.inputs[slot] == value)
                    visitUse(op, slot, uses, depth);
        }
    }

    void visitUse(const ForwardOp& op, std::size_t slot, Uses& uses, int depth) const
    {
        const auto slots = kWeightSlots.find(op.type);
        if (slots != kWeightSlots.end() && std::ranges::find(slots->second, slot) != slots->second.end())
            noteWeightSlot(op, slot, uses);
        else if ((op.type == "Gather" && slot == 0) || (op.type == "MatMul" && slot == 1))
            uses.asTable = true;
        else if ((kLayout.contains(op.type) || op.type == "DequantizeLinear") && slot == 0 && op.outputs.size() == 1 && op.outputs[0] != kNoValue && depth < 8)
            visitBehind(op, uses, depth);
        else
            ((op.type == "MatMul" || op.type == "Gemm") && slot == 0 ? uses.asLeft : uses.elsewhere) = true;
    }

    static void noteWeightSlot(const ForwardOp& op, std::size_t slot, Uses& uses)
    {
        (isUntrainedSlot(op, slot) ? uses.inStatisticSlot : uses.inWeightSlot) = true;
        uses.inNormalization = uses.inNormalization || isNormalization(op);
    }

    void visitBehind(const ForwardOp& op, Uses& uses, int depth) const
    {
        uses.isDequantized = uses.isDequantized || op.type == "DequantizeLinear";
        visit(op.outputs[0], uses, depth + 1);
    }

    const ForwardGraph& m_graph;
    std::vector<std::vector<int>> m_readers;
};

/// PyTorch names what constant folding made "onnx::MatMul_123": a transposed weight, or a computed constant.
bool isFoldedConstant(std::string_view name)
{
    constexpr std::array<std::string_view, 10> kConsumers = {"Add", "Sub", "Mul", "Div", "Where", "Pow", "Equal", "Less", "Greater", "Clip"};
    if (!name.starts_with("onnx::"))
        return false;
    return std::ranges::any_of(kConsumers, [&](std::string_view op) { return name.substr(6).starts_with(std::string(op) + "_"); });
}

/// Stored tensors that frameworks call buffers and nobody trains, by the last part of their name: masks, rotary tables,
/// detection anchors, statistics of the input images.
bool looksLikeBuffer(std::string_view name)
{
    constexpr std::array<std::string_view, 19> kNames = {"eps", "noise", "adj", "adjacency", "laplacian", "pe", "pos_enc", "mean", "std", "image_mean", "image_std", "pixel_mean", "pixel_std",
                                                         "norm_mean", "norm_std", "mask", "anchors", "grid", "freqs_cis"};
    constexpr std::array<std::string_view, 10> kEndings = {"_mask", "inv_freq", "cos_cached", "sin_cached", "anchor_grid", "relative_coords_table", "position_ids", "pos_weight", "class_weight", "class_weights"};
    const std::string_view last = name.substr(name.find_last_of("./:") + 1);
    return std::ranges::find(kNames, last) != kNames.end() ||
           std::ranges::any_of(kEndings, [&](std::string_view ending) { return last.ends_with(ending); });
}

/// Ones or zeros that an exporter wrote because the normalisation has no weights of its own.
bool isFiller(const ForwardValue& value, const Uses& uses, bool isConstantNode)
{
    if (!uses.inNormalization || !value.constant || value.constant->floats.empty() ||
        (!isConstantNode && !value.name.starts_with("onnx::")))
        return false;
    const auto& content = value.constant->floats;
    return std::ranges::all_of(content, [&](double v) { return v == content.front(); }) && (content.front() == 0 || content.front() == 1);
}

/// A square matrix that only ever stands to the left of a product, or content that nobody trains. A name or a use as
/// weight is stronger.
bool isFixedOperator(const ForwardValue& value, const Uses& uses)
{
    const auto rank = value.shape.size();
    if (looksLikeWeight(value.name) || rank < 2)
        return false;
    const bool isSquare = value.shape[rank - 1] == value.shape[rank - 2] && value.shape[rank - 1] > 1;
    return (isSquare && uses.asLeft && !uses.asTable && !uses.elsewhere) || holdsFixedContent(value);
}

ValueKind kindOfStored(const ForwardValue& value, const Uses& uses, bool isConstantNode)
{
    if (uses.inStatisticSlot)
        return ValueKind::Buffer;
    if (!isFloating(value.type)) {
        // Quantised weights that are brought back to floating point train as weights do (straight-through).
        const bool isWeight = uses.inWeightSlot && (value.type == ElementType::I8 || value.type == ElementType::U8 || value.type == ElementType::I32);
        return !isWeight ? ValueKind::Constant : uses.isDequantized ? ValueKind::Parameter : ValueKind::Buffer;
    }
    if (isFiller(value, uses, isConstantNode))
        return ValueKind::Constant;
    if (uses.inWeightSlot)
        return ValueKind::Parameter;
    if (looksLikeBuffer(value.name) || isFixedOperator(value, uses))
        return ValueKind::Constant;
    const bool isScalar = elementCount(value.shape) <= 1;
    if (isConstantNode || isFoldedConstant(value.name))
        return uses.asTable && !isScalar && value.shape.size() >= 2 ? ValueKind::Parameter : ValueKind::Constant;
    return isScalar && !looksLikeWeight(value.name) ? ValueKind::Constant : ValueKind::Parameter;
}

std::string listed(const std::vector<std::string>& names)
{
    std::string text;
    for (std::size_t i = 0; i < names.size() && i < 4; ++i)
        text += (i ? ", " : "") + names[i];
    return names.size() > 4 ? text + ", \u2026 (+" + std::to_string(names.size() - 4) + ")" : text;
}

}  // namespace

bool looksLikeWeight(std::string_view name)
{
    constexpr std::array<std::string_view, 20> kEndings = {
        "weight", "bias", "running_mean", "running_var", "gamma", "beta", "kernel", "embedding", "embeddings", "class_token",
        "cls_token", "moving_mean", "moving_variance", "in_proj_weight", "scale", "alpha", "_w", "_b", ".w", ".b"};
    if (std::ranges::any_of(kEndings, [&](std::string_view ending) { return name.ends_with(ending); }))
        return true;
    if (name.find("weight_ih") != name.npos || name.find("weight_hh") != name.npos || name.find("bias_ih") != name.npos ||
        name.find("bias_hh") != name.npos || name.find("_w_") != name.npos || name.find("_b_") != name.npos)
        return true;
    return name.starts_with("onnx::MatMul_") || name.starts_with("onnx::Conv_") || name.starts_with("onnx::LSTM_") ||
           name.starts_with("onnx::GRU_") || name.starts_with("onnx::RNN_");
}

void classifyStored(ForwardGraph& graph, const std::vector<std::string>& dataInputs)
{
    const UseFinder finder(graph);
    std::vector<ValueId> data;
    std::vector<std::string> weightNames, dataNames;
    bool sawWeight = false;
    for (const ValueId id : graph.inputs) {
        ForwardValue& value = graph.value(id);
        const Uses uses = finder.of(id);
        const bool isTold = std::ranges::find(dataInputs, value.name) != dataInputs.end();
        const bool onlyWeight = (uses.inWeightSlot || uses.inStatisticSlot) && !uses.elsewhere && !uses.asLeft && !uses.asTable;
        const bool isTable = uses.asTable && !uses.elsewhere && !uses.asLeft && isFloating(value.type) && (sawWeight || !data.empty());
        const bool isWeight = !isTold && (onlyWeight || looksLikeWeight(value.name) || isTable ||
                                          (isFloating(value.type) && (sawWeight || !dataInputs.empty())));
        if (!isWeight) {
            data.push_back(id);
            dataNames.push_back(value.name);
            continue;
        }
        sawWeight = true;
        value.kind = uses.inStatisticSlot ? ValueKind::Buffer
                     : isFloating(value.type) && (uses.inWeightSlot || !looksLikeBuffer(value.name)) ? ValueKind::Parameter
                                                                                                     : ValueKind::Constant;
        weightNames.push_back(value.name);
    }
    graph.inputs = data;
    if (!weightNames.empty())
        graph.notes.push_back({NoteKind::Read, "Inputs taken as data: %1; taken as weights: %2. Name a data input with --data if this is wrong.", {listed(dataNames), listed(weightNames)}});
    std::vector<std::string> fixedNames;
    for (std::size_t id = 0; id < graph.values.size(); ++id) {
        ForwardValue& value = graph.values[id];
        const bool isStored = value.producer < 0 && (value.kind == ValueKind::Constant || value.kind == ValueKind::Parameter);
        if (isStored && std::ranges::find(weightNames, value.name) == weightNames.end())
            value.kind = kindOfStored(value, finder.of(static_cast<ValueId>(id)), value.kind == ValueKind::Constant);
        const bool isNamed = value.shape.size() >= 2 || looksLikeBuffer(value.name);
        if (isStored && value.kind == ValueKind::Constant && isFloating(value.type) && isNamed && value.stored.encoding != WeightLocation::Encoding::Missing)
            fixedNames.push_back(value.name);
    }
    if (!fixedNames.empty())
        graph.notes.push_back({NoteKind::Read, "Stored tensors taken as fixed, not as weights: %1.", {listed(fixedNames)}});
}

namespace {

bool readsOnly(const ForwardGraph& graph, const ForwardOp& op, bool weightsToo)
{
    return std::ranges::all_of(op.inputs, [&](ValueId id) {
        if (id == kNoValue)
            return true;
        const ValueKind kind = graph.value(id).kind;
        return kind == ValueKind::Constant || (weightsToo && (kind == ValueKind::Parameter || kind == ValueKind::Buffer));
    });
}

bool isRandom(const ForwardOp& op)
{
    return op.type.starts_with("Random") || op.type == "Bernoulli" || op.type == "Multinomial" ||
           (op.type == "Dropout" && op.intAttribute("training_mode", 0) != 0);
}

ValueKind derivedKind(const ForwardGraph& graph, const ForwardOp& op)
{
    ValueKind kind = ValueKind::Constant;
    for (const ValueId id : op.inputs) {
        if (id == kNoValue)
            continue;
        if (graph.value(id).kind == ValueKind::Parameter)
            return ValueKind::Parameter;
        if (graph.value(id).kind == ValueKind::Buffer)
            kind = ValueKind::Buffer;
    }
    return kind;
}

/// A ConstantOfShape result in a weight slot is a weight without content: a structure-only file.
void adoptGenerated(ForwardGraph& graph)
{
    const UseFinder finder(graph);
    for (std::size_t id = 0; id < graph.values.size(); ++id) {
        ForwardValue& value = graph.values[id];
        const bool isGenerated = value.producer >= 0 && graph.ops[static_cast<std::size_t>(value.producer)].type == "ConstantOfShape";
        const bool isFolded = value.producer < 0 && value.kind == ValueKind::Constant && value.constant &&
                              value.stored.encoding == WeightLocation::Encoding::Missing;
        if ((!isGenerated && !isFolded) || !isFloating(value.type))
            continue;
        const Uses uses = finder.of(static_cast<ValueId>(id));
        if (!uses.inWeightSlot && !uses.inStatisticSlot)
            continue;
        if (isGenerated) {
            ForwardOp& op = graph.ops[static_cast<std::size_t>(value.producer)];
            if (const auto* fill = op.has("value") ? std::get_if<SmallTensor>(&op.attributes.at("value")) : nullptr;
                fill && !fill->floats.empty())
                value.stored.fill = fill->floats[0];
            op.outputs.clear();
            value.producer = -1;
        } else if (!value.constant->floats.empty()) {
            value.stored.fill = value.constant->floats[0];
        }
        value.stored.encoding = WeightLocation::Encoding::Filled;
        value.kind = uses.inStatisticSlot ? ValueKind::Buffer : ValueKind::Parameter;
    }
}

}  // namespace

void classifyComputed(ForwardGraph& graph)
{
    adoptGenerated(graph);
    for (ForwardOp& op : graph.ops) {
        const bool isLayout = kLayout.contains(op.type) || op.type == "DequantizeLinear";
        const bool isArithmetic = !isRandom(op) && (readsOnly(graph, op, false) || (isLayout && readsOnly(graph, op, true)));
        op.isWeightArithmetic = isArithmetic;
        for (const ValueId output : op.outputs)
            if (output != kNoValue)
                graph.value(output).kind = isArithmetic ? derivedKind(graph, op) : ValueKind::Activation;
    }
}

}  // namespace poet::onnx

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/infer.h"
#include "core/training/rules/rule.h"

#include <gtest/gtest.h>
#include <onnx/defs/schema.h>

#include <iostream>
#include <set>
#include <string>

namespace poet::training {
namespace {

/// Operators that are answered with an error naming them: control flow, sequences, text.
const std::set<std::string> kRefused = {
    "If", "Loop", "Scan", "SequenceAt", "SequenceConstruct", "SequenceEmpty", "SequenceErase", "SequenceInsert", "SequenceLength",
    "SequenceMap", "SplitToSequence", "ConcatFromSequence", "Optional", "OptionalGetElement", "OptionalHasElement",
    "StringNormalizer", "TfIdfVectorizer"};

/// Known to ONNX, taken conservatively here: backward reads everything and costs twice forward.
const std::set<std::string> kConservative = {"BlackmanWindow", "HammingWindow", "HannWindow", "DFT", "STFT", "MelWeightMatrix"};

/// Brought to another form by the import: a stored value, and Resize.
const std::set<std::string> kRewritten = {"Constant", "Upsample"};

TEST(Rules, everyOperatorOfTheRegistryHasAnAnswer)
{
    std::set<std::string> names;
    for (const auto& schema : ::onnx::OpSchemaRegistry::get_all_schemas_with_history())
        if (schema.domain().empty())
            names.insert(schema.Name());
    ASSERT_GT(names.size(), 150U);
    int rules = 0, views = 0, conservative = 0, refused = 0;
    for (const std::string& name : names) {
        const auto rule = ruleTable().find(name);
        const char* answer = "none";
        if (kRefused.contains(name)) {
            ++refused;
            answer = "refused";
        } else if (rule != ruleTable().end()) {
            const bool isView = rule->second.treatment == Treatment::View;
            ++(isView ? views : rules);
            answer = isView ? "view" : "rule";
        } else if (kRewritten.contains(name)) {
            answer = "rewritten by the import";
        } else if (kConservative.contains(name)) {
            ++conservative;
            answer = "conservative";
        }
        std::cout << name << ": " << answer << '\n';
        EXPECT_STRNE(answer, "none") << name;
    }
    std::cout << rules << " rules, " << views << " views, " << conservative << " conservative, " << refused << " refused; "
              << ruleTable().size() << " rules in all\n";
    EXPECT_GE(rules + views, 130);
}

TEST(Rules, everyRuleHasAShapeRule)
{
    for (const auto& [name, rule] : ruleTable())
        EXPECT_TRUE(onnx::inferTable().contains(name)) << name;
}

/// A graph of one operation whose inputs are activations, to ask a rule what backward reads.
OpPlan planOf(const std::string& type, const std::vector<Shape>& inputs, const std::vector<Shape>& outputs,
              std::map<std::string, Attribute> attributes = {}, Keeping keeping = Keeping::Lean)
{
    static ForwardGraph graph;
    graph = {};
    graph.opset = 17;
    ForwardOp op;
    op.type = op.name = type;
    op.attributes = std::move(attributes);
    for (const Shape& shape : inputs) {
        op.inputs.push_back(static_cast<ValueId>(graph.values.size()));
        graph.values.push_back({"in", ElementType::F32, shape, ValueKind::Activation, -1, {}, {}});
    }
    for (const Shape& shape : outputs) {
        op.outputs.push_back(static_cast<ValueId>(graph.values.size()));
        graph.values.push_back({"out", ElementType::F32, shape, ValueKind::Activation, 0, {}, {}});
    }
    graph.ops.push_back(op);
    return planOperation(graph, graph.ops[0], keeping);
}

std::string readsOf(const OpPlan& plan, std::size_t slot)
{
    const SlotGradient& gradient = plan.slots[slot];
    switch (gradient.kind) {
    case SlotGradient::Kind::None: return "none";
    case SlotGradient::Kind::Alias: return "alias";
    case SlotGradient::Kind::Slice: return "slice";
    case SlotGradient::Kind::Compute: break;
    }
    std::string text;
    for (const int i : gradient.inputs)
        text += "i" + std::to_string(i);
    for (const int o : gradient.outputs)
        text += "o" + std::to_string(o);
    for (const int s : gradient.sides)
        text += "s" + std::to_string(s);
    return text;
}

/// The table of training-graph.md, "Backward rules".
TEST(Rules, readsAreThoseOfTheDesign)
{
    const Shape x = {2, 4};
    for (const char* op : {"Relu", "Sigmoid", "Tanh", "Softmax", "LogSoftmax", "Exp", "Sqrt", "Reciprocal"})
        EXPECT_EQ(readsOf(planOf(op, {x}, {x}), 0), "o0") << op;
    for (const char* op : {"LeakyRelu", "Elu", "Softplus", "Gelu", "HardSwish", "HardSigmoid", "Clip", "Erf", "Log", "Abs", "Silu"})
        EXPECT_EQ(readsOf(planOf(op, {x}, {x}), 0), "i0") << op;
    for (const char* op : {"Neg", "AveragePool", "ReduceMean", "Pad", "Resize", "CumSum"})
        EXPECT_EQ(readsOf(planOf(op, {{1, 2, 4, 4}}, {{1, 2, 3, 3}}, {{"kernel_shape", std::vector<std::int64_t>{2, 2}}}), 0), "") << op;
    EXPECT_EQ(readsOf(planOf("Mul", {x, x}, {x}), 0), "i1");
    EXPECT_EQ(readsOf(planOf("Mul", {x, x}, {x}), 1), "i0");
    EXPECT_EQ(readsOf(planOf("Div", {x, x}, {x}), 0), "i1");
    EXPECT_EQ(readsOf(planOf("Div", {x, x}, {x}), 1), "i0i1");
    EXPECT_EQ(readsOf(planOf("Add", {x, x}, {x}), 1), "alias");
    EXPECT_EQ(readsOf(planOf("Where", {x, x, x}, {x}), 0), "none");
    EXPECT_EQ(readsOf(planOf("Where", {x, x, x}, {x}), 1), "i0");
    EXPECT_EQ(readsOf(planOf("Max", {x, x}, {x}), 0), "i0i1");
    EXPECT_EQ(readsOf(planOf("ReduceMax", {x}, {{2}}), 0), "i0o0");
    EXPECT_EQ(readsOf(planOf("Concat", {x, x}, {{4, 4}}), 1), "slice");
    EXPECT_EQ(readsOf(planOf("Gather", {x, {3}}, {{3, 4}}), 0), "i1");
    EXPECT_EQ(readsOf(planOf("Gather", {x, {3}}, {{3, 4}}), 1), "none");
    EXPECT_EQ(readsOf(planOf("MatMul", {{2, 3}, {3, 4}}, {x}), 1), "i0");
}

TEST(Rules, lossesInTheModelReadTheirClassWeights)
{
    const Shape scores = {4, 10}, targets = {4}, weights = {10};
    EXPECT_EQ(readsOf(planOf("SoftmaxCrossEntropyLoss", {scores, targets}, {{}}), 0), "i1s0");
    EXPECT_EQ(readsOf(planOf("SoftmaxCrossEntropyLoss", {scores, targets, weights}, {{}}), 0), "i1i2s0");
    EXPECT_EQ(readsOf(planOf("NegativeLogLikelihoodLoss", {scores, targets, weights}, {{}}), 0), "i1i2");
}

TEST(Rules, sideOutputsAreMasksIndicesAndStatistics)
{
    const OpPlan dropout = planOf("Dropout", {{2, 4}}, {{2, 4}}, {{"training_mode", std::int64_t{1}}, {"ratio", 0.1}});
    ASSERT_EQ(dropout.sides.size(), 1U);
    EXPECT_EQ(dropout.sides[0].maskElements, 8);
    EXPECT_EQ(elementBytes(dropout.sides[0].type), 1);
    EXPECT_EQ(planOf("Dropout", {{2, 4}}, {{2, 4}}, {{"training_mode", std::int64_t{0}}}).treatment, Treatment::View);
    const OpPlan pool = planOf("MaxPool", {{1, 2, 4, 4}}, {{1, 2, 2, 2}}, {{"kernel_shape", std::vector<std::int64_t>{2, 2}}});
    ASSERT_EQ(pool.sides.size(), 1U);
    EXPECT_EQ(pool.sides[0].indexElements, 8);
    EXPECT_EQ(elementBytes(pool.sides[0].type), 8);
    const OpPlan norm = planOf("BatchNormalization", {{2, 3, 4, 4}, {3}, {3}, {3}, {3}}, {{2, 3, 4, 4}}, {{"training_mode", std::int64_t{1}}});
    ASSERT_EQ(norm.sides.size(), 1U);
    EXPECT_EQ(norm.sides[0].shape, (Shape{2, 3}));
    EXPECT_EQ(planOf("BatchNormalization", {{2, 3, 4, 4}, {3}, {3}, {3}, {3}}, {{2, 3, 4, 4}}).sides.size(), 0U);
}

/// A mask is a function of seed, step, node and element in exported firmware, so a tight plan may drop it and make it again;
/// PyTorch's generator has moved on by then. What may run again has an input, of which nothing is read.
TEST(Rules, dropoutMaskIsMadeAgainOnlyFromACounter)
{
    for (const Keeping keeping : {Keeping::Lean, Keeping::PyTorch}) {
        const OpPlan dropout = planOf("Dropout", {{2, 4}}, {{2, 4}}, {{"training_mode", std::int64_t{1}}, {"ratio", 0.1}}, keeping);
        ASSERT_EQ(dropout.sides.size(), 1U);
        EXPECT_EQ(dropout.sides[0].isDeterministic, keeping == Keeping::Lean);
        EXPECT_EQ(elementBytes(dropout.sides[0].type), keeping == Keeping::Lean ? 1 : 4);
        EXPECT_EQ(dropout.sides[0].inputs, std::vector{0});
        EXPECT_FALSE(dropout.sides[0].readsContent);
    }
}

/// 2 FLOP a multiply-accumulate, with groups and bias.
TEST(Rules, convolutionCountsGroupsAndBias)
{
    const OpPlan plan = planOf("Conv", {{1, 8, 6, 6}, {4, 4, 3, 3}, {4}}, {{1, 4, 4, 4}}, {{"group", std::int64_t{2}}});
    EXPECT_EQ(plan.macs, 64 * 36);
    EXPECT_EQ(plan.flops, 2 * 64 * 36 + 64);
    EXPECT_EQ(plan.slots[0].flops, 2 * 64 * 36);
    EXPECT_EQ(plan.slots[2].flops, 64);
    const OpPlan depthwise = planOf("Conv", {{1, 8, 6, 6}, {8, 1, 3, 3}}, {{1, 8, 4, 4}}, {{"group", std::int64_t{8}}});
    EXPECT_EQ(depthwise.opClass, OpClass::Depthwise);
    EXPECT_EQ(depthwise.macs, 128 * 9);
}

TEST(Rules, unknownOperatorsAreConservative)
{
    const OpPlan plan = planOf("NoSuchOperator", {{2, 4}, {4}}, {{2, 4}});
    EXPECT_EQ(plan.treatment, Treatment::Conservative);
    EXPECT_EQ(readsOf(plan, 0), "i0i1o0");
    EXPECT_DOUBLE_EQ(plan.slots[0].flops + plan.slots[1].flops, 2 * plan.flops);
}

}  // namespace
}  // namespace poet::training

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/cost_graph.h"
#include "core/onnx/import.h"
#include "core/training/build.h"
#include "core/training/summary.h"
#include "tests/core/onnx/model_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <set>

namespace poet {
namespace {

using poet::testing::ModelBuilder;
using Ints = std::vector<std::int64_t>;

Expected<TrainingGraph> built(const std::filesystem::path& path, const TrainingOptions& options = {})
{
    POET_TRY(forward, onnx::importModel(path, {}));
    return buildTrainingGraph(std::make_shared<const ForwardGraph>(std::move(forward)), options);
}

int count(const TrainingGraph& graph, NodeRole role, const std::string& op = "")
{
    return static_cast<int>(std::ranges::count_if(graph.nodes, [&](const TrainingNode& node) {
        return node.role == role && (op.empty() || node.op == op);
    }));
}

const TrainingNode& nodeNamed(const TrainingGraph& graph, const std::string& name)
{
    const auto found = std::ranges::find(graph.nodes, name, &TrainingNode::name);
    EXPECT_NE(found, graph.nodes.end()) << name;
    return found == graph.nodes.end() ? graph.nodes.front() : *found;
}

std::vector<std::string> inputNames(const TrainingGraph& graph, const TrainingNode& node)
{
    std::vector<std::string> names;
    for (const NodeId input : node.inputs)
        names.push_back(graph.nodes[static_cast<std::size_t>(input)].name);
    return names;
}

/// What holds for every training graph.
void checkInvariants(const TrainingGraph& graph, const std::string& where)
{
    const CostGraph costs = neutralCosts(graph);
    EXPECT_TRUE(validate(costs)) << where << ": " << validate(costs).error().text();
    std::vector<int> readers(graph.nodes.size(), 0);
    std::set<int> withGradient;
    bool sawBackward = false;
    for (const TrainingNode& node : graph.nodes) {
        sawBackward = sawBackward || node.phase() == Phase::Backward;
        EXPECT_EQ(sawBackward, node.phase() == Phase::Backward) << where << ": forward after backward: " << node.name;
        for (const NodeId input : node.inputs)
            ++readers[static_cast<std::size_t>(input)];
        for (const NodeRead& read : node.reads)
            EXPECT_TRUE(read.node < 0 || std::ranges::find(node.inputs, read.node) != node.inputs.end()) << where << ": " << node.name;
        withGradient.insert(node.parameterGradients.begin(), node.parameterGradients.end());
        EXPECT_TRUE(!node.recomputable || (!node.inputs.empty() && node.phase() == Phase::Forward)) << where << ": " << node.name;
        EXPECT_EQ(node.bytes == 0, node.role == NodeRole::Backward && node.value < 0) << where << ": " << node.name;
        if (node.role == NodeRole::Accumulate) {
            EXPECT_LE(node.inputs.size(), 2U) << where;
        }
    }
    for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
        const TrainingNode& node = graph.nodes[id];
        const bool isEnd = node.bytes == 0 || node.role == NodeRole::Loss || node.op == "LSTM" || node.op == "GRU";
        EXPECT_TRUE(isEnd || readers[id] > 0) << where << ": nobody reads " << node.name;
    }
    for (const int parameter : withGradient)
        EXPECT_TRUE(graph.parameters[static_cast<std::size_t>(parameter)].isTrained) << where;
}

TEST(Graph, invariantsHoldForTheExamples)
{
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(POET_SOURCE_DIR) / "examples")) {
        if (entry.path().extension() != ".onnx")
            continue;
        const auto graph = built(entry.path());
        POET_REQUIRE_OK(graph);
        checkInvariants(*graph, entry.path().filename());
        std::set<int> trained;
        for (const TrainingNode& node : graph->nodes)
            trained.insert(node.parameterGradients.begin(), node.parameterGradients.end());
        for (std::size_t p = 0; p < graph->parameters.size(); ++p)
            EXPECT_EQ(graph->parameters[p].isTrained, trained.contains(static_cast<int>(p))) << graph->parameters[p].name;
    }
}

TEST(Graph, invariantsHoldForTheOracle)
{
    const auto folder = std::filesystem::path(POET_SHARED_DIR) / "oracle";
    if (!std::filesystem::exists(folder / "models"))
        GTEST_SKIP() << "no oracle data";
    for (const char* part : {"models", "light", "grads"})
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / part)) {
            if (entry.path().extension() != ".onnx")
                continue;
            const auto graph = built(entry.path());
            EXPECT_TRUE(graph) << entry.path() << ": " << graph.error().text();
            if (graph)
                checkInvariants(*graph, entry.path().filename());
        }
}

/// Random networks of branches, products and rearrangements: invariants, and one Accumulate less than the uses of a value.
TEST(Graph, randomNetworksAccumulateOncePerFurtherUse)
{
    for (unsigned seed = 1; seed <= 60; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        std::mt19937 random(seed);
        ModelBuilder model(13);
        model.input("x", {4, 6}).weight("w", {6, 6}).node("MatMul", {"x", "w"}, {"v0"});
        std::vector<std::string> values = {"v0"};
        const auto any = [&] { return values[random() % values.size()]; };
        for (int i = 1; i < 14; ++i) {
            const std::string name = "v" + std::to_string(i);
            switch (random() % 6) {
            case 0: model.node("Relu", {any()}, {name}); break;
            case 1: model.node("Tanh", {any()}, {name}); break;
            case 2: model.node("Add", {any(), any()}, {name}); break;
            case 3: model.node("Mul", {any(), any()}, {name}); break;
            case 4: model.weight("w" + name, {6, 6}).node("MatMul", {any(), "w" + name}, {name}); break;
            default: model.node("Transpose", {any()}, {"t" + name}).with("perm", Ints{1, 0}).node("Transpose", {"t" + name}, {name}).with("perm", Ints{1, 0});
            }
            values.push_back(name);
        }
        model.node("Sum", values, {"y"}).output("y");
        const auto graph = built(model.write(), {.loss = "mse"});
        POET_REQUIRE_OK(graph);
        checkInvariants(*graph, "random");
        std::map<int, int> uses;
        for (const ForwardOp& op : graph->forward->ops)
            for (const ValueId input : std::set<ValueId>(op.inputs.begin(), op.inputs.end())) {
                const bool isTwice = std::ranges::count(op.inputs, input) > 1 && (op.type == "Add" || op.type == "Sum");
                uses[input] += isTwice ? static_cast<int>(std::ranges::count(op.inputs, input)) : 1;
            }
        std::map<int, int> sums;
        for (const TrainingNode& node : graph->nodes)
            if (node.role == NodeRole::Accumulate)
                ++sums[node.value];
        for (const auto& [value, number] : uses)
            if (graph->forward->value(value).kind == ValueKind::Activation) {
                EXPECT_EQ(sums[value], number - 1) << graph->forward->value(value).name;
            }
    }
}

ModelBuilder& threeLayers(ModelBuilder& model)
{
    model.input("x", {8, 4});
    std::string value = "x";
    for (int i = 0; i < 3; ++i) {
        const std::string layer = "layer" + std::to_string(i);
        model.weight(layer + ".weight", {4, 4}).weight(layer + ".bias", {4});
        model.node("Gemm", {value, layer + ".weight", layer + ".bias"}, {layer}).with("transB", 1);
        model.node("Sigmoid", {layer}, {layer + "a"});
        value = layer + "a";
    }
    return model.output(value);
}

TEST(Graph, noGradientFlowsToData)
{
    ModelBuilder model;
    const auto graph = built(threeLayers(model).write(), {.loss = "mse"});
    POET_REQUIRE_OK(graph);
    const TrainingNode& first = nodeNamed(*graph, "Gemm_layer0\u2032");
    EXPECT_EQ(first.bytes, 0);
    ASSERT_EQ(first.work.size(), 1U);
    EXPECT_EQ(first.work[0].op, "Gemm.grad_weight");
    const TrainingNode& second = nodeNamed(*graph, "Gemm_layer1\u2032");
    ASSERT_EQ(second.work.size(), 2U);
    EXPECT_EQ(second.work[0].op, "Gemm.grad_data");
    EXPECT_EQ(second.parameterGradients.size(), 2U);
}

TEST(Graph, frozenLayersCutBackwardAndWhatItKeeps)
{
    ModelBuilder model;
    const auto path = threeLayers(model).write();
    const auto all = built(path, {.loss = "mse"});
    const auto last = built(path, {.loss = "mse", .freeze = {"layer0*", "layer1.*"}});
    const auto same = built(path, {.loss = "mse", .freeze = {"last:1"}});
    const auto biases = built(path, {.loss = "mse", .freeze = {"biases-only"}});
    for (const auto* graph : {&all, &last, &same, &biases})
        POET_REQUIRE_OK(*graph);
    EXPECT_EQ(count(*all, NodeRole::Backward), 7);
    EXPECT_EQ(count(*last, NodeRole::Backward), 3);
    EXPECT_EQ(count(*same, NodeRole::Backward), 3);
    EXPECT_LT(summarize(*last).activationBytes, summarize(*all).activationBytes);
    EXPECT_EQ(summarize(*same).activationBytes, summarize(*last).activationBytes);
    // Without weight gradients no layer keeps its input for them, only the sigmoids their outputs.
    EXPECT_EQ(count(*biases, NodeRole::Backward), 7);
    EXPECT_THAT(inputNames(*biases, nodeNamed(*biases, "Gemm_layer1\u2032")), ::testing::ElementsAre("Sigmoid_layer1a\u2032"));
    EXPECT_EQ(count(*all, NodeRole::Forward), count(*last, NodeRole::Forward));
}

TEST(Graph, freezePatternThatMatchesNothingIsAnError)
{
    ModelBuilder model;
    const auto path = threeLayers(model).write();
    const auto typo = built(path, {.freeze = {"leyer*"}});
    ASSERT_FALSE(typo);
    EXPECT_EQ(typo.error().code, ErrorCode::BadUsage);
    EXPECT_THAT(typo.error().message, ::testing::HasSubstr("leyer*"));
    const auto nothing = built(path, {.freeze = {"*"}});
    ASSERT_FALSE(nothing);
    EXPECT_EQ(nothing.error().code, ErrorCode::BadModel);
}

TEST(Graph, sharedWeightsAccumulateInPlace)
{
    ModelBuilder model;
    model.input("x", {2, 4}).weight("w", {4, 4}).node("MatMul", {"x", "w"}, {"a"}).node("MatMul", {"a", "w"}, {"y"}).output("y");
    const auto graph = built(model.write());
    POET_REQUIRE_OK(graph);
    int adders = 0;
    for (const TrainingNode& node : graph->nodes)
        adders += !node.parameterGradients.empty();
    EXPECT_EQ(adders, 2);
    EXPECT_EQ(graph->parameterBytes(), 64);
}

TEST(Graph, broadcastOperandsAreReduced)
{
    ModelBuilder model;
    model.input("x", {2, 3, 4, 4}).weight("w", {3, 3, 1, 1}).node("Conv", {"x", "w"}, {"c"});
    model.node("GlobalAveragePool", {"c"}, {"gate"}).node("Add", {"c", "gate"}, {"s"}).node("Mul", {"s", "gate"}, {"y"}).output("y");
    const auto graph = built(model.write(), {.loss = "mse"});
    POET_REQUIRE_OK(graph);
    int reduced = 0;
    for (const TrainingNode& node : graph->nodes)
        if (node.role == NodeRole::Backward && (node.op == "Add" || node.op == "Mul") && node.value >= 0)
            reduced += node.shape == Shape{2, 3, 1, 1};
    EXPECT_EQ(reduced, 2);
    EXPECT_EQ(count(*graph, NodeRole::Accumulate), 2);
}

TEST(Graph, viewsAreNoNodes)
{
    ModelBuilder model;
    model.input("x", {2, 8}).weight("w", {8, 8}).node("MatMul", {"x", "w"}, {"h"}).ints("s", {4, 4}).node("Reshape", {"h", "s"}, {"r"});
    model.node("Identity", {"r"}, {"i"}).node("Flatten", {"i"}, {"f"}).node("Relu", {"f"}, {"y"}).output("y");
    const auto graph = built(model.write(), {.loss = "mse"});
    POET_REQUIRE_OK(graph);
    EXPECT_EQ(count(*graph, NodeRole::Forward), 2);
    EXPECT_EQ(count(*graph, NodeRole::Backward), 3);
    EXPECT_THAT(inputNames(*graph, nodeNamed(*graph, "Relu_y")), ::testing::ElementsAre("MatMul_h"));
}

TEST(Graph, concatPassesSlicesOfItsGradient)
{
    ModelBuilder model;
    model.input("x", {2, 4}).weight("w", {4, 3}).weight("u", {4, 5}).node("MatMul", {"x", "w"}, {"a"}).node("MatMul", {"x", "u"}, {"b"});
    model.node("Concat", {"a", "b"}, {"y"}).with("axis", 1).output("y");
    const auto graph = built(model.write(), {.loss = "mse"});
    POET_REQUIRE_OK(graph);
    EXPECT_EQ(count(*graph, NodeRole::Backward, "Concat"), 0);
    const TrainingNode& node = nodeNamed(*graph, "MatMul_b\u2032");
    ASSERT_FALSE(node.reads.empty());
    ASSERT_EQ(node.reads[0].slices.size(), 1U);
    const SliceLayout layout = layoutOf(*graph->forward, node.reads[0].slices[0]);
    EXPECT_EQ(layout.offset, 3);
    EXPECT_EQ(layout.rows, 2);
    EXPECT_EQ(layout.rowElements, 5);
    EXPECT_EQ(layout.rowStride, 8);
}

/// Frameworks cut without copying: whoever keeps the piece keeps the whole tensor.
TEST(Graph, piecesOfSplitAndSliceAreReadWhereTheyLie)
{
    ModelBuilder model;
    model.input("x", {2, 4}).weight("w", {4, 12}).weight("u", {5, 3}).node("MatMul", {"x", "w"}, {"h"}).ints("sizes", {4, 5, 3});
    model.node("Split", {"h", "sizes"}, {"a", "b", "c"}).with("axis", 1).ints("from", {-10}).ints("to", {7}).ints("axis", {1});
    model.node("Slice", {"h", "from", "to", "axis"}, {"s"}).node("Mul", {"b", "s"}, {"m"}).node("MatMul", {"m", "u"}, {"y"}).output("y");
    const auto graph = built(model.write(), {.loss = "mse"});
    POET_REQUIRE_OK(graph);
    EXPECT_EQ(count(*graph, NodeRole::Forward, "Split") + count(*graph, NodeRole::Forward, "Slice"), 0);
    EXPECT_EQ(count(*graph, NodeRole::Backward, "Split"), 1);
    const TrainingNode& product = nodeNamed(*graph, "Mul_m");
    EXPECT_THAT(inputNames(*graph, product), ::testing::ElementsAre("MatMul_h"));
    ASSERT_EQ(product.reads.size(), 2U);
    const SliceLayout piece = layoutOf(*graph->forward, product.reads[0].slices.at(0)), stretch = layoutOf(*graph->forward, product.reads[1].slices.at(0));
    EXPECT_EQ(std::pair(piece.offset, piece.rowElements), std::pair(std::int64_t{4}, std::int64_t{5}));
    EXPECT_EQ(std::pair(stretch.offset, stretch.rowElements), std::pair(std::int64_t{2}, std::int64_t{5}));
    EXPECT_EQ(stretch.rowStride, 12);
    // Its other factor needs a gradient, so each of them keeps h, once.
    EXPECT_EQ(summarize(*graph).bytesByOperator.at("Mul"), 2 * 12 * 4);
}

/// Queries, keys and values in one tensor: a batched product takes its operand in one piece, so it has a copy of its own.
TEST(Graph, pieceThatIsMultipliedIsACopy)
{
    ModelBuilder model;
    model.input("x", {2, 4, 6}).weight("w", {6, 18}).node("MatMul", {"x", "w"}, {"h"}).ints("to", {2, 4, 3, 6}).node("Reshape", {"h", "to"}, {"r"});
    model.node("Transpose", {"r"}, {"p"}).with("perm", Ints{2, 0, 1, 3});
    auto index = [&](const std::string& name, std::int64_t value) {
        auto& tensor = *model.proto().mutable_graph()->add_initializer();
        tensor.set_name(name);
        tensor.set_data_type(::onnx::TensorProto::INT64);
        tensor.add_int64_data(value);
    };
    index("i0", 0), index("i2", 2);
    model.node("Gather", {"p", "i0"}, {"q"}).with("axis", 0).node("Gather", {"p", "i2"}, {"v"}).with("axis", 0).node("Transpose", {"q"}, {"t"}).with("perm", Ints{0, 2, 1});
    model.node("MatMul", {"t", "v"}, {"y"}).output("y");
    const auto graph = built(model.write(), {.loss = "mse"});
    POET_REQUIRE_OK(graph);
    EXPECT_EQ(summarize(*graph).bytesByOperator.at("MatMul"), 2 * 2 * 4 * 6 * 4);
}

TEST(Losses, softmaxAtTheEndIsPartOfCrossEntropy)
{
    ModelBuilder model;
    model.input("x", {2, 4}).weight("w", {4, 3}).node("MatMul", {"x", "w"}, {"h"}).node("Softmax", {"h"}, {"y"}).with("axis", -1).output("y");
    const auto graph = built(model.write());
    POET_REQUIRE_OK(graph);
    EXPECT_EQ(count(*graph, NodeRole::Forward, "Softmax"), 0);
    EXPECT_THAT(inputNames(*graph, nodeNamed(*graph, "LossLogProbs of h")), ::testing::ElementsAre("MatMul_h"));
}

TEST(Losses, targetsHaveTheRightShape)
{
    ModelBuilder pixels, tokens;
    pixels.input("x", {2, 3, 8, 8}).weight("w", {5, 3, 1, 1}).node("Conv", {"x", "w"}, {"y"}).output("y");
    const auto image = built(pixels.write());
    POET_REQUIRE_OK(image);
    EXPECT_EQ(nodeNamed(*image, "target of y").shape, (Shape{2, 8, 8}));
    tokens.input("x", {2, 7, 4}).weight("w", {4, 11}).node("MatMul", {"x", "w"}, {"y"}).output("y");
    const auto text = built(tokens.write());
    POET_REQUIRE_OK(text);
    EXPECT_EQ(nodeNamed(*text, "target of y").shape, (Shape{2, 7}));
    EXPECT_EQ(nodeNamed(*text, "target of y").type, ElementType::I64);
}

TEST(Losses, binaryAndSquaredAndInsideTheModel)
{
    ModelBuilder model;
    model.input("x", {2, 4}).weight("w", {4, 1}).node("MatMul", {"x", "w"}, {"h"}).node("Sigmoid", {"h"}, {"y"}).output("y");
    const auto binary = built(model.write(), {.loss = "bce"});
    POET_REQUIRE_OK(binary);
    EXPECT_EQ(count(*binary, NodeRole::Forward, "Sigmoid"), 0);
    const auto squared = built(model.write(), {.loss = "mse"});
    POET_REQUIRE_OK(squared);
    EXPECT_EQ(count(*squared, NodeRole::Forward, "Sigmoid"), 1);
    ModelBuilder inside;
    inside.input("x", {2, 4}).input("t", {2}, ::onnx::TensorProto::INT64).weight("w", {4, 3}).node("MatMul", {"x", "w"}, {"h"});
    inside.node("SoftmaxCrossEntropyLoss", {"h", "t"}, {"loss"}).withText("reduction", "mean").output("loss");
    const auto own = built(inside.write());
    POET_REQUIRE_OK(own);
    EXPECT_EQ(count(*own, NodeRole::Loss), 0);
    EXPECT_EQ(count(*own, NodeRole::Input), 2);
    EXPECT_EQ(count(*own, NodeRole::Backward, "Gemm"), 1);
    EXPECT_FALSE(built(model.write(), {.loss = "hinge"}));
}

TEST(Optimizers, residentBytes)
{
    ModelBuilder model;
    const auto path = threeLayers(model).write();
    const std::int64_t weights = 3 * (16 + 4) * 4;
    const auto bytes = [&](Optimizer optimizer) {
        const auto graph = built(path, {.loss = "mse", .optimizer = optimizer});
        EXPECT_TRUE(graph);
        return graph ? graph->gradientBytes() + graph->optimizerBytes() : -1;
    };
    EXPECT_EQ(bytes(Optimizer::Sgd), 0);
    EXPECT_EQ(bytes(Optimizer::SgdBuffered), weights);
    EXPECT_EQ(bytes(Optimizer::Momentum), 2 * weights);
    EXPECT_EQ(bytes(Optimizer::Adam), 3 * weights);
}

TEST(Types, halfPrecisionHalvesEverything)
{
    ModelBuilder model;
    const auto path = threeLayers(model).write();
    const auto full = built(path, {.loss = "mse"});
    const auto half = built(path, {.loss = "mse", .type = ElementType::F16});
    POET_REQUIRE_OK(full);
    POET_REQUIRE_OK(half);
    EXPECT_EQ(2 * summarize(*half).activationBytes, summarize(*full).activationBytes);
    EXPECT_EQ(2 * half->parameterBytes(), full->parameterBytes());
}

/// An embedding read for its ArgMax only has no gradient: nothing is kept for it, and the report says so.
TEST(TrainingGraph, aWeightThatNoGradientReachesIsNotTrained)
{
    poet::testing::ModelBuilder model;
    model.input("in", {4, 8}).weight("lost", {8, 8}).weight("table", {8, 4}).node("MatMul", {"in", "lost"}, {"x"});
    model.node("ArgMax", {"x"}, {"i"}).with("axis", 1).with("keepdims", std::int64_t{0}).node("Gather", {"table", "i"}, {"y"}).output("y");
    const auto graph = built(model.write(), {.optimizer = Optimizer::Adam});
    POET_REQUIRE_OK(graph);
    for (const TrainingParameter& parameter : graph->parameters)
        EXPECT_EQ(parameter.isTrained, parameter.name == "table") << parameter.name;
    EXPECT_EQ(graph->optimizerBytes(), 2 * 8 * 4 * 4);
    EXPECT_EQ(graph->notes.back().kind, NoteKind::Refused);
    EXPECT_NE(graph->notes.back().text().find("\"lost\""), std::string::npos);
}

}  // namespace
}  // namespace poet

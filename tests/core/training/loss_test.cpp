// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/import.h"
#include "core/training/build.h"
#include "core/training/loss_terms.h"
#include "tests/core/onnx/model_builder.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace poet {
namespace {

using testing::ModelBuilder;
using training::parseLossTerms;

Expected<TrainingGraph> built(const ModelBuilder& model, const std::string& loss)
{
    POET_TRY(forward, onnx::importModel(model.write(), {}));
    return buildTrainingGraph(std::make_shared<const ForwardGraph>(std::move(forward)), {.loss = loss});
}

/// Two heads on one layer: "scores" of five classes and "amount" of one number.
void twoHeads(ModelBuilder& model)
{
    model.input("x", {4, 8}).weight("w", {8, 6}).node("MatMul", {"x", "w"}, {"hidden"});
    model.weight("w1", {6, 5}).node("MatMul", {"hidden", "w1"}, {"scores"}).output("scores");
    model.weight("w2", {6, 1}).node("MatMul", {"hidden", "w2"}, {"amount"}).output("amount");
}

std::vector<const TrainingNode*> nodes(const TrainingGraph& graph, NodeRole role, std::string_view op)
{
    std::vector<const TrainingNode*> found;
    for (const TrainingNode& node : graph.nodes)
        if (node.role == role && node.op == op)
            found.push_back(&node);
    return found;
}

bool hasNote(const TrainingGraph& graph, std::string_view part)
{
    return std::ranges::any_of(graph.notes, [&](const Note& note) { return note.text().find(part) != std::string::npos; });
}

TEST(LossTerms, readNamesKindsAndWeights)
{
    const auto terms = parseLossTerms("out:0=cross-entropy : 2, aux = mse:0.25 ,bce");
    ASSERT_TRUE(terms) << terms.error().text();
    ASSERT_EQ(terms->size(), 3U);
    EXPECT_EQ((*terms)[0].output, "out:0");
    EXPECT_EQ((*terms)[0].kind, "cross-entropy");
    EXPECT_EQ((*terms)[0].weight, 2);
    EXPECT_EQ((*terms)[1].output, "aux");
    EXPECT_EQ((*terms)[1].weight, 0.25);
    EXPECT_EQ((*terms)[2].output, "");
    EXPECT_EQ((*terms)[2].kind, "bce");
}

TEST(LossTerms, nonsenseIsRefused)
{
    for (const char* text : {"", "hinge", "a=", "=mse", "mse:", "mse:0", "mse:-1", "mse:nan", "mse:inf", "mse:1x", "mse,bce", "a=mse,a=bce", "mse,"}) {
        const auto terms = parseLossTerms(text);
        ASSERT_FALSE(terms) << text;
        EXPECT_EQ(terms.error().code, ErrorCode::BadUsage);
        EXPECT_FALSE(terms.error().hint.empty());
    }
}

TEST(Losses, eachOutputHasItsOwnKindAndWeight)
{
    ModelBuilder model;
    twoHeads(model);
    const auto graph = built(model, "scores=cross-entropy,amount=mse:0.25");
    POET_REQUIRE_OK(graph);
    const auto entropy = nodes(*graph, NodeRole::Backward, "CrossEntropy");
    const auto squares = nodes(*graph, NodeRole::Backward, "MeanSquaredError");
    ASSERT_EQ(entropy.size(), 1U);
    ASSERT_EQ(squares.size(), 1U);
    EXPECT_EQ(entropy[0]->lossWeight, 1);
    EXPECT_EQ(squares[0]->lossWeight, 0.25);
    EXPECT_EQ(nodes(*graph, NodeRole::Loss, "MeanSquaredError")[0]->lossWeight, 0.25);
    EXPECT_TRUE(hasNote(*graph, "with the given weights"));
}

/// The gradient of the shared layer's output is the sum of both heads' gradients.
TEST(Losses, sharedLayerAccumulatesBothLosses)
{
    ModelBuilder model;
    twoHeads(model);
    const auto graph = built(model, "mse");
    POET_REQUIRE_OK(graph);
    EXPECT_EQ(nodes(*graph, NodeRole::Loss, "MeanSquaredError").size(), 2U);
    EXPECT_EQ(nodes(*graph, NodeRole::Accumulate, "Accumulate").size(), 1U);
}

TEST(Losses, outputsThatNoTermNamesTakeNoPart)
{
    ModelBuilder model;
    twoHeads(model);
    const auto graph = built(model, "amount=mse");
    POET_REQUIRE_OK(graph);
    EXPECT_EQ(nodes(*graph, NodeRole::Loss, "MeanSquaredError").size(), 1U);
    EXPECT_TRUE(nodes(*graph, NodeRole::Loss, "CrossEntropy").empty());
    EXPECT_TRUE(hasNote(*graph, "No loss is put on \"scores\""));
    const auto trained = std::ranges::count_if(graph->nodes, [](const TrainingNode& node) { return !node.parameterGradients.empty(); });
    EXPECT_EQ(trained, 2);
}

TEST(Losses, unknownOutputIsNamed)
{
    ModelBuilder model;
    twoHeads(model);
    const auto graph = built(model, "price=mse");
    ASSERT_FALSE(graph);
    EXPECT_EQ(graph.error().code, ErrorCode::BadUsage);
    EXPECT_NE(graph.error().text().find("price"), std::string::npos);
    EXPECT_NE(graph.error().text().find("amount"), std::string::npos);
}

/// Scores beside the loss that the model computes are there to look at, unless they are named.
TEST(Losses, lossOfTheModelIsTheOnlyOne)
{
    ModelBuilder model(13);
    model.input("x", {4, 8}).input("t", {4}, ::onnx::TensorProto::INT64).weight("w", {8, 5}).node("MatMul", {"x", "w"}, {"scores"});
    model.node("SoftmaxCrossEntropyLoss", {"scores", "t"}, {"loss"}).output("loss").output("scores");
    const auto graph = built(model, "cross-entropy");
    POET_REQUIRE_OK(graph);
    EXPECT_EQ(nodes(*graph, NodeRole::Backward, "Seed").size(), 1U);
    EXPECT_TRUE(nodes(*graph, NodeRole::Loss, "CrossEntropy").empty());
    EXPECT_TRUE(hasNote(*graph, "is a loss already"));
    EXPECT_TRUE(hasNote(*graph, "No loss is put on \"scores\""));
    const auto both = built(model, "loss=none:2,scores=mse");
    POET_REQUIRE_OK(both);
    EXPECT_EQ(nodes(*both, NodeRole::Loss, "MeanSquaredError").size(), 1U);
    EXPECT_EQ(nodes(*both, NodeRole::Backward, "Seed")[0]->lossWeight, 2);
}

TEST(Losses, logProbabilitiesBesideALossAreNone)
{
    ModelBuilder model(13);
    model.input("x", {4, 8}).input("t", {4}, ::onnx::TensorProto::INT64).weight("w", {8, 5}).node("MatMul", {"x", "w"}, {"scores"});
    model.node("SoftmaxCrossEntropyLoss", {"scores", "t"}, {"loss", "logs"}).output("loss").output("logs");
    const auto graph = built(model, "cross-entropy");
    POET_REQUIRE_OK(graph);
    EXPECT_EQ(nodes(*graph, NodeRole::Backward, "Seed").size(), 1U);
    EXPECT_TRUE(hasNote(*graph, "No loss is put on \"logs\""));
}

TEST(Losses, meanOverEverythingIsALossAlready)
{
    ModelBuilder model(13);
    model.input("x", {4, 8}).weight("w", {8, 5}).node("MatMul", {"x", "w"}, {"y"}).node("Mul", {"y", "y"}, {"squares"});
    const auto graph = built(model.node("ReduceMean", {"squares"}, {"mean"}).output("mean"), "mse");
    POET_REQUIRE_OK(graph);
    EXPECT_EQ(nodes(*graph, NodeRole::Backward, "Seed").size(), 1U);
    EXPECT_TRUE(nodes(*graph, NodeRole::Loss, "MeanSquaredError").empty());
}

/// Before operator set 13, axis 1 of 4 x 3 x 2 x 2 means all twelve numbers behind the batch.
TEST(Losses, softmaxOverSeveralDimensionsIsNoPartOfTheLoss)
{
    for (const int opset : {11, 13}) {
        ModelBuilder model(opset);
        model.input("x", {4, 8, 2, 2}).weight("conv.weight", {3, 8, 1, 1}).node("Conv", {"x", "conv.weight"}, {"y"});
        const auto graph = built(model.node("Softmax", {"y"}, {"p"}).with("axis", 1).output("p"), "cross-entropy");
        POET_REQUIRE_OK(graph);
        EXPECT_EQ(hasNote(*graph, "is part of the loss"), opset == 13);
        EXPECT_EQ(nodes(*graph, NodeRole::Forward, "Softmax").size(), opset == 13 ? 0U : 1U);
    }
}

TEST(Losses, sigmoidUnderACrossEntropyIsDoubted)
{
    ModelBuilder model(13);
    model.input("x", {4, 8}).weight("w", {8, 1}).node("MatMul", {"x", "w"}, {"y"}).node("Sigmoid", {"y"}, {"p"}).output("p");
    const auto doubted = built(model, "cross-entropy");
    POET_REQUIRE_OK(doubted);
    EXPECT_TRUE(hasNote(*doubted, "--loss p=bce"));
    const auto meant = built(model, "bce");
    POET_REQUIRE_OK(meant);
    EXPECT_FALSE(hasNote(*meant, "may be meant"));
    EXPECT_TRUE(hasNote(*meant, "is part of the loss"));
}

}  // namespace
}  // namespace poet

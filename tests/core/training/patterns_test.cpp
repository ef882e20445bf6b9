// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
// What exporters spell out becomes the operation that a framework runs; look-alikes stay as they are.
#include "core/onnx/import.h"
#include "core/training/patterns/pattern.h"
#include "tests/core/onnx/model_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace poet::training {
namespace {

using poet::testing::ModelBuilder;
using Ints = std::vector<std::int64_t>;

ForwardGraph recognised(ModelBuilder& model)
{
    const auto graph = onnx::importModel(model.write(), {});
    EXPECT_TRUE(graph) << graph.error().text();
    std::vector<std::string> notes;
    return graph ? recognisePatterns(*graph, notes) : ForwardGraph{};
}

std::vector<std::string> types(const ForwardGraph& graph)
{
    std::vector<std::string> result;
    for (const ForwardOp& op : graph.ops)
        result.push_back(op.type);
    return result;
}

/// x = input * weight: something that trains, as the start of every model here.
ModelBuilder& start(ModelBuilder& model, const Ints& shape = {2, 8})
{
    model.input("in", shape).weight("w0", {shape.back(), shape.back()}).node("MatMul", {"in", "w0"}, {"x"});
    return model;
}

void expectTypes(ModelBuilder& model, const std::vector<std::string>& expected)
{
    std::vector<std::string> all = {"Gemm"};
    all.insert(all.end(), expected.begin(), expected.end());
    EXPECT_THAT(types(recognised(model)), ::testing::ElementsAreArray(all));
}

TEST(Patterns, geluByErf)
{
    ModelBuilder first, second;
    start(first).scalar("r2", 1.41421356F).scalar("one", 1).scalar("half", 0.5F).node("Div", {"x", "r2"}, {"d"}).node("Erf", {"d"}, {"e"});
    first.node("Add", {"e", "one"}, {"a"}).node("Mul", {"x", "a"}, {"m"}).node("Mul", {"m", "half"}, {"y"}).output("y");
    expectTypes(first, {"Gelu"});
    start(second).scalar("r2", 0.70710678F).scalar("one", 1).scalar("half", 0.5F).node("Mul", {"x", "half"}, {"h"}).node("Mul", {"r2", "x"}, {"d"});
    second.node("Erf", {"d"}, {"e"}).node("Add", {"one", "e"}, {"a"}).node("Mul", {"a", "h"}, {"y"}).output("y");
    expectTypes(second, {"Gelu"});
}

TEST(Patterns, geluByTanh)
{
    ModelBuilder cubic, squared;
    start(cubic).scalar("three", 3).scalar("c", 0.044715F).scalar("k", 0.79788456F).scalar("one", 1).scalar("half", 0.5F);
    cubic.node("Pow", {"x", "three"}, {"p"}).node("Mul", {"p", "c"}, {"q"}).node("Add", {"x", "q"}, {"s"}).node("Mul", {"s", "k"}, {"u"});
    cubic.node("Tanh", {"u"}, {"t"}).node("Add", {"t", "one"}, {"a"}).node("Mul", {"x", "half"}, {"h"}).node("Mul", {"h", "a"}, {"y"}).output("y");
    const auto graph = recognised(cubic);
    EXPECT_THAT(types(graph), ::testing::ElementsAre("Gemm", "Gelu"));
    EXPECT_EQ(graph.ops[1].textAttribute("approximate", ""), "tanh");
    start(squared).scalar("c", 0.044715F).scalar("k", 0.79788456F).scalar("one", 1).scalar("half", 0.5F).node("Mul", {"x", "x"}, {"p"});
    squared.node("Mul", {"p", "c"}, {"q"}).node("Add", {"q", "one"}, {"r"}).node("Mul", {"x", "k"}, {"v"}).node("Mul", {"v", "r"}, {"u"});
    squared.node("Tanh", {"u"}, {"t"}).node("Add", {"t", "one"}, {"a"}).node("Mul", {"x", "half"}, {"h"}).node("Mul", {"h", "a"}, {"y"}).output("y");
    expectTypes(squared, {"Gelu"});
}

TEST(Patterns, gatedActivations)
{
    ModelBuilder silu, swish, mish, clipped;
    start(silu).node("Sigmoid", {"x"}, {"s"}).node("Mul", {"s", "x"}, {"y"}).output("y");
    expectTypes(silu, {"Silu"});
    start(swish).node("HardSigmoid", {"x"}, {"s"}).withFloat("alpha", 0.16666667F).node("Mul", {"x", "s"}, {"y"}).output("y");
    expectTypes(swish, {"HardSwish"});
    start(mish).node("Softplus", {"x"}, {"p"}).node("Tanh", {"p"}, {"t"}).node("Mul", {"x", "t"}, {"y"}).output("y");
    expectTypes(mish, {"Mish"});
    start(clipped).scalar("three", 3).scalar("zero", 0).scalar("six", 6).node("Add", {"x", "three"}, {"a"}).node("Clip", {"a", "zero", "six"}, {"c"});
    clipped.node("Mul", {"x", "c"}, {"m"}).node("Div", {"m", "six"}, {"y"}).output("y");
    expectTypes(clipped, {"HardSwish"});
}

/// y = s * Sigmoid(s) with s a Sigmoid itself: only the outer one belongs to the pattern, in both operand orders.
TEST(Patterns, siluOfASigmoidKeepsTheInnerOne)
{
    for (const bool swapped : {false, true}) {
        ModelBuilder model;
        start(model).node("Sigmoid", {"x"}, {"s"}).node("Sigmoid", {"s"}, {"t"});
        const std::vector<std::string> operands = swapped ? std::vector<std::string>{"t", "s"} : std::vector<std::string>{"s", "t"};
        model.node("Mul", operands, {"y"}).output("y");
        expectTypes(model, {"Sigmoid", "Silu"});
    }
}

TEST(Patterns, squeezeAndExciteIsNoSilu)
{
    ModelBuilder model;
    start(model, {2, 8}).weight("w1", {8, 8}).node("MatMul", {"x", "w1"}, {"h"}).node("Sigmoid", {"h"}, {"s"}).node("Mul", {"x", "s"}, {"y"}).output("y");
    expectTypes(model, {"Gemm", "Sigmoid", "Mul"});
}

ModelBuilder& layerNorm(ModelBuilder& model, bool affine, bool pow)
{
    start(model, {2, 4, 8}).scalar("two", 2).scalar("eps", 1e-5F).weight("g.weight", {8}).weight("g.bias", {8});
    model.node("ReduceMean", {"x"}, {"m"}).with("axes", Ints{-1}).node("Sub", {"x", "m"}, {"d"});
    if (pow)
        model.node("Pow", {"d", "two"}, {"q"});
    else
        model.node("Mul", {"d", "d"}, {"q"});
    model.node("ReduceMean", {"q"}, {"v"}).with("axes", Ints{-1}).node("Add", {"v", "eps"}, {"e"}).node("Sqrt", {"e"}, {"s"}).node("Div", {"d", "s"}, {"n"});
    if (affine)
        model.node("Mul", {"n", "g.weight"}, {"k"}).node("Add", {"k", "g.bias"}, {"y"});
    return model.output(affine ? "y" : "n");
}

TEST(Patterns, layerNormalization)
{
    for (const bool affine : {true, false})
        for (const bool pow : {true, false}) {
            ModelBuilder model(13);
            const auto graph = recognised(layerNorm(model, affine, pow));
            ASSERT_THAT(types(graph), ::testing::ElementsAre("Gemm", "LayerNormalization"));
            EXPECT_EQ(graph.ops[1].inputs.size(), affine ? 3U : 1U);
            EXPECT_EQ(graph.ops[1].intAttribute("axis", -1), 2);
            EXPECT_NEAR(graph.ops[1].floatAttribute("epsilon", 0), 1e-5, 1e-9);
        }
}

TEST(Patterns, normalisationWhoseMiddleIsUsedStays)
{
    ModelBuilder model(13);
    layerNorm(model, true, true).output("d");
    // The difference is an output, so it must stay; what follows it is a root-mean-square normalisation of it.
    expectTypes(model, {"ReduceMean", "Sub", "RMSNormalization", "Add"});
}

TEST(Patterns, rmsNormalization)
{
    ModelBuilder model(13);
    start(model, {2, 4, 8}).scalar("two", 2).scalar("eps", 1e-6F).scalar("one", 1).weight("g.weight", {8}).node("Pow", {"x", "two"}, {"q"});
    model.node("ReduceMean", {"q"}, {"v"}).with("axes", Ints{-1}).node("Add", {"v", "eps"}, {"e"}).node("Sqrt", {"e"}, {"s"});
    model.node("Div", {"one", "s"}, {"i"}).node("Mul", {"x", "i"}, {"n"}).node("Mul", {"g.weight", "n"}, {"y"}).output("y");
    expectTypes(model, {"RMSNormalization"});
}

TEST(Patterns, groupNormalizationByInstanceNormalization)
{
    ModelBuilder model(13);
    model.input("in", {2, 6, 4, 4}).weight("w", {6, 6, 1, 1}).node("Conv", {"in", "w"}, {"x"}).ints("g", {0, 3, -1}).node("Reshape", {"x", "g"}, {"r"});
    model.weight("ones", {3}, 1).weight("zeros", {3}, 0).node("InstanceNormalization", {"r", "ones", "zeros"}, {"n"}).ints("b", {2, 6, 4, 4});
    model.node("Reshape", {"n", "b"}, {"u"}).weight("gn.weight", {6, 1, 1}).weight("gn.bias", {6, 1, 1}).node("Mul", {"u", "gn.weight"}, {"m"});
    model.node("Add", {"m", "gn.bias"}, {"y"}).output("y");
    const auto graph = recognised(model);
    ASSERT_THAT(types(graph), ::testing::ElementsAre("Conv", "GroupNormalization"));
    EXPECT_EQ(graph.ops[1].intAttribute("num_groups", 0), 3);
}

TEST(Patterns, linearLayers)
{
    ModelBuilder model(13);
    model.input("in", {2, 3, 8}).weight("l.weight", {5, 8}).weight("l.bias", {5}).node("Transpose", {"l.weight"}, {"t"}).with("perm", Ints{1, 0});
    model.node("MatMul", {"in", "t"}, {"m"}).node("Add", {"l.bias", "m"}, {"y"}).output("y");
    const auto graph = recognised(model);
    ASSERT_THAT(types(graph), ::testing::ElementsAre("Gemm"));
    EXPECT_EQ(graph.ops[0].intAttribute("transB", 0), 1);
    EXPECT_EQ(graph.value(graph.ops[0].inputs[1]).name, "l.weight");
    EXPECT_EQ(graph.value(graph.ops[0].inputs[2]).name, "l.bias");
}

TEST(Patterns, expandBeforeABroadcastingOperationIsDropped)
{
    ModelBuilder model(13);
    start(model).ints("full", {2, 8}).node("ReduceSum", {"x"}, {"n"}).node("Expand", {"n", "full"}, {"e"}).node("Div", {"x", "e"}, {"y"}).output("y");
    const auto graph = recognised(model);
    const ForwardOp& division = graph.ops.back();
    EXPECT_EQ(division.type, "Div");
    EXPECT_EQ(graph.value(division.inputs[1]).name, "n");
}

TEST(Patterns, productOfActivationsStays)
{
    ModelBuilder model(13);
    start(model, {4, 4}).node("MatMul", {"x", "x"}, {"y"}).output("y");
    expectTypes(model, {"MatMul"});
}

TEST(Patterns, softmaxSpelledOut)
{
    ModelBuilder model(11);
    start(model).node("ReduceMax", {"x"}, {"m"}).with("axes", Ints{1}).node("Sub", {"x", "m"}, {"d"}).node("Exp", {"d"}, {"e"});
    model.node("ReduceSum", {"e"}, {"s"}).with("axes", Ints{1}).node("Div", {"e", "s"}, {"y"}).output("y");
    const auto graph = recognised(model);
    ASSERT_THAT(types(graph), ::testing::ElementsAre("Gemm", "Softmax"));
    EXPECT_EQ(graph.ops[1].intAttribute("axis", -5), 1);
}

}  // namespace
}  // namespace poet::training

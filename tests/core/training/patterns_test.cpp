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
    std::vector<Note> notes;
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
    start(second).scalar("r2", 0.70710678F).scalar("one", 1).scalar("half", 0.5F).node("Mul", {"r2", "x"}, {"d"}).node("Erf", {"d"}, {"e"});
    second.node("Add", {"one", "e"}, {"a"}).node("Mul", {"a", "x"}, {"h"}).node("Mul", {"half", "h"}, {"y"}).output("y");
    expectTypes(second, {"Gelu"});
}

TEST(Patterns, geluByTanh)
{
    ModelBuilder cubic, squared;
    start(cubic).scalar("three", 3).scalar("c", 0.044715F).scalar("k", 0.79788456F).scalar("one", 1).scalar("half", 0.5F);
    cubic.node("Pow", {"x", "three"}, {"p"}).node("Mul", {"p", "c"}, {"q"}).node("Add", {"x", "q"}, {"s"}).node("Mul", {"s", "k"}, {"u"});
    cubic.node("Tanh", {"u"}, {"t"}).node("Add", {"t", "one"}, {"a"}).node("Mul", {"x", "a"}, {"h"}).node("Mul", {"half", "h"}, {"y"}).output("y");
    const auto graph = recognised(cubic);
    EXPECT_THAT(types(graph), ::testing::ElementsAre("Gemm", "Gelu"));
    EXPECT_EQ(graph.ops[1].textAttribute("approximate", ""), "tanh");
    start(squared).scalar("c", 0.044715F).scalar("k", 0.79788456F).scalar("one", 1).scalar("half", 0.5F).node("Mul", {"x", "x"}, {"p"});
    squared.node("Mul", {"p", "c"}, {"q"}).node("Add", {"q", "one"}, {"r"}).node("Mul", {"x", "k"}, {"v"}).node("Mul", {"v", "r"}, {"u"});
    squared.node("Tanh", {"u"}, {"t"}).node("Add", {"t", "one"}, {"a"}).node("Mul", {"x", "a"}, {"h"}).node("Mul", {"half", "h"}, {"y"}).output("y");
    expectTypes(squared, {"Gelu"});
}

/// (0.5 x) (1 + tanh ...): so models write it themselves, and then PyTorch keeps every step; its own GELU is exported as
/// 0.5 (x (1 + tanh ...)).
TEST(Patterns, geluThatTheModelWritesOutStays)
{
    ModelBuilder model;
    start(model).scalar("three", 3).scalar("c", 0.044715F).scalar("k", 0.79788456F).scalar("one", 1).scalar("half", 0.5F);
    model.node("Pow", {"x", "three"}, {"p"}).node("Mul", {"p", "c"}, {"q"}).node("Add", {"x", "q"}, {"s"}).node("Mul", {"s", "k"}, {"u"});
    model.node("Tanh", {"u"}, {"t"}).node("Add", {"t", "one"}, {"a"}).node("Mul", {"x", "half"}, {"h"}).node("Mul", {"h", "a"}, {"y"}).output("y");
    const auto graph = onnx::importModel(model.write(), {});
    ASSERT_TRUE(graph) << graph.error().text();
    std::vector<Note> notes;
    EXPECT_THAT(types(recognisePatterns(*graph, notes)), ::testing::IsSupersetOf({"Pow", "Tanh"}));
    EXPECT_TRUE(std::ranges::any_of(notes, [](const Note& note) { return note.text().contains("written out by the model (1 \u00d7)"); }));
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
    expectTypes(model, {"ReduceMean", "Sub", "RMSNormalization", "Mul", "Add"});
}

TEST(Patterns, rmsNormalization)
{
    ModelBuilder model(13);
    start(model, {2, 4, 8}).scalar("two", 2).scalar("eps", 1e-6F).scalar("one", 1).weight("g.weight", {8}).node("Pow", {"x", "two"}, {"q"});
    model.node("ReduceMean", {"q"}, {"v"}).with("axes", Ints{-1}).node("Add", {"v", "eps"}, {"e"}).node("Sqrt", {"e"}, {"s"});
    model.node("Div", {"one", "s"}, {"i"}).node("Mul", {"x", "i"}, {"n"}).node("Mul", {"g.weight", "n"}, {"y"}).output("y");
    // Nobody fuses the scale into it: the normalised tensor is kept for the scale's gradient, or made again from x.
    expectTypes(model, {"RMSNormalization", "Mul"});
}

constexpr std::int64_t kFloat = 1, kHalf = 10, kBrain = 16;

/// h = x as `type`, the start of a mixed-precision model.
ModelBuilder& startNarrow(ModelBuilder& model, std::int64_t type, const Ints& shape = {2, 4, 8})
{
    return start(model, shape).node("Cast", {"x"}, {"h"}).with("to", type);
}

ModelBuilder& mean(ModelBuilder& model, int opset, const std::string& input, const std::string& result)
{
    if (opset >= 18)
        return model.node("ReduceMean", {input, "last"}, {result});
    return model.node("ReduceMean", {input}, {result}).with("axes", Ints{-1});
}

/// As PyTorch's exporter writes a layer norm in half precision: from the difference on in single precision.
TEST(Patterns, layerNormalizationWithCasts)
{
    for (const int opset : {11, 13, 15, 17, 18, 20, 21, 22})
        for (const std::int64_t type : {kHalf, kBrain}) {
            ModelBuilder model(opset);
            startNarrow(model, type).ints("last", {-1}).scalar("two", 2).scalar("eps", 1e-5F).weight("g.weight", {8}).weight("g.bias", {8});
            mean(model, opset, "h", "m").node("Sub", {"h", "m"}, {"d"}).node("Cast", {"d"}, {"df"}).with("to", kFloat).node("Pow", {"df", "two"}, {"q"});
            mean(model, opset, "q", "v").node("Add", {"v", "eps"}, {"e"}).node("Sqrt", {"e"}, {"s"}).node("Div", {"df", "s"}, {"n"});
            model.node("Cast", {"n"}, {"nh"}).with("to", type).node("Cast", {"g.weight"}, {"gw"}).with("to", type).node("Cast", {"g.bias"}, {"gb"}).with("to", type);
            model.node("Mul", {"nh", "gw"}, {"k"}).node("Add", {"k", "gb"}, {"y"}).output("y");
            const auto graph = recognised(model);
            ASSERT_FALSE(graph.ops.empty()) << opset;
            EXPECT_EQ(graph.ops.back().type, "LayerNormalization") << opset << ' ' << type;
            EXPECT_EQ(graph.value(graph.ops.back().inputs[0]).name, "h") << opset;
        }
}

/// A converter that runs single operations in single precision: casts around each.
TEST(Patterns, geluByTanhWithCasts)
{
    for (const int opset : {11, 13, 17, 19, 22})
        for (const std::int64_t type : {kHalf, kBrain}) {
            ModelBuilder model(opset);
            startNarrow(model, type).scalar("three", 3).scalar("c", 0.044677734F).scalar("k", 0.796875F).scalar("one", 1).scalar("half", 0.5F);
            for (const char* number : {"c", "k", "one", "half"})
                model.node("Cast", {number}, {std::string(number) + "h"}).with("to", type);
            model.node("Cast", {"h"}, {"hf"}).with("to", kFloat).node("Pow", {"hf", "three"}, {"pf"}).node("Cast", {"pf"}, {"p"}).with("to", type);
            model.node("Mul", {"p", "ch"}, {"q"}).node("Add", {"h", "q"}, {"a"}).node("Mul", {"a", "kh"}, {"u"}).node("Cast", {"u"}, {"uf"}).with("to", kFloat);
            model.node("Tanh", {"uf"}, {"tf"}).node("Cast", {"tf"}, {"t"}).with("to", type).node("Add", {"t", "oneh"}, {"b"});
            model.node("Mul", {"h", "b"}, {"g"}).node("Mul", {"g", "halfh"}, {"y"}).output("y");
            const auto graph = recognised(model);
            ASSERT_FALSE(graph.ops.empty()) << opset;
            EXPECT_EQ(graph.ops.back().type, "Gelu") << opset << ' ' << type;
        }
}

TEST(Patterns, rmsNormalizationOfACastKeepsTheCast)
{
    ModelBuilder model(18);
    startNarrow(model, kHalf).ints("last", {-1}).scalar("two", 2).scalar("eps", 1e-6F).weight("g.weight", {8}).node("Cast", {"h"}, {"f"}).with("to", kFloat);
    mean(model.node("Pow", {"f", "two"}, {"q"}), 18, "q", "v").node("Add", {"v", "eps"}, {"e"}).node("Sqrt", {"e"}, {"s"}).node("Reciprocal", {"s"}, {"i"});
    model.node("Mul", {"f", "i"}, {"n"}).node("Cast", {"n"}, {"nh"}).with("to", kHalf).node("Cast", {"g.weight"}, {"gh"}).with("to", kHalf);
    model.node("Mul", {"gh", "nh"}, {"y"}).output("y");
    EXPECT_THAT(types(recognised(model)), ::testing::IsSupersetOf({"RMSNormalization", "Mul"}));
}

/// The single-precision result is used: the operation would change its type, so it stays as it is written.
TEST(Patterns, patternWhoseCastsDoNotLeadBackStays)
{
    ModelBuilder model(17);
    startNarrow(model, kHalf).scalar("two", 2).scalar("eps", 1e-5F);
    mean(model, 17, "h", "m").node("Sub", {"h", "m"}, {"d"}).node("Cast", {"d"}, {"f"}).with("to", kFloat).node("Pow", {"f", "two"}, {"q"});
    mean(model, 17, "q", "v").node("Add", {"v", "eps"}, {"e"}).node("Sqrt", {"e"}, {"s"}).node("Div", {"f", "s"}, {"y"}).output("y");
    EXPECT_THAT(types(recognised(model)), ::testing::IsSupersetOf({"ReduceMean", "Sub"}));
}

/// The gate is computed from the narrow tensor, the product from the wide one: the cast between them is still read.
TEST(Patterns, castThatThePatternReadsStays)
{
    ModelBuilder model(17);
    startNarrow(model, kHalf).node("Cast", {"h"}, {"f"}).with("to", kFloat).node("Sigmoid", {"h"}, {"s"}).node("Cast", {"s"}, {"sf"}).with("to", kFloat);
    model.node("Mul", {"f", "sf"}, {"y"}).output("y");
    const auto graph = recognised(model);
    ASSERT_THAT(types(graph), ::testing::ElementsAre("Gemm", "Cast", "Cast", "Silu"));
    EXPECT_EQ(graph.value(graph.ops.back().inputs[0]).producer, 2);
}

TEST(Patterns, hardSwishByMinAndMax)
{
    for (const int opset : {11, 13, 18, 22}) {
        ModelBuilder model(opset);
        start(model).scalar("three", 3).scalar("zero", 0).scalar("six", 6).node("Add", {"x", "three"}, {"a"}).node("Max", {"a", "zero"}, {"b"});
        model.node("Min", {"b", "six"}, {"c"}).node("Div", {"c", "six"}, {"d"}).node("Mul", {"x", "d"}, {"y"}).output("y");
        expectTypes(model, {"HardSwish"});
    }
}

/// x * Sigmoid(1.702 x): frameworks run and keep it as it is written.
TEST(Patterns, sigmoidFormOfGeluStays)
{
    ModelBuilder model(17);
    start(model).scalar("k", 1.702F).node("Mul", {"x", "k"}, {"u"}).node("Sigmoid", {"u"}, {"s"}).node("Mul", {"x", "s"}, {"y"}).output("y");
    expectTypes(model, {"Mul", "Sigmoid", "Mul"});
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

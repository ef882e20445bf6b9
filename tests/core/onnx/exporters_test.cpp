// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
// What exporters write beside plain operations: branches with a known condition, fused operators, sparse weights, outputs
// that only the data decides.
#include "core/onnx/import.h"
#include "core/training/rules/rule.h"
#include "tests/core/onnx/model_builder.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace poet {
namespace {

using onnx::importModel;
using testing::ModelBuilder;

Shape shapeOf(const ForwardGraph& graph, std::string_view name)
{
    const ValueId id = graph.find(name);
    return id == kNoValue ? Shape{-1} : graph.value(id).shape;
}

bool hasNote(const ForwardGraph& graph, std::string_view part)
{
    return std::ranges::any_of(graph.notes, [&](const Note& note) { return note.text().find(part) != std::string::npos; });
}

/// Adds `output = If(condition)`, whose branches are one operation each.
void addIf(ModelBuilder& model, const std::string& condition, const std::string& output, const ::onnx::NodeProto& yes, const ::onnx::NodeProto& no)
{
    auto& node = *model.proto().mutable_graph()->add_node();
    node.set_op_type("If");
    node.set_name("If_" + output);
    node.add_input(condition);
    node.add_output(output);
    for (const auto& [name, inner] : {std::pair("then_branch", &yes), std::pair("else_branch", &no)}) {
        auto& attribute = *node.add_attribute();
        attribute.set_name(name);
        attribute.set_type(::onnx::AttributeProto::GRAPH);
        *attribute.mutable_g()->add_node() = *inner;
        attribute.mutable_g()->add_output()->set_name(inner->output(0));
    }
}

::onnx::NodeProto operation(const std::string& type, const std::vector<std::string>& inputs)
{
    ::onnx::NodeProto node;
    node.set_op_type(type);
    for (const auto& input : inputs)
        node.add_input(input);
    node.add_output("inner");
    return node;
}

/// x: n x 8 x last; the condition asks whether the last dimension is 1, as exporters do for a Squeeze.
void squeezeIfOne(ModelBuilder& model, std::int64_t last)
{
    model.input("x", {4, 8, last}).weight("w", {last, last}).node("MatMul", {"x", "w"}, {"y"});
    model.node("Shape", {"y"}, {"shape"}).ints("two", {2}).node("Gather", {"shape", "two"}, {"size"});
    model.ints("one", {1}).node("Equal", {"size", "one"}, {"is_one"}).node("Squeeze", {"is_one"}, {"flag"}).ints("axes", {2});
    addIf(model, "flag", "z", operation("Squeeze", {"y", "axes"}), operation("Identity", {"y"}));
    model.node("Relu", {"z"}, {"out"}).output("out");
}

TEST(Exporters, ifWithAConditionOnShapesTakesItsBranch)
{
    for (const std::int64_t last : {1, 3}) {
        ModelBuilder model(13);
        squeezeIfOne(model, last);
        const auto graph = importModel(model.write(), {});
        POET_REQUIRE_OK(graph);
        EXPECT_EQ(shapeOf(*graph, "out"), last == 1 ? Shape({4, 8}) : Shape({4, 8, 3}));
    }
}

TEST(Exporters, ifAfterIfTakesBothBranches)
{
    ModelBuilder model(13);
    squeezeIfOne(model, 1);
    model.node("Shape", {"out"}, {"shape2"}).ints("zero", {0}).node("Gather", {"shape2", "zero"}, {"size2"});
    model.ints("four", {4}).node("Equal", {"size2", "four"}, {"is_four"}).ints("first", {0}).node("Squeeze", {"is_four", "first"}, {"flag2"});
    addIf(model, "flag2", "late", operation("Tanh", {"out"}), operation("Sigmoid", {"out"}));
    model.output("late");
    const auto graph = importModel(model.write(), {});
    POET_REQUIRE_OK(graph);
    EXPECT_TRUE(std::ranges::any_of(graph->ops, [](const ForwardOp& op) { return op.type == "Tanh"; }));
    EXPECT_FALSE(std::ranges::any_of(graph->ops, [](const ForwardOp& op) { return op.type == "Sigmoid"; }));
}

TEST(Exporters, ifOnDataIsRefusedByName)
{
    ModelBuilder model(13);
    model.input("x", {4, 8}).input("flag", {}, ::onnx::TensorProto::BOOL).weight("w", {8, 8}).node("MatMul", {"x", "w"}, {"y"});
    addIf(model, "flag", "z", operation("Relu", {"y"}), operation("Tanh", {"y"}));
    model.output("z");
    const auto graph = importModel(model.write(), {});
    ASSERT_FALSE(graph);
    EXPECT_EQ(graph.error().code, ErrorCode::UnsupportedOp);
    EXPECT_NE(graph.error().message.find("If_z"), std::string::npos);
}

/// Boxes are trained; which of them survive is for later.
TEST(Exporters, integerOutputThatOnlyDataDecidesIsLeftOut)
{
    ModelBuilder model(11);
    model.input("x", {1, 6, 4}).input("scores", {1, 1, 6}).weight("w", {4, 4}).node("MatMul", {"x", "w"}, {"boxes"});
    model.node("NonMaxSuppression", {"boxes", "scores"}, {"kept"}).output("boxes").output("kept");
    model.proto().mutable_graph()->mutable_output(1)->mutable_type()->mutable_tensor_type()->set_elem_type(::onnx::TensorProto::INT64);
    const auto graph = importModel(model.write(), {});
    POET_REQUIRE_OK(graph);
    EXPECT_EQ(graph->outputs.size(), 1U);
    EXPECT_TRUE(hasNote(*graph, "\"kept\" takes no part"));
}

TEST(Exporters, floatingOutputThatOnlyDataDecidesIsRefused)
{
    ModelBuilder model(13);
    model.input("x", {4, 8}).weight("w", {8, 8}).node("MatMul", {"x", "w"}, {"y"}).node("NonZero", {"y"}, {"where"});
    model.node("Transpose", {"where"}, {"rows"}).node("GatherND", {"y", "rows"}, {"picked"}).output("y").output("picked");
    const auto graph = importModel(model.write(), {});
    ASSERT_FALSE(graph);
    EXPECT_EQ(graph.error().code, ErrorCode::UnknownShape);
    EXPECT_NE(graph.error().message.find("NonZero"), std::string::npos);
}

TEST(Exporters, sparseWeightIsPlannedAsADenseOne)
{
    ModelBuilder model(13);
    model.input("x", {4, 8});
    auto& sparse = *model.proto().mutable_graph()->add_sparse_initializer();
    sparse.mutable_values()->set_name("w");
    sparse.mutable_values()->set_data_type(::onnx::TensorProto::FLOAT);
    sparse.mutable_values()->add_dims(1);
    sparse.mutable_values()->add_float_data(1);
    sparse.mutable_indices()->add_int64_data(5);
    sparse.add_dims(8);
    sparse.add_dims(2);
    const auto graph = importModel(model.node("MatMul", {"x", "w"}, {"y"}).output("y").write(), {});
    POET_REQUIRE_OK(graph);
    EXPECT_EQ(shapeOf(*graph, "y"), Shape({4, 2}));
    EXPECT_EQ(graph->value(graph->find("w")).kind, ValueKind::Parameter);
    EXPECT_TRUE(hasNote(*graph, "sparse"));
}

TEST(Exporters, textInputThatNothingReadsDoesNotMatter)
{
    ModelBuilder model(13);
    model.input("names", {4}, ::onnx::TensorProto::STRING).input("x", {4, 8}).weight("w", {8, 2});
    const auto graph = importModel(model.node("MatMul", {"x", "w"}, {"y"}).output("y").write(), {});
    POET_REQUIRE_OK(graph);
}

TEST(Exporters, fusedProductTransposesItsOperands)
{
    ModelBuilder model(13);
    model.input("x", {3, 8, 4}).weight("w", {16, 8}).node("FusedMatMul", {"x", "w"}, {"y"}, "com.microsoft");
    model.with("transA", 1).with("transB", 1).output("y");
    const auto graph = importModel(model.write(), {});
    POET_REQUIRE_OK(graph);
    EXPECT_EQ(shapeOf(*graph, "y"), Shape({3, 4, 16}));
    EXPECT_EQ(training::planOperation(*graph, graph->ops[0]).macs, 3 * 4 * 16 * 8);
}

/// Keys and values of two heads serve four query heads; values are wider than keys.
TEST(Exporters, attentionOfOperatorSet23HasTheShapeOfItsValues)
{
    ModelBuilder model(23);
    model.input("q", {2, 5, 32}).input("k", {2, 7, 16}).input("v", {2, 7, 24}).weight("w", {48, 2});
    model.node("Attention", {"q", "k", "v"}, {"y"}).with("q_num_heads", 4).with("kv_num_heads", 2).node("MatMul", {"y", "w"}, {"z"}).output("z");
    const auto graph = importModel(model.write(), {});
    POET_REQUIRE_OK(graph);
    EXPECT_EQ(shapeOf(*graph, "y"), Shape({2, 5, 48}));
    const auto plan = training::planOperation(*graph, graph->ops[0]);
    EXPECT_EQ(plan.treatment, training::Treatment::Operation);
    EXPECT_EQ(plan.macs, 2.0 * (2 * 4 * 5) * 7 * 8);
}

TEST(Exporters, projectedAttentionKeepsItsProjections)
{
    ModelBuilder model(13);
    model.input("x", {2, 6, 8}).weight("w", {8, 24}).weight("b", {24});
    model.node("Attention", {"x", "w", "b"}, {"y"}, "com.microsoft").with("num_heads", 2).output("y");
    const auto graph = importModel(model.write(), {});
    POET_REQUIRE_OK(graph);
    EXPECT_EQ(shapeOf(*graph, "y"), Shape({2, 6, 8}));
    const auto plan = training::planOperation(*graph, graph->ops[0]);
    ASSERT_EQ(plan.sides.size(), 2U);
    EXPECT_EQ(plan.sides[0].shape, Shape({2, 6, 24}));
    EXPECT_EQ(plan.sides[0].macs, 2 * 6 * 8 * 24);
}

/// Frames of 16 every 8 in 128: 15; half the bins by default.
TEST(Exporters, shortTimeTransformIsOneSidedByDefault)
{
    for (const std::int64_t half : {1, 0}) {
        ModelBuilder model(17);
        model.input("x", {1, 128, 1}).weight("w", {1, 1}).node("MatMul", {"x", "w"}, {"signal"});
        model.ints("step", {8}).ints("length", {16}).node("STFT", {"signal", "step", "", "length"}, {"y"});
        const auto graph = importModel((half ? model : model.with("onesided", 0)).output("y").write(), {});
        POET_REQUIRE_OK(graph);
        EXPECT_EQ(shapeOf(*graph, "y"), Shape({1, 15, half ? 9 : 16, 2}));
    }
}

/// 16 x 16 into at most (or at least) 24 x 20.
TEST(Exporters, resizeKeepsTheAspectRatioWhenAsked)
{
    const std::pair<const char*, Shape> cases[] = {{"not_larger", {1, 1, 20, 20}}, {"not_smaller", {1, 1, 24, 24}}, {"stretch", {1, 1, 24, 20}}};
    for (const auto& [policy, expected] : cases) {
        ModelBuilder model(18);
        model.input("x", {1, 1, 16, 16}).ints("size", {24, 20}).node("Resize", {"x", "", "", "size"}, {"y"});
        model.with("axes", std::vector<std::int64_t>{2, 3}).withText("keep_aspect_ratio_policy", policy).output("y");
        const auto graph = importModel(model.write(), {});
        POET_REQUIRE_OK(graph);
        EXPECT_EQ(shapeOf(*graph, "y"), expected) << policy;
    }
}

/// Masks, rotary tables and the statistics of images are stored beside the weights; nobody trains them.
TEST(Exporters, buffersByNameAreFixed)
{
    ModelBuilder model(17);
    model.input("x", {1, 3, 8, 8}).weight("mean", {1, 3, 1, 1}).weight("net.std", {1, 3, 1, 1}).weight("attn.causal_mask", {8, 8});
    model.node("Sub", {"x", "mean"}, {"centred"}).node("Div", {"centred", "net.std"}, {"scaled"});
    model.weight("conv.weight", {4, 3, 1, 1}).node("Conv", {"scaled", "conv.weight"}, {"y"}).node("Add", {"y", "attn.causal_mask"}, {"z"}).output("z");
    const auto graph = importModel(model.write(), {});
    POET_REQUIRE_OK(graph);
    for (const char* name : {"mean", "net.std", "attn.causal_mask"})
        EXPECT_EQ(graph->value(graph->find(name)).kind, ValueKind::Constant) << name;
    EXPECT_EQ(graph->value(graph->find("conv.weight")).kind, ValueKind::Parameter);
    EXPECT_TRUE(hasNote(*graph, "taken as fixed"));
}

/// Some exporters keep the factors of a computed size among the weights.
TEST(Exporters, storedFactorsOfAShapeAreShapeArithmetic)
{
    ModelBuilder model(17);
    model.input("x", {1, 3, 8, 8}).weight("conv.weight", {4, 3, 1, 1}).node("Conv", {"x", "conv.weight"}, {"y"});
    model.node("Shape", {"y"}, {"shape"}).node("Cast", {"shape"}, {"real"}).with("to", 1).weight("factors", {4}, 2.0F);
    model.node("Mul", {"real", "factors"}, {"larger"}).node("Cast", {"larger"}, {"size"}).with("to", 7);
    model.node("Resize", {"y", "", "", "size"}, {"z"}).output("z");
    const auto graph = importModel(model.write(), {});
    POET_REQUIRE_OK(graph);
    EXPECT_EQ(shapeOf(*graph, "z"), Shape({2, 8, 16, 16}));
}

}  // namespace
}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
// What changed between operator sets 7 and 22 must be read as it was meant.
#include "core/onnx/import.h"
#include "tests/core/onnx/model_builder.h"

#include <gtest/gtest.h>

#include <cstring>

namespace poet::onnx {
namespace {

using poet::testing::ModelBuilder;
using Ints = std::vector<std::int64_t>;

ForwardGraph imported(ModelBuilder& model)
{
    const auto graph = importModel(model.write(), {});
    EXPECT_TRUE(graph) << graph.error().text();
    return graph ? *graph : ForwardGraph{};
}

Shape shapeOf(const ForwardGraph& graph, const std::string& value)
{
    const ValueId id = graph.find(value);
    EXPECT_NE(id, kNoValue) << value;
    return id == kNoValue ? Shape{} : graph.value(id).shape;
}

TEST(Opsets, reduceMeanTakesAxesAsInputSince18)
{
    ModelBuilder model(18);
    model.input("x", {2, 3, 4}).ints("axes", {-1}).node("ReduceMean", {"x", "axes"}, {"y"}).output("y");
    const auto graph = imported(model);
    EXPECT_EQ(shapeOf(graph, "y"), (Shape{2, 3, 1}));
    EXPECT_EQ(graph.ops[0].intsAttribute("axes"), (Ints{2}));
    EXPECT_EQ(graph.ops[0].inputs.size(), 1U);
}

TEST(Opsets, reduceMeanTakesAxesAsAttributeBefore)
{
    ModelBuilder model(11);
    model.input("x", {2, 3, 4}).node("ReduceMean", {"x"}, {"y"}).with("axes", Ints{1}).with("keepdims", 0).output("y");
    EXPECT_EQ(shapeOf(imported(model), "y"), (Shape{2, 4}));
}

TEST(Opsets, reduceWithoutAxesReducesAllUnlessToldNot)
{
    ModelBuilder all(18), none(18);
    all.input("x", {2, 3}).node("ReduceSum", {"x"}, {"y"}).with("keepdims", 0).output("y");
    EXPECT_EQ(shapeOf(imported(all), "y"), Shape{});
    none.input("x", {2, 3}).node("ReduceSum", {"x"}, {"y"}).with("noop_with_empty_axes", 1).output("y");
    EXPECT_EQ(shapeOf(imported(none), "y"), (Shape{2, 3}));
}

TEST(Opsets, splitIntoUnequalNumberOfOutputs18)
{
    ModelBuilder model(18);
    model.input("x", {2, 7}).node("Split", {"x"}, {"a", "b", "c"}).with("axis", 1).with("num_outputs", 3).output("a").output("b").output("c");
    const auto graph = imported(model);
    EXPECT_EQ(shapeOf(graph, "a"), (Shape{2, 3}));
    EXPECT_EQ(shapeOf(graph, "c"), (Shape{2, 1}));
}

TEST(Opsets, splitSizesAsAttributeAndInput)
{
    ModelBuilder old(11), recent(13);
    old.input("x", {5}).node("Split", {"x"}, {"a", "b"}).with("split", Ints{1, 4}).output("a").output("b");
    EXPECT_EQ(shapeOf(imported(old), "b"), (Shape{4}));
    recent.input("x", {5}).ints("sizes", {2, 3}).node("Split", {"x", "sizes"}, {"a", "b"}).output("a").output("b");
    EXPECT_EQ(shapeOf(imported(recent), "b"), (Shape{3}));
}

TEST(Opsets, padWithAxes18)
{
    ModelBuilder model(18);
    model.input("x", {1, 2, 5, 5}).ints("pads", {1, 2, 3, 4}).scalar("zero", 0).ints("axes", {2, -1});
    model.node("Pad", {"x", "pads", "zero", "axes"}, {"y"}).output("y");
    const auto graph = imported(model);
    EXPECT_EQ(shapeOf(graph, "y"), (Shape{1, 2, 9, 11}));
    EXPECT_EQ(graph.ops[0].intsAttribute("pads"), (Ints{0, 0, 1, 2, 0, 0, 3, 4}));
}

TEST(Opsets, padAsAttribute)
{
    ModelBuilder model(9);
    model.input("x", {1, 4}).node("Pad", {"x"}, {"y"}).with("pads", Ints{0, 1, 0, 2}).output("y");
    EXPECT_EQ(shapeOf(imported(model), "y"), (Shape{1, 7}));
}

TEST(Opsets, sliceAsAttributesAndInputs)
{
    ModelBuilder old(9), recent(13);
    old.input("x", {4, 6}).node("Slice", {"x"}, {"y"}).with("starts", Ints{1}).with("ends", Ints{-1}).with("axes", Ints{1}).output("y");
    EXPECT_EQ(shapeOf(imported(old), "y"), (Shape{4, 4}));
    recent.input("x", {4, 6}).ints("s", {-1}).ints("e", {-1000}).ints("a", {1}).ints("t", {-2});
    recent.node("Slice", {"x", "s", "e", "a", "t"}, {"y"}).output("y");
    EXPECT_EQ(shapeOf(imported(recent), "y"), (Shape{4, 3}));
}

TEST(Opsets, squeezeAndUnsqueezeAxes)
{
    ModelBuilder old(11), recent(13);
    old.input("x", {1, 3, 1}).node("Squeeze", {"x"}, {"s"}).with("axes", Ints{0}).node("Unsqueeze", {"s"}, {"y"}).with("axes", Ints{0, 3}).output("y");
    EXPECT_EQ(shapeOf(imported(old), "y"), (Shape{1, 3, 1, 1}));
    recent.input("x", {1, 3, 1}).node("Squeeze", {"x"}, {"s"}).ints("a", {-1}).node("Unsqueeze", {"s", "a"}, {"y"}).output("y");
    EXPECT_EQ(shapeOf(imported(recent), "y"), (Shape{3, 1}));
}

TEST(Opsets, resizeForms)
{
    ModelBuilder upsample(9), resize10(10), resize13(13), sizes(13), axes(18);
    const auto scales = [](ModelBuilder& m, const std::vector<float>& values) {
        m.weight("scales", {static_cast<std::int64_t>(values.size())});
        auto& data = *m.proto().mutable_graph()->mutable_initializer()->rbegin()->mutable_float_data();
        data.Clear();
        for (const float v : values)
            data.Add(v);
    };
    upsample.input("x", {1, 2, 3, 4});
    scales(upsample, {1, 1, 2, 2});
    upsample.node("Upsample", {"x", "scales"}, {"y"}).output("y");
    EXPECT_EQ(shapeOf(imported(upsample), "y"), (Shape{1, 2, 6, 8}));
    resize10.input("x", {1, 2, 3, 4});
    scales(resize10, {1, 1, 0.5F, 2});
    resize10.node("Resize", {"x", "scales"}, {"y"}).output("y");
    EXPECT_EQ(shapeOf(imported(resize10), "y"), (Shape{1, 2, 1, 8}));
    resize13.input("x", {1, 2, 3, 4});
    scales(resize13, {1, 1, 2, 1.5F});
    resize13.node("Resize", {"x", "", "scales"}, {"y"}).output("y");
    EXPECT_EQ(shapeOf(imported(resize13), "y"), (Shape{1, 2, 6, 6}));
    sizes.input("x", {1, 2, 3, 4}).ints("sizes", {1, 2, 7, 9}).node("Resize", {"x", "", "", "sizes"}, {"y"}).output("y");
    EXPECT_EQ(shapeOf(imported(sizes), "y"), (Shape{1, 2, 7, 9}));
    axes.input("x", {1, 2, 3, 4}).ints("sizes", {7, 9}).node("Resize", {"x", "", "", "sizes"}, {"y"}).with("axes", Ints{2, 3}).output("y");
    EXPECT_EQ(shapeOf(imported(axes), "y"), (Shape{1, 2, 7, 9}));
}

TEST(Opsets, batchNormalizationTrainingByOutputsBefore14)
{
    for (const bool training : {false, true}) {
        ModelBuilder model(9);
        model.input("x", {2, 3, 4, 4});
        for (const char* name : {"s", "b", "m", "v"})
            model.weight(name, {3});
        std::vector<std::string> outputs = {"y"};
        if (training)
            outputs = {"y", "m2", "v2", "sm", "sv"};
        model.node("BatchNormalization", {"x", "s", "b", "m", "v"}, outputs).output("y");
        const auto graph = imported(model);
        EXPECT_EQ(graph.ops[0].intAttribute("training_mode", -1), training ? 1 : 0);
        EXPECT_EQ(graph.value(graph.find("m")).kind, ValueKind::Buffer);
        EXPECT_EQ(graph.value(graph.find("s")).kind, ValueKind::Parameter);
    }
}

TEST(Opsets, clipBoundsAsAttributesAndInputs)
{
    ModelBuilder old(6), recent(13);
    old.input("x", {3}).node("Clip", {"x"}, {"y"}).withFloat("min", 0).withFloat("max", 6).output("y");
    EXPECT_EQ(imported(old).ops[0].floatAttribute("max", 0), 6);
    recent.input("x", {3}).scalar("low", 0).scalar("high", 6).node("Clip", {"x", "low", "high"}, {"y"}).output("y");
    const auto graph = imported(recent);
    EXPECT_EQ(graph.ops[0].floatAttribute("max", 0), 6);
    EXPECT_EQ(graph.ops[0].inputs.size(), 1U);
}

TEST(Opsets, newOperatorsOf18To22)
{
    ModelBuilder model(22);
    model.input("x", {2, 6, 4, 4}).weight("s", {6}).weight("b", {6});
    model.node("GroupNormalization", {"x", "s", "b"}, {"g"}).with("num_groups", 3);
    model.node("Gelu", {"g"}, {"a"}).withText("approximate", "tanh");
    model.node("Mish", {"a"}, {"m"});
    model.node("HardSwish", {"m"}, {"y"}).output("y");
    const auto graph = imported(model);
    EXPECT_EQ(shapeOf(graph, "y"), (Shape{2, 6, 4, 4}));
    EXPECT_EQ(graph.ops.size(), 4U);
}

TEST(Opsets, autoPadAndCeilMode)
{
    ModelBuilder model(13);
    model.input("x", {1, 3, 5, 5}).weight("w", {4, 3, 3, 3}).node("Conv", {"x", "w"}, {"c"}).withText("auto_pad", "SAME_UPPER").with("strides", Ints{2, 2});
    model.node("MaxPool", {"c"}, {"y"}).with("kernel_shape", Ints{2, 2}).with("strides", Ints{2, 2}).with("ceil_mode", 1).output("y");
    const auto graph = imported(model);
    EXPECT_EQ(shapeOf(graph, "c"), (Shape{1, 4, 3, 3}));
    EXPECT_EQ(graph.ops[0].intsAttribute("pads"), (Ints{1, 1, 1, 1}));
    EXPECT_EQ(shapeOf(graph, "y"), (Shape{1, 4, 2, 2}));
}

TEST(Opsets, convTransposeForms)
{
    ModelBuilder plain(11), padded(11);
    plain.input("x", {1, 4, 5, 5}).weight("w", {4, 2, 3, 3}).node("ConvTranspose", {"x", "w"}, {"y"}).with("strides", Ints{2, 2}).with("pads", Ints{1, 1, 1, 1}).with("output_padding", Ints{1, 1}).output("y");
    EXPECT_EQ(shapeOf(imported(plain), "y"), (Shape{1, 2, 10, 10}));
    padded.input("x", {1, 4, 5}).weight("w", {4, 3, 2}).node("ConvTranspose", {"x", "w"}, {"y"}).with("strides", Ints{2}).with("group", 2).with("output_shape", Ints{9}).output("y");
    EXPECT_EQ(shapeOf(imported(padded), "y"), (Shape{1, 6, 9}));
}

TEST(Opsets, shapeArithmeticIsFolded)
{
    ModelBuilder model(15);
    model.input("x", {2, 3, 4, 5}).node("Shape", {"x"}, {"all"}).node("Shape", {"x"}, {"tail"}).with("start", 2);
    model.ints("zero", {0}).node("Gather", {"all", "zero"}, {"n"}).ints("minus", {-1}).node("Concat", {"n", "minus", "tail"}, {"target"}).with("axis", 0);
    model.node("Reshape", {"x", "target"}, {"y"}).output("y");
    const auto graph = imported(model);
    EXPECT_EQ(shapeOf(graph, "y"), (Shape{2, 3, 4, 5}));
    EXPECT_EQ(graph.ops.size(), 1U);
}

TEST(Opsets, einsumShapes)
{
    const std::vector<std::tuple<std::string, Shape, Shape, Shape>> cases = {
        {"bij,bjk->bik", {2, 3, 4}, {2, 4, 5}, {2, 3, 5}}, {"bhqd,bhkd->bhqk", {2, 3, 4, 5}, {2, 3, 6, 5}, {2, 3, 4, 6}},
        {"...ij,...jk->...ik", {7, 2, 3}, {7, 3, 4}, {7, 2, 4}}, {"ij, jk", {2, 3}, {3, 4}, {2, 4}}, {"ij,ij->", {2, 3}, {2, 3}, {}}};
    for (const auto& [equation, a, b, expected] : cases) {
        ModelBuilder model(13);
        model.input("a", a).input("b", b).node("Einsum", {"a", "b"}, {"y"}).withText("equation", equation).output("y");
        EXPECT_EQ(shapeOf(imported(model), "y"), expected) << equation;
    }
}

TEST(Opsets, recurrentOutputs)
{
    ModelBuilder model(14);
    model.input("x", {5, 2, 3}).weight("w", {2, 16, 3}).weight("r", {2, 16, 4}).node("LSTM", {"x", "w", "r"}, {"y", "h", "c"});
    model.with("hidden_size", 4).withText("direction", "bidirectional").output("y").output("h").output("c");
    const auto graph = imported(model);
    EXPECT_EQ(shapeOf(graph, "y"), (Shape{5, 2, 2, 4}));
    EXPECT_EQ(shapeOf(graph, "c"), (Shape{2, 2, 4}));
}

TEST(Opsets, unknownOperatorKeepsItsShapeWithANote)
{
    ModelBuilder model(17);
    model.input("x", {2, 3}).weight("w", {3, 3}).node("MatMul", {"x", "w"}, {"h"}).node("Magic", {"h"}, {"y"}, "my.domain").output("y");
    const auto graph = imported(model);
    EXPECT_EQ(shapeOf(graph, "y"), (Shape{2, 3}));
    bool noted = false;
    for (const Note& note : graph.notes)
        noted = noted || note.text().find("my.domain.Magic") != std::string::npos;
    EXPECT_TRUE(noted);
}

TEST(Opsets, unknownOperatorTakesTheDeclaredShape)
{
    ModelBuilder model(17);
    model.input("x", {2, 3}).node("Magic", {"x"}, {"y"}, "my.domain").output("y");
    auto& shape = *model.proto().mutable_graph()->mutable_output(0)->mutable_type()->mutable_tensor_type()->mutable_shape();
    shape.add_dim()->set_dim_value(5);
    EXPECT_EQ(shapeOf(imported(model), "y"), (Shape{5}));
}

TEST(Kinds, fillersOfNormalisationsAreNoWeights)
{
    ModelBuilder model(17);
    model.input("x", {2, 3, 4, 4}).weight("onnx::InstanceNormalization_1", {3}, 1).weight("bn.weight", {3}, 1).weight("onnx::InstanceNormalization_2", {3}, 0);
    model.node("InstanceNormalization", {"x", "onnx::InstanceNormalization_1", "onnx::InstanceNormalization_2"}, {"a"});
    model.node("InstanceNormalization", {"a", "bn.weight", "onnx::InstanceNormalization_2"}, {"y"}).output("y");
    const auto graph = imported(model);
    EXPECT_EQ(graph.value(graph.find("onnx::InstanceNormalization_1")).kind, ValueKind::Constant);
    EXPECT_EQ(graph.value(graph.find("bn.weight")).kind, ValueKind::Parameter);
}

TEST(Kinds, dequantizedWeightsAreParametersOfTheirStoredSize)
{
    ModelBuilder model(13);
    model.input("x", {1, 3, 8, 8}).scalar("s", 0.1F).node("QuantizeLinear", {"x", "s", "zp"}, {"q"}).node("DequantizeLinear", {"q", "s", "zp"}, {"d"});
    auto& zero = *model.proto().mutable_graph()->add_initializer();
    zero.set_name("zp");
    zero.set_data_type(::onnx::TensorProto::INT8);
    zero.add_int32_data(0);
    auto& weight = *model.proto().mutable_graph()->add_initializer();
    weight.set_name("w");
    weight.set_data_type(::onnx::TensorProto::INT8);
    for (const int d : {4, 3, 1, 1})
        weight.add_dims(d);
    for (int i = 0; i < 12; ++i)
        weight.add_int32_data(i);
    model.node("DequantizeLinear", {"w", "s", "zp"}, {"wf"}).node("Conv", {"d", "wf"}, {"y"}).output("y");
    const auto graph = imported(model);
    EXPECT_EQ(graph.value(graph.find("w")).kind, ValueKind::Parameter);
    EXPECT_EQ(graph.bytes(graph.find("w")), 12);
    EXPECT_EQ(graph.value(graph.find("wf")).kind, ValueKind::Parameter);
    EXPECT_EQ(graph.value(graph.find("q")).type, ElementType::I8);
}

TEST(Opsets, recurrentWithoutItsSequenceOutputGetsOne)
{
    ModelBuilder model(14);
    model.input("x", {5, 2, 3}).weight("w", {1, 12, 3}).weight("r", {1, 12, 4}).node("GRU", {"x", "w", "r"}, {"", "h"}).with("hidden_size", 4).output("h");
    const auto graph = imported(model);
    ASSERT_NE(graph.ops[0].output(0), kNoValue);
    EXPECT_EQ(graph.value(graph.ops[0].outputs[0]).shape, (Shape{5, 1, 2, 4}));
}

TEST(Functions, callsAreInlinedWithTheirAttributes)
{
    ModelBuilder model(18);
    model.input("x", {1, 8}).weight("w", {8, 8}).node("Layer", {"x", "w"}, {"h"}, "my.functions").with("axis", 1).node("Layer", {"h", "w"}, {"y"}, "my.functions").with("axis", 0).output("y");
    auto& function = *model.proto().add_functions();
    function.set_name("Layer");
    function.set_domain("my.functions");
    for (const char* name : {"a", "b"})
        function.add_input(name);
    function.add_output("c");
    function.add_attribute("axis");
    auto& product = *function.add_node();
    product.set_op_type("MatMul");
    product.add_input("a");
    product.add_input("b");
    product.add_output("t");
    auto& softmax = *function.add_node();
    softmax.set_op_type("Softmax");
    softmax.add_input("t");
    softmax.add_output("c");
    auto& axis = *softmax.add_attribute();
    axis.set_name("axis");
    axis.set_ref_attr_name("axis");
    axis.set_type(::onnx::AttributeProto::INT);
    const auto graph = imported(model);
    ASSERT_EQ(graph.ops.size(), 4U);
    EXPECT_EQ(graph.ops[1].intAttribute("axis", -1), 1);
    EXPECT_EQ(graph.ops[3].intAttribute("axis", -1), 0);
    EXPECT_EQ(shapeOf(graph, "y"), (Shape{1, 8}));
    function.mutable_node(0)->set_op_type("Layer");
    function.mutable_node(0)->set_domain("my.functions");
    EXPECT_FALSE(importModel(model.write(), {}));
}

TEST(Blocks, comeFromModulePaths)
{
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"/layer1/layer1.0/conv1/Conv", "layer1.0"}, {"/encoder/layers/encoder_layer_3/mlp/Gemm", "encoder_layer_3"},
        {"/features/denseblock1/denselayer2/Conv", "features/denseblock1"}, {"/inception3a/branch1/Conv", "inception3a"}, {"Conv_12", ""}};
    for (const auto& [name, block] : cases) {
        ModelBuilder model(17);
        model.input("x", {1, 4}).node("Relu", {"x"}, {"y"}).output("y");
        model.proto().mutable_graph()->mutable_node(0)->set_name(name);
        EXPECT_EQ(imported(model).ops[0].block, block) << name;
    }
}

TEST(Weights, contentIsReadBackFromWhereItLies)
{
    ModelBuilder model(13);
    model.input("x", {1, 64}).weight("big", {64, 128}, 0.25F).weight("small", {128}, 2).node("Gemm", {"x", "big", "small"}, {"y"}).output("y");
    const auto path = model.write();
    const auto graph = importModel(path, {});
    POET_REQUIRE_OK(graph);
    for (const auto& [name, number] : {std::pair{"big", 0.25F}, std::pair{"small", 2.0F}}) {
        const ForwardValue& value = graph->value(graph->find(name));
        const auto bytes = readStored(value);
        POET_REQUIRE_OK(bytes);
        ASSERT_EQ(bytes->size(), static_cast<std::size_t>(elementCount(value.shape)) * 4);
        float first = 0, last = 0;
        std::memcpy(&first, bytes->data(), 4);
        std::memcpy(&last, bytes->data() + bytes->size() - 4, 4);
        EXPECT_EQ(first, number);
        EXPECT_EQ(last, number);
    }
    EXPECT_FALSE(graph->value(graph->find("big")).constant);
}

}  // namespace
}  // namespace poet::onnx

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
// One operation at a time: what a rule lets backward keep, against what PyTorch was seen to keep.
#include "core/training/rules/rule.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace poet::training {
namespace {

using Ints = std::vector<std::int64_t>;
using Attributes = std::map<std::string, Attribute>;

const std::filesystem::path kSaves = std::filesystem::path(POET_SHARED_DIR) / "oracle" / "op_saves.json";

/// One measured case as an operation. `names`: what the measurement calls each input, blank for weights and indices, whose
/// bytes are no activation. `needless`: what PyTorch keeps and its gradient does not read, which the lean graph leaves out.
struct Case {
    std::string name;
    std::string type;
    std::vector<Shape> inputs;
    Shape output;
    std::string names;
    Attributes attributes = {};
    std::string needless = {};
};

const Shape kImage = {2, 8, 6, 6};
const Shape kMatrix = {2, 8};

std::vector<Case> unaryCases()
{
    std::vector<Case> cases;
    const std::pair<const char*, const char*> kUnary[] = {
        {"relu", "Relu"},         {"relu6", "Clip"},          {"clamp", "Clip"},           {"leaky_relu", "LeakyRelu"},
        {"elu", "Elu"},           {"sigmoid", "Sigmoid"},     {"tanh", "Tanh"},            {"softplus", "Softplus"},
        {"hardswish", "HardSwish"}, {"hardsigmoid", "HardSigmoid"}, {"silu", "Silu"},      {"gelu", "Gelu"},
        {"gelu_tanh", "Gelu"},    {"erf", "Erf"},             {"exp", "Exp"},              {"sqrt", "Sqrt"},
        {"abs", "Abs"},           {"neg", "Neg"},             {"reciprocal", "Reciprocal"}, {"softmax", "Softmax"},
        {"log_softmax", "LogSoftmax"}, {"cast_half", "Cast"}, {"transpose", "Transpose"}};
    for (const auto& [name, type] : kUnary)
        cases.push_back({name, type, {kImage}, kImage, "x"});
    cases.back().attributes = {{"perm", Ints{0, 1, 3, 2}}};
    const Ints window = {2, 2};
    cases.push_back({"max_pool2d", "MaxPool", {kImage}, {2, 8, 3, 3}, "x", {{"kernel_shape", window}}, "x"});
    cases.push_back({"max_pool1d", "MaxPool", {{2, 3, 8}}, {2, 3, 4}, "x", {{"kernel_shape", Ints{2}}}, "x"});
    cases.push_back({"avg_pool2d", "AveragePool", {kImage}, {2, 8, 3, 3}, "x", {{"kernel_shape", window}}, "x"});
    cases.push_back({"adaptive_avg_pool2d_1", "GlobalAveragePool", {kImage}, {2, 8, 1, 1}, "x", {}, "x"});
    cases.push_back({"mean", "ReduceMean", {kImage}, {2, 8, 6}, "x", {}, "x"});
    cases.push_back({"sum", "ReduceSum", {kImage}, {2, 8, 6}, "x"});
    cases.push_back({"amax", "ReduceMax", {kImage}, {2, 8, 6}, "x"});
    cases.push_back({"pad", "Pad", {kImage}, {2, 8, 8, 8}, "x"});
    cases.push_back({"slice", "Slice", {kImage}, {2, 8, 3, 6}, "x"});
    cases.push_back({"split", "Split", {kImage}, {2, 4, 6, 6}, "x"});
    cases.push_back({"upsample_nearest", "Resize", {kImage}, {2, 8, 12, 12}, "x"});
    cases.push_back({"upsample_bilinear", "Resize", {kImage}, {2, 8, 12, 12}, "x", {{"mode", std::string("linear")}}});
    cases.push_back({"pixel_shuffle", "DepthToSpace", {kImage}, {2, 2, 12, 12}, "x"});
    cases.push_back({"reshape", "Reshape", {kImage}, {2, 288}, "x"});
    cases.push_back({"flatten", "Flatten", {kImage}, {2, 288}, "x"});
    cases.push_back({"expand", "Expand", {{2, 1}}, {2, 8}, "x"});
    cases.push_back({"dropout_cpu", "Dropout", {kImage}, kImage, "x", {{"training_mode", std::int64_t{1}}, {"ratio", 0.5}}});
    return cases;
}

std::vector<Case> weightCases()
{
    const Shape out = {2, 4, 4, 4};
    const std::vector<Shape> conv = {kImage, {4, 8, 3, 3}, {4}};
    const std::vector<Shape> norm = {kImage, {8}, {8}, {8}, {8}};
    const Attributes training = {{"training_mode", std::int64_t{1}}};
    return {{"conv2d", "Conv", conv, out, "x  "},
            {"conv2d_input_no_grad", "Conv", conv, out, "x  "},
            {"conv2d_frozen_weight", "Conv", conv, out, "x  ", {}, "x"},
            {"conv2d_bias_only", "Conv", conv, out, "x  ", {}, "x"},
            {"conv_transpose2d", "ConvTranspose", {kImage, {8, 4, 2, 2}}, {2, 4, 12, 12}, "x "},
            {"batch_norm_train", "BatchNormalization", norm, kImage, "x    ", training},
            {"batch_norm_eval", "BatchNormalization", norm, kImage, "x    "},
            {"batch_norm_eval_frozen", "BatchNormalization", norm, kImage, "x    ", {}, "x"},
            {"layer_norm", "LayerNormalization", {{2, 5, 8}, {8}, {8}}, {2, 5, 8}, "x  ", {{"axis", std::int64_t{2}}}},
            {"group_norm", "GroupNormalization", {kImage, {8}, {8}}, kImage, "x  ", {{"num_groups", std::int64_t{2}}}},
            {"prelu", "PRelu", {kImage, {8}}, kImage, "x "},
            {"linear", "Gemm", {{3, 4}, {4, 5}, {5}}, {3, 5}, "x  "},
            {"linear_3d", "Gemm", {{2, 3, 4}, {4, 5}, {5}}, {2, 3, 5}, "x  "},
            {"linear_input_no_grad", "Gemm", {{3, 4}, {4, 5}, {5}}, {3, 5}, "x  "},
            {"embedding", "Gather", {{10, 4}, {2, 3}}, {2, 3, 4}, "  "},
            {"gather", "GatherElements", {{2, 6}, {2, 3}}, {2, 3}, "x ", {}, "x"},
            {"cross_entropy", "SoftmaxCrossEntropyLoss", {{4, 10}, {4}}, {}, "x "},
            {"nll_loss", "NegativeLogLikelihoodLoss", {{4, 10}, {4}}, {}, "x ", {}, "x"}};
}

std::vector<Case> binaryCases()
{
    const std::vector<Shape> two = {kMatrix, kMatrix};
    std::vector<Case> cases;
    const std::pair<const char*, const char*> kBinary[] = {{"add", "Add"}, {"sub", "Sub"}, {"mul", "Mul"}, {"mul_b_const", "Mul"},
                                                           {"div", "Div"}, {"div_b_const", "Div"}, {"max_ab", "Max"}, {"min_ab", "Min"}};
    for (const auto& [name, type] : kBinary)
        cases.push_back({name, type, two, kMatrix, "ab"});
    cases.push_back({"where", "Where", {kMatrix, kMatrix, kMatrix}, kMatrix, " ab"});
    cases.push_back({"cat", "Concat", two, {2, 16}, "ab"});
    cases.push_back({"matmul2d", "MatMul", {{3, 4}, {4, 5}}, {3, 5}, "ab"});
    cases.push_back({"matmul4d", "MatMul", {{2, 3, 4, 5}, {2, 3, 5, 4}}, {2, 3, 4, 4}, "ab"});
    return cases;
}

/// Bytes that the gradients of the inputs in `wanted` keep: activations by name, outputs and sides.
std::int64_t keptBytes(const Case& test, const std::set<std::string>& wanted, Keeping keeping)
{
    ForwardGraph graph;
    graph.opset = 17;
    ForwardOp op;
    op.type = op.name = test.type;
    op.attributes = test.attributes;
    for (const Shape& shape : test.inputs) {
        op.inputs.push_back(static_cast<ValueId>(graph.values.size()));
        graph.values.push_back({"in", ElementType::F32, shape, ValueKind::Activation, -1, {}, {}});
    }
    op.outputs = {static_cast<ValueId>(graph.values.size())};
    graph.values.push_back({"out", ElementType::F32, test.output, ValueKind::Activation, 0, {}, {}});
    graph.ops.push_back(op);
    const OpPlan plan = planOperation(graph, graph.ops[0], keeping);
    std::set<int> inputs, outputs, sides;
    for (std::size_t slot = 0; slot < plan.slots.size(); ++slot) {
        // Weights are wanted by their own names, in the usual order.
        const std::string own = test.names[slot] != ' ' ? std::string(1, test.names[slot]) : slot == 1 ? "w" : "b";
        if (!wanted.contains(own) || plan.slots[slot].kind != SlotGradient::Kind::Compute)
            continue;
        const SlotGradient& gradient = plan.slots[slot];
        inputs.insert(gradient.inputs.begin(), gradient.inputs.end());
        inputs.insert(gradient.held.begin(), gradient.held.end());
        outputs.insert(gradient.outputs.begin(), gradient.outputs.end());
        sides.insert(gradient.sides.begin(), gradient.sides.end());
    }
    std::int64_t bytes = 0;
    for (const int slot : inputs)
        bytes += test.names[static_cast<std::size_t>(slot)] != ' ' ? graph.bytes(op.input(static_cast<std::size_t>(slot))) : 0;
    for (const int slot : outputs)
        bytes += graph.bytes(op.output(static_cast<std::size_t>(slot)));
    for (const int side : sides)
        bytes += elementCount(plan.sides[static_cast<std::size_t>(side)].shape) * elementBytes(plan.sides[static_cast<std::size_t>(side)].type);
    return bytes;
}

/// Bytes of the measured activations; those named in `without` are left out.
std::int64_t measuredBytes(const nlohmann::json& row, const Case& test, const std::string& without)
{
    std::int64_t bytes = 0;
    for (const auto& saved : row["saved"]) {
        const auto what = saved["what"].get<std::string>();
        const bool isInput = what.size() == 1 && test.names.contains(what) && !without.contains(what);
        if (isInput || what == "output" || what == "internal")
            bytes += saved["bytes"].get<std::int64_t>();
    }
    return bytes;
}

TEST(OpSaves, eachOperationKeepsWhatPyTorchKeeps)
{
    if (!std::filesystem::exists(kSaves))
        GTEST_SKIP() << "no oracle data";
    const auto measured = nlohmann::json::parse(std::ifstream(kSaves));
    std::vector<Case> cases = unaryCases();
    for (const auto& more : {weightCases(), binaryCases()})
        cases.insert(cases.end(), more.begin(), more.end());
    for (const Case& test : cases) {
        ASSERT_TRUE(measured.contains(test.name)) << test.name;
        const auto& row = measured[test.name];
        const auto wanted = row["requires_grad"].get<std::set<std::string>>();
        EXPECT_EQ(keptBytes(test, wanted, Keeping::PyTorch), measuredBytes(row, test, "")) << test.name;
        if (test.type != "Dropout") {
            EXPECT_EQ(keptBytes(test, wanted, Keeping::Lean), measuredBytes(row, test, test.needless)) << test.name;
        }
    }
}

/// Step by step, as PyTorch runs recurrent layers on a CPU: every tensor of hidden size that its cells keep.
TEST(OpSaves, recurrentLayersKeepSevenNumbersAStep)
{
    if (!std::filesystem::exists(kSaves))
        GTEST_SKIP() << "no oracle data";
    const auto measured = nlohmann::json::parse(std::ifstream(kSaves));
    for (const auto& [name, type, gates] : {std::tuple{"lstm_T5_B2_I4_H3", "LSTM", 4}, std::tuple{"gru_T5_B2_I4_H3", "GRU", 3}}) {
        std::int64_t bytes = 0;
        for (const auto& saved : measured[name]["saved"])
            if (saved["what"] == "internal" && saved["shape"][0] == 2)
                bytes += saved["bytes"].get<std::int64_t>();
        const Case layer{name, type, {{5, 2, 4}, {1, gates * 3, 4}, {1, gates * 3, 3}}, {5, 1, 2, 3}, "   ", {{"hidden_size", std::int64_t{3}}}};
        const std::int64_t ours = keptBytes(layer, {"w", "b"}, Keeping::PyTorch);
        EXPECT_NEAR(static_cast<double>(ours), static_cast<double>(bytes), 2 * 3 * 4.0) << name;
    }
}

}  // namespace
}  // namespace poet::training

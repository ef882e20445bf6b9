// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
// Well-formed files with absurd content, each found by fuzzing under a sanitizer: one sentence instead of a wild read or an
// overflow.
#include "core/onnx/import.h"
#include "core/training/build.h"
#include "tests/core/onnx/model_builder.h"

#include <gtest/gtest.h>

#include <cmath>

namespace poet {
namespace {

using onnx::importModel;
using testing::ModelBuilder;

void expectBroken(const ModelBuilder& model, std::string_view op)
{
    const auto graph = importModel(model.write(), {});
    ASSERT_FALSE(graph);
    EXPECT_EQ(graph.error().code, ErrorCode::BadModel);
    EXPECT_NE(graph.error().message.find(op), std::string::npos) << graph.error().message;
    EXPECT_FALSE(graph.error().hint.empty());
}

TEST(Absurd, concatWithAnOmittedInput)
{
    ModelBuilder model;
    expectBroken(model.input("x", {2, 3}).weight("w", {2, 3}).node("Concat", {"x", "", "w"}, {"y"}).with("axis", 1).output("y"), "Concat");
}

TEST(Absurd, splitSizesBeyondAllNumbers)
{
    ModelBuilder model(13);
    model.input("x", {2, 6}).ints("sizes", {INT64_MAX, 2});
    expectBroken(model.node("Split", {"x", "sizes"}, {"a", "b"}).with("axis", 1).output("a"), "Split");
}

TEST(Absurd, moreGroupsThanChannels)
{
    for (const std::int64_t groups : {INT64_MAX, std::int64_t{9}, std::int64_t{0}, std::int64_t{-1}}) {
        ModelBuilder model(21);
        model.input("x", {2, 8, 4, 4}).weight("s", {8}).weight("b", {8}).node("GroupNormalization", {"x", "s", "b"}, {"y"});
        expectBroken(model.with("num_groups", groups).output("y"), "GroupNormalization");
    }
}

TEST(Absurd, hiddenSizeThatIsNotThatOfTheWeights)
{
    ModelBuilder model(14);
    model.input("x", {5, 2, 3}).weight("w", {1, 16, 3}).weight("r", {1, 16, 4}).node("LSTM", {"x", "w", "r"}, {"y"});
    expectBroken(model.with("hidden_size", INT64_MAX).output("y"), "LSTM");
}

TEST(Absurd, headsThatDoNotFit)
{
    for (const std::int64_t heads : {INT64_MAX, std::int64_t{0}, std::int64_t{5}}) {
        ModelBuilder model(23);
        model.input("q", {2, 5, 8}).weight("k", {2, 5, 8}).node("Attention", {"q", "k", "k"}, {"y"});
        expectBroken(model.with("q_num_heads", heads).with("kv_num_heads", 2).output("y"), "Attention");
    }
}

TEST(Absurd, moreBatchDimensionsThanThereAre)
{
    ModelBuilder model(13);
    model.input("x", {2, 6}).ints("i", {1});
    expectBroken(model.node("GatherND", {"x", "i"}, {"y"}).with("batch_dims", INT64_MAX).output("y"), "GatherND");
}

TEST(Absurd, depthThatIsNoNumber)
{
    ModelBuilder model(13);
    model.input("i", {3}, ::onnx::TensorProto::INT64).scalar("depth", NAN).scalar("on", 1);
    expectBroken(model.node("OneHot", {"i", "depth", "on"}, {"y"}).output("y"), "OneHot");
}

/// An operator of another domain may share its name and nothing else.
TEST(Absurd, foreignOperatorOfAKnownNameIsNoPattern)
{
    ModelBuilder model;
    model.input("x", {2, 3}).weight("w", {3, 3}).weight("b", {3}).node("MatMul", {"x", "w"}, {"h"}).node("MatMul", {"h"}, {"y"}, "acme");
    const auto graph = importModel(model.node("Add", {"y", "b"}, {"z"}).output("z").write(), {});
    POET_REQUIRE_OK(graph);
    const auto training = buildTrainingGraph(std::make_shared<const ForwardGraph>(*graph), {});
    POET_REQUIRE_OK(training);
}

/// A graph in a graph in a graph ...: 5,000 deep.
TEST(Absurd, graphsNestedWithoutEnd)
{
    const auto wrapped = [](char field, const std::string& content) {
        std::string message(1, static_cast<char>(field << 3 | 2));
        for (std::size_t size = content.size(); ; size >>= 7) {
            message.push_back(static_cast<char>((size & 0x7f) | (size >= 0x80 ? 0x80 : 0)));
            if (size < 0x80)
                break;
        }
        return message + content;
    };
    std::string graph;
    for (int depth = 0; depth < 5000; ++depth)
        graph = wrapped(1, wrapped(5, wrapped(6, graph)));
    const auto path = std::filesystem::temp_directory_path() / ("poet-deep-" + std::to_string(::getpid()) + ".onnx");
    std::ofstream(path, std::ios::binary) << wrapped(7, graph);
    const auto result = importModel(path, {});
    std::filesystem::remove(path);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::BadModel);
}

}  // namespace
}  // namespace poet

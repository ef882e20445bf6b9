// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/import.h"
#include "tests/core/onnx/model_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <random>

namespace poet::onnx {
namespace {

using poet::testing::ModelBuilder;
using ::testing::HasSubstr;

/// The import must fail with this code and name `what` in one sentence.
void expectFailure(const std::filesystem::path& path, ErrorCode code, const std::string& what, const ImportOptions& options = {})
{
    const auto graph = importModel(path, options);
    ASSERT_FALSE(graph);
    EXPECT_EQ(graph.error().code, code) << graph.error().text();
    EXPECT_THAT(graph.error().message, HasSubstr(what));
    EXPECT_EQ(graph.error().message.back(), '.');
    EXPECT_FALSE(graph.error().hint.empty());
}

TEST(Errors, missingFileIsNamed) { expectFailure("/nowhere/model.onnx", ErrorCode::FileNotFound, "/nowhere/model.onnx"); }

TEST(Errors, cycleNamesANode)
{
    ModelBuilder model;
    model.input("x", {1, 4}).node("Add", {"x", "b"}, {"a"}).node("Relu", {"a"}, {"b"}).output("b");
    expectFailure(model.write(), ErrorCode::BadModel, "cycle: Add \"Add_a\"");
}

TEST(Errors, undefinedInputIsNamed)
{
    ModelBuilder model;
    model.input("x", {1, 4}).node("Add", {"x", "ghost"}, {"a"}).output("a");
    expectFailure(model.write(), ErrorCode::BadModel, "\"ghost\", which nothing produces");
}

TEST(Errors, doubleProducerIsNamed)
{
    ModelBuilder model;
    model.input("x", {1, 4}).node("Relu", {"x"}, {"a"}).node("Tanh", {"x"}, {"a"}).output("a");
    expectFailure(model.write(), ErrorCode::BadModel, "\"a\"");
}

TEST(Errors, inputWithoutShapeIsNamed)
{
    ModelBuilder model;
    model.input("x", {1, 4}).node("Relu", {"x"}, {"y"}).output("y");
    model.proto().mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->clear_shape();
    expectFailure(model.write(), ErrorCode::UnknownShape, "\"x\"");
}

TEST(Errors, controlFlowIsRefusedByName)
{
    for (const char* op : {"If", "Loop", "Scan", "SequenceAt"}) {
        ModelBuilder model;
        model.input("x", {1, 4}).node(op, {"x"}, {"y"}).output("y");
        expectFailure(model.write(), ErrorCode::UnsupportedOp, std::string(op) + " \"" + op + "_y\"");
    }
}

TEST(Errors, allThatIsRefusedIsNamed)
{
    ModelBuilder model;
    model.input("x", {1, 4}).node("Loop", {"x"}, {"a"}).node("Relu", {"a"}, {"b"}).node("If", {"b"}, {"y"}).output("y");
    expectFailure(model.write(), ErrorCode::UnsupportedOp, "Loop \"Loop_a\", If \"If_y\" choose or repeat work");
    for (int i = 0; i < 5; ++i)
        model.node("Scan", {"y"}, {"s" + std::to_string(i)});
    expectFailure(model.write(), ErrorCode::UnsupportedOp, "Scan \"Scan_s1\" and 3 more choose or repeat work");
}

TEST(Errors, shapeFromDataIsRefusedByName)
{
    ModelBuilder model;
    model.input("x", {1, 4}).node("NonZero", {"x"}, {"y"}).output("y");
    expectFailure(model.write(), ErrorCode::UnknownShape, "NonZero \"NonZero_y\"");
}

TEST(Errors, shapesThatDoNotFitNameTheNode)
{
    ModelBuilder model;
    model.input("x", {1, 4}).weight("w", {5, 3}).node("MatMul", {"x", "w"}, {"y"}).output("y");
    expectFailure(model.write(), ErrorCode::BadModel, "MatMul \"MatMul_y\"");
}

TEST(Errors, unknownDimensionListsTheKnownOnes)
{
    ModelBuilder model;
    model.input("x", {1, 4}).node("Relu", {"x"}, {"y"}).output("y");
    model.proto().mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim(0)->set_dim_param("batch");
    const auto graph = importModel(model.write(), {.dims = {{"bach", 2}}, .dataInputs = {}});
    ASSERT_FALSE(graph);
    EXPECT_EQ(graph.error().code, ErrorCode::BadUsage);
    EXPECT_THAT(graph.error().hint, HasSubstr("batch"));
}

TEST(Errors, dimensionsAreBoundByName)
{
    ModelBuilder model;
    model.input("x", {1, 4}).node("Relu", {"x"}, {"y"}).output("y");
    model.proto().mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim(0)->set_dim_param("batch");
    const auto graph = importModel(model.write(), {.dims = {{"batch", 7}}, .dataInputs = {}});
    POET_REQUIRE_OK(graph);
    EXPECT_EQ(graph->value(graph->outputs[0]).shape, (Shape{7, 4}));
    const auto questions = askModel(model.write());
    POET_REQUIRE_OK(questions);
    EXPECT_EQ(questions->dims, std::vector<std::string>{"batch"});
}

TEST(Errors, dimTextIsReadStrictly)
{
    EXPECT_EQ(parseDim("batch=8")->second, 8);
    for (const char* text : {"batch", "batch=", "=4", "batch=0", "batch=-1", "batch=2x", "batch=99999999999999999999"})
        EXPECT_FALSE(parseDim(text)) << text;
}

std::string bytesOf(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Whatever the bytes are, the import answers; the sanitizer builds watch that it reads nothing else.
void importBytes(const std::string& bytes, int& failures)
{
    const auto path = std::filesystem::temp_directory_path() / ("poet-fuzz-" + std::to_string(::getpid()) + ".onnx");
    std::ofstream(path, std::ios::binary) << bytes;
    const auto graph = importModel(path, {});
    failures += !graph;
    if (!graph) {
        EXPECT_FALSE(graph.error().message.empty());
    }
    std::filesystem::remove(path);
}

TEST(Errors, everyTruncationIsAnAnswer)
{
    const std::string whole = bytesOf(std::filesystem::path(POET_SOURCE_DIR) / "examples" / "lenet5.onnx");
    ASSERT_GT(whole.size(), 1000U);
    int failures = 0;
    for (std::size_t size = 0; size < whole.size(); size += 7)
        importBytes(whole.substr(0, size), failures);
    EXPECT_GT(failures, static_cast<int>(whole.size() / 7) - 5);
}

TEST(Errors, damagedBytesAreAnAnswer)
{
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    int failures = 0;
    for (const char* name : {"lenet5.onnx", "dscnn_kws.onnx"}) {
        const std::string whole = bytesOf(std::filesystem::path(POET_SOURCE_DIR) / "examples" / name);
        for (int round = 0; round < 250; ++round) {
            std::string bytes = whole;
            for (unsigned change = 0; change < 1 + random() % 6; ++change)
                bytes[random() % bytes.size()] = static_cast<char>(random());
            importBytes(bytes, failures);
        }
    }
    std::string noise(4096, '\0');
    for (int round = 0; round < 50; ++round) {
        for (char& c : noise)
            c = static_cast<char>(random());
        importBytes(noise, failures);
    }
    EXPECT_GT(failures, 50);
}

}  // namespace
}  // namespace poet::onnx

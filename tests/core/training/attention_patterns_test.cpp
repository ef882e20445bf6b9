// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
// What language models write out: rotary embeddings, grouped queries, RMSNorm, SwiGLU. What backward keeps must be, to the
// byte, what PyTorch's autograd saves for the same modules (derivatives.yaml): counted here by hand.
#include "core/onnx/import.h"
#include "core/training/build.h"
#include "core/training/summary.h"
#include "tests/core/onnx/model_builder.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace poet::training {
namespace {

using poet::testing::ModelBuilder;
using Ints = std::vector<std::int64_t>;

constexpr std::int64_t kBatch = 2, kHeads = 4, kShared = 2, kSteps = 6, kWidth = 8, kFloat = 4;
constexpr std::int64_t kEnd = std::int64_t{1} << 62;

struct Outcome {
    TrainingGraph graph;
    TrainingSummary summary;
    [[nodiscard]] std::int64_t kept(const std::string& op) const
    {
        const auto found = summary.bytesByOperator.find(op);
        return found == summary.bytesByOperator.end() ? 0 : found->second;
    }
    /// Without the loss, whose logits the output is.
    [[nodiscard]] std::int64_t keptWithoutLoss() const { return summary.activationBytes - kept("CrossEntropy"); }
    [[nodiscard]] bool saw(const std::string& text) const
    {
        return std::ranges::any_of(graph.notes, [&](const Note& note) { return note.kind == NoteKind::Recognised && note.text().contains(text); });
    }
};

Outcome outcomeOf(ModelBuilder& model)
{
    auto forward = onnx::importModel(model.write(), {});
    EXPECT_TRUE(forward) << forward.error().text();
    auto graph = buildTrainingGraph(std::make_shared<const ForwardGraph>(std::move(*forward)), {});
    EXPECT_TRUE(graph) << graph.error().text();
    Outcome outcome{std::move(*graph), {}};
    outcome.summary = summarize(outcome.graph);
    return outcome;
}

/// x = input * weight, of shape batch x heads x steps x width: its product keeps the input, which is data.
void start(ModelBuilder& model)
{
    model.input("in", {kBatch, kHeads, kSteps, kWidth}).weight("w0", {kWidth, kWidth}).node("MatMul", {"in", "w0"}, {"x"});
}

void slice(ModelBuilder& model, const std::string& x, const std::string& y, std::int64_t from, std::int64_t to, std::int64_t step)
{
    model.ints(y + ".s", {from}).ints(y + ".e", {to}).ints(y + ".a", {-1}).ints(y + ".t", {step});
    model.node("Slice", {x, y + ".s", y + ".e", y + ".a", y + ".t"}, {y});
}

enum class Rotary { Halves, Neighbours, Joined };

/// y = x rotated; cosines and sines are inputs without a gradient, of shape steps x width (Joined: half of it).
void rotate(ModelBuilder& model, Rotary form, const std::string& x, const std::string& y)
{
    const bool isByNeighbours = form != Rotary::Halves;
    const auto name = [&](const char* part) { return y + "." + part; };
    slice(model, x, name("a"), 0, isByNeighbours ? kEnd : kWidth / 2, isByNeighbours ? 2 : 1);
    slice(model, x, name("b"), isByNeighbours ? 1 : kWidth / 2, kEnd, isByNeighbours ? 2 : 1);
    model.ints(name("4"), {4}).ints(name("shape"), {kBatch, kHeads, kSteps, kWidth});
    if (form == Rotary::Joined) {
        model.node("Mul", {name("a"), "cos"}, {name("ac")}).node("Mul", {name("b"), "sin"}, {name("bs")}).node("Sub", {name("ac"), name("bs")}, {name("p")});
        model.node("Mul", {name("a"), "sin"}, {name("as")}).node("Mul", {name("b"), "cos"}, {name("bc")}).node("Add", {name("as"), name("bc")}, {name("q")});
        model.node("Unsqueeze", {name("p"), name("4")}, {name("p1")}).node("Unsqueeze", {name("q"), name("4")}, {name("q1")});
        model.node("Concat", {name("p1"), name("q1")}, {name("pq")}).with("axis", -1).node("Reshape", {name("pq"), name("shape")}, {y});
        return;
    }
    model.node("Neg", {name("b")}, {name("n")});
    if (isByNeighbours) {
        model.node("Unsqueeze", {name("n"), name("4")}, {name("n1")}).node("Unsqueeze", {name("a"), name("4")}, {name("a1")});
        model.node("Concat", {name("n1"), name("a1")}, {name("c")}).with("axis", -1).node("Reshape", {name("c"), name("shape")}, {name("r")});
    } else {
        model.node("Concat", {name("n"), name("a")}, {name("r")}).with("axis", -1);
    }
    model.node("Mul", {x, "cos"}, {name("xc")}).node("Mul", {name("r"), "sin"}, {name("rs")}).node("Add", {name("xc"), name("rs")}, {y});
}

class RotaryEmbedding : public ::testing::TestWithParam<Rotary> {};

/// Autograd saves, of a product by something without a gradient, that something alone: cosines and sines, once for q and k.
TEST_P(RotaryEmbedding, keepsCosinesAndSinesAlone)
{
    const std::int64_t width = GetParam() == Rotary::Joined ? kWidth / 2 : kWidth;
    for (const int opset : {13, 17, 18}) {
        ModelBuilder model(opset);
        start(model);
        model.input("angles", {kSteps, width}).node("Cos", {"angles"}, {"cos"}).node("Sin", {"angles"}, {"sin"});
        rotate(model, GetParam(), "x", "y");
        rotate(model, GetParam(), "y", "z");
        model.output("z");
        const Outcome outcome = outcomeOf(model);
        EXPECT_EQ(outcome.keptWithoutLoss(), 2 * kSteps * width * kFloat);
        EXPECT_EQ(outcome.kept("Mul"), 2 * kSteps * width * kFloat);
        EXPECT_TRUE(outcome.saw("Rotary position embedding recognised, written out by the model (2 \u00d7)"));
    }
}

INSTANTIATE_TEST_SUITE_P(Forms, RotaryEmbedding, ::testing::Values(Rotary::Halves, Rotary::Neighbours, Rotary::Joined));

TEST(RotaryEmbeddings, aTurnWithoutTheNegativeIsNone)
{
    ModelBuilder model;
    start(model);
    model.input("angles", {kSteps, kWidth}).node("Cos", {"angles"}, {"cos"}).node("Sin", {"angles"}, {"sin"});
    slice(model, "x", "a", 0, kWidth / 2, 1);
    slice(model, "x", "b", kWidth / 2, kEnd, 1);
    model.node("Concat", {"b", "a"}, {"r"}).with("axis", -1).node("Mul", {"x", "cos"}, {"xc"}).node("Mul", {"r", "sin"}, {"rs"}).node("Add", {"xc", "rs"}, {"y"}).output("y");
    EXPECT_FALSE(outcomeOf(model).saw("Rotary"));
}

/// Keys or values of `kShared` heads for `kHeads` heads of queries: torch's expand and reshape, or repeat_interleave.
void repeatHeads(ModelBuilder& model, bool isExpanded, const std::string& x, const std::string& y)
{
    model.ints(y + ".2", {2}).node("Unsqueeze", {x, y + ".2"}, {y + ".u"});
    if (isExpanded)
        model.ints(y + ".n", {kBatch, kShared, kHeads / kShared, kSteps, kWidth}).node("Expand", {y + ".u", y + ".n"}, {y + ".r"});
    else
        model.ints(y + ".n", {1, 1, kHeads / kShared, 1, 1}).node("Tile", {y + ".u", y + ".n"}, {y + ".r"});
    model.ints(y + ".m", {kBatch, kHeads, kSteps, kWidth}).node("Reshape", {y + ".r", y + ".m"}, {y});
}

/// q k^T saves q and the repeated k; Softmax its result; the second product that result and the repeated v. A scale and a
/// mask of constants save nothing.
TEST(GroupedQueries, keepTheRepeatedKeysAndValues)
{
    for (const bool isExpanded : {true, false})
        for (const bool isMasked : {true, false}) {
            ModelBuilder model;
            start(model);
            model.input("kv", {kBatch, kShared, kSteps, kWidth}).weight("wk", {kWidth, kWidth}).weight("wv", {kWidth, kWidth});
            model.node("MatMul", {"kv", "wk"}, {"k"}).node("MatMul", {"kv", "wv"}, {"v"});
            repeatHeads(model, isExpanded, "k", "kr");
            repeatHeads(model, isExpanded, "v", "vr");
            model.node("Transpose", {"kr"}, {"kt"}).with("perm", Ints{0, 1, 3, 2}).node("MatMul", {"x", "kt"}, {"s0"}).scalar("root", 2.828F).node("Div", {"s0", "root"}, {"s"});
            if (isMasked)
                model.input("mask", {1, 1, kSteps, kSteps}).node("Add", {"s", "mask"}, {"sm"}).node("Softmax", {"sm"}, {"p"}).with("axis", -1);
            else
                model.node("Softmax", {"s"}, {"p"}).with("axis", -1);
            model.node("MatMul", {"p", "vr"}, {"y"}).output("y");
            const Outcome outcome = outcomeOf(model);
            const std::int64_t heads = kBatch * kHeads * kSteps * kWidth * kFloat, weights = kBatch * kHeads * kSteps * kSteps * kFloat;
            EXPECT_EQ(outcome.keptWithoutLoss(), 3 * heads + weights) << "expanded " << isExpanded << ", masked " << isMasked;
            EXPECT_TRUE(outcome.saw("Keys or values shared by grouped queries recognised, written out by the model (2 \u00d7)"));
        }
}

TEST(GroupedQueries, attentionWithAsManyKeysAsQueriesIsNone)
{
    ModelBuilder model;
    start(model);
    model.weight("wk", {kWidth, kWidth}).node("MatMul", {"in", "wk"}, {"k"}).node("Transpose", {"k"}, {"kt"}).with("perm", Ints{0, 1, 3, 2});
    model.node("MatMul", {"x", "kt"}, {"s"}).node("Softmax", {"s"}, {"p"}).with("axis", -1).node("MatMul", {"p", "x"}, {"y"}).output("y");
    EXPECT_FALSE(outcomeOf(model).saw("grouped"));
}

/// pow saves x, rsqrt its result (one number a row), x * rsqrt both of these, and the product by the weight the normalised x.
TEST(RmsNorm, keepsInputRowsAndTheNormalisedInput)
{
    for (const bool isReciprocal : {true, false}) {
        ModelBuilder model;
        start(model);
        model.scalar("two", 2).scalar("eps", 1e-6F).weight("g", {kWidth}).node("Pow", {"x", "two"}, {"q"}).node("ReduceMean", {"q"}, {"m"}).with("axes", Ints{-1});
        model.node("Add", {"m", "eps"}, {"v"}).node("Sqrt", {"v"}, {"s"});
        if (isReciprocal)
            model.node("Reciprocal", {"s"}, {"r"}).node("Mul", {"x", "r"}, {"n"});
        else
            model.node("Div", {"x", "s"}, {"n"});
        model.node("Mul", {"g", "n"}, {"y"}).output("y");
        const Outcome outcome = outcomeOf(model);
        const std::int64_t rows = kBatch * kHeads * kSteps * kFloat, whole = rows * kWidth;
        EXPECT_EQ(outcome.kept("RMSNormalization"), whole + rows) << isReciprocal;
        EXPECT_EQ(outcome.keptWithoutLoss(), 2 * whole + rows) << isReciprocal;
        EXPECT_TRUE(outcome.saw("RMSNormalization"));
    }
}

/// silu saves its input, the product by the gate both factors, the product by the last weight the result.
TEST(SwiGlu, keepsGateItsSiluAndTheOtherFactor)
{
    ModelBuilder model;
    start(model);
    model.weight("wu", {kWidth, kWidth}).weight("wd", {kWidth, kWidth}).node("MatMul", {"in", "wu"}, {"u"}).node("Sigmoid", {"x"}, {"s"});
    model.node("Mul", {"x", "s"}, {"g"}).node("Mul", {"g", "u"}, {"h"}).node("MatMul", {"h", "wd"}, {"y"}).output("y");
    const Outcome outcome = outcomeOf(model);
    const std::int64_t whole = kBatch * kHeads * kSteps * kWidth * kFloat;
    EXPECT_EQ(outcome.kept("Silu"), whole);
    EXPECT_EQ(outcome.kept("Mul"), 2 * whole);
    EXPECT_EQ(outcome.keptWithoutLoss(), 4 * whole);
    EXPECT_TRUE(outcome.saw("SiLU"));
}

}  // namespace
}  // namespace poet::training

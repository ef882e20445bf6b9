// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/graph/forward_graph.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace poet::onnx {

/// What a shape rule sees of one operation, and where it leaves what it found.
class InferContext {
public:
    InferContext(ForwardGraph& graph, ForwardOp& op) : m_graph(graph), m_op(op) {}

    [[nodiscard]] ForwardOp& op() { return m_op; }
    [[nodiscard]] int opset() const { return m_graph.opset; }
    [[nodiscard]] bool hasInput(std::size_t slot) const { return m_op.input(slot) != kNoValue; }
    /// Empty for an omitted input.
    [[nodiscard]] const Shape& shape(std::size_t slot) const { return hasInput(slot) ? m_graph.value(m_op.input(slot)).shape : kNoShape; }
    [[nodiscard]] std::int64_t rank(std::size_t slot) const { return static_cast<std::int64_t>(shape(slot).size()); }
    /// Unknown for an omitted input.
    [[nodiscard]] ElementType type(std::size_t slot) const { return hasInput(slot) ? m_graph.value(m_op.input(slot)).type : ElementType::Unknown; }
    /// Content of an input when it is small and known; null otherwise.
    [[nodiscard]] const SmallTensor* constant(std::size_t slot) const;
    /// Integers of an input, or of the attribute `key` that older operator sets use for it; empty when neither is known.
    [[nodiscard]] std::optional<std::vector<std::int64_t>> ints(std::size_t slot, std::string_view key) const;

    void set(std::size_t output, ElementType type, Shape shape);
    /// Turns the integers of input `slot` into the attribute `key`, the canonical form (forward_graph.h).
    void toAttribute(std::size_t slot, std::string_view key);
    void keepInputs(std::size_t count);
    /// Gives an omitted output a value of its own, because training needs it.
    void makeOutput(std::size_t output);
    /// Checks that at least `count` inputs are given. Errors: BadModel.
    [[nodiscard]] Expected<void> needInputs(std::size_t count) const;
    /// Axis brought into [0, rank). Errors: BadModel.
    [[nodiscard]] Expected<std::int64_t> axis(std::int64_t value, std::int64_t rank) const;
    /// UnknownShape naming the operation: "Reshape "x": the target shape is computed from data".
    [[nodiscard]] std::unexpected<Error> unknown(const std::string& why) const;
    /// BadModel naming the operation.
    [[nodiscard]] std::unexpected<Error> broken(const std::string& why) const;

private:
    static inline const Shape kNoShape;
    ForwardGraph& m_graph;
    ForwardOp& m_op;
};

/// Finds types and shapes of all outputs of one operation and brings it to its canonical form.
using InferRule = Expected<void> (*)(InferContext&);
using InferTable = std::map<std::string, InferRule, std::less<>>;

/// The rule of operators whose result has the type and shape of their first input.
[[nodiscard]] Expected<void> sameAsFirst(InferContext& c);

/// Rules by operator type, one function a family; each adds its rows.
void addElementwiseRules(InferTable& table);
void addConvRules(InferTable& table);
void addAttentionRules(InferTable& table);
void addMatrixRules(InferTable& table);
void addShapeRules(InferTable& table);
void addResizeRules(InferTable& table);
void addIndexRules(InferTable& table);
void addReduceRules(InferTable& table);
void addNormRules(InferTable& table);
void addRecurrentRules(InferTable& table);
void addGeneratorRules(InferTable& table);

/// Sizes, pads, steps and repeats beyond this are nonsense, and arithmetic with them could overflow.
inline constexpr std::int64_t kLargestNumber = std::int64_t{1} << 40;
/// True when all numbers lie within +-kLargestNumber.
[[nodiscard]] bool areSane(const std::vector<std::int64_t>& numbers);

/// Numpy broadcasting of two shapes; empty when they do not fit.
[[nodiscard]] std::optional<Shape> broadcast(const Shape& a, const Shape& b);

/// All rules, by operator type.
[[nodiscard]] const InferTable& inferTable();

/// Finds every shape in `graph`, in order; folds what depends on constants only and fits a small tensor.
/// Operations without a rule of ours are given to libonnx (infer_fallback.cpp). What depends on a shape that only the data
/// decides is removed, with a note, when nothing but outputs named in `dispensable` comes from it.
/// Errors: UnknownShape, BadModel.
[[nodiscard]] Expected<void> inferShapes(ForwardGraph& graph, const std::set<std::string>& dispensable = {});

/// Shapes of one operation by libonnx's own definition. Errors: UnknownShape when it does not know either.
[[nodiscard]] Expected<void> inferByLibrary(ForwardGraph& graph, ForwardOp& op);

}  // namespace poet::onnx

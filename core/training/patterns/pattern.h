// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/graph/forward_graph.h"
#include "core/training/at.h"

#include <optional>
#include <string>
#include <vector>

namespace poet::training {

/// Replaces what exporters spell out by the one operation that a framework runs, where backward keeps less that way.
/// Value ids stay; adds one note a kind of pattern. Source: training-graph.md, "Reading", point 5.
[[nodiscard]] ForwardGraph recognisePatterns(const ForwardGraph& graph, std::vector<Note>& notes);

/// One recognised pattern: the operation that stands for the covered ones.
struct Match {
    std::string type;  ///< empty: the model itself writes it out, and the framework runs it so; nothing changes, but `note` says it
    std::map<std::string, Attribute> attributes;
    std::vector<ValueId> inputs;
    std::string note;  ///< name of the pattern in the report; empty: not worth a note
};

/// A product seen as factors and a number: 0.5 * x * (1 + erf(...)).
struct Product {
    double coefficient = 1;
    std::vector<ValueId> factors;
};

/// Equal within the rounding of a bfloat16.
[[nodiscard]] bool isAbout(double value, double wanted);

/// Looks at a graph from one operation backwards and remembers which operations the pattern covers.
class Matcher {
public:
    Matcher(const ForwardGraph& graph, const std::vector<std::vector<int>>& readers, int root)
        : m_graph(graph), m_readers(readers), m_root(root)
    {
    }

    [[nodiscard]] const ForwardGraph& graph() const { return m_graph; }
    [[nodiscard]] const ForwardOp& root() const { return m_graph.ops[static_cast<std::size_t>(m_root)]; }
    [[nodiscard]] ValueId result() const { return root().output(0); }
    /// The operation of `type` that made `value`, seen through casts between floating-point types; the pattern then covers
    /// all of these. Null if another or none did.
    const ForwardOp* made(ValueId value, std::string_view type);
    /// `value` is `x`, or `x` in another floating-point type: mixed-precision exports cast within a pattern. Covers the casts.
    bool isSame(ValueId value, ValueId x);
    /// True for a constant scalar that is `number` (isAbout).
    [[nodiscard]] bool isNumber(ValueId value, double number) const;
    [[nodiscard]] std::optional<double> number(ValueId value) const;
    /// `value` = result + number, written as Add or Sub; the result.
    std::optional<ValueId> plus(ValueId value, double number);
    /// The factors of `value`: through Mul, and Mul, Div by constants, as long as nobody else reads the intermediate product.
    Product product(ValueId value);
    /// `value` = x * x or x ^ 2; gives x.
    std::optional<ValueId> square(ValueId value);
    /// `value` is the mean of x over its last dimensions; gives x, and the first of these dimensions.
    std::optional<ValueId> trailingMean(ValueId value, std::int64_t& axis);
    [[nodiscard]] bool isParameter(ValueId value) const;
    [[nodiscard]] const Shape& shape(ValueId value) const { return m_graph.value(value).shape; }

    /// Everything that was covered, without the root; in no order, without repetition.
    [[nodiscard]] const std::vector<int>& covered() const { return m_covered; }
    /// State of the coverage, to forget an attempt that failed.
    [[nodiscard]] std::size_t mark() const { return m_covered.size(); }
    void forget(std::size_t mark) { m_covered.resize(mark); }
    /// No covered value is read outside the pattern.
    [[nodiscard]] bool isClosed() const;

private:
    void cover(int op);
    [[nodiscard]] int producer(ValueId value) const;
    void addFactors(ValueId value, Product& product, int depth);
    /// What the cast that made `value` reads; kNoValue when no cast between floating-point types did.
    [[nodiscard]] ValueId beforeCast(ValueId value) const;
    /// `value` is a product that nobody else reads.
    [[nodiscard]] bool isFactor(ValueId value) const;

    const ForwardGraph& m_graph;
    const std::vector<std::vector<int>>& m_readers;
    int m_root;
    std::vector<int> m_covered;
};

/// Tries one pattern at the matcher's root.
using Pattern = std::optional<Match> (*)(Matcher&);

// activations.cpp
std::optional<Match> matchGelu(Matcher& m);
std::optional<Match> matchGatedActivation(Matcher& m);
std::optional<Match> matchHardSigmoid(Matcher& m);
// attention.cpp
std::optional<Match> matchRotaryEmbedding(Matcher& m);
std::optional<Match> matchGroupedQueries(Matcher& m);
// normalizations.cpp
std::optional<Match> matchLayerNormalization(Matcher& m);
std::optional<Match> matchRmsNormalization(Matcher& m);
std::optional<Match> matchGroupNormalization(Matcher& m);
// products.cpp
std::optional<Match> matchLinear(Matcher& m);
std::optional<Match> matchSoftmax(Matcher& m);
std::optional<Match> matchLogSoftmax(Matcher& m);

}  // namespace poet::training

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/refused.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace poet::onnx {

namespace {

/// Operators that run other graphs or work on sequences.
const std::set<std::string_view> kControlFlowOperators = {
    "If", "Loop", "Scan", "SequenceAt", "SequenceConstruct", "SequenceEmpty", "SequenceErase", "SequenceInsert",
    "SequenceLength", "SequenceMap", "SplitToSequence", "ConcatFromSequence", "Optional", "OptionalGetElement",
    "OptionalHasElement"};

/// Operators on text.
const std::set<std::string_view> kTextOperators = {"StringConcat", "StringNormalizer", "StringSplit", "RegexFullMatch", "TfIdfVectorizer"};

/// Labels of several operations.
class RefusedLabels {
public:
    void add(const ::onnx::NodeProto& node)
    {
        constexpr int kShown = 4;
        if (++m_count <= kShown)
            m_text += (m_text.empty() ? "" : ", ") + nodeLabel(node);
        m_more = std::max(0, m_count - kShown);
    }
    [[nodiscard]] bool empty() const { return m_count == 0; }
    /// The labels and the verb of what they do: "If \"a\" chooses", "If \"a\", Loop \"b\" choose".
    [[nodiscard]] std::string doing(const std::string& singular, const std::string& plural) const
    {
        return m_text + (m_more > 0 ? " and " + std::to_string(m_more) + " more" : "") + " " + (m_count == 1 ? singular : plural);
    }

private:
    std::string m_text;
    int m_count = 0;
    int m_more = 0;
};

}  // namespace

std::string nodeLabel(const ::onnx::NodeProto& node)
{
    const std::string name = !node.name().empty() ? node.name() : node.output().empty() ? "" : node.output(0);
    return node.op_type() + " \"" + name + "\"";
}

bool isStandardDomain(const std::string& domain) { return domain.empty() || domain == "ai.onnx"; }

Expected<void> checkSupported(const ::onnx::GraphProto& graph)
{
    RefusedLabels flow, text;
    for (const auto& node : graph.node()) {
        const bool isStandard = isStandardDomain(node.domain());
        const bool hasGraph = std::ranges::any_of(node.attribute(), [](const auto& a) { return a.has_g() || a.graphs_size() > 0; });
        if (hasGraph || (isStandard && kControlFlowOperators.contains(node.op_type())))
            flow.add(node);
        else if (isStandard && kTextOperators.contains(node.op_type()))
            text.add(node);
    }
    if (!flow.empty())
        return fail(ErrorCode::UnsupportedOp, flow.doing("chooses or repeats", "choose or repeat") + " work while the model runs, so there is no fixed plan.",
                    "Export the model without control flow and sequences.");
    if (!text.empty())
        return fail(ErrorCode::UnsupportedOp, text.doing("works", "work") + " on text, which is not trained on a device.",
                    "Export the model from where numbers go in.");
    return {};
}

}  // namespace poet::onnx

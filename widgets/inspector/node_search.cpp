// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/node_search.h"

#include "widgets/style/text.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>

namespace poet {

namespace {

using namespace Qt::StringLiterals;

/// "64K" and "64 KiB" alike.
std::int64_t sizeFrom(QString typed, QString& problem)
{
    if (!typed.isEmpty() && QStringLiteral("kKmMgG").contains(typed.back()))
        typed = typed.chopped(1) + typed.back().toUpper() + "iB"_L1;
    const auto bytes = parseBytes(text::typed(typed));
    if (!bytes) {
        problem = QCoreApplication::translate("poet::NodeSearch", "\"%1\" is no size").arg(typed);
        return -1;
    }
    return *bytes;
}

bool containsAny(const QString& text, const QStringList& parts)
{
    return parts.isEmpty() || std::any_of(parts.begin(), parts.end(), [&](const QString& part) { return text.contains(part, Qt::CaseInsensitive); });
}

/// By the name that the command uses, or by the word that the window shows.
bool hasDecision(Fate fate, const QStringList& wanted) { return containsAny(text::from(name(fate)) + u'\n' + text::fate(fate), wanted); }

}  // namespace

NodeQuery parseNodeQuery(const QString& text)
{
    NodeQuery query;
    const QStringList parts = text.split(QRegularExpression(u"\\s+"_s), Qt::SkipEmptyParts);
    for (const QString& part : parts) {
        if (part.startsWith("type:"_L1))
            query.types.append(part.mid(5));
        else if (part.startsWith("shape:"_L1))
            query.shapes.append(part.mid(6));
        else if (part.startsWith("decision:"_L1))
            query.decisions.append(part.mid(9));
        else if (part.startsWith("phase:"_L1))
            query.phases.append(part.mid(6));
        else if (part.startsWith("size>"_L1))
            query.largerThan = sizeFrom(part.mid(5), query.problem);
        else if (part.startsWith("size<"_L1))
            query.smallerThan = sizeFrom(part.mid(5), query.problem);
        else
            query.words.append(part);
    }
    return query;
}

std::vector<NodeId> findNodes(const DocumentState& state, const NodeQuery& query)
{
    std::vector<NodeId> found;
    if (!state.problem())
        return found;
    const Problem& problem = *state.problem();
    for (std::size_t i = 0; i < problem.facts.size(); ++i) {
        const NodeFacts& fact = problem.facts[i];
        const CostNode& node = problem.graph->nodes[i];
        const bool hasWords = std::all_of(query.words.begin(), query.words.end(), [&](const QString& word) { return fact.name.contains(word, Qt::CaseInsensitive); });
        const QString phase = node.phase == Phase::Forward ? u"forward"_s : u"backward"_s;
        if (hasWords && containsAny(fact.op, query.types) && containsAny(fact.shape, query.shapes) && containsAny(phase, query.phases) &&
            (query.largerThan < 0 || node.bytes > query.largerThan) && (query.smallerThan < 0 || node.bytes < query.smallerThan) &&
            (query.decisions.isEmpty() || (state.plan() && hasDecision(state.facts().fates[i], query.decisions))))
            found.push_back(static_cast<NodeId>(i));
    }
    return found;
}

}  // namespace poet

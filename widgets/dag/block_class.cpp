// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/dag/block_class.h"

namespace poet {

using namespace Qt::StringLiterals;

QHash<QString, int> blockClasses(const Problem& problem)
{
    struct Description {
        QHash<NodeId, qsizetype> places;  ///< of a member within its block
        QString text;
    };
    QHash<QString, Description> blocks;
    QStringList order;
    for (std::size_t i = 0; i < problem.facts.size(); ++i) {
        const NodeFacts& fact = problem.facts[i];
        if (fact.block.isEmpty())
            continue;
        if (!blocks.contains(fact.block))
            order.append(fact.block);
        Description& block = blocks[fact.block];
        const CostNode& node = problem.graph->nodes[i];
        block.text += fact.op + u':' + QString::number(static_cast<int>(fact.role)) + u':' + QString::number(node.bytes);
        for (const NodeId input : node.inputs)  // what comes from outside is the same to all
            block.text += u',' + QString::number(block.places.value(input, -1));
        block.text += u';';
        block.places.insert(static_cast<NodeId>(i), block.places.size());
    }
    QHash<QString, int> classes;
    QHash<QString, int> known;
    for (const QString& name : std::as_const(order)) {
        const auto next = static_cast<int>(known.size());
        const auto found = known.constFind(blocks[name].text);
        classes.insert(name, found == known.constEnd() ? next : *found);
        if (found == known.constEnd())
            known.insert(blocks[name].text, next);
    }
    return classes;
}

}  // namespace poet

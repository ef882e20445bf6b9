// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/graph_view.h"
#include "widgets/document/problem.h"

#include <QFontMetricsF>
#include <QHash>
#include <QSet>
#include <QString>

#include <vector>

namespace poet {

/// One box of the drawn graph: a node, or the forward or backward half of a collapsed block.
struct DagBox {
    QString title;
    QString subtitle;
    std::vector<NodeId> members;  ///< ascending; one for a plain node
    QString block;                ///< enclosing block; the collapsed one for a block box
    bool isBlock = false;
    LadderPlace place;            ///< `forward` is an index of a box
    std::int64_t bytes = 0;       ///< sum over members
    double width = 0;             ///< pixels at 100 %
    double height = 0;
};

struct DagEdge {
    int from = 0;                 ///< box
    int to = 0;                   ///< box
    NodeId tensor = -1;           ///< the largest tensor that runs along it
    std::int64_t bytes = 0;       ///< sum over tensors
};

/// The graph as drawn, after collapsing blocks. Boxes are in execution order of their first member. Immutable value.
struct DagModel {
    std::vector<DagBox> boxes;
    std::vector<DagEdge> edges;
    std::vector<int> boxOf;       ///< per node
    QStringList blocks;           ///< all block names of the problem, in execution order
    QHash<QString, int> blockClass;  ///< blocks that are alike have the same number
    QHash<QString, int> operators;   ///< number of each operator, in order of first appearance in the problem
    GraphView view;               ///< for the layout engine; edges in the order of `edges`
};

/// `collapsed`: names of blocks drawn as one box a side; `isolated`: if not empty only these nodes and what touches
/// them are drawn. Sizes come from the font. Cost: O(V + E log E).
[[nodiscard]] DagModel makeDagModel(const Problem& problem, const QSet<QString>& collapsed, const QSet<int>& isolated,
                                    const QFontMetricsF& metrics);

}  // namespace poet

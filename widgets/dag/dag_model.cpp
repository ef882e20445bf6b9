// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/dag/dag_model.h"

#include "widgets/dag/block_class.h"
#include "widgets/style/text.h"

#include <QMap>
#include <QObject>

#include <algorithm>
#include <map>

namespace poet {

namespace {

using namespace Qt::StringLiterals;

constexpr double kPadding = 12;
constexpr double kStripe = 8;       // phase colour at the left
constexpr double kBadgeSpace = 26;  // fate badge at the right
constexpr double kMinimumWidth = 96;

void nameBox(DagBox& box, const Problem& problem)
{
    const NodeId first = box.members.front();
    const NodeFacts& fact = problem.facts[static_cast<std::size_t>(first)];
    if (box.isBlock) {
        const bool isBackward = box.place.column != LayoutColumn::Forward;
        box.title = text::shortNodeName(box.block, 24) + (isBackward ? u"\u2032"_s : QString());
        box.subtitle = QObject::tr("%1 nodes, %2").arg(box.members.size()).arg(text::bytes(box.bytes));
        return;
    }
    box.title = text::shortNodeName(fact.name, 24);
    const QString op = fact.op == fact.name || fact.op.isEmpty() ? QString() : text::shortNodeName(fact.op, 16) + u" \u00B7 "_s;
    box.subtitle = box.bytes > 0 ? op + text::bytes(box.bytes) : op + QObject::tr("no tensor");
}

void sizeBox(DagBox& box, const QFontMetricsF& metrics)
{
    const double text = std::max(metrics.horizontalAdvance(box.title), metrics.horizontalAdvance(box.subtitle) * 0.92);
    box.width = std::max(kMinimumWidth, std::ceil(text + kStripe + kPadding + kBadgeSpace));
    box.height = std::ceil(metrics.height() * 2 + 10);
}

/// Key of the box that a node goes into: its own, or the half of its collapsed block.
QString boxKey(const NodeFacts& fact, Phase phase, NodeId node, const QSet<QString>& collapsed)
{
    if (!fact.block.isEmpty() && collapsed.contains(fact.block))
        return fact.block + (phase == Phase::Forward ? u"/f"_s : u"/b"_s);
    return u"#"_s + QString::number(node);
}

QSet<int> widened(const Problem& problem, const QSet<int>& isolated)
{
    QSet<int> shown = isolated;
    for (int node : isolated) {
        for (NodeId input : problem.graph->nodes[static_cast<std::size_t>(node)].inputs)
            shown.insert(input);
        for (NodeId reader : problem.consumers[static_cast<std::size_t>(node)])
            shown.insert(reader);
    }
    return shown;
}

void addBoxes(DagModel& model, const Problem& problem, const QSet<QString>& collapsed, const QSet<int>& shown)
{
    const CostGraph& graph = *problem.graph;
    QMap<QString, int> boxByKey;
    for (NodeId i = 0; i < graph.size(); ++i) {
        if (!shown.isEmpty() && !shown.contains(i))
            continue;
        const NodeFacts& fact = problem.facts[static_cast<std::size_t>(i)];
        const CostNode& node = graph.nodes[static_cast<std::size_t>(i)];
        const QString key = boxKey(fact, node.phase, i, collapsed);
        auto found = boxByKey.constFind(key);
        if (found == boxByKey.constEnd()) {
            found = boxByKey.insert(key, static_cast<int>(model.boxes.size()));
            DagBox box;
            box.isBlock = !key.startsWith(u'#');
            box.block = fact.block;
            box.place.column = box.isBlock ? (node.phase == Phase::Forward ? LayoutColumn::Forward : LayoutColumn::Backward) : fact.place.column;
            model.boxes.push_back(box);
        }
        DagBox& box = model.boxes[static_cast<std::size_t>(*found)];
        box.members.push_back(i);
        box.bytes += node.bytes;
        model.boxOf[static_cast<std::size_t>(i)] = *found;
    }
}

void pairBoxes(DagModel& model, const Problem& problem)
{
    std::vector<bool> taken(model.boxes.size(), false);
    for (DagBox& box : model.boxes) {
        if (box.place.column == LayoutColumn::Forward)
            continue;
        for (NodeId member : box.members) {
            const NodeId forward = problem.facts[static_cast<std::size_t>(member)].place.forward;
            const int pair = forward < 0 ? -1 : model.boxOf[static_cast<std::size_t>(forward)];
            if (pair < 0 || model.boxes[static_cast<std::size_t>(pair)].place.column != LayoutColumn::Forward)
                continue;
            if (box.place.column == LayoutColumn::Backward && taken[static_cast<std::size_t>(pair)])
                continue;
            if (box.place.column == LayoutColumn::Backward)
                taken[static_cast<std::size_t>(pair)] = true;
            box.place.forward = pair;
            break;
        }
        if (box.place.forward < 0 && box.place.column == LayoutColumn::Backward)
            box.place.column = LayoutColumn::Accumulate;
    }
}

void addEdges(DagModel& model, const Problem& problem)
{
    std::map<std::pair<int, int>, DagEdge> edges;
    const CostGraph& graph = *problem.graph;
    for (NodeId i = 0; i < graph.size(); ++i) {
        const int to = model.boxOf[static_cast<std::size_t>(i)];
        if (to < 0)
            continue;
        for (NodeId input : graph.nodes[static_cast<std::size_t>(i)].inputs) {
            const int from = model.boxOf[static_cast<std::size_t>(input)];
            if (from < 0 || from == to)
                continue;
            const std::int64_t bytes = graph.nodes[static_cast<std::size_t>(input)].bytes;
            auto [edge, isNew] = edges.try_emplace({from, to}, DagEdge{from, to, input, 0});
            if (!isNew && bytes > graph.nodes[static_cast<std::size_t>(edge->second.tensor)].bytes)
                edge->second.tensor = input;
            edge->second.bytes += bytes;
        }
    }
    for (const auto& [key, edge] : edges)
        model.edges.push_back(edge);
}

/// The layout engine's view, made through a cost graph of boxes so that rows are found by one rule only.
GraphView viewOf(const DagModel& model)
{
    CostGraph boxes;
    boxes.nodes.resize(model.boxes.size());
    std::vector<LadderPlace> places;
    std::vector<std::pair<double, double>> sizes;
    for (const DagBox& box : model.boxes) {
        places.push_back(box.place);
        sizes.emplace_back(box.width, box.height);
    }
    for (const DagEdge& edge : model.edges)
        boxes.nodes[static_cast<std::size_t>(edge.to)].inputs.push_back(edge.from);
    GraphView view = makeGraphView(boxes, places, sizes);
    view.edges.clear();
    for (const DagEdge& edge : model.edges)
        view.edges.emplace_back(edge.from, edge.to);
    return view;
}

}  // namespace

DagModel makeDagModel(const Problem& problem, const QSet<QString>& collapsed, const QSet<int>& isolated, const QFontMetricsF& metrics)
{
    DagModel model;
    model.boxOf.assign(problem.graph->nodes.size(), -1);
    QSet<QString> known;
    for (const NodeFacts& fact : problem.facts) {
        if (!fact.block.isEmpty() && !known.contains(fact.block)) {
            known.insert(fact.block);
            model.blocks.append(fact.block);
        }
        if (!model.operators.contains(fact.op))
            model.operators.insert(fact.op, static_cast<int>(model.operators.size()));
    }
    model.blockClass = blockClasses(problem);
    addBoxes(model, problem, collapsed, isolated.isEmpty() ? QSet<int>() : widened(problem, isolated));
    pairBoxes(model, problem);
    for (DagBox& box : model.boxes) {
        nameBox(box, problem);
        sizeBox(box, metrics);
    }
    addEdges(model, problem);
    model.view = viewOf(model);
    return model;
}

}  // namespace poet

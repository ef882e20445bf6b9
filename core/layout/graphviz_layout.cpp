// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/layout/graphviz_layout.h"

#include "core/layout/ladder.h"

#include <gvc.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <memory>
#include <numeric>
#include <string>

namespace poet {

namespace {

constexpr double kPointsPerInch = 72;  // Graphviz sizes are inches, its positions are points; we say pixel = point
constexpr double kMargin = 24;

std::string number(double value)
{
    char buffer[32];
    const auto result = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, 4);
    return {buffer, result.ptr};
}

struct GraphDeleter {
    void operator()(Agraph_t* graph) const { agclose(graph); }
};
struct ContextDeleter {
    void operator()(GVC_t* context) const { gvFreeContext(context); }
};

/// Graphviz takes char* where it means const char*; keys and values are copied by it.
char* text(const char* value) { return const_cast<char*>(value); }

void set(void* object, const char* key, const std::string& value) { agsafeset(object, text(key), text(value.c_str()), text("")); }

std::vector<Agnode_t*> addNodes(Agraph_t* graph, const GraphView& view)
{
    std::vector<Agnode_t*> nodes;
    for (std::size_t i = 0; i < view.nodes.size(); ++i) {
        const GraphViewNode& item = view.nodes[i];
        Agnode_t* node = agnode(graph, text(("n" + std::to_string(i)).c_str()), 1);
        set(node, "width", number(item.width / kPointsPerInch));
        set(node, "height", number(item.height / kPointsPerInch));
        set(node, "group", std::to_string(static_cast<int>(item.column)));
        nodes.push_back(node);
    }
    return nodes;
}

/// All boxes of one row share a rank, paired or not.
void addRungs(Agraph_t* graph, const GraphView& view, const std::vector<Agnode_t*>& nodes)
{
    std::map<int, Agraph_t*> rungs;
    for (std::size_t i = 0; i < view.nodes.size(); ++i) {
        Agraph_t*& rung = rungs[view.nodes[i].row];
        if (!rung) {
            rung = agsubg(graph, text(("r" + std::to_string(view.nodes[i].row)).c_str()), 1);
            set(rung, "rank", "same");
        }
        agsubnode(rung, nodes[i], 1);
    }
}

/// dot ranks by arrow direction. Arrows that would climb the ladder are handed over reversed; arrows inside one rung or
/// across the ladder do not decide ranks.
void addEdges(Agraph_t* graph, const GraphView& view, const std::vector<Agnode_t*>& nodes)
{
    for (const auto& [from, to] : view.edges) {
        const GraphViewNode& a = view.nodes[static_cast<std::size_t>(from)];
        const GraphViewNode& b = view.nodes[static_cast<std::size_t>(to)];
        // Within a rank dot draws arrows from left to right: there the order of the columns decides.
        const bool isReversed = b.row < a.row || (b.row == a.row && b.column < a.column);
        Agnode_t* tail = nodes[static_cast<std::size_t>(isReversed ? to : from)];
        Agnode_t* head = nodes[static_cast<std::size_t>(isReversed ? from : to)];
        Agedge_t* edge = agedge(graph, tail, head, nullptr, 1);
        if (a.row == b.row || a.column != b.column)
            set(edge, "constraint", "false");
        set(edge, "weight", a.column == b.column ? "1" : "0");
    }
}

/// An arrow that only shapes the drawing.
void addGuide(Agraph_t* graph, Agnode_t* from, Agnode_t* to, const char* name, const char* weight)
{
    Agedge_t* edge = agedge(graph, from, to, text(name), 1);
    set(edge, "style", "invis");
    set(edge, "weight", weight);
}

/// Keeps each column straight and the rungs in execution order, however few arrows there are; and keeps every pair in
/// the order of its columns (dot draws arrows within a rank from left to right).
void addSpines(Agraph_t* graph, const GraphView& view, const std::vector<Agnode_t*>& nodes)
{
    std::vector<std::size_t> order(view.nodes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return view.nodes[a].row < view.nodes[b].row; });
    std::array<int, 4> previous{-1, -1, -1, -1};
    for (std::size_t i : order) {
        int& last = previous[static_cast<std::size_t>(view.nodes[i].column)];
        if (last >= 0 && view.nodes[static_cast<std::size_t>(last)].row < view.nodes[i].row)
            addGuide(graph, nodes[static_cast<std::size_t>(last)], nodes[i], "spine", "1000");
        last = static_cast<int>(i);
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return view.nodes[a].row != view.nodes[b].row ? view.nodes[a].row < view.nodes[b].row : view.nodes[a].column < view.nodes[b].column;
    });
    for (std::size_t k = 1; k < order.size(); ++k)
        if (view.nodes[order[k - 1]].row == view.nodes[order[k]].row)
            addGuide(graph, nodes[order[k - 1]], nodes[order[k]], "rung", "1");  // weight 0 would not order
}

Expected<Layout> readPositions(Agraph_t* graph, const GraphView& view, const std::vector<Agnode_t*>& nodes)
{
    Layout layout;
    layout.engine = "graphviz";
    const boxf box = GD_bb(graph);
    const double height = box.UR.y - box.LL.y;
    for (Agnode_t* node : nodes) {
        const pointf at = ND_coord(node);
        layout.centers.push_back({at.x - box.LL.x + kMargin, height - (at.y - box.LL.y) + kMargin});
    }
    // Columns from left to right whatever dot chose: mirror when forward landed on the right.
    double forwardX = 0;
    double backwardX = 0;
    int forwardCount = 0;
    int backwardCount = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (view.nodes[i].column == LayoutColumn::Forward) {
            forwardX += layout.centers[i].x;
            ++forwardCount;
        } else {
            backwardX += layout.centers[i].x;
            ++backwardCount;
        }
    }
    layout.width = box.UR.x - box.LL.x + 2 * kMargin;
    layout.height = height + 2 * kMargin;
    if (forwardCount > 0 && backwardCount > 0 && forwardX / forwardCount > backwardX / backwardCount)
        for (LayoutPoint& point : layout.centers)
            point.x = layout.width - point.x;
    double minX = 0;
    double maxX = layout.width;
    for (const auto& [from, to] : view.edges) {
        const auto f = static_cast<std::size_t>(from);
        const auto t = static_cast<std::size_t>(to);
        const double bow = 14.0 + 2.0 * std::min(std::abs(view.nodes[f].row - view.nodes[t].row), 24);
        layout.edges.push_back(ladderEdge(view.nodes[f], layout.centers[f], view.nodes[t], layout.centers[t], bow));
        for (const LayoutPoint& point : layout.edges.back()) {
            minX = std::min(minX, point.x);
            maxX = std::max(maxX, point.x);
        }
    }
    for (LayoutPoint& point : layout.centers)
        point.x -= minX;
    for (auto& points : layout.edges)
        for (LayoutPoint& point : points)
            point.x -= minX;
    layout.width = maxX - minX;
    return layout;
}

}  // namespace

Expected<Layout> graphvizLayout(const GraphView& view)
{
    POET_CHECK(validate(view));
    const std::unique_ptr<GVC_t, ContextDeleter> context(gvContext());
    const std::unique_ptr<Agraph_t, GraphDeleter> graph(agopen(text("ladder"), Agdirected, nullptr));
    if (!context || !graph)
        return fail(ErrorCode::Internal, "Graphviz could not be started.", "Use the simple layout.");
    agattr(graph.get(), AGNODE, text("label"), text(""));
    agattr(graph.get(), AGNODE, text("shape"), text("box"));
    agattr(graph.get(), AGNODE, text("fixedsize"), text("true"));
    agattr(graph.get(), AGRAPH, text("splines"), text("line"));
    agattr(graph.get(), AGRAPH, text("nodesep"), text("0.45"));
    agattr(graph.get(), AGRAPH, text("ranksep"), text("0.28"));
    const std::vector<Agnode_t*> nodes = addNodes(graph.get(), view);
    addRungs(graph.get(), view, nodes);
    addEdges(graph.get(), view, nodes);
    addSpines(graph.get(), view, nodes);
    if (gvLayout(context.get(), graph.get(), "dot") != 0)
        return fail(ErrorCode::Internal, "Graphviz could not lay out the graph.", "Use the simple layout.");
    auto layout = readPositions(graph.get(), view, nodes);
    gvFreeLayout(context.get(), graph.get());
    return layout;
}

}  // namespace poet

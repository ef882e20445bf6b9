// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/layout/graph_view.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

namespace poet {

namespace {

constexpr std::string_view kPrime = "\u2032";

NodeId pairByName(std::string_view backwardName, const std::unordered_map<std::string_view, NodeId>& forwardByName)
{
    for (std::string_view suffix : {kPrime, std::string_view("'"), std::string_view(".grad"), std::string_view("_grad")}) {
        if (!backwardName.ends_with(suffix))
            continue;
        const auto found = forwardByName.find(backwardName.substr(0, backwardName.size() - suffix.size()));
        if (found != forwardByName.end())
            return found->second;
    }
    return -1;
}

NodeId latestForwardInput(const CostGraph& graph, const CostNode& node)
{
    NodeId latest = -1;
    for (NodeId input : node.inputs)
        if (graph.nodes[static_cast<std::size_t>(input)].phase == Phase::Forward)
            latest = std::max(latest, input);
    return latest;
}

}  // namespace

std::vector<LadderPlace> guessLadderPlaces(const CostGraph& graph)
{
    std::vector<LadderPlace> places(graph.nodes.size());
    std::unordered_map<std::string_view, NodeId> forwardByName;
    for (NodeId i = 0; i < graph.size(); ++i)
        if (graph.nodes[static_cast<std::size_t>(i)].phase == Phase::Forward)
            forwardByName.emplace(graph.nodes[static_cast<std::size_t>(i)].name, i);
    std::vector<bool> taken(graph.nodes.size(), false);
    for (NodeId i = 0; i < graph.size(); ++i) {
        const CostNode& node = graph.nodes[static_cast<std::size_t>(i)];
        if (node.phase == Phase::Forward)
            continue;
        NodeId pair = pairByName(node.name, forwardByName);
        if (pair < 0)
            pair = latestForwardInput(graph, node);
        LadderPlace& place = places[static_cast<std::size_t>(i)];
        if (pair >= 0 && !taken[static_cast<std::size_t>(pair)]) {
            taken[static_cast<std::size_t>(pair)] = true;
            place = {LayoutColumn::Backward, pair};
        } else {
            place = {LayoutColumn::Accumulate, -1};
        }
    }
    return places;
}

GraphView makeGraphView(const CostGraph& graph, const std::vector<LadderPlace>& places,
                        const std::vector<std::pair<double, double>>& sizes)
{
    GraphView view;
    view.nodes.resize(graph.nodes.size());
    int rows = 0;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        GraphViewNode& node = view.nodes[i];
        node.width = sizes[i].first;
        node.height = sizes[i].second;
        node.column = places[i].column;
        node.pair = places[i].forward;
        node.row = node.column == LayoutColumn::Forward ? rows++ : -1;
    }
    for (GraphViewNode& node : view.nodes)
        if (node.row < 0 && node.pair >= 0)
            node.row = view.nodes[static_cast<std::size_t>(node.pair)].row;
    // What has no pair stands on the rung of its first reader; readers are later, so go backwards.
    std::vector<int> readerRow(graph.nodes.size(), -1);
    for (std::size_t i = graph.nodes.size(); i-- > 0;) {
        GraphViewNode& node = view.nodes[i];
        if (node.row < 0)
            node.row = readerRow[i];
        if (node.row < 0) {
            for (NodeId input : graph.nodes[i].inputs)
                node.row = std::max(node.row, view.nodes[static_cast<std::size_t>(input)].row);
            node.row = std::max(node.row, 0);
        }
        for (NodeId input : graph.nodes[i].inputs)
            readerRow[static_cast<std::size_t>(input)] = node.row;
    }
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        for (NodeId input : graph.nodes[i].inputs)
            view.edges.emplace_back(input, static_cast<int>(i));
    return view;
}

Expected<void> validate(const GraphView& view)
{
    const int count = static_cast<int>(view.nodes.size());
    for (int i = 0; i < count; ++i) {
        const GraphViewNode& node = view.nodes[static_cast<std::size_t>(i)];
        const bool isSized = std::isfinite(node.width) && std::isfinite(node.height) && node.width > 0 && node.height > 0;
        if (!isSized)
            return fail(ErrorCode::BadModel, "Node " + std::to_string(i) + " of the layout graph has no positive size.");
        if (node.row < 0 || node.pair < -1 || node.pair >= count)
            return fail(ErrorCode::BadModel, "Node " + std::to_string(i) + " of the layout graph has a row or pair out of range.");
    }
    for (std::size_t e = 0; e < view.edges.size(); ++e) {
        const auto [from, to] = view.edges[e];
        if (from < 0 || to < 0 || from >= count || to >= count || from == to)
            return fail(ErrorCode::BadModel, "Edge " + std::to_string(e) + " of the layout graph does not join two nodes.");
    }
    return {};
}

}  // namespace poet

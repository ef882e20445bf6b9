// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/layout/graphviz_layout.h"
#include "core/layout/ladder.h"
#include "core/layout/layout_json.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <random>
#include <string>

namespace poet {
namespace {

/// A chain of `n` forward nodes with random skip connections, and its backward nodes in reverse.
CostGraph trainingChain(int n, unsigned seed)
{
    std::mt19937 random(seed);
    CostGraph graph;
    graph.name = "chain";
    for (int i = 0; i < n; ++i) {
        CostNode node;
        node.name = "op" + std::to_string(i);
        node.bytes = 100;
        if (i > 0)
            node.inputs.push_back(i - 1);
        if (i > 4 && random() % 4 == 0)
            node.inputs.push_back(i - 2 - static_cast<int>(random() % 3));
        node.recomputable = i > 0;
        graph.nodes.push_back(node);
    }
    for (int i = n - 1; i > 0; --i) {
        CostNode node;
        node.name = "op" + std::to_string(i) + "\u2032";
        node.phase = Phase::Backward;
        node.bytes = 100;
        node.inputs = {i - 1, i};
        if (i < n - 1)
            node.inputs.push_back(graph.size() - 1);
        graph.nodes.push_back(node);
    }
    return graph;
}

GraphView viewOf(const CostGraph& graph)
{
    const std::vector<std::pair<double, double>> sizes(graph.nodes.size(), {120, 32});
    return makeGraphView(graph, guessLadderPlaces(graph), sizes);
}

/// What every engine promises.
void checkPromises(const GraphView& view, const Layout& layout)
{
    ASSERT_EQ(layout.centers.size(), view.nodes.size());
    ASSERT_EQ(layout.edges.size(), view.edges.size());
    for (std::size_t i = 0; i < view.nodes.size(); ++i) {
        const GraphViewNode& a = view.nodes[i];
        EXPECT_GE(layout.centers[i].x - a.width / 2, 0) << "node " << i;
        EXPECT_LE(layout.centers[i].x + a.width / 2, layout.width) << "node " << i;
        EXPECT_GE(layout.centers[i].y - a.height / 2, 0) << "node " << i;
        EXPECT_LE(layout.centers[i].y + a.height / 2, layout.height) << "node " << i;
        for (std::size_t j = 0; j < i; ++j) {
            const GraphViewNode& b = view.nodes[j];
            const bool overlaps = std::abs(layout.centers[i].x - layout.centers[j].x) < (a.width + b.width) / 2 - 0.5 &&
                                  std::abs(layout.centers[i].y - layout.centers[j].y) < (a.height + b.height) / 2 - 0.5;
            ASSERT_FALSE(overlaps) << "nodes " << j << " and " << i << " overlap";
        }
    }
    for (std::size_t e = 0; e < view.edges.size(); ++e) {
        const auto endsOn = [&](LayoutPoint point, int node) {
            const GraphViewNode& box = view.nodes[static_cast<std::size_t>(node)];
            const LayoutPoint center = layout.centers[static_cast<std::size_t>(node)];
            return std::abs(point.x - center.x) <= box.width / 2 + 1 && std::abs(point.y - center.y) <= box.height / 2 + 1;
        };
        EXPECT_TRUE(endsOn(layout.edges[e].front(), view.edges[e].first)) << "edge " << e;
        EXPECT_TRUE(endsOn(layout.edges[e].back(), view.edges[e].second)) << "edge " << e;
    }
}

TEST(Ladder, pairsShareARow)
{
    const CostGraph graph = trainingChain(20, 1);
    const GraphView view = viewOf(graph);
    const auto layout = ladderLayout(view);
    ASSERT_TRUE(layout) << layout.error().text();
    int pairs = 0;
    for (std::size_t i = 0; i < view.nodes.size(); ++i)
        if (view.nodes[i].pair >= 0) {
            ++pairs;
            EXPECT_DOUBLE_EQ(layout->centers[i].y, layout->centers[static_cast<std::size_t>(view.nodes[i].pair)].y);
            EXPECT_GT(layout->centers[i].x, layout->centers[static_cast<std::size_t>(view.nodes[i].pair)].x);
        }
    EXPECT_EQ(pairs, 19);
}

TEST(Ladder, keepsItsPromisesOnRandomGraphs)
{
    for (unsigned seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const GraphView view = viewOf(trainingChain(5 + static_cast<int>(seed) * 3, seed));
        const auto layout = ladderLayout(view);
        ASSERT_TRUE(layout);
        checkPromises(view, *layout);
        EXPECT_EQ(*layout, *ladderLayout(view)) << "same input, same output";
    }
}

TEST(Graphviz, keepsItsPromisesAndPairsShareARow)
{
    for (unsigned seed = 1; seed <= 5; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const GraphView view = viewOf(trainingChain(30, seed));
        const auto layout = graphvizLayout(view);
        ASSERT_TRUE(layout) << layout.error().text();
        EXPECT_EQ(layout->engine, "graphviz");
        checkPromises(view, *layout);
        for (std::size_t i = 0; i < view.nodes.size(); ++i) {
            if (view.nodes[i].pair >= 0) {
                EXPECT_NEAR(layout->centers[i].y, layout->centers[static_cast<std::size_t>(view.nodes[i].pair)].y, 0.51);
            }
        }
        EXPECT_EQ(*layout, *graphvizLayout(view)) << "same input, same output";
    }
}

TEST(Graphviz, columnsStandFromLeftToRight)
{
    const CostGraph graph = trainingChain(12, 2);
    std::vector<LadderPlace> places = guessLadderPlaces(graph);
    places[3] = {LayoutColumn::Side, 4};  // a mask of op4
    places[20] = {LayoutColumn::Accumulate, -1};
    const std::vector<std::pair<double, double>> sizes(graph.nodes.size(), {120, 32});
    const GraphView view = makeGraphView(graph, places, sizes);
    for (const auto& layout : {ladderLayout(view), graphvizLayout(view)}) {
        ASSERT_TRUE(layout) << layout.error().text();
        checkPromises(view, *layout);
        for (std::size_t a = 0; a < view.nodes.size(); ++a)
            for (std::size_t b = 0; b < view.nodes.size(); ++b) {
                if (view.nodes[a].row == view.nodes[b].row && view.nodes[a].column < view.nodes[b].column) {
                    EXPECT_LT(layout->centers[a].x, layout->centers[b].x) << layout->engine << " " << a << " " << b;
                }
            }
    }
}

TEST(Ladder, isLinear)
{
    const GraphView view = viewOf(trainingChain(10000, 7));
    const auto begin = std::chrono::steady_clock::now();
    ASSERT_TRUE(ladderLayout(view));
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    EXPECT_LT(spent.count(), 2.0) << "20,000 nodes";
}

TEST(GuessLadderPlaces, takesTheLatestForwardInputWithoutNames)
{
    CostGraph graph = trainingChain(6, 3);
    for (CostNode& node : graph.nodes)
        if (node.phase == Phase::Backward)
            node.name = "grad";
    const auto places = guessLadderPlaces(graph);
    for (int i = 6; i < graph.size(); ++i)
        EXPECT_EQ(places[static_cast<std::size_t>(i)].forward, 11 - i);
}

TEST(GuessLadderPlaces, secondClaimBecomesAccumulate)
{
    CostGraph graph = trainingChain(3, 3);
    graph.nodes.push_back(graph.nodes.back());
    const auto places = guessLadderPlaces(graph);
    EXPECT_EQ(places.back().column, LayoutColumn::Accumulate);
}

TEST(LayoutJson, roundTrips)
{
    const GraphView view = viewOf(trainingChain(12, 5));
    const auto again = parseGraphView(toJson(view), "test");
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(toJson(*again), toJson(view));
    const auto layout = ladderLayout(view);
    ASSERT_TRUE(layout);
    const auto read = parseLayout(toJson(*layout), view);
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(*read, *layout);
}

TEST(LayoutJson, refusesWhatIsBroken)
{
    for (const char* text : {"", "{", "[]", R"({"format":"poet-layout-graph","version":2,"nodes":[],"edges":[]})",
                             R"({"format":"poet-layout-graph","version":1,"nodes":[],"edges":[[0,1]]})",
                             R"({"format":"poet-layout-graph","version":1,"nodes":[{"width":-1,"height":1,"row":0,"column":"forward","pair":-1}],"edges":[]})",
                             R"({"format":"poet-layout-graph","version":1,"nodes":[{"width":1,"height":1,"row":0,"column":"up","pair":-1}],"edges":[]})"}) {
        const auto view = parseGraphView(text, "test");
        ASSERT_FALSE(view) << text;
        EXPECT_EQ(view.error().code, ErrorCode::BadModel);
        EXPECT_FALSE(view.error().message.empty());
    }
    const GraphView view = viewOf(trainingChain(4, 5));
    EXPECT_FALSE(parseLayout(R"({"format":"poet-layout","version":1,"engine":"x","width":1,"height":1,"centers":[],"edges":[]})", view));
}

TEST(Layout, emptyGraphIsEmpty)
{
    const GraphView view;
    ASSERT_TRUE(ladderLayout(view));
    ASSERT_TRUE(graphvizLayout(view));
    EXPECT_TRUE(ladderLayout(view)->centers.empty());
}

}  // namespace
}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "core/graph/cost_graph.h"
#include "tests/core/schedule/support/random_schedules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>

namespace poet {
namespace {

/// A small graph file; `replaceOnce` breaks it at one place.
const std::string kWhole = R"({"format":"poet-graph","version":1,"name":"three","nodes":[
{"name":"x","phase":"forward","inputs":[],"bytes":100,"compute":{"joules":0,"seconds":0},"page_in":{"joules":1,"seconds":1},"page_out":{"joules":1,"seconds":1},"recomputable":false},
{"name":"y","phase":"forward","inputs":[0],"bytes":200,"workspace_bytes":16,"compute":{"joules":2,"seconds":3},"page_in":{"joules":1,"seconds":1},"page_out":{"joules":1,"seconds":1},"recomputable":true,"pageable":false},
{"name":"z","phase":"backward","inputs":[1,0],"bytes":300,"compute":{"joules":4,"seconds":5},"page_in":{"joules":1,"seconds":1},"page_out":{"joules":1,"seconds":1},"recomputable":false}],
"device":{"transfer":"dma","idle_watts":0.5,"resident_bytes":10,"alignment":4,"store_block_bytes":512}})";

std::string replaceOnce(const std::string& text, const std::string& old, const std::string& fresh)
{
    const auto at = text.find(old);
    EXPECT_NE(at, std::string::npos) << old;
    return at == std::string::npos ? text : text.substr(0, at) + fresh + text.substr(at + old.size());
}

TEST(CostGraphFile, anyGraphReadsBackEqual)
{
    for (std::uint32_t seed = 1; seed <= 400; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        std::mt19937 random(seed);
        const CostGraph graph = testing::anyGraph(random);
        ASSERT_TRUE(validate(graph)) << validate(graph).error().text();
        const std::string text = toJson(graph);
        const auto back = parseCostGraph(text, "random");
        ASSERT_TRUE(back) << back.error().text();
        EXPECT_EQ(*back, graph);
        EXPECT_EQ(toJson(*back), text) << "the same graph gives the same bytes";
    }
}

TEST(CostGraphFile, periodAndSlowdownReadBackAndAreChecked)
{
    CostGraph graph;
    graph.nodes.resize(1);
    graph.nodes[0].bytes = 1;
    EXPECT_EQ(toJson(graph).find("period"), std::string::npos) << "absent when there is none";
    graph.device.periodSeconds = 0.125;
    graph.device.transferSlowdown = 1.5;
    const auto back = parseCostGraph(toJson(graph), "graph");
    ASSERT_TRUE(back) << back.error().text();
    EXPECT_EQ(*back, graph);
    for (const auto& [period, slowdown] : {std::pair{0.0, 1.0}, {-1.0, 1.0}, {1.0, 0.5}}) {
        graph.device.periodSeconds = period;
        graph.device.transferSlowdown = slowdown;
        EXPECT_FALSE(validate(graph)) << period << " " << slowdown;
        EXPECT_FALSE(parseCostGraph(toJson(graph), "graph")) << period << " " << slowdown;
    }
}

TEST(CostGraphFile, outsideGraphsReadAndWriteBackEqual)
{
    const std::filesystem::path folder = POET_SHARED_DIR "/oracle/paper";
    if (!std::filesystem::exists(folder))
        GTEST_SKIP() << "no " << folder;
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (!entry.path().string().ends_with(".graph.json"))
            continue;
        const auto text = readFile(entry.path());
        ASSERT_TRUE(text);
        const auto graph = parseCostGraph(*text, entry.path().filename().string());
        ASSERT_TRUE(graph) << graph.error().text();
        const auto back = parseCostGraph(toJson(*graph), "again");
        ASSERT_TRUE(back) << back.error().text();
        EXPECT_EQ(*back, *graph);
        EXPECT_GT(graph->size(), 10);
        ++count;
    }
    EXPECT_GE(count, 9);
}

TEST(CostGraphFile, absentFieldsHaveTheDefaultsOfTheFormat)
{
    const auto graph = parseCostGraph(kWhole, "three.json");
    ASSERT_TRUE(graph) << graph.error().text();
    EXPECT_EQ(graph->nodes[0].workspaceBytes, 0);
    EXPECT_TRUE(graph->nodes[0].pageable);
    EXPECT_FALSE(graph->nodes[1].pageable);
    EXPECT_EQ(graph->nodes[2].inputs, (std::vector<NodeId>{1, 0})) << "the order of inputs is kept";
    EXPECT_EQ(graph->nodes[1].compute, (Cost{2, 3}));
    EXPECT_FALSE(graph->device.storeCapacityBytes);
    const auto bare = parseCostGraph(kWhole.substr(0, kWhole.find(",\n\"device\"")) + "}", "three.json");
    ASSERT_TRUE(bare);
    EXPECT_EQ(bare->device, DeviceTerms{});
}

struct Break {
    std::string old;
    std::string fresh;
    std::vector<std::string> named;  ///< what the message must hold
};

TEST(CostGraphFile, everyDefectIsRefusedAtItsPlace)
{
    const std::vector<Break> breaks{
        {"\"version\":1", "\"version\":2", {"'version'"}},
        {"\"version\":1", "\"version\":\"1\"", {"'version'"}},
        {"\"version\":1,", "", {"'version'", "missing"}},
        {"poet-graph", "poet-schedule", {"'format'"}},
        {"\"name\":\"three\"", "\"name\":3", {"'name'", "text"}},
        {"\"name\":\"three\"", "\"nome\":\"three\"", {"'nome'", "known"}},
        {"\"bytes\":200", "\"bytes\":-1", {"nodes[1]", "'bytes'", "negative"}},
        {"\"bytes\":200", "\"bytes\":1.5", {"nodes[1]", "'bytes'", "whole"}},
        {"\"bytes\":200", "\"bytes\":\"200\"", {"nodes[1]", "'bytes'", "number"}},
        {"\"bytes\":200", "\"bytes\":1e30", {"nodes[1]", "'bytes'", "large"}},
        {"\"bytes\":200", "\"bytes\":4611686018427387904", {"node 1", "'y'", "4 EiB"}},
        {"\"bytes\":200,", "", {"nodes[1]", "'bytes'", "missing"}},
        {"\"bytes\":200", "\"bites\":200", {"nodes[1]", "'bites'"}},
        {"\"workspace_bytes\":16", "\"workspace_bytes\":-16", {"nodes[1]", "'workspace_bytes'"}},
        {"\"phase\":\"backward\"", "\"phase\":\"sideways\"", {"nodes[2]", "'phase'"}},
        {"\"inputs\":[0]", "\"inputs\":[1]", {"Node 1 'y'", "node 1", "cycle"}},
        {"\"inputs\":[0]", "\"inputs\":[2]", {"Node 1 'y'", "node 2", "cycle"}},
        {"\"inputs\":[1,0]", "\"inputs\":[1,1]", {"Node 2 'z'", "input 1", "twice"}},
        {"\"inputs\":[1,0]", "\"inputs\":[1,7]", {"Node 2 'z'", "node 7", "exist"}},
        {"\"inputs\":[1,0]", "\"inputs\":[1,-1]", {"nodes[2]", "'inputs'"}},
        {"\"inputs\":[1,0]", "\"inputs\":[1,0.5]", {"nodes[2]", "'inputs'"}},
        {"\"inputs\":[1,0]", "\"inputs\":[1,99999999999]", {"nodes[2]", "'inputs'"}},
        {"\"inputs\":[1,0]", "\"inputs\":1", {"nodes[2]", "'inputs'", "array"}},
        {"\"joules\":2", "\"joules\":NaN", {"three.json", "JSON"}},
        {"\"joules\":2", "\"joules\":1e999", {"three.json", "1e999"}},
        {"\"joules\":2", "\"joules\":-2", {"nodes[1]", "'compute'", "'joules'", "negative"}},
        {"\"joules\":2", "\"joules\":1e200", {"Node 1 'y'", "'compute'"}},
        {"\"joules\":2", "\"joules\":null", {"nodes[1]", "'compute'", "'joules'"}},
        {"\"joules\":2", "\"watts\":2", {"nodes[1]", "'compute'", "'watts'"}},
        {"\"seconds\":5", "\"seconds\":\"5\"", {"nodes[2]", "'compute'", "'seconds'"}},
        {"\"recomputable\":true", "\"recomputable\":1", {"nodes[1]", "'recomputable'"}},
        {"\"pageable\":false", "\"pageable\":\"no\"", {"nodes[1]", "'pageable'"}},
        {"\"bytes\":300", "\"bytes\":300,\"colour\":1", {"nodes[2]", "'colour'"}},
        {"\"transfer\":\"dma\"", "\"transfer\":\"usb\"", {"device", "'transfer'"}},
        {"\"idle_watts\":0.5", "\"idle_watts\":-1", {"device", "'idle_watts'"}},
        {"\"alignment\":4", "\"alignment\":0", {"device", "'alignment'"}},
        {"\"store_block_bytes\":512", "\"store_block_bytes\":4611686018427387904", {"device"}},
        {"\"resident_bytes\":10", "\"resident_bytes\":-10", {"device", "'resident_bytes'"}},
        {"\"resident_bytes\":10", "\"resident_bytes\":4611686018427387904", {"4 EiB"}},
        {"\"resident_bytes\":10", "\"fans\":10", {"device", "'fans'"}},
    };
    ASSERT_TRUE(parseCostGraph(kWhole, "three.json"));
    for (const Break& broken : breaks) {
        SCOPED_TRACE(broken.old + " -> " + broken.fresh);
        const auto graph = parseCostGraph(replaceOnce(kWhole, broken.old, broken.fresh), "three.json");
        if (graph) {
            ADD_FAILURE() << "accepted";
            continue;
        }
        EXPECT_EQ(graph.error().code, ErrorCode::BadModel);
        EXPECT_TRUE(graph.error().message.starts_with("three.json")) << graph.error().message;
        for (const std::string& part : broken.named)
            EXPECT_NE(graph.error().message.find(part), std::string::npos) << part << " in: " << graph.error().message;
    }
}

TEST(CostGraphFile, aBackwardNodeIsNeverRecomputable)
{
    const auto at = kWhole.rfind("\"recomputable\":false");
    const auto graph = parseCostGraph(kWhole.substr(0, at) + "\"recomputable\":true" + kWhole.substr(at + 20), "three.json");
    ASSERT_FALSE(graph);
    EXPECT_NE(graph.error().message.find("Node 2 'z'"), std::string::npos) << graph.error().message;
}

TEST(CostGraphFile, sumsThatOverflowAreRefused)
{
    CostGraph graph = parseCostGraph(kWhole, "x").value();
    constexpr std::int64_t large = std::int64_t{1} << 62;
    const std::vector<std::function<void(CostGraph&)>> overflows{
        [](CostGraph& g) { g.nodes[0].bytes = large; },
        [](CostGraph& g) { g.nodes[0].bytes = std::numeric_limits<std::int64_t>::max(); },
        [](CostGraph& g) { g.nodes[2].workspaceBytes = large; },
        [](CostGraph& g) { g.nodes[0].bytes = g.nodes[1].bytes = large / 2; },
        [](CostGraph& g) { g.device.residentBytes = g.nodes[0].bytes = large; },
        [](CostGraph& g) { g.device.residentBytes = std::numeric_limits<std::int64_t>::max(); },
    };
    for (std::size_t i = 0; i < overflows.size(); ++i) {
        CostGraph broken = graph;
        overflows[i](broken);
        EXPECT_FALSE(validate(broken)) << i;
    }
    graph.nodes[0].bytes = large / 2;
    EXPECT_TRUE(validate(graph)) << "large is allowed, overflow is not";
}

TEST(CostGraphFile, costsThatAreNoNumbersAreRefused)
{
    const CostGraph graph = parseCostGraph(kWhole, "x").value();
    for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity(), -1.0})
        for (const auto field : {&CostNode::compute, &CostNode::pageIn, &CostNode::pageOut})
            for (const auto part : {&Cost::joules, &Cost::seconds}) {
                CostGraph broken = graph;
                (broken.nodes[1].*field).*part = bad;
                const auto checked = validate(broken);
                ASSERT_FALSE(checked);
                EXPECT_NE(checked.error().message.find("Node 1 'y'"), std::string::npos) << checked.error().message;
            }
    EXPECT_FALSE(validate(CostGraph{})) << "a graph without nodes";
}

TEST(CostGraphFile, truncatedFilesAreRefused)
{
    for (std::size_t length = 0; length < kWhole.size(); ++length)
        EXPECT_FALSE(parseCostGraph(kWhole.substr(0, length), "cut")) << length;
}

TEST(CostGraphFile, flippedBytesGiveAValidGraphOrAnError)
{
    constexpr std::uint32_t seed = 17;
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    int accepted = 0;
    for (int i = 0; i < 6000; ++i) {
        std::string broken = kWhole;
        for (unsigned k = 0; k <= random() % 3; ++k)
            broken[random() % broken.size()] = static_cast<char>(random() % 2 == 0 ? random() : '0' + random() % 10);
        const auto graph = parseCostGraph(broken, "flipped");
        if (graph) {
            ++accepted;
            ASSERT_TRUE(validate(*graph));
            EXPECT_EQ(parseCostGraph(toJson(*graph), "again").value(), *graph);
        } else {
            EXPECT_FALSE(graph.error().message.empty());
        }
    }
    EXPECT_GT(accepted, 20) << "some flips change only a digit or a name";
    EXPECT_LT(accepted, 5900);
}

TEST(CostGraph, workingSetsAndConsumersAgreeWithTheirDefinition)
{
    for (std::uint32_t seed = 1; seed <= 100; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        std::mt19937 random(seed);
        const CostGraph graph = testing::anyGraph(random);
        const auto consumers = graph.consumers();
        std::size_t edges = 0;
        std::int64_t largest = 0;
        for (NodeId id = 0; id < graph.size(); ++id) {
            const CostNode& node = graph.nodes[static_cast<std::size_t>(id)];
            std::int64_t sum = node.bytes + node.workspaceBytes;
            for (const NodeId input : node.inputs) {
                sum += graph.nodes[static_cast<std::size_t>(input)].bytes;
                const auto& readers = consumers[static_cast<std::size_t>(input)];
                EXPECT_EQ(std::count(readers.begin(), readers.end(), id), 1);
                EXPECT_TRUE(std::is_sorted(readers.begin(), readers.end()));
            }
            edges += node.inputs.size();
            EXPECT_EQ(graph.workingSetBytes(id), sum);
            largest = std::max(largest, sum);
            EXPECT_FALSE(graph.mayRecompute(id, TransferModel::Dma) && node.inputs.empty()) << "an input cannot be computed again";
            EXPECT_FALSE(graph.mayRecompute(id, TransferModel::Paper) && node.phase == Phase::Backward);
        }
        for (const auto& readers : consumers)
            edges -= readers.size();
        EXPECT_EQ(edges, 0U);
        EXPECT_EQ(graph.workingSetBytes(graph.largestWorkingSetNode()), largest);
    }
    EXPECT_EQ(CostGraph{}.largestWorkingSetNode(), -1);
}

}  // namespace
}  // namespace poet

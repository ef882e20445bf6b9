// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/planning/support/random_graphs.h"

#include <algorithm>
#include <random>
#include <string>

namespace poet::testing {
namespace {

/// A source of small integers whose sequence is fixed by the standard (distributions are not).
class Dice {
public:
    explicit Dice(std::uint32_t seed) : m_engine(seed) {}
    int between(int low, int high) { return low + static_cast<int>(m_engine() % static_cast<std::uint32_t>(high - low + 1)); }
    bool chance(int percent) { return between(1, 100) <= percent; }

private:
    std::mt19937 m_engine;
};

NodeId add(CostGraph& graph, std::string name, Phase phase, std::vector<NodeId> inputs)
{
    std::sort(inputs.begin(), inputs.end());
    inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
    CostNode node;
    node.name = std::move(name);
    node.phase = phase;
    node.inputs = std::move(inputs);
    graph.nodes.push_back(std::move(node));
    return graph.size() - 1;
}

/// Nodes of the backward part: one gradient a use, accumulated where several meet.
void addBackward(CostGraph& graph, Dice& dice, NodeId loss)
{
    std::vector<std::vector<NodeId>> contributions(static_cast<std::size_t>(loss));
    const NodeId last = loss - 1;
    contributions[static_cast<std::size_t>(last)].push_back(add(graph, "loss.grad", Phase::Backward, {last, loss}));
    for (NodeId i = last; i >= 1; --i) {
        const auto parts = contributions[static_cast<std::size_t>(i)];
        if (parts.empty())
            continue;
        const NodeId gradient = parts.size() == 1 ? parts.front()
                                                  : add(graph, "sum" + std::to_string(i), Phase::Backward, parts);
        const std::vector<NodeId> sources = graph.nodes[static_cast<std::size_t>(i)].inputs;
        for (const NodeId source : sources) {
            std::vector<NodeId> reads{gradient};
            if (dice.chance(65))
                reads.push_back(source);
            if (dice.chance(45))
                reads.push_back(i);
            if (source == 0 && sources.size() > 1)
                continue;
            const NodeId made = add(graph, "grad" + std::to_string(i) + "." + std::to_string(source), Phase::Backward, reads);
            if (source > 0)
                contributions[static_cast<std::size_t>(source)].push_back(made);
        }
    }
}

void addTrainingStep(CostGraph& graph, Dice& dice, int forwardNodes)
{
    add(graph, "input", Phase::Forward, {});
    for (NodeId i = 1; i <= forwardNodes; ++i) {
        std::vector<NodeId> reads{i - 1};
        if (i >= 3 && dice.chance(35))
            reads.push_back(dice.between(1, i - 2));
        add(graph, "forward" + std::to_string(i), Phase::Forward, reads);
    }
    const NodeId loss = add(graph, "loss", Phase::Forward, {forwardNodes});
    addBackward(graph, dice, loss);
}

void addLooseDag(CostGraph& graph, Dice& dice, int count)
{
    const int forward = std::max(2, count * dice.between(40, 70) / 100);
    for (NodeId i = 0; i < count; ++i) {
        std::vector<NodeId> reads;
        if (i > 0)
            reads.push_back(dice.chance(60) ? i - 1 : dice.between(0, i - 1));
        if (i > 1 && dice.chance(50))
            reads.push_back(dice.between(0, i - 1));
        if (i > 2 && dice.chance(20))
            reads.push_back(dice.between(0, i - 1));
        if (i > 0 && dice.chance(5))
            reads.clear();
        add(graph, "node" + std::to_string(i), i < forward ? Phase::Forward : Phase::Backward, reads);
    }
}

void fillCosts(CostGraph& graph, Dice& dice, const RandomGraphOptions& options)
{
    constexpr double kScales[] = {1.0, 1e-3, 1e-6};
    const double scale = kScales[dice.between(0, 2)];
    const int storeJoulesPerByte = dice.between(1, 4);
    const int storeSecondsPerByte = dice.between(0, 3);
    const int largest = dice.between(3, 9);
    for (CostNode& node : graph.nodes) {
        const bool isForward = node.phase == Phase::Forward;
        node.bytes = dice.chance(4) ? 0 : dice.between(1, largest);
        node.workspaceBytes = dice.chance(15) ? dice.between(1, 3) : 0;
        const int work = dice.chance(50) ? dice.between(0, 6) : dice.between(5, 40);
        const double size = static_cast<double>(node.bytes);
        node.compute = {scale * (node.inputs.empty() && dice.chance(50) ? 0 : work), 0.5 * dice.between(1, 12)};
        node.pageIn = {scale * (dice.between(0, 1) + size * storeJoulesPerByte * 0.5), 0.25 * size * storeSecondsPerByte};
        node.pageOut = {scale * (dice.between(0, 2) + size * storeJoulesPerByte * 0.75), 0.5 * size * storeSecondsPerByte};
        node.recomputable = isForward && !dice.chance(15);
        node.pageable = options.allPageable || !dice.chance(12);
    }
    if (options.withIdlePower && options.transfer != TransferModel::Paper && dice.chance(50))
        graph.device.idleWatts = scale * 0.5 * dice.between(1, 4);
}

void fillStoreLimits(CostGraph& graph, Dice& dice)
{
    graph.device.storeBlockBytes = dice.between(1, 4);
    const int limit = dice.between(0, 16);
    const int which = dice.between(0, 2);
    if (which != 1)
        graph.device.storeCapacityBytes = limit;
    if (which != 0)
        graph.device.writeLimitBytesPerStep = which == 1 ? limit : dice.between(0, 16);
}

}  // namespace

CostGraph randomTrainingGraph(std::uint32_t seed, const RandomGraphOptions& options)
{
    for (std::uint32_t attempt = 0;; ++attempt) {
        Dice dice(seed * 2654435761U + attempt * 40503U + 17U);
        CostGraph graph;
        graph.name = "random-" + std::to_string(seed);
        graph.device.transfer = options.transfer;
        if (dice.chance(20))
            addLooseDag(graph, dice, dice.between(options.minNodes, options.maxNodes));
        else
            addTrainingStep(graph, dice, dice.between(1, options.maxNodes));
        if (graph.size() < options.minNodes || graph.size() > options.maxNodes)
            continue;
        fillCosts(graph, dice, options);
        if (keepAllPeak(graph) * 100 < largestWorkingSet(graph) * (100 + options.minSpanPercent))
            continue;
        if (options.withStoreLimits)
            fillStoreLimits(graph, dice);
        return graph;
    }
}

std::int64_t keepAllPeak(const CostGraph& graph)
{
    std::vector<NodeId> lastUse(graph.nodes.size());
    for (NodeId i = 0; i < graph.size(); ++i) {
        lastUse[static_cast<std::size_t>(i)] = i;
        for (const NodeId u : graph.nodes[static_cast<std::size_t>(i)].inputs)
            lastUse[static_cast<std::size_t>(u)] = i;
    }
    std::int64_t peak = 0;
    for (NodeId t = 0; t < graph.size(); ++t) {
        std::int64_t live = graph.nodes[static_cast<std::size_t>(t)].workspaceBytes;
        for (NodeId i = 0; i <= t; ++i)
            if (lastUse[static_cast<std::size_t>(i)] >= t)
                live += graph.nodes[static_cast<std::size_t>(i)].bytes;
        peak = std::max(peak, live);
    }
    return peak;
}

std::int64_t largestWorkingSet(const CostGraph& graph)
{
    std::int64_t largest = 0;
    for (const CostNode& node : graph.nodes) {
        std::int64_t set = node.bytes + node.workspaceBytes;
        for (const NodeId u : node.inputs)
            set += graph.nodes[static_cast<std::size_t>(u)].bytes;
        largest = std::max(largest, set);
    }
    return largest;
}

double keepAllSeconds(const CostGraph& graph)
{
    double seconds = 0;
    for (const CostNode& node : graph.nodes)
        seconds += node.compute.seconds;
    return seconds;
}

double keepAllJoules(const CostGraph& graph, TransferModel transfer)
{
    double joules = transfer == TransferModel::Paper ? 0 : graph.device.idleWatts * keepAllSeconds(graph);
    for (const CostNode& node : graph.nodes)
        joules += node.compute.joules;
    return joules;
}

std::int64_t spanBudget(const CostGraph& graph, int percent)
{
    const std::int64_t wall = largestWorkingSet(graph);
    return wall + (keepAllPeak(graph) - wall) * percent / 100;
}

}  // namespace poet::testing

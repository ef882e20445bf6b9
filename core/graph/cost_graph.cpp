// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/cost_graph.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace poet {
namespace {

constexpr std::array kTransferNames{std::pair{TransferModel::Paper, std::string_view("paper")},
                                    std::pair{TransferModel::Blocking, std::string_view("blocking")},
                                    std::pair{TransferModel::Dma, std::string_view("dma")}};
constexpr std::int64_t kLargestSum = std::int64_t{1} << 62;
constexpr std::int64_t kLargestBlock = std::int64_t{1} << 40;  // so that sizes rounded up to blocks still fit
constexpr double kLargestCost = 1e100;                          // so that sums over all runs stay finite

Expected<void> checkCost(const Cost& cost, const std::string& where, std::string_view field)
{
    for (const double value : {cost.joules, cost.seconds})
        if (!std::isfinite(value) || value < 0 || value > kLargestCost)
            return fail(ErrorCode::BadModel, where + ": '" + std::string(field) + "' must be finite, not negative and at most 1e100.",
                        "Correct the cost.");
    return {};
}

Expected<void> checkNode(const CostGraph& graph, NodeId id)
{
    const CostNode& node = graph.nodes[static_cast<std::size_t>(id)];
    const std::string where = "Node " + std::to_string(id) + " '" + node.name + "'";
    for (std::size_t k = 0; k < node.inputs.size(); ++k) {
        const NodeId input = node.inputs[k];
        if (input < 0 || input >= graph.size())
            return fail(ErrorCode::BadModel, where + " reads node " + std::to_string(input) + ", which does not exist.", "Correct its inputs.");
        if (input >= id)
            return fail(ErrorCode::BadModel, where + " reads node " + std::to_string(input) + ", which does not come before it (a cycle or a wrong order).",
                        "List the nodes in execution order.");
        if (std::find(node.inputs.begin(), node.inputs.begin() + static_cast<std::ptrdiff_t>(k), input) != node.inputs.begin() + static_cast<std::ptrdiff_t>(k))
            return fail(ErrorCode::BadModel, where + " lists input " + std::to_string(input) + " twice.", "List each input once.");
    }
    if (node.bytes < 0 || node.workspaceBytes < 0)
        return fail(ErrorCode::BadModel, where + " has a negative size.", "Correct its sizes.");
    if (node.recomputable && node.phase == Phase::Backward)
        return fail(ErrorCode::BadModel, where + " is a backward node and must not be recomputable: running it twice would change the gradients.",
                    "Set 'recomputable' to false.");
    POET_CHECK(checkCost(node.compute, where, "compute"));
    POET_CHECK(checkCost(node.pageIn, where, "page_in"));
    return checkCost(node.pageOut, where, "page_out");
}

}  // namespace

std::string_view name(TransferModel model)
{
    for (const auto& [value, text] : kTransferNames)
        if (value == model)
            return text;
    return "?";
}

std::optional<TransferModel> transferModelFromName(std::string_view text)
{
    for (const auto& [value, known] : kTransferNames)
        if (known == text)
            return value;
    return std::nullopt;
}

std::vector<std::vector<NodeId>> CostGraph::consumers() const
{
    std::vector<std::vector<NodeId>> result(nodes.size());
    for (NodeId id = 0; id < size(); ++id)
        for (const NodeId input : nodes[static_cast<std::size_t>(id)].inputs)
            result[static_cast<std::size_t>(input)].push_back(id);
    return result;
}

bool CostGraph::reads(NodeId reader, NodeId node) const
{
    const auto& inputs = nodes[static_cast<std::size_t>(reader)].inputs;
    return std::find(inputs.begin(), inputs.end(), node) != inputs.end();
}

std::int64_t CostGraph::workingSetBytes(NodeId id) const
{
    const CostNode& node = nodes[static_cast<std::size_t>(id)];
    std::int64_t sum = node.bytes + node.workspaceBytes;
    for (const NodeId input : node.inputs)
        sum += nodes[static_cast<std::size_t>(input)].bytes;
    return sum;
}

NodeId CostGraph::largestWorkingSetNode() const
{
    NodeId best = -1;
    for (NodeId id = 0; id < size(); ++id)
        if (best < 0 || workingSetBytes(id) > workingSetBytes(best))
            best = id;
    return best;
}

bool CostGraph::mayRecompute(NodeId id, TransferModel model) const
{
    const CostNode& node = nodes[static_cast<std::size_t>(id)];
    return node.recomputable && node.phase == Phase::Forward && (model == TransferModel::Paper || !node.inputs.empty());
}

Expected<void> validate(const CostGraph& graph)
{
    if (graph.nodes.empty())
        return fail(ErrorCode::BadModel, "The graph has no nodes.", "Give at least one node.");
    std::int64_t sum = graph.device.residentBytes;
    const DeviceTerms& device = graph.device;
    if (device.residentBytes < 0 || device.residentBytes > kLargestSum || device.alignment < 1 || device.alignment > kLargestBlock ||
        device.storeBlockBytes < 1 || device.storeBlockBytes > kLargestBlock || device.storeCapacityBytes.value_or(0) < 0 ||
        device.writeLimitBytesPerStep.value_or(0) < 0 || !std::isfinite(device.idleWatts) || device.idleWatts < 0 || device.idleWatts > kLargestCost ||
        (device.periodSeconds && !(*device.periodSeconds > 0 && *device.periodSeconds <= kLargestCost)) ||
        !(device.transferSlowdown >= 1 && device.transferSlowdown <= 1e6))
        return fail(ErrorCode::BadModel, "The graph's 'device' holds a value out of range.",
                    "Sizes and powers must be finite and not negative, a period positive, a slowdown at least 1, alignment and blocks from 1 B to 1 TiB.");
    for (NodeId id = 0; id < graph.size(); ++id) {
        POET_CHECK(checkNode(graph, id));
        const CostNode& node = graph.nodes[static_cast<std::size_t>(id)];
        for (const std::int64_t size : {node.bytes, node.workspaceBytes}) {
            if (size <= kLargestSum - sum) {
                sum += size;
                continue;
            }
            return fail(ErrorCode::BadModel, "The sizes up to node " + std::to_string(id) + " '" + node.name + "' add up to more than 4 EiB.",
                        "Correct the sizes.");
        }
    }
    return {};
}

}  // namespace poet

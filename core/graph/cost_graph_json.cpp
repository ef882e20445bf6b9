// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/cost_graph_json.h"

#include "core/base/json_reader.h"

#include <nlohmann/json.hpp>

namespace poet {

using nlohmann::ordered_json;

namespace {

Cost readCost(ObjectReader& node, std::string_view key)
{
    const ordered_json* value = node.object(key);
    if (!value)
        return {};
    ObjectReader reader(*value, node.path() + ": '" + std::string(key) + "'", ErrorCode::BadModel);
    reader.onlyKnown({"joules", "seconds"});
    const Cost cost{reader.number("joules"), reader.number("seconds")};
    node.adopt(reader.result());
    return cost;
}

void readInputs(ObjectReader& reader, CostNode& node)
{
    const ordered_json* inputs = reader.array("inputs");
    if (!inputs)
        return;
    for (const auto& input : *inputs) {
        if (!input.is_number_integer() || input.get<double>() < 0 || input.get<double>() > 1e9) {
            reader.complain("inputs", "must hold indices of earlier nodes");
            return;
        }
        node.inputs.push_back(input.get<NodeId>());
    }
}

Expected<CostNode> readNode(const ordered_json& value, const std::string& path)
{
    ObjectReader reader(value, path, ErrorCode::BadModel);
    reader.onlyKnown({"name", "phase", "inputs", "bytes", "workspace_bytes", "compute", "page_in", "page_out", "recomputable", "pageable"});
    CostNode node;
    node.name = reader.text("name");
    const std::string phase = reader.text("phase");
    if (phase == "backward")
        node.phase = Phase::Backward;
    else if (phase != "forward")
        reader.complain("phase", "must be \"forward\" or \"backward\"");
    readInputs(reader, node);
    node.bytes = reader.integer("bytes");
    node.workspaceBytes = reader.integer("workspace_bytes", 0, 0);
    node.compute = readCost(reader, "compute");
    node.pageIn = readCost(reader, "page_in");
    node.pageOut = readCost(reader, "page_out");
    node.recomputable = reader.flag("recomputable");
    node.pageable = reader.flag("pageable", true);
    POET_CHECK(reader.result());
    return node;
}

Expected<DeviceTerms> readDevice(const ordered_json& value, const std::string& path)
{
    ObjectReader reader(value, path, ErrorCode::BadModel);
    reader.onlyKnown({"transfer", "idle_watts", "resident_bytes", "alignment", "store_capacity_bytes", "store_block_bytes", "write_limit_bytes_per_step",
                      "period_seconds", "transfer_slowdown"});
    DeviceTerms device;
    if (reader.has("transfer")) {
        const auto model = transferModelFromName(reader.text("transfer"));
        if (model)
            device.transfer = *model;
        else
            reader.complain("transfer", "must be paper, blocking or dma");
    }
    device.idleWatts = reader.number("idle_watts", 0, 0);
    device.residentBytes = reader.integer("resident_bytes", 0, 0);
    device.alignment = reader.integer("alignment", 1, 1);
    device.storeBlockBytes = reader.integer("store_block_bytes", 1, 1);
    if (reader.has("store_capacity_bytes"))
        device.storeCapacityBytes = reader.integer("store_capacity_bytes");
    if (reader.has("write_limit_bytes_per_step"))
        device.writeLimitBytesPerStep = reader.integer("write_limit_bytes_per_step");
    if (reader.has("period_seconds"))
        device.periodSeconds = reader.number("period_seconds");
    device.transferSlowdown = reader.number("transfer_slowdown", 1, 1);
    POET_CHECK(reader.result());
    return device;
}

ordered_json costJson(const Cost& cost)
{
    return {{"joules", cost.joules}, {"seconds", cost.seconds}};
}

ordered_json deviceJson(const DeviceTerms& device)
{
    ordered_json out{{"transfer", name(device.transfer)},
                     {"idle_watts", device.idleWatts},
                     {"resident_bytes", device.residentBytes},
                     {"alignment", device.alignment},
                     {"store_block_bytes", device.storeBlockBytes}};
    if (device.storeCapacityBytes)
        out["store_capacity_bytes"] = *device.storeCapacityBytes;
    if (device.writeLimitBytesPerStep)
        out["write_limit_bytes_per_step"] = *device.writeLimitBytesPerStep;
    if (device.periodSeconds)
        out["period_seconds"] = *device.periodSeconds;
    if (device.transferSlowdown != 1)
        out["transfer_slowdown"] = device.transferSlowdown;
    return out;
}

}  // namespace

Expected<CostGraph> parseCostGraph(std::string_view json, std::string_view where)
{
    POET_TRY(value, parseJson(json, where, ErrorCode::BadModel));
    return readCostGraph(value, where);
}

Expected<CostGraph> readCostGraph(const ordered_json& value, std::string_view where)
{
    ObjectReader reader(value, std::string(where), ErrorCode::BadModel);
    reader.expectFormat("poet-graph", 1);
    reader.onlyKnown({"format", "version", "name", "nodes", "device"});
    CostGraph graph;
    graph.name = reader.text("name", "");
    const ordered_json* nodes = reader.array("nodes");
    POET_CHECK(reader.result());
    for (std::size_t i = 0; i < nodes->size(); ++i) {
        POET_TRY(node, readNode((*nodes)[i], std::string(where) + ": nodes[" + std::to_string(i) + "]"));
        graph.nodes.push_back(std::move(node));
    }
    if (const ordered_json* device = reader.object("device", false)) {
        POET_TRY(terms, readDevice(*device, std::string(where) + ": device"));
        graph.device = terms;
    }
    POET_CHECK(reader.result());
    if (auto checked = validate(graph); !checked)
        return fail(checked.error().code, std::string(where) + ": " + checked.error().message, checked.error().hint);
    return graph;
}

std::string toJson(const CostGraph& graph)
{
    ordered_json nodes = ordered_json::array();
    for (const CostNode& node : graph.nodes)
        nodes.push_back({{"name", node.name},
                         {"phase", node.phase == Phase::Forward ? "forward" : "backward"},
                         {"inputs", node.inputs},
                         {"bytes", node.bytes},
                         {"workspace_bytes", node.workspaceBytes},
                         {"compute", costJson(node.compute)},
                         {"page_in", costJson(node.pageIn)},
                         {"page_out", costJson(node.pageOut)},
                         {"recomputable", node.recomputable},
                         {"pageable", node.pageable}});
    const ordered_json out{{"format", "poet-graph"}, {"version", 1}, {"name", graph.name}, {"nodes", std::move(nodes)}, {"device", deviceJson(graph.device)}};
    return out.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/inspect_report.h"

#include "core/export/plan_parts.h"

#include <nlohmann/json.hpp>

namespace poet {

namespace {

using Json = nlohmann::ordered_json;

Json nodeJson(const TrainingNode& node, const TrainingGraph& graph)
{
    Json json{{"name", node.name}, {"op", node.op}, {"role", name(node.role)}, {"inputs", node.inputs},
              {"type", name(node.type)}, {"shape", node.shape}, {"bytes", node.bytes},
              {"workspace_bytes", node.workspaceBytes}, {"recomputable", node.recomputable}};
    Json work = Json::array();
    for (const Work& part : node.work)
        work.push_back({{"op", part.op}, {"shape", part.key}, {"class", name(part.opClass)}, {"flops", part.flops},
                        {"bytes_read", part.bytesRead}, {"bytes_written", part.bytesWritten}});
    json["work"] = std::move(work);
    const auto names = [&graph](const std::vector<int>& list) {
        Json result = Json::array();
        for (const int parameter : list)
            result.push_back(graph.parameters[static_cast<std::size_t>(parameter)].name);
        return result;
    };
    json["parameters"] = names(node.parametersRead);
    json["parameter_gradients"] = names(node.parameterGradients);
    if (!node.block.empty())
        json["block"] = node.block;
    return json;
}

void addSummary(Json& json, const TrainingSummary& summary)
{
    json["saved"] = {{"activation_bytes", summary.activationBytes}, {"index_elements", summary.indexElements},
                     {"index_bytes", summary.indexBytes}, {"mask_elements", summary.maskElements},
                     {"mask_bytes", summary.maskBytes}, {"held_bytes", summary.heldBytes}, {"by_operator", summary.bytesByOperator}};
    json["parameter_bytes"] = summary.parameterBytes;
    json["buffer_bytes"] = summary.bufferBytes;
    json["gradient_bytes"] = summary.gradientBytes;
    json["optimizer_bytes"] = summary.optimizerBytes;
    json["input_bytes"] = summary.inputBytes;
    json["forward_macs"] = summary.forwardMacs;
    json["backward_macs"] = summary.backwardMacs;
    json["forward_flops"] = summary.forwardFlops;
    json["backward_flops"] = summary.backwardFlops;
    json["moved_bytes"] = summary.movedBytes;
    json["flops_per_byte"] = summary.arithmeticIntensity();
}

/// What became of the file: operators and how they are taken, notes by kind.
void addTreatment(Json& json, const InspectReport& report)
{
    Json counts = Json::object(), treatments = Json::object(), kinds = Json::object(), notes = Json::array();
    for (const auto& [op, use] : operatorUses(report)) {
        if (use.count == 0)
            continue;
        if (!use.isView)
            counts[op] = use.count;
        treatments[op] = use.isConservative ? "conservative" : use.isView ? "view" : "rule";
    }
    for (const NoteKind kind : kNoteKinds)
        kinds[std::string(name(kind))] = Json::array();
    for (const Note& note : report.model.training->notes) {
        notes.push_back(note.text());
        kinds[std::string(name(note.kind))].push_back(note.text());
    }
    json["operators"] = std::move(counts);
    json["treatment"] = std::move(treatments);
    json["import"] = std::move(kinds);
    json["notes"] = std::move(notes);
}

void addTraining(Json& json, const InspectReport& report)
{
    const TrainingGraph& graph = *report.model.training;
    json["loss"] = graph.loss;
    json["optimizer"] = name(graph.optimizer);
    json["keep"] = name(graph.keeping);
    json["freeze"] = graph.freeze;
    if (report.freezing)
        json["freezing"] = freezingJson(*report.freezing);
    addSummary(json, report.summary);
    addTreatment(json, report);
    Json parameters = Json::array();
    for (const TrainingParameter& parameter : graph.parameters)
        parameters.push_back({{"name", parameter.name}, {"type", name(parameter.type)}, {"shape", parameter.shape},
                              {"bytes", parameter.bytes}, {"trained", parameter.isTrained}, {"buffer", parameter.isBuffer}});
    json["parameters"] = std::move(parameters);
    Json nodes = Json::array();
    for (const TrainingNode& node : graph.nodes)
        nodes.push_back(nodeJson(node, graph));
    json["nodes"] = std::move(nodes);
}

void addCostNodes(Json& json, const CostGraph& graph)
{
    Json nodes = Json::array();
    for (const CostNode& node : graph.nodes)
        nodes.push_back({{"name", node.name}, {"role", node.phase == Phase::Forward ? "forward" : "backward"},
                         {"inputs", node.inputs}, {"bytes", node.bytes}, {"workspace_bytes", node.workspaceBytes},
                         {"recomputable", node.recomputable}});
    json["nodes"] = std::move(nodes);
    json["notes"] = Json::array();
}

}  // namespace

std::string reportJson(const InspectReport& report)
{
    const CostGraph& costs = *report.model.costs;
    Json json{{"format", "poet-inspect"}, {"version", 1}, {"name", costs.name}, {"node_count", costs.size()}};
    json.update(figuresJson(report.figures));
    if (report.pytorch) {
        json["pytorch_keep_all_peak_bytes"] = report.pytorch->peakBytes;
        json["pytorch_keeps_more"] = {{"mask_bytes", report.pytorch->maskBytes}, {"held_bytes", report.pytorch->heldBytes}, {"other_bytes", report.pytorch->otherBytes}};
    }
    json["largest_working_set_node"] = report.figures.wallNode < 0 ? "" : costs.nodes[static_cast<std::size_t>(report.figures.wallNode)].name;
    if (report.model.training)
        addTraining(json, report);
    else
        addCostNodes(json, costs);
    return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace poet

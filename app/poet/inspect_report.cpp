// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "app/poet/inspect_report.h"

#include "app/poet/read_training.h"
#include "core/base/units.h"
#include "core/planning/problem.h"
#include "core/schedule/replay.h"
#include "core/schedule/stage_bytes.h"

#include <nlohmann/json.hpp>

#include <map>
#include <sstream>

namespace poet {

using Json = nlohmann::ordered_json;

namespace {

/// Keep-all peak with resident bytes, of the model as eager PyTorch on a CPU keeps it.
Expected<std::int64_t> pytorchPeak(const LoadedModel& model, const ModelOptions& options)
{
    POET_TRY(graph, keptLikePyTorch(*model.training, options));
    const CostGraph costs = neutralCosts(graph);
    POET_TRY(played, replay(costs, TransferModel::Blocking, keepAllSchedule(costs)));
    return played.peakBytes + model.costs->device.residentBytes;
}

}  // namespace

Expected<InspectReport> inspectModel(const LoadedModel& model, const ModelOptions& options)
{
    InspectReport report;
    report.training = model.training;
    report.costs = model.costs;
    if (model.training)
        report.summary = summarize(*model.training);
    POET_TRY(facts, planning::findFacts(*model.costs, model.transfer));
    if (model.training) {
        POET_TRY(peak, pytorchPeak(model, options));
        report.pytorchPeakBytes = peak;
    }
    report.residentBytes = model.costs->device.residentBytes;
    report.keepAllPeakBytes = facts.keepAllPeakBytes;
    report.keepAllSeconds = facts.keepAll.seconds;
    report.keepAllJoules = facts.keepAll.energyJoules;
    report.hasDevice = facts.keepAll.energyJoules > 0;
    const Wall wall = findReachableWall(*model.costs, model.transfer);  // what a plan needs, not only one stage of it
    report.largestWorkingSetBytes = wall.bytes + report.residentBytes;
    if (wall.node >= 0)
        report.largestWorkingSetNode = model.costs->nodes[static_cast<std::size_t>(wall.node)].name;
    return report;
}

namespace {

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

/// Forward operations by type.
std::map<std::string, int> operatorCounts(const TrainingGraph& graph)
{
    std::map<std::string, int> counts;
    for (const TrainingNode& node : graph.nodes)
        if (node.role == NodeRole::Forward)
            ++counts[node.op];
    return counts;
}

void addTraining(Json& json, const TrainingGraph& graph, const TrainingSummary& summary)
{
    json["loss"] = graph.loss;
    json["optimizer"] = name(graph.optimizer);
    json["keep"] = name(graph.keeping);
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
    json["operators"] = operatorCounts(graph);
    Json parameters = Json::array();
    for (const TrainingParameter& parameter : graph.parameters)
        parameters.push_back({{"name", parameter.name}, {"type", name(parameter.type)}, {"shape", parameter.shape},
                              {"bytes", parameter.bytes}, {"trained", parameter.isTrained}, {"buffer", parameter.isBuffer}});
    json["parameters"] = std::move(parameters);
    Json nodes = Json::array();
    for (const TrainingNode& node : graph.nodes)
        nodes.push_back(nodeJson(node, graph));
    json["nodes"] = std::move(nodes);
    json["notes"] = graph.notes;
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

void line(std::ostream& out, const std::string& label, const std::string& value)
{
    out << "  " << label << std::string(label.size() < 26 ? 26 - label.size() : 1, ' ') << value << '\n';
}

void writeMemory(std::ostream& out, const InspectReport& report)
{
    out << "Memory\n";
    line(out, "keep-all peak", formatBytes(report.keepAllPeakBytes) + " (resident " + formatBytes(report.residentBytes) + " included)");
    if (report.pytorchPeakBytes && report.training->keeping != Keeping::PyTorch)
        line(out, "  as PyTorch keeps", formatBytes(*report.pytorchPeakBytes) + " (eager, on a CPU: --keep pytorch)");
    line(out, "largest working set", formatBytes(report.largestWorkingSetBytes) + " at " + report.largestWorkingSetNode);
    if (!report.training)
        return;
    const TrainingSummary& s = report.summary;
    line(out, "saved for backward", formatBytes(s.activationBytes) + " (indices " + formatBytes(s.indexBytes) + ", masks " + formatBytes(s.maskBytes) + ")");
    line(out, "weights", formatBytes(s.parameterBytes) + ", buffers and constants " + formatBytes(s.bufferBytes));
    line(out, "gradients, optimizer", formatBytes(s.gradientBytes) + ", " + formatBytes(s.optimizerBytes) + " (" + std::string(name(report.training->optimizer)) + ")");
    line(out, "inputs and targets", formatBytes(s.inputBytes));
}

void writeOperators(std::ostream& out, const InspectReport& report)
{
    out << "Forward operations (number, bytes that backward keeps for them)\n";
    std::map<std::string, std::int64_t> kept = report.summary.bytesByOperator;
    for (const auto& [op, count] : operatorCounts(*report.training)) {
        line(out, op, std::to_string(count) + ", " + formatBytes(kept[op]));
        kept.erase(op);
    }
    for (const auto& [op, bytes] : kept)
        if (bytes > 0)
            line(out, op, "loss, " + formatBytes(bytes));
}

}  // namespace

std::string reportJson(const InspectReport& report)
{
    Json json{{"format", "poet-inspect"}, {"version", 1}, {"name", report.costs->name}, {"node_count", report.costs->size()}};
    json["keep_all_peak_bytes"] = report.keepAllPeakBytes;
    if (report.pytorchPeakBytes)
        json["pytorch_keep_all_peak_bytes"] = *report.pytorchPeakBytes;
    json["largest_working_set_bytes"] = report.largestWorkingSetBytes;
    json["largest_working_set_node"] = report.largestWorkingSetNode;
    json["resident_bytes"] = report.residentBytes;
    json["keep_all_seconds"] = report.hasDevice ? Json(report.keepAllSeconds) : Json(nullptr);
    json["keep_all_energy_joules"] = report.hasDevice ? Json(report.keepAllJoules) : Json(nullptr);
    if (report.training)
        addTraining(json, *report.training, report.summary);
    else
        addCostNodes(json, *report.costs);
    return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string reportText(const InspectReport& report)
{
    std::ostringstream out;
    out << report.costs->name << ": " << report.costs->size() << " nodes in one training step\n";
    writeMemory(out, report);
    if (report.hasDevice) {
        out << "One keep-all step\n";
        line(out, "time, energy", formatSeconds(report.keepAllSeconds) + ", " + formatJoules(report.keepAllJoules));
    }
    if (!report.training)
        return out.str();
    const TrainingSummary& s = report.summary;
    out << "Work\n";
    line(out, "forward", formatSi(s.forwardFlops, "FLOP") + " (" + formatSi(s.forwardMacs, "MAC") + ")");
    line(out, "backward", formatSi(s.backwardFlops, "FLOP") + " (" + formatSi(s.backwardMacs, "MAC") + ")");
    line(out, "per byte moved", formatSi(s.arithmeticIntensity(), "FLOP/B"));
    writeOperators(out, report);
    if (!report.training->notes.empty())
        out << "Notes\n";
    for (const std::string& note : report.training->notes)
        out << "  - " << note << '\n';
    return out.str();
}

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "app/poet/export_firmware.h"

#include "app/poet/export_lowering.h"
#include "app/poet/read_training.h"
#include "core/base/units.h"
#include "core/device/resource_folder.h"
#include "core/export/firmware/c_folder.h"
#include "core/export/firmware/views.h"

namespace poet {
namespace {

using firmware::BoundModel;
using firmware::Program;

/// The model of the plan, from the path that the schedule file names relative to itself.
Expected<TrainingGraph> trainingOf(const FirmwareExport& request, const PlanSource& source)
{
    if (source.model.empty() || source.model == "-" || source.model.ends_with(".json"))
        return fail(ErrorCode::BadUsage, "'" + request.schedule + "' was planned from a cost graph, which has no operators to export kernels for.",
                    "Plan from an ONNX file.");
    if (source.keep == name(Keeping::PyTorch))
        return fail(ErrorCode::BadUsage, "'" + request.schedule + "' keeps what PyTorch keeps, which the exported kernels do not make.",
                    "Solve again without --keep pytorch.");
    return readTrainingOf(source, request.schedule);
}

Expected<void> checkSameGraph(const TrainingGraph& training, const CostGraph& costs)
{
    bool isSame = training.nodes.size() == costs.nodes.size();
    for (std::size_t i = 0; isSame && i < training.nodes.size(); ++i)
        isSame = training.nodes[i].name == costs.nodes[i].name && training.nodes[i].inputs == costs.nodes[i].inputs;
    if (!isSame)
        return fail(ErrorCode::BadModel, "The model is no longer the one that the schedule was planned for.", "Solve again.");
    return {};
}

std::string planText(const Plan& plan)
{
    return "memory " + std::to_string(plan.memoryBytes) + " B, " + (plan.deadlineSeconds ? "deadline " + formatSeconds(*plan.deadlineSeconds) : "no deadline") + ", " +
           std::string(name(plan.strategy)) + ", gap " + formatPercent(plan.gapPercent());
}

std::string reportText(const PlanFile& file, const Program& program)
{
    const auto line = [](std::string_view what, const std::string& value) { return std::string(what) + std::string(what.size() < 24 ? 24 - what.size() : 1, ' ') + value + "\n"; };
    std::string out = line("model", file.graph.name) + line("plan", planText(file.plan)) + line("status", std::string(name(file.plan.status)));
    out += line("arena", std::to_string(program.arenaBytes) + " B by " + program.arenaMethod);
    for (const ArenaRegion& region : program.regions)
        out += line("  in " + region.name, std::to_string(region.bytes) + " B" + (region.hasDma ? "" : ", out of reach of DMA"));
    out += line("lower bound", std::to_string(program.lowerBoundBytes) + " B (replayed peak " + std::to_string(file.plan.replay.peakBytes) + " B)");
    out += line("resident", std::to_string(file.graph.device.residentBytes) + " B");
    out += line("energy", formatJoules(file.plan.replay.energyJoules)) + line("time", formatSeconds(file.plan.replay.seconds));
    out += line("moved", std::to_string(program.outBytes) + " B out, " + std::to_string(program.inBytes) + " B in");
    out += line("recomputed", std::to_string(file.plan.replay.recomputedNodes) + " nodes") + line("instructions", std::to_string(program.code.size()));
    out += line("steps until wear-out", program.wearOutSteps == 0xFFFFFFFF ? "no wear" : std::to_string(program.wearOutSteps));
    return out;
}

/// The plan with the place of everything in it.
PlanFile withOffsets(PlanFile file, const Program& program)
{
    Schedule& schedule = file.plan.replay.schedule;
    schedule.regions = program.regions;
    for (std::size_t i = 0; i < schedule.steps.size() && i < program.stepOffsets.size(); ++i)
        schedule.steps[i].offset = program.stepOffsets[i];
    return file;
}

/// Fills in what every folder has, and writes it.
Expected<void> writeInput(const FirmwareExport& request, const PlanFile& file, firmware::FolderInput& input, const std::string& notes)
{
    input.identifier = firmware::identifierOf(request.name.empty() ? file.graph.name : request.name);
    input.device = file.plan.source.device;
    input.planText = planText(file.plan);
    input.scheduleJson = toJson(withOffsets(file, *input.program));
    input.buffersCsv = firmware::buffersCsv(*input.program);
    input.report = reportText(file, *input.program) + notes;
    input.runtime = resourceFolder() / "runtime";
    POET_TRY(files, firmware::makeFolder(input));
    return firmware::writeFolder(request.output, files);
}

}  // namespace

Expected<Program> lowerPlan(const FirmwareExport& request, PlanFile& file)
{
    std::string report;
    if (!request.withKernels)
        return lowerForDevice(request, file, nullptr, report);
    POET_TRY(training, trainingOf(request, file.plan.source));
    POET_CHECK(checkSameGraph(training, file.graph));
    POET_TRY(model, firmware::bindModel(training, file.graph));
    return lowerForDevice(request, file, &model, report);
}

namespace {

/// A folder whose kernels the user writes.
Expected<void> exportExternal(const FirmwareExport& request, PlanFile& file)
{
    const BoundModel model = firmware::externalModel(file.graph);
    std::string notes;
    POET_TRY(program, lowerForDevice(request, file, &model, notes));
    firmware::FolderInput input;
    input.program = &program;
    input.model = &model;
    input.hasHostProgram = false;
    return writeInput(request, file, input, notes);
}

}  // namespace

Expected<void> exportFolder(const FirmwareExport& request, PlanFile& file)
{
    auto training = trainingOf(request, file.plan.source);
    if (!training && !request.withKernels)
        return exportExternal(request, file);
    if (!training)
        return std::unexpected(training.error());
    POET_CHECK(checkSameGraph(*training, file.graph));
    auto bound = firmware::bindModel(*training, file.graph);
    if (!bound && !request.withKernels && bound.error().code == ErrorCode::UnsupportedOp)
        return exportExternal(request, file);
    if (!bound)
        return std::unexpected(bound.error());
    std::string notes;
    POET_TRY(program, lowerForDevice(request, file, &*bound, notes));
    firmware::FolderInput input;
    input.program = &program;
    input.model = &*bound;
    auto parameters = firmware::initialParameters(*training, *bound);
    const bool isForTimesOnly = request.withKernels && request.calibrate;  // any weights do
    if (!parameters && request.withKernels && !isForTimesOnly)
        return std::unexpected(parameters.error());
    input.hasHostProgram = parameters.has_value() || isForTimesOnly;
    input.parameters = parameters ? std::move(*parameters) : std::string(static_cast<std::size_t>(bound->parameterBytes), '\0');
    if (!parameters)
        notes += "The model file holds no weights: parameters start as zeros; fill them before the first step.\n";
    input.optimizer = training->optimizer;
    // A node of one part is a row by its shape; others are rows by their node's name.
    for (std::size_t i = 0; request.calibrate && i < training->nodes.size(); ++i) {
        const TrainingNode& node = training->nodes[i];
        const bool isOne = node.work.size() == 1;
        input.rows.emplace_back(node.work.empty() ? node.op : node.work.front().op, isOne ? node.work.front().key : "node=" + node.name);
    }
    return writeInput(request, file, input, notes);
}

}  // namespace poet

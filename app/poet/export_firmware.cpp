// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "app/poet/export_firmware.h"

#include "app/poet/read_training.h"
#include "core/base/units.h"
#include "core/device/profile_store.h"
#include "core/device/resource_folder.h"
#include "core/export/firmware/c_folder.h"
#include "core/export/firmware/views.h"
#include "core/planning/planner.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <limits>

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

/// What the store of the planned device says about pages and wear.
void describeStore(const PlanFile& file, firmware::LowerOptions& options, const StoreProfile** store, DeviceProfile& profile)
{
    options.pageBlockBytes = static_cast<std::uint32_t>(std::max<std::int64_t>(file.graph.device.storeBlockBytes, 1));
    if (file.plan.source.device.empty())
        return;
    auto read = loadDevice(file.plan.source.device);
    if (!read)
        return;
    profile = std::move(*read);
    *store = profile.store("");
    options.alignment = static_cast<std::uint32_t>(std::max<std::int64_t>(profile.alignment, 4));
    if (profile.accounting == Accounting::Paper)
        options.alignment = 4;
    if (*store)
        options.eraseBlockBytes = static_cast<std::uint32_t>((*store)->eraseBlockBytes);
}

/// Steps until the store is worn out (firmware.md, section 7).
std::uint32_t wearOutSteps(const Program& program, const StoreProfile& store)
{
    const double written = static_cast<double>(program.storeBlocks) * program.pageBlockBytes;
    const double amplification = store.writeAmplification ? store.writeAmplification->value : 1;
    double steps = std::numeric_limits<double>::infinity();
    if (written <= 0)
        return 0xFFFFFFFF;
    if (store.ratedBytesWritten)
        steps = store.ratedBytesWritten->value / (written * amplification);
    else if (store.endurance && store.wearLevelling == "ring" && store.capacity)
        steps = store.endurance->value * store.capacity->value / (written * amplification);
    else if (store.endurance && store.eraseBlockBytes > 0)
        steps = store.endurance->value;
    return steps < 4294967295.0 ? static_cast<std::uint32_t>(steps) : 0xFFFFFFFF;
}

std::vector<std::uint32_t> workBytes(const BoundModel& model)
{
    std::vector<std::uint32_t> bytes;
    for (const firmware::BoundCall& call : model.nodes)
        bytes.push_back(static_cast<std::uint32_t>(call.workBytes));
    return bytes;
}

/// Another plan for `memoryBytes`, offsets left aside. The file stays as it is when there is none.
bool planAgain(PlanFile& file, std::int64_t memoryBytes, Strategy strategy)
{
    planning::Problem problem;
    problem.graph = std::make_shared<const CostGraph>(file.graph);
    problem.transfer = file.plan.transfer;
    problem.strategy = strategy;
    problem.memoryBytes = memoryBytes;
    problem.deadlineSeconds = file.plan.deadlineSeconds;
    planning::ProgressSink sink;
    planning::SolveParams params;
    params.timeLimitSeconds = 20;
    auto plan = planning::solve(problem, params, sink);
    if (!plan || !plan->hasSchedule())
        return false;
    plan->source = file.plan.source;
    file.plan = std::move(*plan);
    return true;
}

/// What may be tried when no offsets fit: less memory three times, then plans that other strategies make of the same
/// decisions.
Expected<Program> lowerOtherPlans(PlanFile& file, const firmware::LowerOptions& options, Expected<Program> program, std::string& report)
{
    const std::int64_t resident = file.graph.device.residentBytes, asked = file.plan.memoryBytes;
    const Strategy wanted = file.plan.strategy;
    const auto attempt = [&](std::int64_t memoryBytes, Strategy strategy) {
        const std::string text = "planned again, " + std::string(name(strategy)) + " in " + std::to_string(memoryBytes) + " B instead of " + std::to_string(asked) + " B";
        if (!planAgain(file, memoryBytes, strategy))
            return false;
        std::cerr << "poet: " << program.error().message << " So it was " << text << ".\n";
        report += "offsets did not fit: " + text + "\n";
        program = firmware::lower(file.graph, file.plan, options);
        return true;
    };
    const auto begin = std::chrono::steady_clock::now();
    const auto isTimeLeft = [&] { return std::chrono::steady_clock::now() - begin < std::chrono::seconds(60); };
    for (int i = 0; i < 3 && !program && isTimeLeft(); ++i) {
        // Below the peak, or the same plan comes back.
        const std::int64_t less = std::min(file.plan.replay.peakBytes - 1, (file.plan.memoryBytes - resident) * 97 / 100);
        if (!attempt(resident + less, wanted))
            break;
    }
    static constexpr Strategy kOthers[] = {Strategy::Recompute, Strategy::Paging, Strategy::Greedy, Strategy::Capuchin, Strategy::Dtr, Strategy::Sqrt, Strategy::PageAll};
    for (const Strategy other : kOthers)
        if (!program && wanted == Strategy::Integrated && isTimeLeft())
            attempt(asked, other);
    file.plan.strategy = wanted;
    return program;
}

Expected<Program> lowerWith(const FirmwareExport& request, PlanFile& file, const BoundModel* model, std::string& report)
{
    firmware::LowerOptions options;
    const StoreProfile* store = nullptr;
    DeviceProfile profile;
    describeStore(file, options, &store, profile);
    if (store && !store->refused.empty() && file.plan.replay.pagedOutBytes > 0)
        return fail(ErrorCode::BadUsage, "The store '" + store->id + "' must not hold pages: " + store->refused, "Choose another store or strategy.");
    if (model) {
        options.workBytes = workBytes(*model);
        options.inputOf = model->inputOf;
    }
    const std::int64_t asked = std::max(file.plan.memoryBytes - file.graph.device.residentBytes, file.plan.replay.peakBytes);
    options.arenaLimitBytes = asked;
    options.isStrict = true;
    auto program = firmware::lower(file.graph, file.plan, options);
    if (!program) {
        const Plan original = file.plan;
        program = lowerOtherPlans(file, options, std::move(program), report);
        if (!program && (request.allowsLargerArena || request.withKernels)) {
            // Rounded sizes, or scratch of the kernels that the plan did not know, need more than was asked at the wall.
            options.isStrict = false;
            if (request.allowsLargerArena)
                options.arenaLimitBytes = std::numeric_limits<std::int32_t>::max();
            file.plan = original;
            program = firmware::lower(file.graph, file.plan, options);
            if (program) {
                const std::string text = "the arena is " + std::to_string(program->arenaBytes - asked) + " B larger than the memory asked for: alignment, scratch of kernels or gaps, which no plan avoids";
                std::cerr << "poet: " << text << ".\n";
                report += text + "\n";
            }
        }
    }
    if (!program)
        return fail(program.error().code, program.error().message, "Solve with a larger --memory, or export with --allow-larger-arena.");
    if (store)
        program->wearOutSteps = wearOutSteps(*program, *store);
    return std::move(*program);
}

std::string planText(const Plan& plan)
{
    return "memory " + std::to_string(plan.memoryBytes) + " B, " + (plan.deadlineSeconds ? "deadline " + formatSeconds(*plan.deadlineSeconds) : "no deadline") + ", " +
           std::string(name(plan.strategy)) + ", gap " + formatPercent(plan.gapPercent());
}

std::string reportText(const PlanFile& file, const Program& program)
{
    const auto line = [](std::string_view what, const std::string& value) { return std::string(what) + std::string(24 - what.size(), ' ') + value + "\n"; };
    std::string out = line("model", file.graph.name) + line("plan", planText(file.plan)) + line("status", std::string(name(file.plan.status)));
    out += line("arena", std::to_string(program.arenaBytes) + " B by " + program.arenaMethod);
    out += line("lower bound", std::to_string(program.lowerBoundBytes) + " B (replayed peak " + std::to_string(file.plan.replay.peakBytes) + " B)");
    out += line("resident", std::to_string(file.graph.device.residentBytes) + " B");
    out += line("energy", formatJoules(file.plan.replay.energyJoules)) + line("time", formatSeconds(file.plan.replay.seconds));
    out += line("moved", std::to_string(program.outBytes) + " B out, " + std::to_string(program.inBytes) + " B in");
    out += line("recomputed", std::to_string(file.plan.replay.recomputedNodes) + " nodes") + line("instructions", std::to_string(program.code.size()));
    out += line("steps until wear-out", program.wearOutSteps == 0xFFFFFFFF ? "no wear" : std::to_string(program.wearOutSteps));
    return out;
}

/// Fills in what every folder has, and writes it.
Expected<void> writeInput(const FirmwareExport& request, const PlanFile& file, firmware::FolderInput& input, const std::string& notes)
{
    input.identifier = firmware::identifierOf(request.name.empty() ? file.graph.name : request.name);
    input.device = file.plan.source.device;
    input.planText = planText(file.plan);
    input.scheduleJson = toJson(file);
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
        return lowerWith(request, file, nullptr, report);
    POET_TRY(training, trainingOf(request, file.plan.source));
    POET_CHECK(checkSameGraph(training, file.graph));
    POET_TRY(model, firmware::bindModel(training, file.graph));
    return lowerWith(request, file, &model, report);
}

namespace {

/// A folder whose kernels the user writes.
Expected<void> exportExternal(const FirmwareExport& request, PlanFile& file)
{
    const BoundModel model = firmware::externalModel(file.graph);
    std::string notes;
    POET_TRY(program, lowerWith(request, file, &model, notes));
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
    POET_TRY(program, lowerWith(request, file, &*bound, notes));
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

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "app/poet/commands.h"
#include "app/poet/read_plan.h"
#include "app/poet/read_training.h"
#include "core/base/printable.h"
#include "core/device/profile_store.h"
#include "core/schedule/replay.h"
#include "core/schedule/uncertainty_report.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>

namespace poet {
namespace {

struct SensitivityArguments {
    std::vector<std::string> schedules;
    std::string device;          ///< empty: the one the first schedule was planned for
    std::string operatingPoint;
    std::vector<std::string> numbers;
    bool asJson = false;
    UncertaintyOptions sampling;
};

/// The model of a plan, from the path that the schedule file names relative to itself.
Expected<TrainingGraph> trainingOf(const std::string& schedulePath, const PlanSource& source)
{
    if (source.model.empty() || source.model == "-" || source.model.ends_with(".json"))
        return fail(ErrorCode::BadUsage, "'" + schedulePath + "' was planned from a cost graph, whose numbers have no origin.", "Plan from an ONNX file.");
    return readTrainingOf(source, schedulePath);
}

/// All schedules must be of one graph.
Expected<void> checkSameNodes(const TrainingGraph& training, const PlanFile& file, const std::string& path)
{
    const auto& nodes = file.graph.nodes;
    bool isSame = training.nodes.size() == nodes.size();
    for (std::size_t i = 0; isSame && i < nodes.size(); ++i)
        isSame = training.nodes[i].name == nodes[i].name && training.nodes[i].inputs == nodes[i].inputs;
    if (isSame)
        return {};
    return fail(ErrorCode::BadModel, "'" + path + "' was planned for another graph.", "Give schedules of one model, and solve again if it changed.");
}

/// A tenth to ten times the value of the profile.
SensitivityQuestion questionOn(const DeviceProfile& profile, const std::string& path, std::optional<double> deadline)
{
    constexpr double kReach = 10;
    const auto all = quantities(profile);
    const auto named = std::ranges::find(all, path, &NamedQuantity::path);
    const double now = named == all.end() ? 1 : named->quantity->value;
    return now > 0 ? SensitivityQuestion{path, now / kReach, now * kReach, deadline} : SensitivityQuestion{path, 0, 1, deadline};
}

Expected<Exit> answerSensitivity(const SensitivityArguments& arguments)
{
    POET_TRY(first, readPlan(arguments.schedules.front()));
    const std::string device = arguments.device.empty() ? first.plan.source.device : arguments.device;
    if (device.empty())
        return fail(ErrorCode::BadUsage, "'" + arguments.schedules.front() + "' names no device.", "Give --device.");
    POET_TRY(profile, loadDevice(device));
    POET_TRY(training, trainingOf(arguments.schedules.front(), first.plan.source));
    CostOptions options;
    options.operatingPoint = arguments.operatingPoint.empty() && arguments.device.empty() ? first.plan.source.operatingPoint : arguments.operatingPoint;
    options.periodSeconds = first.graph.device.periodSeconds;
    options.transfer = first.plan.transfer;
    SensitivityAnswer answer;
    answer.sampling = arguments.sampling;
    std::vector<Schedule> schedules;
    for (const std::string& path : arguments.schedules) {
        POET_TRY(file, readPlan(path));
        POET_CHECK(checkSameNodes(training, file, path));
        schedules.push_back(file.plan.replay.schedule);
        answer.schedules.push_back(path);
    }
    POET_TRY(costs, buildCostGraph(training, profile, options));
    POET_TRY(report, replay(costs, costs.device.transfer, schedules.front()));
    answer.median = {report.energyJoules, report.seconds};
    POET_TRY(uncertainty, planUncertainty(training, profile, options, schedules.front(), arguments.sampling));
    answer.uncertainty = std::move(uncertainty);
    for (const std::string& number : arguments.numbers) {
        POET_TRY(curve, sensitivity(training, profile, options, schedules, questionOn(profile, number, first.plan.deadlineSeconds)));
        answer.curves.push_back(std::move(curve));
    }
    std::cout << (arguments.asJson ? sensitivityJson(answer) : printable(sensitivityText(answer, profile)));
    const double planned = first.plan.replay.energyJoules;
    if (!arguments.asJson && std::abs(report.energyJoules - planned) > 1e-6 * planned)
        std::cout << "The plan was made with other numbers (operating point, --conservative or an edited profile): it said " << planned << " J.\n";
    return Exit::Done;
}

}  // namespace

void addSensitivityCommand(CLI::App& app, Action& action)
{
    auto arguments = std::make_shared<SensitivityArguments>();
    CLI::App* command = app.add_subcommand("sensitivity", "Shows how sure a plan's energy and time are, and at which value of a number another plan is better");
    command->add_option("SCHEDULE", arguments->schedules, "Schedule files of one model that all fit; the band is that of the first")->required();
    command->add_option("--device", arguments->device, "Device (default: that of the first schedule)");
    command->add_option("--operating-point", arguments->operatingPoint, "Operating point of the device")->type_name("NAME");
    command->add_option("--number", arguments->numbers, "A number of the device, as 'poet device' names it: shows which schedule is best from a tenth to ten times its value")
        ->type_name("PATH");
    command->add_option("--samples", arguments->sampling.samples, "Samples of the band")->capture_default_str()->check(CLI::Range(1, 1000000));
    command->add_option("--seed", arguments->sampling.seed, "Seed of the samples")->capture_default_str();
    command->add_flag("--json", arguments->asJson, "Print JSON");
    command->callback([&action, arguments] { action = [arguments] { return answerSensitivity(*arguments); }; });
}

}  // namespace poet

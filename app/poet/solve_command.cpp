// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "app/poet/commands.h"
#include "app/poet/event_stream.h"
#include "app/poet/infeasible_help.h"
#include "app/poet/plan_options.h"
#include "app/poet/read_plan.h"
#include "core/base/files.h"
#include "core/base/printable.h"
#include "core/base/units.h"
#include "core/export/plan_file.h"
#include "core/planning/explain.h"
#include "core/planning/operating_points.h"
#include "core/schedule/uncertainty.h"
#include "core/training/summary.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <unistd.h>

namespace poet {
namespace {

constexpr int kBandSamples = 200;         ///< of the band in the table; `poet sensitivity` takes 1,000
constexpr double kLongExplanation = 20;   ///< seconds for what would be feasible instead
constexpr double kShortExplanation = 3;   ///< the same while a window waits

struct SolveOptions {
    ModelOptions model;
    PlanOptions plan;
    std::string start;
    std::string output;
    bool isJson = false;
    bool hasEvents = false;
    bool exitsWithParent = false;
};

Exit exitOf(const Plan& plan)
{
    if (wasInterrupted())
        return Exit::Cancelled;
    switch (plan.status) {
    case SolveStatus::Infeasible: return Exit::Infeasible;
    case SolveStatus::Stopped: return Exit::NoSchedule;
    default: return Exit::Done;
    }
}

/// The model's path as seen from the folder of the schedule file, so that both can move together.
std::string relativeModel(const std::string& model, const std::string& output)
{
    if (model.empty() || output.empty())
        return model;
    std::error_code code;
    const auto folder = std::filesystem::absolute(output, code).parent_path();
    const auto relative = std::filesystem::proximate(std::filesystem::absolute(model, code), folder, code);
    return code ? model : relative.generic_string();
}

/// A plan with the model (and its operating point) that it is for.
struct Answer {
    LoadedModel model;
    planning::Problem problem;
    Plan plan;
};

/// A known plan to start from: of this very graph (its costs and limits may be others).
Expected<void> addStart(const SolveOptions& options, const planning::Problem& problem, planning::SolveParams& params)
{
    if (options.start.empty())
        return {};
    POET_TRY(known, readPlan(options.start));
    const auto areSame = [](const CostNode& a, const CostNode& b) { return a.name == b.name && a.inputs == b.inputs && a.bytes == b.bytes; };
    if (!std::ranges::equal(known.graph.nodes, problem.graph->nodes, areSame))
        return fail(ErrorCode::BadUsage, "The schedule '" + options.start + "' is of another graph: names, inputs or sizes of its nodes differ.",
                    "Leave out --start, or give the model that it was made for.");
    const auto report = replay(*problem.graph, problem.transfer, known.plan.replay.schedule);
    if (!report)
        return fail(ErrorCode::BadUsage, "The schedule '" + options.start + "' cannot start this search: " + report.error().message,
                    "Give one of the transfer model " + std::string(name(problem.transfer)) + ".");
    if (options.plan.overheadAtMost.empty() && !planning::fitsLimits(problem, *report))
        std::cerr << "poet: warning: the schedule '" << printable(options.start, false) << "' does not keep the limits; the search starts without it.\n";
    params.start = known.plan.replay.schedule;
    return {};
}

/// The model at every operating point of its device: one problem each, all with the deadline that the first point gives
/// to a percentage.
struct PricedPoints {
    std::vector<LoadedModel> models;
    std::vector<planning::PointProblem> points;

    [[nodiscard]] Answer answer(std::size_t chosen, Plan plan) { return {std::move(models[chosen]), std::move(points[chosen].problem), std::move(plan)}; }
};

Expected<PricedPoints> priceAllPoints(const SolveOptions& options, const LoadedModel& model, const planning::Problem& first)
{
    if (!model.profile)
        return fail(ErrorCode::BadUsage, "A cost graph has no operating points to choose from.", "Leave out --operating-point auto.");
    PricedPoints all;
    for (const OperatingPoint& point : model.profile->operatingPoints) {
        POET_TRY(priced, withOperatingPoint(model, options.model, point.name));
        planning::Problem problem = first;
        problem.graph = priced.costs;
        all.points.push_back({point.name, std::move(problem)});
        all.models.push_back(std::move(priced));
    }
    return all;
}

/// The 10-90 % band of energy and time, where the numbers of the device say how sure they are. A plan without a band is
/// still a plan: what is in the way becomes a note.
void addBands(Answer& answer)
{
    LoadedModel& model = answer.model;
    if (!answer.plan.hasSchedule() || !model.profile || model.choice.isConservative)
        return;
    const auto uncertainty = planUncertainty(*model.training, *model.profile, model.choice, answer.plan.replay.schedule, {.samples = kBandSamples});
    if (!uncertainty) {
        model.notes.push_back("No band of energy and time: " + uncertainty.error().message);
        return;
    }
    const auto three = [](const Band& band) { return std::array<double, 3>{band.low, band.median, band.high}; };
    answer.plan.bands = PlanBands{three(uncertainty->energyJoules), three(uncertainty->seconds)};
    if (!uncertainty->note.empty())
        model.notes.push_back(uncertainty->note);
}

/// What frozen layers save of a step, whatever the plan.
Expected<void> addFreezing(const SolveOptions& options, Answer& answer)
{
    const LoadedModel& model = answer.model;
    if (!model.training || model.training->freeze.empty())
        return {};
    POET_TRY(whole, withNothingFrozen(model, options.model));
    POET_TRY(frozen, stepFigures(*model.costs, model.transfer, summarize(*model.training).activationBytes));
    POET_TRY(all, stepFigures(*whole.costs, whole.transfer, summarize(*whole.training).activationBytes));
    answer.plan.freezing = FreezeSavings{frozen, all};
    return {};
}

/// The plan for the memory that was given, or for the smallest that keeps the overhead; at one operating point or at the best.
Expected<Answer> findPlan(const SolveOptions& options, const LoadedModel& model, planning::Problem problem, const planning::SolveParams& params,
                          planning::MemorySink& sink)
{
    const bool isEveryPoint = options.model.operatingPoint == kEveryPoint;
    const bool isForOverhead = !options.plan.overheadAtMost.empty();
    if (!isEveryPoint && !isForOverhead) {
        POET_TRY(plan, planning::solve(problem, params, sink));
        return Answer{model, std::move(problem), std::move(plan)};
    }
    double ratio = 0;
    if (isForOverhead) {
        POET_TRY(given, options.plan.overheadRatio());
        ratio = given;
    }
    if (!isEveryPoint) {
        POET_TRY(smallest, planning::findSmallestMemoryForOverhead(problem, ratio, params, sink));
        problem.memoryBytes = smallest.plan.memoryBytes;
        return Answer{model, std::move(problem), std::move(smallest.plan)};
    }
    POET_TRY(priced, priceAllPoints(options, model, problem));
    if (!isForOverhead) {
        POET_TRY(best, planning::solveBestPoint(priced.points, params, sink));
        return priced.answer(best.chosen, std::move(best.plan));
    }
    POET_TRY(smallest, planning::findSmallestMemoryAtAnyPoint(priced.points, ratio, params, sink));
    priced.points[smallest.chosen].problem.memoryBytes = smallest.plan.memoryBytes;
    return priced.answer(smallest.chosen, std::move(smallest.plan));
}

Expected<Answer> search(const SolveOptions& options, ProgressStyle style, const std::function<void(const Answer&, ProgressReporter&)>& done)
{
    POET_TRY(model, loadModel(options.model, true));
    printWarnings(model);
    POET_TRY(facts, planning::findFacts(*model.costs, model.transfer));
    POET_TRY(problem, options.plan.problem(model, facts));
    POET_TRY(params, options.plan.params());
    POET_CHECK(addStart(options, problem, params));
    ProgressReporter reporter(style, facts.keepAll.energyJoules);
    POET_TRY(answer, findPlan(options, model, problem, params, reporter));
    const double left = std::max(params.timeLimitSeconds - answer.plan.solveSeconds, 0.0);
    const double seconds = std::min(left, options.hasEvents ? kShortExplanation : kLongExplanation);
    POET_CHECK(planning::explainInfeasible(answer.problem, params.gap, seconds, reporter, answer.plan));
    if (answer.plan.infeasible)
        addCommands(*answer.plan.infeasible, ownCommandLine());
    if (!options.hasEvents)
        addBands(answer);
    POET_CHECK(addFreezing(options, answer));
    answer.plan.source = answer.model.source;
    answer.plan.source.model = relativeModel(answer.model.source.model, options.output);
    done(answer, reporter);
    return answer;
}

Expected<Exit> run(SolveOptions& options)
{
    if (options.exitsWithParent)
        dieWithParent();
    watchInterrupts();
    options.model.weighsPoints = true;
    if (options.output == "-") {  // the schedule file on standard output
        options.isJson = true;
        options.output.clear();
    }
    POET_CHECK(options.plan.checkMemory());
    if (!options.output.empty())
        POET_CHECK(checkCanWrite(options.output));
    const bool isForPeople = !options.hasEvents && !options.isJson;
    const auto style = options.hasEvents ? ProgressStyle::Events : isForPeople && isatty(STDERR_FILENO) != 0 ? ProgressStyle::Line : ProgressStyle::None;
    std::string json;
    POET_TRY(answer, search(options, style, [&](const Answer& result, ProgressReporter& reporter) {
                 json = toJson(PlanFile{*result.model.costs, result.plan});
                 reporter.done(json);
             }));
    const Plan& plan = answer.plan;
    if (!options.output.empty())
        POET_CHECK(writeFile(options.output, json));
    if (options.isJson)
        std::cout << json;
    else if (isForPeople)
        std::cout << printable(describePlan(*answer.model.costs, plan) + describeJob(plan, options.plan.job) + describeNotes(answer.model.notes));
    if (plan.status == SolveStatus::Infeasible && plan.infeasible)
        std::cerr << "poet: " << printable(plan.infeasible->reason, false) << '\n' << printable(infeasibleText(*plan.infeasible));
    return exitOf(plan);
}

}  // namespace

void addSolveCommand(CLI::App& app, Action& action)
{
    auto options = std::make_shared<SolveOptions>();
    CLI::App* command = app.add_subcommand("solve", "Find the plan of least energy for a memory limit and a deadline");
    options->model.addTo(*command, true);
    options->plan.addTo(*command);
    command->add_option("--start", options->start, "A known schedule file to start from")->type_name("FILE");
    command->add_option("--output", options->output, "Write the schedule file here; - is standard output, as --json")->type_name("FILE");
    command->add_flag("--json", options->isJson, "Print the result as JSON");
    command->add_flag("--events", options->hasEvents, "Print progress and result as JSON lines");
    command->add_flag("--exit-with-parent", options->exitsWithParent, "End when the calling program ends");
    command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace poet

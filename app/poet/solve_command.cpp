// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "app/poet/commands.h"
#include "app/poet/event_stream.h"
#include "app/poet/plan_options.h"
#include "core/base/files.h"
#include "core/device/profile_store.h"
#include "core/export/plan_file.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <iostream>
#include <limits>
#include <memory>
#include <unistd.h>

namespace poet {
namespace {

struct SolveOptions {
    ModelOptions model;
    PlanOptions plan;
    std::string start;
    std::string output;
    bool isJson = false;
    bool hasEvents = false;
    bool exitsWithParent = false;
};

/// `--operating-point auto`: the plan is chosen among those of all points.
bool isOneOfMany(const SolveOptions& options) { return options.model.operatingPoint == "auto"; }

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

struct Answer {
    LoadedModel model;
    Plan plan;
    std::string json;
};

Expected<Answer> solveOne(const SolveOptions& options, const ModelOptions& modelOptions)
{
    POET_TRY(model, loadModel(modelOptions, true));
    POET_TRY(facts, planning::findFacts(*model.costs, model.transfer));
    POET_TRY(problem, options.plan.problem(model, facts));
    POET_TRY(params, options.plan.params());
    if (!options.start.empty()) {
        POET_TRY(text, readFile(options.start));
        POET_TRY(known, parsePlanFile(text, options.start));
        params.start = known.plan.replay.schedule;
    }
    const bool hasLine = !options.hasEvents && !options.isJson && isatty(STDERR_FILENO) != 0;
    ProgressReporter reporter(options.hasEvents && !isOneOfMany(options) ? ProgressStyle::Events : hasLine ? ProgressStyle::Line : ProgressStyle::None,
                              facts.keepAll.energyJoules);
    POET_TRY(plan, planning::solve(problem, params, reporter));
    plan.source = model.source;
    plan.source.model = relativeModel(model.source.model, options.output);
    const std::string json = toJson(PlanFile{*model.costs, plan});
    if (!isOneOfMany(options))
        reporter.done(json);
    return Answer{std::move(model), std::move(plan), json};
}

/// True when `next` is the better answer: feasible before infeasible, then less energy.
bool isBetter(const Plan& next, const Plan& best)
{
    return next.hasSchedule() && (!best.hasSchedule() || next.replay.energyJoules < best.replay.energyJoules);
}

/// One plan per operating point; the best of them, proven when no other point can be better.
Expected<Answer> solveAllPoints(const SolveOptions& options)
{
    POET_TRY(profile, loadDevice(options.model.device));
    std::optional<Answer> best;
    double bound = std::numeric_limits<double>::infinity();
    bool isInfeasible = true;
    for (const auto& point : profile.operatingPoints) {
        ModelOptions one = options.model;
        one.operatingPoint = point.name;
        POET_TRY(answer, solveOne(options, one));
        answer.plan.source.device += ", operating point " + point.name;
        isInfeasible = isInfeasible && answer.plan.status == SolveStatus::Infeasible;
        if (answer.plan.status != SolveStatus::Infeasible)
            bound = std::min(bound, answer.plan.boundJoules);
        if (!best || isBetter(answer.plan, best->plan))
            best = std::move(answer);
    }
    if (!best)
        return fail(ErrorCode::BadProfile, "'" + options.model.device + "' has no operating points.", "Name one in its profile.");
    POET_TRY(params, options.plan.params());
    Plan& plan = best->plan;
    if (plan.hasSchedule()) {
        plan.boundJoules = std::min(bound, plan.replay.energyJoules);
        plan.status = plan.gapPercent() <= 100 * params.gap ? SolveStatus::Optimal : SolveStatus::Feasible;
    } else if (!isInfeasible) {
        plan.status = SolveStatus::Stopped;
    }
    best->json = toJson(PlanFile{*best->model.costs, plan});
    return std::move(*best);
}

Expected<Exit> run(const SolveOptions& options)
{
    if (options.exitsWithParent)
        dieWithParent();
    watchInterrupts();
    POET_TRY(answer, isOneOfMany(options) ? solveAllPoints(options) : solveOne(options, options.model));
    const LoadedModel& model = answer.model;
    const Plan& plan = answer.plan;
    const std::string& json = answer.json;
    if (isOneOfMany(options) && options.hasEvents)
        ProgressReporter(ProgressStyle::Events, plan.keepAllEnergyJoules).done(json);
    if (!options.output.empty())
        POET_CHECK(writeFile(options.output, json));
    if (options.isJson)
        std::cout << json;
    else if (!options.hasEvents)
        std::cout << describePlan(*model.costs, plan);
    if (plan.status == SolveStatus::Infeasible && plan.infeasible)
        std::cerr << "poet: " << plan.infeasible->reason << '\n';
    return exitOf(plan);
}

}  // namespace

void addSolveCommand(CLI::App& app, Action& action)
{
    auto options = std::make_shared<SolveOptions>();
    CLI::App* command = app.add_subcommand("solve", "Find the plan of least energy for a memory limit and a deadline");
    options->model.addTo(*command, true);
    options->plan.addTo(*command, true);
    command->add_option("--start", options->start, "A known schedule file to start from")->type_name("FILE");
    command->add_option("--output", options->output, "Write the schedule file here")->type_name("FILE");
    command->add_flag("--json", options->isJson, "Print the result as JSON");
    command->add_flag("--events", options->hasEvents, "Print progress and result as JSON lines");
    command->add_flag("--exit-with-parent", options->exitsWithParent, "End when the calling program ends");
    command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace poet

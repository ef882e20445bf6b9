// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "app/poet/commands.h"
#include "app/poet/event_stream.h"
#include "app/poet/forked_solve.h"
#include "app/poet/plan_options.h"
#include "app/poet/sweep_search.h"
#include "core/base/units.h"
#include "core/export/sweep_file.h"
#include "core/planning/baselines/baselines.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <memory>
#include <span>

namespace poet {
namespace {

struct CompareOptions {
    ModelOptions model;
    PlanOptions plan;
    std::vector<std::string> memories;
    int jobs = 2;
    bool isJson = false;
};

constexpr Strategy kCompared[] = {Strategy::Integrated, Strategy::Paging,  Strategy::Recompute, Strategy::KeepAll,  Strategy::PageAll,
                                  Strategy::Sqrt,       Strategy::Revolve, Strategy::Greedy,    Strategy::Capuchin, Strategy::Dtr};

/// Why a strategy has no plan.
std::string noPlanText(const Plan& plan)
{
    if (plan.status == SolveStatus::Infeasible)
        return "no plan: proven impossible";
    return planning::isBaseline(plan.strategy) ? "no plan: does not fit" : "no plan found in the time";
}

std::string headOf(const Plan& integrated)
{
    if (!integrated.hasSchedule())
        return noPlanText(integrated);
    if (integrated.status == SolveStatus::Optimal)
        return "optimum " + formatJoules(integrated.replay.energyJoules) + (integrated.isRestrictedProof ? ", proven within the restricted program" : ", proven");
    return "optimum not proven: at least " + formatJoules(integrated.boundJoules);
}

/// One row a strategy, in the fixed order, the integrated one first: the gap of each is to that one's bound.
void printTable(std::span<const Plan> plans)
{
    const Plan& best = plans.front();
    std::cout << formatBytes(best.memoryBytes) << ": " << headOf(best) << '\n';
    const auto row = [](std::initializer_list<std::string> cells) {
        constexpr int kWidths[] = {12, 11, 11, 10, 10, 12, 11, 10};
        std::size_t column = 0;
        std::cout << "  " << std::left;
        for (const std::string& cell : cells) {
            std::cout << std::setw(column + 1 < cells.size() ? kWidths[column] : 0) << cell;
            ++column;
        }
        std::cout << '\n';
    };
    row({"strategy", "energy", "overhead", "gap", "time", "recomputed", "paged out", "status", "source"});
    for (const Plan& plan : plans) {
        const std::string title(name(plan.strategy));
        if (!plan.hasSchedule()) {
            std::cout << "  " << std::left << std::setw(12) << title << std::setw(75) << noPlanText(plan) << sourceOf(plan.strategy) << '\n';
            continue;
        }
        const double overhead = plan.keepAllEnergyJoules > 0 ? 100 * plan.overheadJoules() / plan.keepAllEnergyJoules : 0;
        Plan judged = plan;
        judged.boundJoules = best.boundJoules;
        row({title, formatJoules(plan.replay.energyJoules), formatPercent(overhead), formatPercent(judged.gapPercent()), formatSeconds(plan.replay.seconds),
             std::to_string(plan.replay.recomputedNodes), formatBytes(plan.replay.pagedOutBytes), std::string(name(plan.status)), std::string(sourceOf(plan.strategy))});
    }
}

/// One problem a memory and strategy; equal memories only once.
Expected<std::vector<planning::Problem>> problemsOf(const CompareOptions& options, const LoadedModel& model, const planning::ProblemFacts& facts)
{
    std::vector<planning::Problem> problems;
    for (const std::string& memory : options.memories) {
        PlanOptions plan = options.plan;
        plan.memory = memory;
        POET_TRY(problem, plan.problem(model, facts));
        if (std::ranges::any_of(problems, [&](const planning::Problem& known) { return known.memoryBytes == problem.memoryBytes; }))
            continue;
        for (const Strategy strategy : kCompared) {
            problem.strategy = strategy;
            problems.push_back(problem);
        }
    }
    return problems;
}

Expected<Exit> run(const CompareOptions& options)
{
    watchInterrupts();
    POET_TRY(model, loadModel(options.model, true));
    printWarnings(model);
    POET_TRY(facts, planning::findFacts(*model.costs, model.transfer));
    POET_TRY(params, options.plan.params());
    POET_TRY(problems, problemsOf(options, model, facts));
    std::vector<Plan> plans(problems.size());
    std::optional<Error> first;
    POET_CHECK(solveForked(
        problems, options.jobs, [&](std::size_t) { return params; },
        [&](std::size_t index, const Expected<Plan>& plan) {
            if (plan)
                plans[index] = *plan;
            else if (!first)
                first = plan.error();
        }));
    if (first)
        return std::unexpected<Error>(*first);
    if (wasInterrupted())
        return Exit::Cancelled;
    if (options.isJson) {
        SweepFile file = emptySweep(*model.costs, facts, model.transfer, options.model.device);
        for (const Plan& plan : plans)
            file.points.push_back(sweepPoint(plan, *file.residentBytes));
        std::cout << toJson(file);
        return Exit::Done;
    }
    for (std::size_t i = 0; i < plans.size(); i += std::size(kCompared))
        printTable(std::span(plans).subspan(i, std::size(kCompared)));
    return Exit::Done;
}

}  // namespace

void addCompareCommand(CLI::App& app, Action& action)
{
    auto options = std::make_shared<CompareOptions>();
    CLI::App* command = app.add_subcommand("compare", "All strategies beside the proven optimum, for one or more memories");
    options->model.addTo(*command, true);
    options->plan.addSharedTo(*command);
    command->add_option("--memory", options->memories, "Memories to compare at")->required();
    command->add_option("--jobs", options->jobs, "Strategies solved at the same time")->check(CLI::Range(1, 64))->capture_default_str();
    command->add_flag("--json", options->isJson, "Print a poet-sweep instead of the table");
    command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "app/poet/commands.h"
#include "app/poet/event_stream.h"
#include "app/poet/forked_solve.h"
#include "app/poet/plan_options.h"
#include "core/base/units.h"
#include "core/export/sweep_file.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <memory>

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

/// One row a strategy, in the fixed order; energy over the proven bound of the integrated program where there is one.
void printTable(const std::vector<Plan>& plans, std::int64_t memory)
{
    const auto best = std::find_if(plans.begin(), plans.end(), [&](const Plan& plan) {
        return plan.memoryBytes == memory && plan.strategy == Strategy::Integrated && plan.hasSchedule();
    });
    std::cout << formatBytes(memory) << ":\n";
    for (const Strategy strategy : kCompared)
        for (const Plan& plan : plans) {
            if (plan.strategy != strategy || plan.memoryBytes != memory)
                continue;
            std::cout << "  " << std::left << std::setw(12) << name(strategy);
            if (!plan.hasSchedule()) {
                std::cout << name(plan.status) << '\n';
                continue;
            }
            const double overhead = plan.keepAllEnergyJoules > 0 ? 100 * plan.overheadJoules() / plan.keepAllEnergyJoules : 0;
            std::cout << std::setw(10) << name(plan.status) << std::setw(12) << formatJoules(plan.replay.energyJoules) << "overhead "
                      << std::setw(10) << formatPercent(overhead) << std::setw(12) << formatSeconds(plan.replay.seconds) << std::setw(6)
                      << std::to_string(plan.replay.recomputedNodes) << "recomputed, " << std::setw(9) << formatBytes(plan.replay.pagedOutBytes) << " out";
            if (best != plans.end() && best->boundJoules > 0)
                std::cout << ", over the bound " << formatPercent(100 * (plan.replay.energyJoules - best->boundJoules) / best->boundJoules);
            std::cout << '\n';
        }
}

Expected<Exit> run(const CompareOptions& options)
{
    watchInterrupts();
    POET_TRY(model, loadModel(options.model, true));
    printWarnings(model);
    POET_TRY(facts, planning::findFacts(*model.costs, model.transfer));
    POET_TRY(params, options.plan.params());
    std::vector<planning::Problem> problems;
    for (const std::string& memory : options.memories)
        for (const Strategy strategy : kCompared) {
            PlanOptions plan = options.plan;
            plan.memory = memory;
            plan.strategy = name(strategy);
            POET_TRY(problem, plan.problem(model, facts));
            problems.push_back(problem);
        }
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
        SweepFile file;
        file.residentBytes = model.costs->device.residentBytes;
        for (const Plan& plan : plans)
            file.points.push_back(sweepPoint(plan, *file.residentBytes));
        std::cout << toJson(file);
        return Exit::Done;
    }
    for (std::size_t i = 0; i < problems.size(); i += std::size(kCompared))
        printTable(plans, problems[i].memoryBytes);
    return Exit::Done;
}

}  // namespace

void addCompareCommand(CLI::App& app, Action& action)
{
    auto options = std::make_shared<CompareOptions>();
    CLI::App* command = app.add_subcommand("compare", "All strategies beside the proven optimum, for one or more memories");
    options->model.addTo(*command, true);
    options->plan.addTo(*command, false);
    command->add_option("--memory", options->memories, "Memories to compare at")->required();
    command->add_option("--jobs", options->jobs, "Strategies solved at the same time")->check(CLI::Range(1, 64))->capture_default_str();
    command->add_flag("--json", options->isJson, "Print a poet-sweep instead of the table");
    command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "app/poet/commands.h"
#include "app/poet/model_options.h"
#include "core/base/printable.h"
#include "core/export/inspect_report.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

namespace poet {

namespace {

struct InspectOptions {
    ModelOptions model;
    bool asJson = false;
};

Expected<Exit> inspect(const InspectOptions& options)
{
    POET_TRY(loaded, loadModel(options.model, false));
    const auto costsOf = [](const LoadedModel& model) {
        return model.costs ? model.costs : std::make_shared<const CostGraph>(neutralCosts(*model.training));
    };
    InspectInput input{.training = loaded.training, .costs = costsOf(loaded), .transfer = loaded.transfer};
    if (loaded.training && !loaded.training->freeze.empty()) {
        POET_TRY(whole, withNothingFrozen(loaded, options.model));
        input.wholeTraining = whole.training;
        input.wholeCosts = costsOf(whole);
    }
    POET_TRY(report, inspectModel(std::move(input)));
    std::cout << (options.asJson ? reportJson(report) : printable(reportText(report)));
    std::cout.flush();
    return Exit::Done;
}

}  // namespace

void addInspectCommand(CLI::App& app, Action& action)
{
    auto options = std::make_shared<InspectOptions>();
    CLI::App* command = app.add_subcommand("inspect", "Shows what was read from a model: nodes, memory, operators and how each was treated");
    options->model.addTo(*command, true);
    command->add_flag("--json", options->asJson, "Print the report as JSON");
    command->callback([&action, options] { action = [options] { return inspect(*options); }; });
}

}  // namespace poet

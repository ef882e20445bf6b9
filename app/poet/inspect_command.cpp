// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "app/poet/commands.h"
#include "app/poet/inspect_report.h"
#include "app/poet/model_options.h"
#include "core/base/printable.h"
#include "core/training/summary.h"

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
    if (!loaded.costs && loaded.training)
        loaded.costs = std::make_shared<const CostGraph>(neutralCosts(*loaded.training));
    POET_TRY(report, inspectModel(loaded, options.model));
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

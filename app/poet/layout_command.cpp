// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "app/poet/commands.h"
#include "core/layout/graphviz_layout.h"
#include "core/layout/ladder.h"
#include "core/layout/layout_json.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <iterator>
#include <memory>
#include <string>

namespace poet {

namespace {

Expected<Exit> layOut(bool useLadder)
{
    const std::string input{std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
    POET_TRY(view, parseGraphView(input, "Standard input"));
    POET_TRY(layout, useLadder ? ladderLayout(view) : graphvizLayout(view));
    std::cout << toJson(layout) << '\n';
    std::cout.flush();
    if (!std::cout)
        return fail(ErrorCode::FileNotFound, "The positions cannot be written to standard output.", "Check that it is open.");
    return Exit::Done;
}

}  // namespace

void addLayoutCommand(CLI::App& app, Action& action)
{
    auto useLadder = std::make_shared<bool>(false);
    CLI::App* command = app.add_subcommand("layout", "Read a graph on standard input and write node positions (the window's worker)");
    command->add_flag("--ladder", *useLadder, "Use the simple ladder instead of Graphviz");
    command->callback([&action, useLadder] { action = [useLadder] { return layOut(*useLadder); }; });
}

}  // namespace poet

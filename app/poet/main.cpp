// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "app/poet/commands.h"
#include "app/poet/own_output.h"
#include "core/base/printable.h"

#include <CLI/CLI.hpp>

#include <exception>
#include <iostream>
#include <string>
#include <string_view>

namespace {

/// One line for a terminal. What was typed may be of any length: the middle of a long text is left out.
std::string oneLine(std::string_view text)
{
    constexpr std::size_t kLongest = 800;
    const std::string line = poet::printable(text, false);
    if (line.size() <= kLongest)
        return line;
    const auto isInside = [&](std::size_t at) { return (static_cast<unsigned char>(line[at]) & 0xc0) == 0x80; };  // a UTF-8 character
    std::size_t head = kLongest / 2;
    std::size_t tail = line.size() - kLongest / 2;
    while (isInside(head))
        --head;
    while (isInside(tail))
        ++tail;
    return line.substr(0, head) + " ... " + line.substr(tail);
}

/// Prints an error as one sentence with what to do, and gives the exit code of its kind.
int report(const poet::Error& error)
{
    std::cerr << "poet: " << oneLine(error.text()) << '\n';
    switch (error.code) {
    case poet::ErrorCode::InvalidSchedule: return static_cast<int>(poet::Exit::CheckFailed);
    case poet::ErrorCode::Cancelled: return static_cast<int>(poet::Exit::Cancelled);
    default: return static_cast<int>(poet::Exit::BadInput);
    }
}

/// An empty value is a variable that was not set, not a wish: no option has a use for it.
void refuseEmptyValues(CLI::App& app)
{
    const auto check = [](const std::string& text) { return text.empty() ? std::string("must not be empty") : std::string(); };
    for (CLI::Option* option : app.get_options())
        if (option->get_items_expected_max() > 0)
            option->check(check);
    for (CLI::App* command : app.get_subcommands({}))
        refuseEmptyValues(*command);
}

}  // namespace

int main(int argc, char** argv)
{
    const poet::OwnOutput output;
    CLI::App app{"Plans paging and recomputation so that training fits in little memory.", "poet"};
    app.set_version_flag("--version", "poet " POET_VERSION);
    app.require_subcommand(1);
    poet::Action action;
    poet::addInspectCommand(app, action);
    poet::addSolveCommand(app, action);
    poet::addSweepCommand(app, action);
    poet::addCompareCommand(app, action);
    poet::addExplainCommand(app, action);
    poet::addVerifyCommand(app, action);
    poet::addExportCommand(app, action);
    poet::addDevicesCommand(app, action);
    poet::addDeviceCommand(app, action);
    poet::addSensitivityCommand(app, action);
    poet::addProfileHostCommand(app, action);
    poet::addLayoutCommand(app, action);
    refuseEmptyValues(app);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& asked) {  // --help, --version
        return app.exit(asked);
    } catch (const CLI::ParseError& error) {
        std::cerr << "poet: " << oneLine(error.what()) << " (see 'poet --help').\n";
        return static_cast<int>(poet::Exit::BadInput);
    }
    try {
        const auto exit = action();
        if (!exit)
            return report(exit.error());
        std::cout.flush();
        if (!std::cout)
            return report({poet::ErrorCode::FileNotFound, "The output could not be written.", "Check that the disk has room."});
        return static_cast<int>(*exit);
    } catch (const std::bad_alloc&) {
        return report({poet::ErrorCode::BadUsage, "There is not enough memory for this input.", "Use a smaller model or batch."});
    } catch (const std::exception& error) {
        return report({poet::ErrorCode::Internal, std::string("Internal error: ") + error.what() + ".", "Please report it with the input."});
    }
}

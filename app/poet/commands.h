// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <functional>

namespace CLI {
class App;
}

namespace poet {

/// What a command ends with (architecture.md, "The command").
enum class Exit { Done = 0, CheckFailed = 1, BadInput = 2, Infeasible = 3, NoSchedule = 4, Cancelled = 130 };

/// A command's work after its options are read. An error is printed to stderr as one sentence by `main`.
using Action = std::function<Expected<Exit>()>;

/// Each adds one subcommand to `app` and, when that one was chosen, sets `action`. One file a command.
void addInspectCommand(CLI::App& app, Action& action);
void addSolveCommand(CLI::App& app, Action& action);
void addSweepCommand(CLI::App& app, Action& action);
void addExplainCommand(CLI::App& app, Action& action);
void addVerifyCommand(CLI::App& app, Action& action);
void addCompareCommand(CLI::App& app, Action& action);
void addDevicesCommand(CLI::App& app, Action& action);
void addDeviceCommand(CLI::App& app, Action& action);
void addSensitivityCommand(CLI::App& app, Action& action);
void addProfileHostCommand(CLI::App& app, Action& action);
void addLayoutCommand(CLI::App& app, Action& action);
void addExportCommand(CLI::App& app, Action& action);

}  // namespace poet

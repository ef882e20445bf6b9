// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/schedule/plan.h"

#include <string>
#include <vector>

namespace poet {

/// The words of this process's command line; empty where the system does not tell.
[[nodiscard]] std::vector<std::string> ownCommandLine();

/// `words` with the value of `option` replaced, or the option added. Quoted for a shell.
[[nodiscard]] std::string commandWith(const std::vector<std::string>& words, const std::string& option, const std::string& value);

/// Fills in the command lines that apply the smallest memory and the smallest deadline of the reason; a deadline that was
/// given as a job or a period stays one.
void addCommands(InfeasibleReason& why, const std::vector<std::string>& words);

/// The reason for people: what does not fit, what is in RAM then, the smallest limits and the commands.
[[nodiscard]] std::string infeasibleText(const InfeasibleReason& why);

}  // namespace poet

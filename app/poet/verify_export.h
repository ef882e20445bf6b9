// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/poet/commands.h"

#include <string>

namespace poet {

/// True for an export folder and a packed schedule.
[[nodiscard]] bool isExport(const std::string& path);

/// Proves an exported folder or file, and prints what it does. Errors: those of verifyExport.
[[nodiscard]] Expected<Exit> runVerifyExport(const std::string& path);

}  // namespace poet

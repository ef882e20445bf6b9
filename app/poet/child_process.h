// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <filesystem>
#include <string>
#include <vector>

namespace poet {

/// Runs a program found by PATH and waits for its end; both output streams go to `log`, unless `output` names a file for
/// standard output. Errors: WorkerFailed when it cannot be started or its exit code is not 0; the message holds the last
/// line of `log`; Cancelled when the user interrupted.
[[nodiscard]] Expected<void> runChild(const std::vector<std::string>& words, const std::filesystem::path& log, const std::filesystem::path& output = {});

}  // namespace poet

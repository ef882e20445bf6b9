// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/export/plan_file.h"

#include <string>

namespace poet {

/// A schedule file that holds a schedule. Errors: those of the reader; InvalidSchedule when there is none in it.
[[nodiscard]] Expected<PlanFile> readPlan(const std::string& path);

}  // namespace poet

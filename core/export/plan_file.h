// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/schedule/plan.h"

#include <string>
#include <string_view>

namespace poet {

/// A plan together with the graph it is for, as schedule files hold it.
struct PlanFile {
    CostGraph graph;
    Plan plan;
};

/// `poet-schedule` version 1 (architecture.md), pretty-printed with one step a line.
[[nodiscard]] std::string toJson(const PlanFile& file);
/// Reads it strictly and replays it: the numbers in the returned plan are the replay's, and disagreement with the
/// file's own beyond 1e-6 relative is an error. `where` names the source in messages. Errors: BadModel when the text is
/// not of the format, InvalidSchedule when the schedule breaks a rule or a number is not what the replay finds.
[[nodiscard]] Expected<PlanFile> parsePlanFile(std::string_view json, std::string_view where);

/// Only the list of steps, as JSON array: what `incumbent` events carry.
[[nodiscard]] std::string stepsToJson(const Schedule& schedule);
/// Errors: BadModel naming the step.
[[nodiscard]] Expected<Schedule> parseSteps(std::string_view json, std::string_view where);

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/schedule/why.h"

#include <optional>
#include <string>
#include <vector>

namespace poet {

/// The best plan when one tensor's choice is made for the planner, everything else free (core/planning/why_not.h).
struct ForcedPlan {
    Choice choice = Choice::Keep;
    SolveStatus status = SolveStatus::Stopped;
    Fate fate = Fate::Kept;       ///< what became of the tensor; recompute may end in keep, when that is better
    double energyJoules = 0;      ///< with a schedule only
    double boundJoules = 0;
    double seconds = 0;
    [[nodiscard]] bool hasSchedule() const { return status == SolveStatus::Optimal || status == SolveStatus::Feasible; }
};

/// What is shown of one tensor.
struct WhyAnswer {
    Why why;
    std::vector<ForcedPlan> forced;  ///< empty unless asked for
};

/// One tensor at length, for people.
[[nodiscard]] std::string whyText(const CostGraph& graph, const Plan& plan, const WhyAnswer& answer);
/// Several tensors, one line each.
[[nodiscard]] std::string whyTable(const CostGraph& graph, const Plan& plan, const std::vector<WhyAnswer>& answers);
/// `poet-why` version 1: {"format", "version", "status", "energy_joules", "memory_bytes", "deadline_seconds", "tensors": [...]}.
[[nodiscard]] std::string whyJson(const CostGraph& graph, const Plan& plan, const PlanLimits& limits, const std::vector<WhyAnswer>& answers);

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/poet/model_options.h"
#include "core/planning/planner.h"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace poet {

/// The options of every command that plans (architecture.md, "Plan options").
struct PlanOptions {
    std::string memory;
    std::string strategy = "integrated";
    std::string deadline;
    std::string job;  ///< "EPOCHS,STEPS,TOTAL": another way to say the deadline
    std::string gap = "0.01%";
    std::string timeLimit = "60s";
    int threads = 1;

    /// Adds them to a command; `withMemory` also a required --memory.
    void addTo(CLI::App& command, bool withMemory);

    /// The problem and the way to search it. Errors: BadUsage naming the option.
    [[nodiscard]] Expected<planning::Problem> problem(const LoadedModel& model, const planning::ProblemFacts& facts) const;
    [[nodiscard]] Expected<planning::SolveParams> params() const;
};

/// The plan as a table for people: status first, then what it costs and what it does.
[[nodiscard]] std::string describePlan(const CostGraph& graph, const Plan& plan);
/// One line each; empty without notes.
[[nodiscard]] std::string describeNotes(const std::vector<std::string>& notes);

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/poet/model_options.h"
#include "core/planning/planner.h"

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace poet {

/// The options of every command that plans (architecture.md, "Plan options").
struct PlanOptions {
    std::string memory;
    std::string overheadAtMost;  ///< "5%": in place of the memory, which is then looked for
    std::string strategy = "integrated";
    std::string deadline;
    std::string job;  ///< "EPOCHS,STEPS,TOTAL": another way to say the deadline
    std::string gap = "0.01%";
    std::string timeLimit = "60s";
    int threads = 1;
    bool isOfEverySchedule = false;  ///< as SolveParams::mostCandidates without end

    /// Adds them to a command that makes one plan: --memory and --overhead-at-most, of which checkMemory asks for one,
    /// and --strategy, too.
    void addTo(CLI::App& command);
    /// Adds those of a command that makes many plans, and takes memories and strategies in its own way.
    void addSharedTo(CLI::App& command);

    /// --overhead-at-most as a ratio, 0.05 for "5%"; a bare 5 could mean either. Errors: BadUsage.
    [[nodiscard]] Expected<double> overheadRatio() const;
    /// Errors: BadUsage unless a memory or a readable overhead is given. Both at once are refused while options are read.
    [[nodiscard]] Expected<void> checkMemory() const;

    /// The problem and the way to search it. Errors: BadUsage naming the option.
    [[nodiscard]] Expected<planning::Problem> problem(const LoadedModel& model, const planning::ProblemFacts& facts) const;
    [[nodiscard]] Expected<planning::SolveParams> params() const;
};

/// Steps of a job "EPOCHS,STEPS,TOTAL" in all; nothing where the text is none.
[[nodiscard]] std::optional<double> stepsOfJob(const std::string& job);

/// The plan as a table for people: status first, then what it costs and what it does.
[[nodiscard]] std::string describePlan(const CostGraph& graph, const Plan& plan);
/// Time and energy of all steps of a job, as a line of that table; empty without a job or schedule.
[[nodiscard]] std::string describeJob(const Plan& plan, const std::string& job);
/// One line each; empty without notes.
[[nodiscard]] std::string describeNotes(const std::vector<std::string>& notes);

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "app/poet/commands.h"
#include "app/poet/event_stream.h"
#include "app/poet/read_plan.h"
#include "core/base/printable.h"
#include "core/base/units.h"
#include "core/planning/why_not.h"
#include "core/schedule/why_report.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <iostream>
#include <memory>
#include <numeric>

namespace poet {
namespace {

constexpr std::size_t kMostKept = 10;      ///< kept tensors in the table
constexpr std::size_t kMostSimilar = 8;    ///< names in a hint

struct ExplainOptions {
    std::string schedule;
    std::string tensor;
    std::string memory;
    std::string deadline;
    std::string solveTime;
    bool isAll = false;
    bool isJson = false;
};

/// Only asks whether to stop.
class Interruptible : public planning::ProgressSink {
public:
    bool wantsStop() override { return wasInterrupted(); }
};

/// A node by its name or its number. Errors: BadUsage with names that hold the text.
Expected<NodeId> findTensor(const CostGraph& graph, const std::string& text)
{
    for (NodeId node = 0; node < graph.size(); ++node)
        if (graph.nodes[static_cast<std::size_t>(node)].name == text)
            return node;
    NodeId number = -1;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec == std::errc() && read.ptr == text.data() + text.size() && number >= 0 && number < graph.size())
        return number;
    std::string similar;
    std::size_t count = 0;
    for (const CostNode& node : graph.nodes)
        if (!text.empty() && node.name.find(text) != std::string::npos && count++ < kMostSimilar)
            similar += (similar.empty() ? "" : ", ") + node.name;
    return fail(ErrorCode::BadUsage, "The schedule has no tensor '" + text + "'.",
                similar.empty() ? "Leave it out for a table of tensors, or give a number from 0 to " + std::to_string(graph.size() - 1) + "."
                                : "Similar: " + similar + (count > kMostSimilar ? ", ..." : "") + ".");
}

/// The limits to judge alternatives by: the file's, or what was typed.
Expected<PlanLimits> limitsFor(const ExplainOptions& options, const Plan& plan)
{
    PlanLimits limits = limitsOf(plan);
    if (!options.memory.empty()) {
        POET_TRY(spec, parseMemory(options.memory));
        limits.memoryBytes = spec.bytes(plan.largestWorkingSetBytes, plan.keepAllPeakBytes);
    }
    if (!options.deadline.empty()) {
        POET_TRY(spec, parseDeadline(options.deadline));
        limits.deadlineSeconds = spec.seconds(plan.keepAllSeconds);
    }
    return limits;
}

/// Solves again once per choice that the plan did not take, with that choice made.
Expected<std::vector<ForcedPlan>> solveAnew(const PlanFile& file, const PlanLimits& limits, const Why& why, double seconds)
{
    const planning::Problem problem{std::make_shared<const CostGraph>(file.graph), file.plan.transfer, file.plan.strategy, limits.memoryBytes, limits.deadlineSeconds};
    planning::SolveParams params;
    params.timeLimitSeconds = seconds;
    std::vector<ForcedPlan> result;
    for (const Alternative& item : why.alternatives) {
        const bool isForbidding = item.choice == Choice::Keep || why.fate != Fate::Kept;
        if (item.isChosen || !isForbidding || wasInterrupted())
            continue;
        Interruptible sink;
        POET_TRY(plan, planning::solveWithChoice(problem, params, why.node, item.choice, item.replay.schedule, sink));
        ForcedPlan forced{item.choice, plan.status, Fate::Kept, 0, plan.boundJoules, 0};
        if (plan.hasSchedule()) {
            forced.fate = fatesOf(file.graph, plan.replay.schedule)[static_cast<std::size_t>(why.node)];
            forced.energyJoules = plan.replay.energyJoules;
            forced.seconds = plan.replay.seconds;
        }
        result.push_back(forced);
    }
    return result;
}

Expected<Exit> run(const ExplainOptions& options)
{
    watchInterrupts();
    POET_TRY(file, readPlan(options.schedule));
    POET_TRY(limits, limitsFor(options, file.plan));
    std::vector<NodeId> nodes = tensorsOfInterest(file.graph, file.plan, kMostKept);
    if (options.isAll) {
        nodes.resize(file.graph.nodes.size());
        std::iota(nodes.begin(), nodes.end(), 0);
    }
    if (!options.tensor.empty()) {
        POET_TRY(node, findTensor(file.graph, options.tensor));
        nodes = {node};
    }
    std::vector<WhyAnswer> answers;
    for (const NodeId node : nodes) {
        answers.push_back({explainTensor(file.graph, file.plan, limits, node), {}});
        if (options.solveTime.empty())
            continue;
        POET_TRY(seconds, parseSeconds(options.solveTime));
        POET_TRY(forced, solveAnew(file, limits, answers.back().why, seconds));
        answers.back().forced = std::move(forced);
        if (wasInterrupted())
            return Exit::Cancelled;
    }
    if (options.isJson)
        std::cout << whyJson(file.graph, file.plan, limits, answers);
    else
        std::cout << printable(options.tensor.empty() ? whyTable(file.graph, file.plan, answers) : whyText(file.graph, file.plan, answers.front()));
    return Exit::Done;
}

}  // namespace

void addExplainCommand(CLI::App& app, Action& action)
{
    auto options = std::make_shared<ExplainOptions>();
    CLI::App* command = app.add_subcommand("explain", "Why a tensor was kept, paged or recomputed, and what would change that");
    command->add_option("SCHEDULE", options->schedule, "Schedule file")->required();
    CLI::Option* tensor = command->add_option("TENSOR", options->tensor, "Name or number of a tensor (default: a table of all dropped and the weightiest kept ones)");
    command->add_flag("--all", options->isAll, "All tensors in the table")->excludes(tensor);
    command->add_option("--memory", options->memory, "Memory to judge by (default: the file's)");
    command->add_option("--deadline", options->deadline, "Deadline to judge by (default: the file's)");
    command->add_option("--solve", options->solveTime, "Also solve anew with each other decision made, for so long each, such as 10s")->needs(tensor);
    command->add_flag("--json", options->isJson, "Print JSON");
    command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace poet

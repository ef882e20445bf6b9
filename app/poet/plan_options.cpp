// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "app/poet/plan_options.h"

#include "core/base/printable.h"
#include "core/base/units.h"
#include "core/planning/baselines/baselines.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <limits>
#include <sstream>
#include <string_view>

namespace poet {

namespace {

struct Job {
    double steps = 0;  ///< in all
    double totalSeconds = 0;
};

/// A whole number from 1, spaces around it; nothing otherwise.
std::optional<double> parseCount(std::string_view text)
{
    constexpr std::string_view space = " \t";
    text.remove_prefix(std::min(text.find_first_not_of(space), text.size()));
    text = text.substr(0, text.find_last_not_of(space) + 1);
    std::int64_t count = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), count);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size() || count < 1)
        return std::nullopt;
    return static_cast<double>(count);
}

/// "10,500,8h": 8 hours for 10 epochs of 500 steps, so 5.76 s a step.
Expected<Job> parseJob(const std::string& job)
{
    const auto bad = [&] { return fail(ErrorCode::BadUsage, "'" + job + "' is not a job.", "Write EPOCHS,STEPS,TOTAL, such as 10,500,8h."); };
    const auto first = job.find(',');
    const auto second = job.find(',', first == std::string::npos ? first : first + 1);
    if (second == std::string::npos)
        return bad();
    const auto epochs = parseCount(std::string_view(job).substr(0, first));
    const auto steps = parseCount(std::string_view(job).substr(first + 1, second - first - 1));
    const auto total = parseSeconds(job.substr(second + 1));
    if (!epochs || !steps || !total)
        return bad();
    return Job{*epochs * *steps, *total};
}

}  // namespace

std::optional<double> stepsOfJob(const std::string& job)
{
    const auto read = parseJob(job);
    return read ? std::optional(read->steps) : std::nullopt;
}

void PlanOptions::addTo(CLI::App& command)
{
    CLI::Option* given = command.add_option("--memory", memory, "All RAM: 256KiB, 50% (of the keep-all peak) or 50%span (from the wall to that peak)");
    command.add_option("--overhead-at-most", overheadAtMost, "Instead of --memory: the smallest in which a step needs so much more energy than with everything kept, such as 5%")
        ->excludes(given);
    command.add_option("--strategy", strategy, "integrated, paging, recompute, keep-all, page-all, sqrt, revolve, greedy, capuchin or dtr")
        ->capture_default_str();
    addSharedTo(command);
}

void PlanOptions::addSharedTo(CLI::App& command)
{
    command.add_option("--deadline", deadline, "Time of one training step: 140ms, or 120% (of keep-all time)");
    command.add_option("--job", job, "Deadline of a whole job: EPOCHS,STEPS,TOTAL such as 10,500,8h")->excludes("--deadline");
    command.add_option("--gap", gap, "Proof wanted, relative to the energy")->capture_default_str();
    command.add_option("--time-limit", timeLimit, "Longest search")->capture_default_str();
    command.add_option("--threads", threads, "Threads of the solver")->check(CLI::Range(1, 2))->capture_default_str();
    command.add_flag("--every-schedule", isOfEverySchedule,
                     "Prove over every schedule, also for a large graph, where the search otherwise leaves out recomputes for later whose inputs are not at hand anyway; slow");
}

Expected<double> PlanOptions::overheadRatio() const
{
    const auto ratio = parseRatio(overheadAtMost);
    if (!ratio || overheadAtMost.find('%') == std::string::npos)
        return fail(ErrorCode::BadUsage, "'" + overheadAtMost + "' is not an overhead.", "Write it in percent, such as 5%.");
    return *ratio;
}

Expected<void> PlanOptions::checkMemory() const
{
    if (!overheadAtMost.empty())
        POET_CHECK(overheadRatio());
    if (memory.empty() && overheadAtMost.empty())
        return fail(ErrorCode::BadUsage, "There is no memory to plan for.",
                    "Give --memory 256KiB, 50% or 50%span; or --overhead-at-most 5% to find the smallest.");
    return {};
}

Expected<planning::Problem> PlanOptions::problem(const LoadedModel& model, const planning::ProblemFacts& facts) const
{
    planning::Problem problem;
    problem.graph = model.costs;
    problem.transfer = model.transfer;
    const auto known = strategyFromName(strategy);
    if (!known)
        return fail(ErrorCode::BadUsage, "'" + strategy + "' is not a strategy.",
                    "Use integrated, paging, recompute, keep-all, page-all, sqrt, revolve, greedy, capuchin or dtr.");
    problem.strategy = *known;
    if (!memory.empty()) {
        POET_TRY(spec, parseMemory(memory));
        problem.memoryBytes = spec.bytes(facts.largestWorkingSetBytes, facts.keepAllPeakBytes);
    }
    if (!deadline.empty()) {
        POET_TRY(spec, parseDeadline(deadline));
        problem.deadlineSeconds = spec.seconds(facts.keepAll.seconds);
    }
    if (!job.empty()) {
        POET_TRY(whole, parseJob(job));
        problem.deadlineSeconds = whole.totalSeconds / whole.steps;
    }
    if (const auto& period = model.costs->device.periodSeconds)
        problem.deadlineSeconds = std::min(*period, problem.deadlineSeconds.value_or(*period));
    return problem;
}

Expected<planning::SolveParams> PlanOptions::params() const
{
    planning::SolveParams params;
    POET_TRY(ratio, parseRatio(gap));
    POET_TRY(seconds, parseSeconds(timeLimit));
    params.gap = ratio;
    params.timeLimitSeconds = seconds;
    params.threads = threads;
    if (isOfEverySchedule)
        params.mostCandidates = std::numeric_limits<std::int64_t>::max() - 1;
    return params;
}

namespace {

std::string headline(const Plan& plan)
{
    switch (plan.status) {
    case SolveStatus::Optimal: return plan.isRestrictedProof ? "optimal within the restricted program" : "proven optimal";
    case SolveStatus::Feasible: return "feasible, gap " + formatPercent(plan.gapPercent());
    case SolveStatus::Infeasible: return "infeasible: " + (plan.infeasible ? printable(plan.infeasible->reason, false) : std::string());
    case SolveStatus::Stopped:
        return planning::isBaseline(plan.strategy) ? "the strategy makes no schedule within these limits; another might" : "stopped: no schedule found, and none proven impossible";
    }
    return "";
}

std::string proofScope(const Plan& plan)
{
    if (plan.isRestrictedProof)
        return "of the restricted program: recomputes that cost more than paging are left out";
    if (plan.coversEverySchedule)
        return "of every schedule";
    if (plan.transfer == TransferModel::Dma)
        return "of the candidate sets, and of page-ins in the stage of their use or the one before";
    return "of the candidate sets, which recompute for later only where the inputs are at hand (--every-schedule for all)";
}

std::string describePoint(const PointOutcome& point)
{
    std::string text = point.name + ": ";
    if (point.isChosen)
        text += "chosen, ";
    if (point.energyJoules)
        text += formatJoules(*point.energyJoules) + ", " + formatSeconds(*point.seconds) + (point.isCutOff ? ", left: cannot get below " : ", at least ") + formatJoules(point.boundJoules);
    else if (point.isCutOff)
        text += "not solved: at least " + formatJoules(point.boundJoules) + " whatever the plan";
    else
        text += std::string(name(point.status));
    return text;
}

}  // namespace

std::string describeNotes(const std::vector<std::string>& notes)
{
    std::string text;
    for (const std::string& note : notes)
        text += "  note                  " + note + '\n';
    return text;
}

std::string describeJob(const Plan& plan, const std::string& job)
{
    const auto read = parseJob(job);
    if (!read || !plan.hasSchedule())
        return "";
    return "  whole job             " + std::to_string(static_cast<std::int64_t>(read->steps)) + " steps: " + formatSeconds(plan.replay.seconds * read->steps) + " of " +
           formatSeconds(read->totalSeconds) + ", " + formatJoules(plan.replay.energyJoules * read->steps) + '\n';
}

std::string describePlan(const CostGraph& graph, const Plan& plan)
{
    std::ostringstream out;
    const auto line = [&](const char* what, const std::string& value) {
        out << "  " << what << std::string(22 - std::string(what).size(), ' ') << value << '\n';
    };
    out << (graph.name.empty() ? "graph" : printable(graph.name, false)) << ", " << graph.size() << " nodes: " << headline(plan) << '\n';
    line("strategy", std::string(name(plan.strategy)) + ", transfers " + std::string(name(plan.transfer)));
    const std::int64_t resident = graph.device.residentBytes;
    line("memory", formatBytes(plan.memoryBytes) + (plan.memoryBytes < resident ? ", less than the " + formatBytes(resident) + " resident"
                                                                                : " = " + formatBytes(resident) + " resident + " +
                                                                                      formatBytes(plan.memoryBytes - resident) + " planned"));
    if (plan.overheadLimit) {
        const bool isSmallest = plan.overheadLimit->memoryBoundBytes == plan.memoryBytes;
        line("smallest memory", "for an overhead of at most " + formatPercent(plan.overheadLimit->percent) + (plan.points.empty() ? "" : " over the cheapest point's keep-all") +
                                    (isSmallest ? ", proven" : ", not proven: none below " + formatBytes(plan.overheadLimit->memoryBoundBytes) + " (" +
                                                              std::to_string(plan.overheadLimit->memoryBoundBytes) + " B)"));
    }
    if (plan.deadlineSeconds)
        line("deadline", formatSeconds(*plan.deadlineSeconds));
    line("wall, keep-all peak", formatBytes(plan.largestWorkingSetBytes) + ", " + formatBytes(plan.keepAllPeakBytes));
    if (plan.freezing)
        line("freezing saves", plan.freezing->text());
    if (plan.hasSchedule()) {
        const double percent = plan.keepAllEnergyJoules > 0 ? 100 * plan.overheadJoules() / plan.keepAllEnergyJoules : 0;
        line("energy", formatJoules(plan.replay.energyJoules) + " (keep-all " + formatJoules(plan.keepAllEnergyJoules) + ", overhead " + formatPercent(percent) + ")");
        line("bound, gap", formatJoules(plan.boundJoules) + ", " + formatPercent(plan.gapPercent()));
        line("the bound is", proofScope(plan));
        line("time of a step", formatSeconds(plan.replay.seconds) + " (keep-all " + formatSeconds(plan.keepAllSeconds) + ")");
        if (plan.bands) {
            const auto& energy = plan.bands->energyJoules;
            const auto& seconds = plan.bands->seconds;
            line("10-90 % band", formatJoules(energy[0]) + " to " + formatJoules(energy[2]) + ", " + formatSeconds(seconds[0]) + " to " + formatSeconds(seconds[2]));
        }
        line("peak", formatBytes(plan.replay.peakBytes) + " + " + formatBytes(graph.device.residentBytes) + " resident");
        line("paged", formatBytes(plan.replay.pagedOutBytes) + " out, " + formatBytes(plan.replay.pagedInBytes) + " in");
        line("recomputed", std::to_string(plan.replay.recomputedNodes) + " nodes");
    }
    for (const PointOutcome& point : plan.points)
        line(&point == plan.points.data() ? "operating points" : "", describePoint(point));
    line("search", formatSeconds(plan.solveSeconds) + ", " + std::to_string(plan.variables) + " variables, " + std::to_string(plan.rows) + " rows");
    return out.str();
}

}  // namespace poet

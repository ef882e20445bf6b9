// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "app/poet/commands.h"
#include "app/poet/event_stream.h"
#include "app/poet/file_lock.h"
#include "app/poet/plan_options.h"
#include "app/poet/sweep_search.h"
#include "core/base/files.h"
#include "core/base/printable.h"
#include "core/base/units.h"
#include "core/export/sweep_file.h"
#include "core/planning/baselines/baselines.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <unistd.h>

namespace poet {
namespace {

struct SweepOptions {
    ModelOptions model;
    PlanOptions plan;
    SweepRequest request;
    std::vector<std::string> strategies{"integrated"};
    std::string output;
};

/// One run of the command: the points known so far (from the file, too) and the way to more.
class Sweep {
public:
    Sweep(const SweepOptions& options, LoadedModel model, planning::ProblemFacts facts, planning::SolveParams params)
        : m_options(options), m_model(std::move(model)), m_facts(std::move(facts)), m_params(std::move(params))
    {
        m_file = emptySweep(*m_model.costs, m_facts, m_model.transfer, m_options.model.device);
    }

    Expected<Exit> run()
    {
        POET_CHECK(resume());
        SweepSearch search(m_options.request, m_facts, m_params, m_file.points, [&](const Plan& plan) { arrived(plan); });
        for (const std::string& strategy : m_options.strategies) {
            PlanOptions plan = m_options.plan;
            plan.strategy = strategy;
            POET_TRY(problem, plan.problem(m_model, m_facts));
            POET_CHECK(search.run(problem));
            if (wasInterrupted())
                return Exit::Cancelled;
        }
        makeMonotone(m_file.points, m_params.gap);
        markKnees(m_file.points);
        POET_CHECK(save());
        if (search.isCutShort())
            std::cerr << "poet: stopped after " << m_options.request.mostSolves << " solves before the end of the curve; run again with --output to go on.\n";
        std::cout << (m_options.output.empty() ? toJson(m_file) : summary());
        return Exit::Done;
    }

private:
    void arrived(const Plan& plan)
    {
        if (isatty(STDERR_FILENO) != 0)
            std::cerr << name(plan.strategy) << "  " << formatBytes(plan.memoryBytes) << (plan.deadlineSeconds ? "  " + formatSeconds(*plan.deadlineSeconds) : "") << "  "
                      << name(plan.status) << (plan.hasSchedule() ? "  " + formatJoules(plan.replay.energyJoules) + "  gap " + formatPercent(plan.gapPercent()) : "") << '\n';
        static_cast<void>(save());  // so that a killed sweep can go on; the last save reports errors
    }

    /// What is marked, for people.
    std::string summary() const
    {
        std::string text = std::to_string(m_file.points.size()) + " points in " + printable(m_options.output, false) + "; wall " + formatBytes(m_file.wallBytes) + ", keep-all peak " +
                           formatBytes(m_file.keepAllPeakBytes) + '\n';
        int knees = 0;
        constexpr int kMostKnees = 12;
        for (const SweepPoint& point : m_file.points)
            if (point.isKnee && ++knees <= kMostKnees)
                text += "knee of " + std::string(name(point.strategy)) + ": " + formatBytes(point.memoryBytes) +
                        (point.deadlineSeconds ? ", deadline " + formatSeconds(*point.deadlineSeconds) : "") + ", " + formatJoules(*point.energyJoules) + '\n';
        return text;
    }

    [[nodiscard]] bool isCsv() const { return m_options.output.ends_with(".csv"); }

    /// Takes the points of an existing file; refuses one of another model, device or transfer model.
    Expected<void> resume()
    {
        std::error_code code;
        if (m_options.output.empty() || isCsv() || !std::filesystem::exists(m_options.output, code))
            return {};
        POET_TRY(text, readFile(m_options.output));
        POET_TRY(old, parseSweepFile(text, m_options.output));
        if (old.graphSha256.empty() && !old.points.empty())
            std::cerr << "poet: warning: '" << printable(m_options.output, false) << "' does not say what it is a sweep of; its points are taken as they are.\n";
        const bool isSame = old.graphSha256.empty() || (old.graphSha256 == m_file.graphSha256 && old.transfer == m_file.transfer);
        if (!isSame)
            return fail(ErrorCode::BadUsage, "'" + m_options.output + "' is a sweep of " + described(old) + ", not of " + described(m_file) + differenceOf(old) + ".",
                        "Name another file, or remove this one.");
        m_file.points = std::move(old.points);
        const auto dropped = std::erase_if(m_file.points, [&](const SweepPoint& point) { return isWorthMoreTime(point); });
        if (dropped > 0)
            std::cerr << "poet: " << dropped << (dropped == 1 ? " point" : " points") << " of '" << printable(m_options.output, false)
                      << "' without a proof to this gap had less time than there is now; solving again.\n";
        return {};
    }

    /// Not proven to the gap that is asked for now, and given up, or ended by a wider gap, long before the time limit of now.
    [[nodiscard]] bool isWorthMoreTime(const SweepPoint& point) const
    {
        constexpr double kMuchLess = 0.5;
        if (point.status == SolveStatus::Infeasible || planning::isBaseline(point.strategy) || point.solveSeconds > kMuchLess * m_params.timeLimitSeconds)
            return false;
        return !point.energyJoules || *point.energyJoules - point.boundJoules > m_params.gap * (1 + 1e-6) * *point.energyJoules;
    }

    static std::string described(const SweepFile& file)
    {
        return "'" + file.graph + "'" + (file.device.empty() ? "" : " on " + file.device) + (file.transfer ? " with " + std::string(name(*file.transfer)) + " transfers" : "");
    }
    std::string differenceOf(const SweepFile& old) const
    {
        return described(old) == described(m_file) ? " as it is now: sizes, costs or limits of the page store differ" : "";
    }

    Expected<void> save()
    {
        sortPoints(m_file.points);
        if (m_options.output.empty())
            return {};
        return writeFile(m_options.output, isCsv() ? toCsv(m_file) : toJson(m_file));
    }

    const SweepOptions& m_options;
    LoadedModel m_model;
    planning::ProblemFacts m_facts;
    planning::SolveParams m_params;
    SweepFile m_file;
};

/// What is swept cannot be given, too; what is not must be.
Expected<void> checkLimits(const SweepOptions& options)
{
    const std::string& over = options.request.over;
    if (options.plan.memory.empty() && over == "deadline")
        return fail(ErrorCode::BadUsage, "A sweep over deadlines needs a memory.", "Give --memory.");
    if (!options.plan.memory.empty() && over != "deadline")
        return fail(ErrorCode::BadUsage, "A sweep over " + over + " goes through all memories itself.", "Leave out --memory, or use --over deadline.");
    if (over != "memory" && (!options.plan.deadline.empty() || !options.plan.job.empty()))
        return fail(ErrorCode::BadUsage, "A sweep over " + over + " goes through the deadlines itself.", "Leave out --deadline and --job, or use --over memory.");
    return {};
}

Expected<Exit> run(SweepOptions& options)
{
    watchInterrupts();
    if (options.output == "-")
        options.output.clear();  // standard output, as without the option
    POET_CHECK(checkLimits(options));
    std::optional<FileLock> lock;
    if (!options.output.empty()) {
        POET_CHECK(checkCanWrite(options.output));
        POET_TRY(taken, FileLock::take(options.output));
        lock.emplace(std::move(taken));
    }
    POET_TRY(model, loadModel(options.model, true));
    printWarnings(model);
    POET_TRY(facts, planning::findFacts(*model.costs, model.transfer));
    POET_TRY(params, options.plan.params());
    return Sweep(options, std::move(model), std::move(facts), std::move(params)).run();
}

}  // namespace

void addSweepCommand(CLI::App& app, Action& action)
{
    auto options = std::make_shared<SweepOptions>();
    SweepRequest& request = options->request;
    CLI::App* command = app.add_subcommand("sweep", "Energy against memory or deadline, as JSON or CSV");
    options->model.addTo(*command, true);
    options->plan.addSharedTo(*command);
    command->add_option("--memory", options->plan.memory, "Memory of a sweep over deadlines");
    command->add_option("--over", request.over, "memory, deadline or grid")->check(CLI::IsMember({"memory", "deadline", "grid"}))->capture_default_str();
    command->add_option("--points", request.points, "Points on each axis")->check(CLI::Range(1, 1000))->capture_default_str();
    command->add_flag("--exact", request.isExact, "Every step of the curve (or of both, with grid), by walking down from plan to plan");
    command->add_option("--most", request.mostSolves, "Most solves of an exact sweep and strategy")->check(refuseNotPositive)->capture_default_str();
    command->add_option("--strategies,--strategy", options->strategies, "Strategies, separated by commas")->delimiter(',');
    command->add_option("--jobs", request.jobs, "Points solved at the same time")->check(CLI::Range(1, 64))->capture_default_str();
    command->add_option("--output", options->output, "File to write (.json or .csv); an existing .json is continued; - is standard output")->type_name("FILE");
    command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "app/poet/commands.h"
#include "app/poet/event_stream.h"
#include "app/poet/forked_solve.h"
#include "app/poet/plan_options.h"
#include "core/base/files.h"
#include "core/base/units.h"
#include "core/export/sweep_file.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <numeric>
#include <unistd.h>

namespace poet {
namespace {

struct SweepOptions {
    ModelOptions model;
    PlanOptions plan;
    std::string over = "memory";
    int points = 12;
    bool isExact = false;
    std::vector<std::string> strategies{"integrated"};
    int jobs = 2;
    std::string output;
};

/// One run of the command: the points known so far (from the file, too) and the way to more.
class Sweep {
public:
    Sweep(const SweepOptions& options, LoadedModel model, planning::ProblemFacts facts, planning::SolveParams params)
        : m_options(options), m_model(std::move(model)), m_facts(std::move(facts)), m_params(std::move(params))
    {
    }

    Expected<Exit> run()
    {
        POET_CHECK(resume());
        for (const std::string& strategy : m_options.strategies) {
            PlanOptions plan = m_options.plan;
            plan.strategy = strategy;
            POET_TRY(problem, plan.problem(m_model, m_facts));
            if (!m_options.plan.memory.empty() || m_options.over != "deadline")
                POET_CHECK(m_options.isExact ? walk(problem) : solveAll(gridOf(problem)));
            else
                return fail(ErrorCode::BadUsage, "A sweep over deadlines needs a memory.", "Give --memory.");
            if (wasInterrupted())
                return Exit::Cancelled;
        }
        makeMonotone(m_points, m_params.gap);
        POET_CHECK(save());
        if (m_options.output.empty())
            std::cout << toJson(m_points);
        return Exit::Done;
    }

private:
    std::int64_t memoryAt(int i) const
    {
        // From the keep-all peak down to the wall.
        const std::int64_t low = m_facts.largestWorkingSetBytes;
        const std::int64_t high = std::max(low, m_facts.keepAllPeakBytes);
        return m_options.points < 2 ? high : high - (high - low) * i / (m_options.points - 1);
    }
    double deadlineAt(int i) const
    {
        // From three times keep-all time down to it, in even ratios.
        const double share = m_options.points < 2 ? 0 : static_cast<double>(i) / (m_options.points - 1);
        return m_facts.keepAll.seconds * std::pow(3.0, 1 - share);
    }

    std::vector<planning::Problem> gridOf(const planning::Problem& base) const
    {
        std::vector<planning::Problem> problems;
        const bool hasMemory = m_options.over != "deadline";
        const bool hasDeadline = m_options.over != "memory";
        for (int d = 0; d < (hasDeadline ? m_options.points : 1); ++d)
            for (int m = 0; m < (hasMemory ? m_options.points : 1); ++m) {
                planning::Problem problem = base;
                if (hasMemory)
                    problem.memoryBytes = memoryAt(m);
                if (hasDeadline)
                    problem.deadlineSeconds = deadlineAt(d);
                if (!isKnown(problem))
                    problems.push_back(problem);
            }
        return problems;
    }

    bool isKnown(const planning::Problem& problem) const
    {
        return std::any_of(m_points.begin(), m_points.end(), [&](const SweepPoint& point) {
            return point.memoryBytes == problem.memoryBytes && point.deadlineSeconds == problem.deadlineSeconds && point.strategy == problem.strategy;
        });
    }

    Expected<void> solveAll(const std::vector<planning::Problem>& problems)
    {
        std::optional<Error> first;
        POET_CHECK(solveForked(
            problems, m_options.jobs, [&](std::size_t) { return m_params; },
            [&](std::size_t, const Expected<Plan>& plan) {
                if (plan)
                    add(*plan);
                else if (!first)
                    first = plan.error();
            }));
        if (first)
            return std::unexpected<Error>(*first);
        return {};
    }

    /// The exact curve by the epsilon-constraint walk: the next memory is just under the peak of the last optimum.
    Expected<void> walk(planning::Problem problem)
    {
        if (m_options.over != "memory")
            return fail(ErrorCode::BadUsage, "--exact walks over memory.", "Leave out --over.");
        std::int64_t step = 0;
        for (const CostNode& node : m_model.costs->nodes)
            step = std::gcd(std::gcd(step, node.bytes), node.workspaceBytes);
        problem.memoryBytes = m_facts.keepAllPeakBytes;
        while (problem.memoryBytes >= m_facts.largestWorkingSetBytes && !wasInterrupted()) {
            if (!isKnown(problem))
                POET_CHECK(solveAll({problem}));
            const auto at = std::find_if(m_points.begin(), m_points.end(), [&](const SweepPoint& point) {
                return point.memoryBytes == problem.memoryBytes && point.strategy == problem.strategy && point.deadlineSeconds == problem.deadlineSeconds;
            });
            if (at == m_points.end() || !at->peakBytes)
                break;
            problem.memoryBytes = std::min(*at->peakBytes, problem.memoryBytes) - std::max<std::int64_t>(step, 1);
        }
        return {};
    }

    void add(const Plan& plan)
    {
        m_points.push_back(sweepPoint(plan, m_model.costs->device.residentBytes));
        if (isatty(STDERR_FILENO) != 0)
            std::cerr << name(plan.strategy) << "  " << formatBytes(plan.memoryBytes) << "  " << name(plan.status)
                      << (plan.hasSchedule() ? "  " + formatJoules(plan.replay.energyJoules) + "  gap " + formatPercent(plan.gapPercent()) : "") << '\n';
        static_cast<void>(save());  // so that a killed sweep can go on; the last save reports errors
    }

    [[nodiscard]] bool isCsv() const { return m_options.output.ends_with(".csv"); }

    Expected<void> resume()
    {
        std::error_code code;
        if (m_options.output.empty() || isCsv() || !std::filesystem::exists(m_options.output, code))
            return {};
        POET_TRY(text, readFile(m_options.output));
        POET_TRY(points, parseSweep(text, m_options.output));
        m_points = std::move(points);
        return {};
    }

    Expected<void> save() const
    {
        if (m_options.output.empty())
            return {};
        return writeFile(m_options.output, isCsv() ? toCsv(m_points) : toJson(m_points));
    }

    const SweepOptions& m_options;
    LoadedModel m_model;
    planning::ProblemFacts m_facts;
    planning::SolveParams m_params;
    std::vector<SweepPoint> m_points;
};

Expected<Exit> run(const SweepOptions& options)
{
    watchInterrupts();
    POET_TRY(model, loadModel(options.model, true));
    POET_TRY(facts, planning::findFacts(*model.costs, model.transfer));
    POET_TRY(params, options.plan.params());
    return Sweep(options, std::move(model), std::move(facts), std::move(params)).run();
}

}  // namespace

void addSweepCommand(CLI::App& app, Action& action)
{
    auto options = std::make_shared<SweepOptions>();
    CLI::App* command = app.add_subcommand("sweep", "Energy against memory or deadline, as JSON or CSV");
    options->model.addTo(*command, true);
    options->plan.addTo(*command, false);
    command->add_option("--memory", options->plan.memory, "Memory of a sweep over deadlines");
    command->add_option("--over", options->over, "memory, deadline or grid")->check(CLI::IsMember({"memory", "deadline", "grid"}))->capture_default_str();
    command->add_option("--points", options->points, "Points on each axis")->check(CLI::Range(1, 1000))->capture_default_str();
    command->add_flag("--exact", options->isExact, "Every step of the curve, by walking down from peak to peak");
    command->add_option("--strategies", options->strategies, "Strategies, separated by commas")->delimiter(',');
    command->add_option("--jobs", options->jobs, "Points solved at the same time")->check(CLI::Range(1, 64))->capture_default_str();
    command->add_option("--output", options->output, "File to write (.json or .csv); an existing .json is continued")->type_name("FILE");
    command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace poet

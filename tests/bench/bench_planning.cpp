// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
// Prints, for a named list of networks and devices, how large the integer program is and how long a proof takes; by
// hand also the ratio to the published program, solved by the same CBC.
#include "core/base/units.h"
#include "core/planning/planner.h"
#include "tests/bench/bench_cases.h"
#include "tests/bench/bench_compare.h"
#include "tests/bench/bench_report.h"
#include "tests/core/planning/support/published_program.h"

#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdio>

namespace poet::bench {
namespace {

struct Options {
    std::string only;
    std::vector<int> spanPercents{90, 70, 50, 30, 10};
    double gap = 1e-4;
    double timeLimitSeconds = 60;
    double publishedLimitSeconds = 600;
    bool isComparison = false;
    bool isLazyOff = false;
    bool isDominanceOff = false;
    std::string json;
    std::vector<std::string> compared;
};

Expected<BenchRow> solveOne(const BenchCase& benchCase, const std::shared_ptr<const CostGraph>& graph, int spanPercent, const Options& options)
{
    planning::Problem problem{.graph = graph, .transfer = graph->device.transfer, .deadlineSeconds = std::nullopt};
    if (benchCase.device.starts_with("paper-"))
        problem.transfer = TransferModel::Paper;
    POET_TRY(facts, planning::findFacts(*graph, problem.transfer));
    problem.memoryBytes =
        MemorySpec{MemorySpec::Kind::PercentOfSpan, static_cast<double>(spanPercent)}.bytes(facts.largestWorkingSetBytes, facts.keepAllPeakBytes);
    planning::SolveParams params;
    params.gap = options.gap;
    params.timeLimitSeconds = options.timeLimitSeconds;
    params.useLazyStages = !options.isLazyOff;
    params.useDominance = !options.isDominanceOff;
    planning::ProgressSink sink;
    const auto start = std::chrono::steady_clock::now();
    POET_TRY(plan, planning::solve(problem, params, sink));
    BenchRow row{.network = benchCase.network, .device = benchCase.device, .transfer = std::string(name(problem.transfer)), .nodes = graph->size(),
                 .spanPercent = spanPercent, .memoryBytes = problem.memoryBytes, .variables = plan.variables, .rows = plan.rows, .seconds = 0,
                 .status = std::string(name(plan.status)), .published = std::nullopt};
    row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (plan.hasSchedule()) {
        row.gapPercent = plan.gapPercent();
        row.overheadPercent = 100 * plan.overheadJoules() / plan.keepAllEnergyJoules;
    }
    return row;
}

BenchRow::Published solveAsPublished(const CostGraph& graph, const BenchRow& row, const Options& options)
{
    const auto answer = testing::solvePublished(graph, Strategy::Integrated, row.memoryBytes, std::nullopt, options.publishedLimitSeconds, options.gap);
    double keepAllJoules = 0;
    for (const CostNode& node : graph.nodes)
        keepAllJoules += node.compute.joules;
    return {.variables = answer.variables, .rows = answer.rows, .seconds = answer.seconds,
            .hasHitLimit = answer.status == testing::PublishedStatus::Stopped,
            .overheadPercent = answer.hasSchedule ? 100 * answer.overheadJoules / keepAllJoules : -1};
}

/// All percentages of one case; problems are printed and skipped.
void runCase(const BenchCase& benchCase, const std::vector<int>& spanPercents, const Options& options, std::vector<BenchRow>& rows)
{
    const std::string label = benchCase.network + "-" + benchCase.device;
    if (label.find(options.only) == std::string::npos)
        return;
    const auto graph = loadCase(benchCase);
    if (!graph) {
        std::printf("%s: skipped: %s\n", label.c_str(), graph.error().text().c_str());
        return;
    }
    for (const int percent : spanPercents) {
        auto row = solveOne(benchCase, *graph, percent, options);
        if (!row) {
            std::printf("%s at %d %%span: %s\n", label.c_str(), percent, row.error().text().c_str());
            continue;
        }
        if (options.isComparison)
            row->published = solveAsPublished(**graph, *row, options);
        printRow(*row);
        rows.push_back(std::move(*row));
    }
}

int printComparison(const std::string& before, const std::string& after)
{
    const auto text = compareResults(before, after);
    if (!text) {
        std::fprintf(stderr, "%s\n", text.error().text().c_str());
        return 2;
    }
    std::printf("%s", text->c_str());
    return 0;
}

int run(int argc, char** argv)
{
    CLI::App app("Times planning on a named list of networks and devices.");
    Options options;
    app.add_option("--only", options.only, "only cases whose NETWORK-DEVICE holds this text");
    app.add_option("--span", options.spanPercents, "budgets, in percent of the way from working set to keep-all peak")->delimiter(',');
    app.add_option("--gap", options.gap, "proven gap to reach, as a ratio")->capture_default_str();
    app.add_option("--time-limit", options.timeLimitSeconds, "seconds a solve")->capture_default_str();
    app.add_flag("--published", options.isComparison, "ten small cases, each also by the published program (slow)");
    app.add_option("--published-limit", options.publishedLimitSeconds, "seconds for the published program")->capture_default_str();
    app.add_flag("--no-lazy-stages", options.isLazyOff, "all memory rows from the start");
    app.add_flag("--no-dominance", options.isDominanceOff, "recomputes that paging always beats stay in the program");
    app.add_option("--json", options.json, "also write the rows to this file");
    app.add_option("--compare", options.compared, "run nothing: print the ratios between two files written with --json")->expected(2)->type_name("OLD NEW");
    CLI11_PARSE(app, argc, argv);
    if (!options.compared.empty())
        return printComparison(options.compared[0], options.compared[1]);

    std::vector<BenchRow> rows;
    printHeading(options.isComparison);
    if (options.isComparison) {
        for (const ComparisonCase& comparison : comparisonCases())
            runCase(comparison.benchCase, {comparison.spanPercent}, options, rows);
    } else {
        for (const BenchCase& benchCase : benchCases())
            runCase(benchCase, options.spanPercents, options, rows);
    }
    return finish(rows, options.json);
}

}  // namespace
}  // namespace poet::bench

int main(int argc, char** argv)
{
    return poet::bench::run(argc, argv);
}

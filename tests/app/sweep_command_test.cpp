// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "core/export/sweep_file.h"
#include "tests/app/support/run_poet.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <string>

namespace poet {
namespace {

using testing::example;
using testing::Outcome;
using testing::runPoet;
using testing::TemporaryFolder;

const std::string kGraph = example("residual.graph.json");

std::vector<SweepPoint> pointsOf(const std::string& path)
{
    const auto points = parseSweep(readFile(path).value(), path);
    EXPECT_TRUE(points) << points.error().text();
    return points.value_or(std::vector<SweepPoint>{});
}

/// What is feasible stays feasible with more memory or time of the same strategy, and never costs more.
void expectMonotone(const std::vector<SweepPoint>& points)
{
    constexpr double none = std::numeric_limits<double>::infinity();
    for (const SweepPoint& small : points)
        for (const SweepPoint& large : points) {
            if (small.strategy != large.strategy || small.memoryBytes > large.memoryBytes ||
                small.deadlineSeconds.value_or(none) > large.deadlineSeconds.value_or(none) || !small.energyJoules)
                continue;
            ASSERT_TRUE(large.energyJoules) << large.memoryBytes;
            EXPECT_LE(*large.energyJoules, *small.energyJoules);
            EXPECT_LE(large.boundJoules, small.boundJoules);
        }
}

TEST(SweepCommand, memoryCurveRunsFromThePeakToTheWall)
{
    const TemporaryFolder folder;
    const std::string file = folder.file("sweep.json");
    const Outcome run = runPoet({"sweep", kGraph, "--points", "6", "--strategies", "integrated,paging", "--output", file});
    ASSERT_EQ(run.exit, 0) << run.errors;
    EXPECT_EQ(folder.names(), std::vector<std::string>{"sweep.json"});
    const auto points = pointsOf(file);
    ASSERT_EQ(points.size(), 12U);
    expectMonotone(points);
    const CostGraph graph = parseCostGraph(readFile(kGraph).value(), kGraph).value();
    const std::int64_t wall = graph.workingSetBytes(graph.largestWorkingSetNode()) + graph.device.residentBytes;
    const auto ends = std::minmax_element(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.memoryBytes < b.memoryBytes; });
    EXPECT_EQ(ends.first->memoryBytes, wall);
    EXPECT_EQ(ends.second->memoryBytes, replay(graph, graph.device.transfer, keepAllSchedule(graph)).value().peakBytes + graph.device.residentBytes);
    for (const SweepPoint& point : points)
        if (point.energyJoules) {
            EXPECT_LE(*point.peakBytes, point.memoryBytes);
            EXPECT_LE(point.boundJoules, *point.energyJoules * (1 + 1e-12));
        }
}

TEST(SweepCommand, aSecondRunSolvesNothingAgain)
{
    const TemporaryFolder folder;
    const std::string file = folder.file("sweep.json");
    ASSERT_EQ(runPoet({"sweep", kGraph, "--points", "5", "--output", file}).exit, 0);
    const std::string first = readFile(file).value();
    ASSERT_EQ(runPoet({"sweep", kGraph, "--points", "5", "--output", file}).exit, 0);
    EXPECT_EQ(readFile(file).value(), first) << "also the seconds of the searches are the old ones";
}

TEST(SweepCommand, aKilledSweepContinuesFromItsFile)
{
    const TemporaryFolder folder;
    const std::string file = folder.file("sweep.json");
    ASSERT_EQ(runPoet({"sweep", kGraph, "--points", "5", "--output", file}).exit, 0);
    auto whole = pointsOf(file);
    const std::vector<SweepPoint> half(whole.begin(), whole.begin() + 2);
    ASSERT_TRUE(writeFile(file, toJson(half)));
    ASSERT_EQ(runPoet({"sweep", kGraph, "--points", "5", "--output", file}).exit, 0);
    auto continued = pointsOf(file);
    ASSERT_EQ(continued.size(), whole.size());
    for (std::size_t i = 0; i < half.size(); ++i)
        EXPECT_EQ(continued[i].solveSeconds, half[i].solveSeconds) << "known points stay";
    const auto byMemory = [](const SweepPoint& a, const SweepPoint& b) { return a.memoryBytes < b.memoryBytes; };
    std::sort(whole.begin(), whole.end(), byMemory);
    std::sort(continued.begin(), continued.end(), byMemory);
    for (std::size_t i = 0; i < whole.size(); ++i) {
        EXPECT_EQ(continued[i].memoryBytes, whole[i].memoryBytes);
        EXPECT_NEAR(continued[i].energyJoules.value(), whole[i].energyJoules.value(), 2e-4 * whole[i].energyJoules.value());
    }
}

TEST(SweepCommand, gridsAndDeadlinesAreMonotoneInBoth)
{
    const TemporaryFolder folder;
    const std::string grid = folder.file("grid.json");
    ASSERT_EQ(runPoet({"sweep", kGraph, "--over", "grid", "--points", "4", "--output", grid}).exit, 0);
    EXPECT_EQ(pointsOf(grid).size(), 16U);
    expectMonotone(pointsOf(grid));
    const std::string deadlines = folder.file("deadlines.json");
    ASSERT_EQ(runPoet({"sweep", kGraph, "--over", "deadline", "--memory", "30%span", "--points", "5", "--output", deadlines}).exit, 0);
    const auto points = pointsOf(deadlines);
    EXPECT_EQ(points.size(), 5U);
    std::set<double> answers;
    expectMonotone(points);
    for (const SweepPoint& point : points) {
        ASSERT_TRUE(point.deadlineSeconds);
        answers.insert(point.energyJoules.value_or(0));
        if (point.seconds) {
            EXPECT_LE(*point.seconds, *point.deadlineSeconds * (1 + 1e-9));
        }
    }
    EXPECT_GE(answers.size(), 3U) << "most of the deadlines bind";
}

TEST(SweepCommand, exactCurvesContainEveryPointOfACoarseOne)
{
    const TemporaryFolder folder;
    ASSERT_EQ(runPoet({"sweep", kGraph, "--exact", "--output", folder.file("exact.json")}).exit, 0);
    ASSERT_EQ(runPoet({"sweep", kGraph, "--points", "5", "--output", folder.file("coarse.json")}).exit, 0);
    const auto exact = pointsOf(folder.file("exact.json"));
    expectMonotone(exact);
    for (const SweepPoint& coarse : pointsOf(folder.file("coarse.json"))) {
        double best = std::numeric_limits<double>::infinity();
        for (const SweepPoint& point : exact)
            if (point.peakBytes && *point.peakBytes <= coarse.memoryBytes)
                best = std::min(best, *point.energyJoules);
        EXPECT_NEAR(best, coarse.energyJoules.value(), 2.1e-4 * coarse.energyJoules.value()) << coarse.memoryBytes;
    }
}

TEST(SweepCommand, exactDeadlinesAnswerEveryDeadlineBetween)
{
    const TemporaryFolder folder;
    const std::string file = folder.file("exact.json");
    ASSERT_EQ(runPoet({"sweep", kGraph, "--over", "deadline", "--memory", "20%span", "--exact", "--output", file}).exit, 0);
    const auto exact = pointsOf(file);
    expectMonotone(exact);
    ASSERT_GE(exact.size(), 3U);
    ASSERT_EQ(runPoet({"sweep", kGraph, "--over", "deadline", "--memory", "20%span", "--points", "6", "--output", folder.file("coarse.json")}).exit, 0);
    for (const SweepPoint& coarse : pointsOf(folder.file("coarse.json"))) {
        double best = std::numeric_limits<double>::infinity();
        for (const SweepPoint& point : exact)
            if (point.seconds && *point.seconds <= *coarse.deadlineSeconds * (1 + 1e-9))
                best = std::min(best, *point.energyJoules);
        ASSERT_EQ(coarse.energyJoules.has_value(), best < 1e300) << *coarse.deadlineSeconds;
        if (coarse.energyJoules) {
            EXPECT_NEAR(best, *coarse.energyJoules, 2.1e-4 * *coarse.energyJoules) << *coarse.deadlineSeconds;
        }
    }
}

TEST(SweepCommand, exactGridsAnswerEveryPointOfACoarseOne)
{
    const TemporaryFolder folder;
    const std::string file = folder.file("exact.json");
    ASSERT_EQ(runPoet({"sweep", kGraph, "--over", "grid", "--exact", "--strategies", "paging", "--output", file}).exit, 0);
    const auto exact = pointsOf(file);
    expectMonotone(exact);
    ASSERT_EQ(runPoet({"sweep", kGraph, "--over", "grid", "--points", "4", "--strategies", "paging", "--output", folder.file("coarse.json")}).exit, 0);
    for (const SweepPoint& coarse : pointsOf(folder.file("coarse.json"))) {
        double best = std::numeric_limits<double>::infinity();
        for (const SweepPoint& point : exact)
            if (point.seconds && *point.seconds <= *coarse.deadlineSeconds * (1 + 1e-9) && *point.peakBytes <= coarse.memoryBytes)
                best = std::min(best, *point.energyJoules);
        ASSERT_EQ(coarse.energyJoules.has_value(), best < 1e300) << coarse.memoryBytes << " B, " << *coarse.deadlineSeconds << " s";
        if (coarse.energyJoules) {
            EXPECT_NEAR(best, *coarse.energyJoules, 2.1e-4 * *coarse.energyJoules) << coarse.memoryBytes << " B, " << *coarse.deadlineSeconds << " s";
        }
    }
}

TEST(SweepCommand, anExactSweepThatWasCutShortGoesOn)
{
    const TemporaryFolder folder;
    const std::string file = folder.file("exact.json");
    const Outcome cut = runPoet({"sweep", kGraph, "--exact", "--most", "2", "--output", file});
    ASSERT_EQ(cut.exit, 0) << cut.errors;
    EXPECT_NE(cut.errors.find("run again"), std::string::npos) << cut.errors;
    const std::size_t few = pointsOf(file).size();
    ASSERT_EQ(runPoet({"sweep", kGraph, "--exact", "--output", file}).exit, 0);
    ASSERT_EQ(runPoet({"sweep", kGraph, "--exact", "--output", folder.file("whole.json")}).exit, 0);
    EXPECT_GT(pointsOf(file).size(), few);
    EXPECT_EQ(pointsOf(file).size(), pointsOf(folder.file("whole.json")).size());
}

TEST(SweepCommand, aFileOfAnotherModelIsRefusedAndKept)
{
    const TemporaryFolder folder;
    const std::string file = folder.file("sweep.json");
    ASSERT_EQ(runPoet({"sweep", kGraph, "--points", "2", "--output", file}).exit, 0);
    const std::string before = readFile(file).value();
    CostGraph other = parseCostGraph(readFile(kGraph).value(), kGraph).value();
    other.nodes[1].compute.joules *= 2;
    const std::string changed = folder.write("other.graph.json", toJson(other));
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"sweep", changed, "--points", "2", "--output", file},
                                                      {"sweep", kGraph, "--transfer", "paper", "--points", "2", "--output", file},
                                                      {"sweep", kGraph, "--max-written", "1KiB", "--points", "2", "--output", file}}) {
        const Outcome run = runPoet(arguments);
        EXPECT_EQ(run.exit, 2);
        EXPECT_NE(run.errors.find("is a sweep of"), std::string::npos) << run.errors;
        EXPECT_EQ(readFile(file).value(), before);
    }
    ASSERT_EQ(runPoet({"sweep", kGraph, "--points", "2", "--strategies", "paging", "--output", file}).exit, 0) << "another strategy joins the file";
    EXPECT_EQ(pointsOf(file).size(), 4U);
}

TEST(SweepCommand, kneeWallAndPeakAreMarkedAndPointsSorted)
{
    const TemporaryFolder folder;
    const std::string path = folder.file("sweep.json");
    const Outcome run = runPoet({"sweep", kGraph, "--points", "8", "--strategies", "paging,integrated", "--output", path});
    ASSERT_EQ(run.exit, 0) << run.errors;
    EXPECT_NE(run.output.find("knee of integrated"), std::string::npos) << run.output;
    const auto file = parseSweepFile(readFile(path).value(), path).value();
    EXPECT_FALSE(file.graphSha256.empty());
    EXPECT_LT(file.wallBytes, file.keepAllPeakBytes);
    for (const Strategy strategy : {Strategy::Integrated, Strategy::Paging})
        EXPECT_EQ(std::count_if(file.points.begin(), file.points.end(), [&](const SweepPoint& point) { return point.isKnee && point.strategy == strategy; }), 1);
    auto sorted = file.points;
    sortPoints(sorted);
    EXPECT_EQ(sorted, file.points);
    ASSERT_EQ(runPoet({"sweep", kGraph, "--points", "8", "--output", folder.file("sweep.csv")}).exit, 0);
    const std::string table = readFile(folder.file("sweep.csv")).value();
    for (const char* mark : {",wall\n", ",knee\n", ",peak\n"})
        EXPECT_NE(table.find(mark), std::string::npos) << mark << table;
}

TEST(SweepCommand, tablesAreCommaSeparatedAndStandardOutputIsJson)
{
    const TemporaryFolder folder;
    ASSERT_EQ(runPoet({"sweep", kGraph, "--points", "3", "--output", folder.file("sweep.csv")}).exit, 0);
    const std::string table = readFile(folder.file("sweep.csv")).value();
    EXPECT_TRUE(table.starts_with("memory_bytes,deadline_seconds,strategy,status,"));
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 4);
    const Outcome run = runPoet({"sweep", kGraph, "--points", "3"});
    ASSERT_EQ(run.exit, 0) << run.errors;
    EXPECT_EQ(parseSweep(run.output, "output").value().size(), 3U);
}

TEST(SweepCommand, aFileThatIsNoSweepIsNotOverwritten)
{
    const TemporaryFolder folder;
    for (const std::string& content : {std::string("my notes"), readFile(kGraph).value(), std::string("{\"format\":\"poet-sweep\",\"version\":1,\"points\":[")}) {
        const std::string file = folder.write("mine.json", content);
        const Outcome run = runPoet({"sweep", kGraph, "--points", "2", "--output", file});
        EXPECT_EQ(run.exit, 2);
        EXPECT_NE(run.errors.find("mine.json"), std::string::npos) << run.errors;
        EXPECT_EQ(readFile(file).value(), content);
    }
}

TEST(SweepCommand, pointsWithoutTheProofThatIsAskedForAreSolvedAgain)
{
    const TemporaryFolder folder;
    const std::string file = folder.file("sweep.json");
    const std::vector<std::string> words{"sweep", kGraph, "--points", "4", "--strategies", "integrated,greedy", "--output", file};
    auto coarse = words;
    coarse.insert(coarse.end(), {"--gap", "60%"});
    ASSERT_EQ(runPoet(coarse).exit, 0);
    const auto isProven = [](const SweepPoint& point) { return *point.energyJoules - point.boundJoules <= 1.01e-4 * *point.energyJoules; };
    const auto isOpen = [&](const SweepPoint& point) { return point.strategy == Strategy::Integrated && !isProven(point); };
    ASSERT_TRUE(std::ranges::any_of(pointsOf(file), isOpen)) << "the wide gap proves everything already";
    const Outcome fine = runPoet(words);
    ASSERT_EQ(fine.exit, 0);
    EXPECT_NE(fine.errors.find("solving again"), std::string::npos) << fine.errors;
    EXPECT_TRUE(std::ranges::none_of(pointsOf(file), isOpen));
    const auto whole = pointsOf(file);
    EXPECT_EQ(runPoet(words).errors, "") << "nothing is left to do";
    EXPECT_EQ(pointsOf(file), whole);
}

}  // namespace
}  // namespace poet

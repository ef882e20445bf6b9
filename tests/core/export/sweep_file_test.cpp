// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/sweep_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <random>
#include <sstream>
#include <string>

namespace poet {
namespace {

std::vector<SweepPoint> anyPoints(std::uint32_t seed)
{
    std::mt19937 random(seed);
    const auto share = [&](double scale) { return static_cast<double>(random() % 100000) / scale; };
    std::vector<SweepPoint> points(random() % 12);
    for (SweepPoint& point : points) {
        point.memoryBytes = static_cast<std::int64_t>(random()) << (random() % 20);
        if (random() % 2 == 0)
            point.deadlineSeconds = share(1024);
        point.strategy = static_cast<Strategy>(random() % 10);
        point.status = static_cast<SolveStatus>(random() % 4);
        if (point.status == SolveStatus::Optimal || point.status == SolveStatus::Feasible) {
            point.energyJoules = share(7);
            point.peakBytes = static_cast<std::int64_t>(random());
            point.seconds = share(1e7);
        }
        point.boundJoules = share(9);
        point.solveSeconds = share(1e9);
    }
    return points;
}

TEST(SweepFile, pointsReadBackEqual)
{
    for (std::uint32_t seed = 1; seed <= 300; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const auto points = anyPoints(seed);
        const std::string text = toJson(points);
        const auto back = parseSweep(text, "sweep.json");
        ASSERT_TRUE(back) << back.error().text();
        EXPECT_EQ(*back, points);
        EXPECT_EQ(toJson(*back), text);
        EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), static_cast<std::ptrdiff_t>(points.size()) + 1) << "one point a line";
    }
}

TEST(SweepFile, wholeFilesReadBackEqual)
{
    for (std::uint32_t seed = 1; seed <= 100; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        SweepFile file;
        file.points = anyPoints(seed);
        if (seed % 2 == 0)
            file.graph = "net \"x\"", file.graphSha256 = "abc" + std::to_string(seed), file.device = seed % 4 == 0 ? "rpi4b" : "", file.transfer = TransferModel::Dma;
        if (seed % 5 == 0)
            file.residentBytes = 64 * seed;
        if (seed % 3 == 0)
            file.wallBytes = 100, file.keepAllPeakBytes = 1000 + seed, file.keepAllEnergyJoules = 0.1 * seed, file.keepAllSeconds = 3;
        for (std::size_t i = 0; i < file.points.size(); i += 3)
            file.points[i].isKnee = true;
        const auto back = parseSweepFile(toJson(file), "sweep.json");
        ASSERT_TRUE(back) << back.error().text();
        EXPECT_EQ(*back, file);
    }
}

TEST(SweepFile, thePeakOfFilesIsWithoutResidentBytesUnlessTheyAreOld)
{
    SweepFile file;
    file.points = {{.memoryBytes = 100, .deadlineSeconds = {}, .status = SolveStatus::Feasible, .energyJoules = 2, .peakBytes = 90, .seconds = 3}};
    EXPECT_NE(toJson(file).find("\"peak_bytes\":90"), std::string::npos) << "resident bytes are not known: the sum, as in older files";
    file.residentBytes = 30;
    EXPECT_NE(toJson(file).find("\"peak_bytes\":60"), std::string::npos) << toJson(file);
    EXPECT_NE(toCsv(file).find(",60,30,"), std::string::npos) << toCsv(file);
    EXPECT_EQ(parseSweepFile(toJson(file), "s.json").value().points[0].peakBytes, 90);
}

SweepPoint pointAt(std::int64_t memory, double energy, std::optional<double> deadline = {})
{
    SweepPoint point;
    point.memoryBytes = memory;
    point.deadlineSeconds = deadline;
    point.status = SolveStatus::Optimal;
    point.energyJoules = energy;
    point.peakBytes = memory;
    point.seconds = 1;
    return point;
}

std::vector<std::int64_t> kneesOf(std::vector<SweepPoint> points)
{
    markKnees(points);
    std::vector<std::int64_t> knees;
    for (const SweepPoint& point : points)
        if (point.isKnee)
            knees.push_back(point.memoryBytes);
    return knees;
}

TEST(SweepMarks, kneeIsTheFarthestBelowTheChord)
{
    EXPECT_EQ(kneesOf({pointAt(100, 10), pointAt(110, 3), pointAt(150, 2), pointAt(200, 1)}), std::vector<std::int64_t>{110});
    EXPECT_EQ(kneesOf({pointAt(200, 1), pointAt(100, 10), pointAt(150, 2), pointAt(110, 9)}), std::vector<std::int64_t>{150}) << "order does not matter";
    EXPECT_TRUE(kneesOf({pointAt(100, 3), pointAt(150, 2), pointAt(200, 1)}).empty()) << "a straight curve";
    EXPECT_TRUE(kneesOf({pointAt(100, 3), pointAt(200, 1)}).empty()) << "two points";
    EXPECT_TRUE(kneesOf({pointAt(100, 1), pointAt(150, 1), pointAt(200, 1)}).empty()) << "a flat curve";
    auto withGap = std::vector<SweepPoint>{pointAt(100, 10), pointAt(110, 3), pointAt(200, 1)};
    SweepPoint stopped;
    stopped.memoryBytes = 105;
    withGap.push_back(stopped);
    EXPECT_EQ(kneesOf(withGap), std::vector<std::int64_t>{110}) << "points without schedule are no part of a curve";
}

TEST(SweepMarks, curvesOverDeadlinesHaveKneesToo)
{
    std::vector<SweepPoint> points{pointAt(100, 10, 1.0), pointAt(100, 2, 1.2), pointAt(100, 1, 3.0), pointAt(100, 1)};
    markKnees(points);
    EXPECT_TRUE(points[1].isKnee);
    EXPECT_EQ(std::ranges::count_if(points, &SweepPoint::isKnee), 1);
}

TEST(SweepMarks, sortingGoesFromLargeLimitsDown)
{
    std::vector<SweepPoint> points{pointAt(100, 1, 2.0), pointAt(200, 1, 1.0), pointAt(100, 1), pointAt(200, 1)};
    sortPoints(points);
    EXPECT_EQ(points[0].memoryBytes, 200);
    EXPECT_FALSE(points[0].deadlineSeconds);
    EXPECT_FALSE(points[1].deadlineSeconds);
    EXPECT_EQ(points[2].deadlineSeconds, 2.0);
    EXPECT_EQ(points[3].deadlineSeconds, 1.0);
}

TEST(SweepFile, tableHasOneRowAPointAndTheSameNumbers)
{
    for (std::uint32_t seed = 1; seed <= 100; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const auto points = anyPoints(seed);
        std::istringstream table(toCsv(points));
        std::string line;
        ASSERT_TRUE(std::getline(table, line));
        EXPECT_EQ(line, "memory_bytes,deadline_seconds,strategy,status,energy_joules,bound_joules,peak_bytes,resident_bytes,seconds,solve_seconds,mark");
        for (const SweepPoint& point : points) {
            ASSERT_TRUE(std::getline(table, line));
            std::vector<std::string> cells{""};
            for (const char c : line) {
                if (c == ',')
                    cells.emplace_back();
                else
                    cells.back().push_back(c);
            }
            ASSERT_EQ(cells.size(), 11U) << line;
            EXPECT_EQ(std::stoll(cells[0]), point.memoryBytes);
            EXPECT_EQ(cells[1].empty() ? std::nullopt : std::optional(std::stod(cells[1])), point.deadlineSeconds);
            EXPECT_EQ(cells[2], name(point.strategy));
            EXPECT_EQ(cells[3], name(point.status));
            EXPECT_EQ(cells[4].empty() ? std::nullopt : std::optional(std::stod(cells[4])), point.energyJoules);
            EXPECT_EQ(std::stod(cells[5]), point.boundJoules);
            EXPECT_EQ(cells[6].empty(), !point.peakBytes);
            EXPECT_EQ(std::stod(cells[9]), point.solveSeconds);
        }
        EXPECT_FALSE(std::getline(table, line));
    }
}

TEST(SweepFile, defectsAreRefusedAtTheirPlace)
{
    const std::string whole = R"({"format":"poet-sweep","version":1,"points":[{"memory_bytes":10,"deadline_seconds":null,"strategy":"paging","status":"optimal","energy_joules":2,"bound_joules":1,"peak_bytes":9,"seconds":3,"solve_seconds":0.1}]})";
    ASSERT_TRUE(parseSweep(whole, "s.json"));
    const auto change = [&](const std::string& old, const std::string& fresh) {
        std::string text = whole;
        const auto at = text.find(old);
        EXPECT_NE(at, std::string::npos) << old;
        return text.replace(at, old.size(), fresh);
    };
    const std::vector<std::array<std::string, 3>> changes{
        {"\"version\":1", "\"version\":7", "'version'"},       {"poet-sweep", "poet-sweeps", "'format'"},
        {"\"memory_bytes\":10", "\"memory_bytes\":-1", "points[0]: 'memory_bytes'"}, {"\"paging\"", "\"swap\"", "points[0]: 'strategy'"},
        {"\"optimal\"", "\"best\"", "points[0]: 'status'"},     {"\"energy_joules\":2", "\"energy_joules\":\"2\"", "points[0]: 'energy_joules'"},
        {"\"bound_joules\":1,", "", "points[0]: 'bound_joules'"}, {"\"seconds\":3", "\"seconds\":-3", "points[0]: 'seconds'"},
        {"\"solve_seconds\"", "\"solved\"", "points[0]: 'solved'"}, {"\"points\":[{", "\"points\":[1,{", "points[0]"},
        {"\"optimal\",\"energy_joules\":2", "\"optimal\"", "points[0]"}, {"\"optimal\"", "\"infeasible\"", "points[0]"},
    };
    for (const auto& [old, fresh, part] : changes) {
        SCOPED_TRACE(old + " -> " + fresh);
        const auto read = parseSweep(change(old, fresh), "s.json");
        if (read) {
            ADD_FAILURE() << "accepted";
            continue;
        }
        EXPECT_EQ(read.error().code, ErrorCode::BadModel);
        EXPECT_NE(read.error().message.find(part), std::string::npos) << read.error().message;
    }
    for (std::size_t length = 0; length < whole.size(); ++length)
        EXPECT_FALSE(parseSweep(whole.substr(0, length), "s.json"));
}

/// Points of one true curve, as searches that stop early would report them: energies at or above it, bounds below.
std::vector<SweepPoint> noisyCurve(std::mt19937& random)
{
    std::vector<SweepPoint> points;
    for (const Strategy strategy : {Strategy::Integrated, Strategy::Paging})
        for (int i = 0; i < 14; ++i) {
            SweepPoint point;
            point.memoryBytes = 100 + static_cast<std::int64_t>(random() % 20) * 10;
            if (random() % 3 != 0)
                point.deadlineSeconds = 1.0 + 0.25 * static_cast<double>(random() % 8);
            point.strategy = strategy;
            const double truth = 1000.0 / static_cast<double>(point.memoryBytes) + 1 / point.deadlineSeconds.value_or(1e9);
            point.boundJoules = truth * (1 - 0.2 * static_cast<double>(random() % 3));
            point.status = random() % 4 == 0 ? SolveStatus::Stopped : SolveStatus::Feasible;
            if (point.status == SolveStatus::Feasible) {
                point.energyJoules = truth * (1 + 0.2 * static_cast<double>(random() % 3));
                point.peakBytes = point.memoryBytes - static_cast<std::int64_t>(random() % 10);
                point.seconds = point.deadlineSeconds.value_or(9) * 0.75;
            }
            points.push_back(point);
        }
    return points;
}

bool isWithin(const SweepPoint& small, const SweepPoint& large)
{
    constexpr double none = std::numeric_limits<double>::infinity();
    return small.strategy == large.strategy && small.memoryBytes <= large.memoryBytes &&
           small.deadlineSeconds.value_or(none) <= large.deadlineSeconds.value_or(none);
}

TEST(MakeMonotone, curvesBecomeConsistentAndNothingIsInvented)
{
    for (std::uint32_t seed = 1; seed <= 300; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        std::mt19937 random(seed);
        const auto before = noisyCurve(random);
        auto points = before;
        makeMonotone(points, 1e-4);
        ASSERT_EQ(points.size(), before.size());
        for (std::size_t i = 0; i < points.size(); ++i) {
            const SweepPoint& point = points[i];
            EXPECT_EQ(point.memoryBytes, before[i].memoryBytes) << "order and limits are kept";
            EXPECT_GE(point.boundJoules, before[i].boundJoules);
            EXPECT_EQ(point.energyJoules.has_value(), point.status == SolveStatus::Optimal || point.status == SolveStatus::Feasible);
            if (before[i].energyJoules) {
                EXPECT_LE(*point.energyJoules, *before[i].energyJoules);
            }
            if (!point.energyJoules)
                continue;
            EXPECT_LE(point.boundJoules, *point.energyJoules * (1 + 1e-12)) << "true bounds and true energies never cross";
            EXPECT_EQ(point.status == SolveStatus::Optimal, *point.energyJoules - point.boundJoules <= 1e-4 * *point.energyJoules);
            EXPECT_LE(*point.peakBytes, point.memoryBytes);
            if (point.deadlineSeconds) {
                EXPECT_LE(*point.seconds, *point.deadlineSeconds);
            }
            EXPECT_TRUE(std::any_of(before.begin(), before.end(), [&](const SweepPoint& from) {
                return isWithin(from, point) && from.energyJoules == point.energyJoules && from.peakBytes == point.peakBytes && from.seconds == point.seconds;
            })) << "an energy comes with peak and time of the schedule that has it";
        }
        for (const SweepPoint& small : points)
            for (const SweepPoint& large : points) {
                if (!isWithin(small, large))
                    continue;
                EXPECT_GE(small.boundJoules, large.boundJoules);
                if (small.energyJoules) {
                    ASSERT_TRUE(large.energyJoules) << "feasible at less is feasible at more";
                    EXPECT_LE(*large.energyJoules, *small.energyJoules);
                }
            }
        auto again = points;
        makeMonotone(again, 1e-4);
        EXPECT_EQ(again, points) << "once is enough";
    }
}

TEST(MakeMonotone, strategiesDoNotMix)
{
    std::vector<SweepPoint> points(2);
    points[0] = {.memoryBytes = 10, .deadlineSeconds = {}, .strategy = Strategy::Paging, .status = SolveStatus::Feasible, .energyJoules = 1, .peakBytes = 10, .seconds = 1};
    points[1] = {.memoryBytes = 20, .deadlineSeconds = {}, .strategy = Strategy::Recompute, .status = SolveStatus::Feasible, .energyJoules = 2, .peakBytes = 20, .seconds = 1};
    const auto before = points;
    makeMonotone(points, 1e-4);
    EXPECT_EQ(points, before);
}

TEST(SweepPointOfAPlan, sizesIncludeResidentBytes)
{
    Plan plan;
    plan.memoryBytes = 1000;
    plan.status = SolveStatus::Stopped;
    EXPECT_FALSE(sweepPoint(plan, 64).energyJoules);
    EXPECT_FALSE(sweepPoint(plan, 64).peakBytes);
    plan.status = SolveStatus::Optimal;
    plan.replay.schedule.steps.resize(1);
    plan.replay.peakBytes = 900;
    plan.replay.energyJoules = 5;
    plan.replay.seconds = 7;
    plan.boundJoules = 4;
    const SweepPoint point = sweepPoint(plan, 64);
    EXPECT_EQ(point.peakBytes, 964);
    EXPECT_EQ(point.energyJoules, 5);
    EXPECT_EQ(point.seconds, 7);
    EXPECT_EQ(point.boundJoules, 4);
    EXPECT_EQ(point.memoryBytes, 1000);
}

}  // namespace
}  // namespace poet

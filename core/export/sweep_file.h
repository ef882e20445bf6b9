// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/schedule/plan.h"

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace poet {

/// Stands for the deadline of a point that has none.
inline constexpr double kNoDeadline = std::numeric_limits<double>::infinity();

/// One solved point of a curve; sizes include resident bytes (in files the peak does not: see toJson). Without a schedule, energy, peak and seconds are absent.
struct SweepPoint {
    std::int64_t memoryBytes = 0;
    std::optional<double> deadlineSeconds;
    Strategy strategy = Strategy::Integrated;
    SolveStatus status = SolveStatus::Stopped;
    std::optional<double> energyJoules;
    double boundJoules = 0;
    std::optional<std::int64_t> peakBytes;
    std::optional<double> seconds;
    double solveSeconds = 0;
    bool isKnee = false;  ///< see markKnees
    bool operator==(const SweepPoint&) const = default;
};

/// A whole sweep: what it is of, the marks of its curves, and its points.
struct SweepFile {
    std::string graph;         ///< its name
    std::string graphSha256;   ///< of the cost graph, hex: sizes, costs and device terms; empty in older files
    std::string device;        ///< as typed; empty for a cost graph
    std::optional<TransferModel> transfer;
    std::optional<std::int64_t> residentBytes;  ///< part of every memory and peak; absent in older files
    std::int64_t wallBytes = 0;         ///< below this nothing is feasible; 0 when not known
    std::int64_t keepAllPeakBytes = 0;  ///< above this nothing improves
    double keepAllEnergyJoules = 0;
    double keepAllSeconds = 0;          ///< no deadline below this is feasible
    std::vector<SweepPoint> points;
    bool operator==(const SweepFile&) const = default;
};

/// The point that a plan stands for.
[[nodiscard]] SweepPoint sweepPoint(const Plan& plan, std::int64_t residentBytes);

/// `poet-sweep` version 1 (architecture.md), one point a line; the members `of` (what it is of) and `marks` only when known.
/// `peak_bytes` is without `resident_bytes`, as in schedule files. Older files, which lack `resident_bytes`, hold the sum of
/// both in `peak_bytes`; so does a file whose resident bytes are not known.
[[nodiscard]] std::string toJson(const SweepFile& file);
[[nodiscard]] std::string toJson(const std::vector<SweepPoint>& points);
/// Reads it strictly. Errors: BadModel naming the place.
[[nodiscard]] Expected<SweepFile> parseSweepFile(std::string_view json, std::string_view where);
/// Its points alone.
[[nodiscard]] Expected<std::vector<SweepPoint>> parseSweep(std::string_view json, std::string_view where);
/// The same as comma-separated values with a heading; absent values are empty. `peak_bytes` and
/// `resident_bytes` as in JSON. The last column, `mark`, holds "wall",
/// "peak" or "knee" where a point is one (a knee before the others).
[[nodiscard]] std::string toCsv(const SweepFile& file);
[[nodiscard]] std::string toCsv(const std::vector<SweepPoint>& points);

/// Strategies in their fixed order, then deadlines from none down, then memories from the largest down.
void sortPoints(std::vector<SweepPoint>& points);

/// Marks the knee of each curve: the point that lies farthest below the line between the ends of its curve, both axes
/// scaled to the curve. A curve is what shares strategy and deadline (energy over memory); where no such curve has three
/// different points, what shares strategy and memory (energy over deadline). A straight curve has no knee.
/// Source: Satopaa et al. 2011 (Kneedle), without smoothing.
void markKnees(std::vector<SweepPoint>& points);

/// Makes curves consistent: what is feasible at some limits is feasible at larger ones, a bound holds at smaller ones
/// (planning.md, section 5). Energy, peak and seconds move to larger memories and deadlines of the same strategy,
/// bounds to smaller ones; a point whose gap closes by that within `gap` becomes optimal. Order is kept.
void makeMonotone(std::vector<SweepPoint>& points, double gap);

}  // namespace poet

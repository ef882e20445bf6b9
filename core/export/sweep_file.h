// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/schedule/plan.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace poet {

/// One solved point of a curve; sizes include resident bytes. Without a schedule, energy, peak and seconds are absent.
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
    bool operator==(const SweepPoint&) const = default;
};

/// The point that a plan stands for.
[[nodiscard]] SweepPoint sweepPoint(const Plan& plan, std::int64_t residentBytes);

/// `poet-sweep` version 1 (architecture.md), one point a line.
[[nodiscard]] std::string toJson(const std::vector<SweepPoint>& points);
/// Reads it strictly. Errors: BadModel naming the place.
[[nodiscard]] Expected<std::vector<SweepPoint>> parseSweep(std::string_view json, std::string_view where);
/// The same as comma-separated values with a heading; absent values are empty.
[[nodiscard]] std::string toCsv(const std::vector<SweepPoint>& points);

/// Makes curves consistent: what is feasible at some limits is feasible at larger ones, a bound holds at smaller ones
/// (planning.md, section 5). Energy, peak and seconds move to larger memories and deadlines of the same strategy,
/// bounds to smaller ones; a point whose gap closes by that within `gap` becomes optimal. Order is kept.
void makeMonotone(std::vector<SweepPoint>& points, double gap);

}  // namespace poet

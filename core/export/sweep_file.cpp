// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/sweep_file.h"

#include "core/base/json_reader.h"
#include "core/base/units.h"

#include <nlohmann/json.hpp>

#include <limits>

namespace poet {

using nlohmann::ordered_json;

namespace {

template <class T>
ordered_json orNull(const std::optional<T>& value)
{
    return value ? ordered_json(*value) : ordered_json(nullptr);
}

template <class T>
void readName(ObjectReader& reader, std::string_view key, T& target, std::optional<T> (*fromName)(std::string_view))
{
    if (const auto value = fromName(reader.text(key)))
        target = *value;
    else
        reader.complain(key, "holds an unknown name");
}

Expected<SweepPoint> readPoint(const ordered_json& value, const std::string& path)
{
    ObjectReader reader(value, path, ErrorCode::BadModel);
    reader.onlyKnown({"memory_bytes", "deadline_seconds", "strategy", "status", "energy_joules", "bound_joules", "peak_bytes", "seconds", "solve_seconds"});
    SweepPoint point;
    point.memoryBytes = reader.integer("memory_bytes");
    if (reader.has("deadline_seconds"))
        point.deadlineSeconds = reader.number("deadline_seconds");
    readName(reader, "strategy", point.strategy, &strategyFromName);
    readName(reader, "status", point.status, &solveStatusFromName);
    if (reader.has("energy_joules"))
        point.energyJoules = reader.number("energy_joules");
    point.boundJoules = reader.number("bound_joules");
    if (reader.has("peak_bytes"))
        point.peakBytes = reader.integer("peak_bytes");
    if (reader.has("seconds"))
        point.seconds = reader.number("seconds");
    point.solveSeconds = reader.number("solve_seconds", 0, 0);
    const bool hasSchedule = point.status == SolveStatus::Optimal || point.status == SolveStatus::Feasible;
    for (const std::string_view key : {"energy_joules", "peak_bytes", "seconds"})
        if (reader.has(key) != hasSchedule)
            reader.complain(key, hasSchedule ? "is missing" : "belongs to points with a schedule only");
    POET_CHECK(reader.result());
    return point;
}

constexpr double kNoDeadline = std::numeric_limits<double>::infinity();

/// True when every schedule within the limits of `small` is within those of `large`.
bool isWithin(const SweepPoint& small, const SweepPoint& large)
{
    return small.strategy == large.strategy && small.memoryBytes <= large.memoryBytes &&
           small.deadlineSeconds.value_or(kNoDeadline) <= large.deadlineSeconds.value_or(kNoDeadline);
}

}  // namespace

SweepPoint sweepPoint(const Plan& plan, std::int64_t residentBytes)
{
    SweepPoint point{plan.memoryBytes, plan.deadlineSeconds, plan.strategy, plan.status, {}, plan.boundJoules, {}, {}, plan.solveSeconds};
    if (plan.hasSchedule()) {
        point.energyJoules = plan.replay.energyJoules;
        point.peakBytes = plan.replay.peakBytes + residentBytes;
        point.seconds = plan.replay.seconds;
    }
    return point;
}

std::string toJson(const std::vector<SweepPoint>& points)
{
    std::string text = "{\"format\":\"poet-sweep\",\"version\":1,\"points\":[";
    for (const SweepPoint& point : points) {
        const ordered_json row{{"memory_bytes", point.memoryBytes},
                               {"deadline_seconds", orNull(point.deadlineSeconds)},
                               {"strategy", name(point.strategy)},
                               {"status", name(point.status)},
                               {"energy_joules", orNull(point.energyJoules)},
                               {"bound_joules", point.boundJoules},
                               {"peak_bytes", orNull(point.peakBytes)},
                               {"seconds", orNull(point.seconds)},
                               {"solve_seconds", point.solveSeconds}};
        text += (&point == points.data() ? "\n" : ",\n") + row.dump();
    }
    return text + "]}\n";
}

Expected<std::vector<SweepPoint>> parseSweep(std::string_view json, std::string_view where)
{
    POET_TRY(value, parseJson(json, where, ErrorCode::BadModel));
    ObjectReader reader(value, std::string(where), ErrorCode::BadModel);
    reader.expectFormat("poet-sweep", 1);
    reader.onlyKnown({"format", "version", "points"});
    const ordered_json* array = reader.array("points");
    POET_CHECK(reader.result());
    std::vector<SweepPoint> points;
    for (std::size_t i = 0; i < array->size(); ++i) {
        POET_TRY(point, readPoint((*array)[i], std::string(where) + ": points[" + std::to_string(i) + "]"));
        points.push_back(point);
    }
    return points;
}

std::string toCsv(const std::vector<SweepPoint>& points)
{
    std::string text = "memory_bytes,deadline_seconds,strategy,status,energy_joules,bound_joules,peak_bytes,seconds,solve_seconds\n";
    const auto number = [](const std::optional<double>& value) { return value ? formatDouble(*value) : std::string(); };
    for (const SweepPoint& point : points)
        text += std::to_string(point.memoryBytes) + "," + number(point.deadlineSeconds) + "," + std::string(name(point.strategy)) + "," +
                std::string(name(point.status)) + "," + number(point.energyJoules) + "," + formatDouble(point.boundJoules) + "," +
                (point.peakBytes ? std::to_string(*point.peakBytes) : "") + "," + number(point.seconds) + "," + formatDouble(point.solveSeconds) + "\n";
    return text;
}

void makeMonotone(std::vector<SweepPoint>& points, double gap)
{
    for (SweepPoint& large : points)
        for (const SweepPoint& small : points)
            if (isWithin(small, large) && small.energyJoules && (!large.energyJoules || *small.energyJoules < *large.energyJoules)) {
                large.energyJoules = small.energyJoules;
                large.peakBytes = small.peakBytes;
                large.seconds = small.seconds;
                if (large.status != SolveStatus::Optimal)
                    large.status = SolveStatus::Feasible;
            }
    for (SweepPoint& small : points)
        for (const SweepPoint& large : points)
            if (isWithin(small, large))
                small.boundJoules = std::max(small.boundJoules, large.boundJoules);
    for (SweepPoint& point : points)
        if (point.status == SolveStatus::Feasible && *point.energyJoules - point.boundJoules <= gap * *point.energyJoules)
            point.status = SolveStatus::Optimal;
}

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/sweep_file.h"

#include "core/base/json_reader.h"
#include "core/base/units.h"

#include <nlohmann/json.hpp>

namespace poet {

using nlohmann::ordered_json;

namespace {

template <class T>
ordered_json orNull(const std::optional<T>& value)
{
    return value ? ordered_json(*value) : ordered_json(nullptr);
}

Expected<SweepPoint> readPoint(const ordered_json& value, const std::string& path)
{
    ObjectReader reader(value, path, ErrorCode::BadModel);
    reader.onlyKnown({"memory_bytes", "deadline_seconds", "strategy", "status", "energy_joules", "bound_joules", "peak_bytes", "seconds", "solve_seconds", "knee"});
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
    point.isKnee = reader.flag("knee", false);
    const bool hasSchedule = point.status == SolveStatus::Optimal || point.status == SolveStatus::Feasible;
    for (const std::string_view key : {"energy_joules", "peak_bytes", "seconds"})
        if (reader.has(key) != hasSchedule)
            reader.complain(key, hasSchedule ? "is missing" : "belongs to points with a schedule only");
    POET_CHECK(reader.result());
    return point;
}

/// What the sweep is of, and its marks.
void readHead(ObjectReader& reader, SweepFile& file)
{
    if (reader.has("resident_bytes"))
        file.residentBytes = reader.integer("resident_bytes");
    if (const ordered_json* value = reader.object("of", false)) {
        ObjectReader of(*value, reader.path() + ": of", ErrorCode::BadModel);
        of.onlyKnown({"graph", "graph_sha256", "device", "transfer"});
        file.graph = of.text("graph");
        file.graphSha256 = of.text("graph_sha256");
        file.device = of.text("device", "");
        if (of.has("transfer")) {
            TransferModel transfer = TransferModel::Blocking;
            readName(of, "transfer", transfer, &transferModelFromName);
            file.transfer = transfer;
        }
        reader.adopt(of.result());
    }
    if (const ordered_json* value = reader.object("marks", false)) {
        ObjectReader marks(*value, reader.path() + ": marks", ErrorCode::BadModel);
        marks.onlyKnown({"wall_bytes", "keep_all_peak_bytes", "keep_all_energy_joules", "keep_all_seconds"});
        file.wallBytes = marks.integer("wall_bytes");
        file.keepAllPeakBytes = marks.integer("keep_all_peak_bytes");
        file.keepAllEnergyJoules = marks.number("keep_all_energy_joules");
        file.keepAllSeconds = marks.number("keep_all_seconds");
        reader.adopt(marks.result());
    }
}

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

namespace {

/// As files hold it.
std::optional<std::int64_t> writtenPeak(const SweepFile& file, const SweepPoint& point)
{
    return point.peakBytes ? std::optional(*point.peakBytes - file.residentBytes.value_or(0)) : std::nullopt;
}

}  // namespace

std::string toJson(const SweepFile& file)
{
    ordered_json head{{"format", "poet-sweep"}, {"version", 1}};
    if (!file.graphSha256.empty())
        head["of"] = {{"graph", file.graph},
                      {"graph_sha256", file.graphSha256},
                      {"device", file.device},
                      {"transfer", file.transfer ? ordered_json(name(*file.transfer)) : ordered_json(nullptr)}};
    if (file.residentBytes)
        head["resident_bytes"] = *file.residentBytes;
    if (file.wallBytes > 0)
        head["marks"] = {{"wall_bytes", file.wallBytes},
                         {"keep_all_peak_bytes", file.keepAllPeakBytes},
                         {"keep_all_energy_joules", file.keepAllEnergyJoules},
                         {"keep_all_seconds", file.keepAllSeconds}};
    std::string text = head.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
    text.back() = ',';
    text += "\"points\":[";
    for (const SweepPoint& point : file.points) {
        ordered_json row{{"memory_bytes", point.memoryBytes},
                         {"deadline_seconds", orNull(point.deadlineSeconds)},
                         {"strategy", name(point.strategy)},
                         {"status", name(point.status)},
                         {"energy_joules", orNull(point.energyJoules)},
                         {"bound_joules", point.boundJoules},
                         {"peak_bytes", orNull(writtenPeak(file, point))},
                         {"seconds", orNull(point.seconds)},
                         {"solve_seconds", point.solveSeconds}};
        if (point.isKnee)
            row["knee"] = true;
        text += (&point == file.points.data() ? "\n" : ",\n") + row.dump();
    }
    return text + "]}\n";
}

std::string toJson(const std::vector<SweepPoint>& points)
{
    SweepFile file;
    file.points = points;
    return toJson(file);
}

Expected<SweepFile> parseSweepFile(std::string_view json, std::string_view where)
{
    POET_TRY(value, parseJson(json, where, ErrorCode::BadModel));
    ObjectReader reader(value, std::string(where), ErrorCode::BadModel);
    reader.expectFormat("poet-sweep", 1);
    reader.onlyKnown({"format", "version", "of", "resident_bytes", "marks", "points"});
    const ordered_json* array = reader.array("points");
    SweepFile file;
    readHead(reader, file);
    POET_CHECK(reader.result());
    for (std::size_t i = 0; i < array->size(); ++i) {
        POET_TRY(point, readPoint((*array)[i], std::string(where) + ": points[" + std::to_string(i) + "]"));
        if (point.peakBytes)
            *point.peakBytes += file.residentBytes.value_or(0);
        file.points.push_back(point);
    }
    return file;
}

Expected<std::vector<SweepPoint>> parseSweep(std::string_view json, std::string_view where)
{
    POET_TRY(file, parseSweepFile(json, where));
    return std::move(file.points);
}

std::string toCsv(const SweepFile& file)
{
    std::string text = "memory_bytes,deadline_seconds,strategy,status,energy_joules,bound_joules,peak_bytes,resident_bytes,seconds,solve_seconds,mark\n";
    const auto number = [](const std::optional<double>& value) { return value ? formatDouble(*value) : std::string(); };
    const auto bytes = [](const std::optional<std::int64_t>& value) { return value ? std::to_string(*value) : std::string(); };
    const auto mark = [&](const SweepPoint& point) {
        return point.isKnee ? "knee" : point.memoryBytes == file.wallBytes ? "wall" : point.memoryBytes == file.keepAllPeakBytes ? "peak" : "";
    };
    for (const SweepPoint& point : file.points)
        text += std::to_string(point.memoryBytes) + "," + number(point.deadlineSeconds) + "," + std::string(name(point.strategy)) + "," +
                std::string(name(point.status)) + "," + number(point.energyJoules) + "," + formatDouble(point.boundJoules) + "," +
                bytes(writtenPeak(file, point)) + "," + bytes(file.residentBytes) + "," + number(point.seconds) + "," + formatDouble(point.solveSeconds) + "," + mark(point) + "\n";
    return text;
}

std::string toCsv(const std::vector<SweepPoint>& points)
{
    SweepFile file;
    file.points = points;
    return toCsv(file);
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

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/plan_file.h"

#include "core/export/plan_parts.h"
#include "core/schedule/stage_bytes.h"

#include "core/base/json_reader.h"
#include "core/graph/cost_graph_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace poet {

using nlohmann::ordered_json;

namespace {

ordered_json stepJson(const Step& step)
{
    ordered_json out{{"stage", step.stage}, {"kind", name(step.kind)}};
    if (step.kind == StepKind::PageIn || step.kind == StepKind::PageOut)
        out["mode"] = name(step.mode);
    out["node"] = step.node;
    out["start"] = step.startSeconds;
    out["end"] = step.endSeconds;
    out["ram_bytes"] = step.ramBytes;
    if (step.offset)
        out["offset"] = *step.offset;
    return out;
}

void addScheduleNumbers(ordered_json& out, const Plan& plan, std::int64_t residentBytes)
{
    if (plan.hasSchedule()) {
        out["energy_joules"] = plan.replay.energyJoules;
        out["keep_all_energy_joules"] = plan.keepAllEnergyJoules;
        out["overhead_joules"] = plan.overheadJoules();
        out["overhead_percent"] = plan.keepAllEnergyJoules > 0 ? 100 * plan.overheadJoules() / plan.keepAllEnergyJoules : 0.0;
    } else {
        out["keep_all_energy_joules"] = plan.keepAllEnergyJoules;
    }
    out["bound_joules"] = plan.boundJoules;
    if (plan.hasSchedule()) {
        out["gap_percent"] = plan.gapPercent();
        out["seconds"] = plan.replay.seconds;
    }
    out["keep_all_seconds"] = plan.keepAllSeconds;
    if (plan.hasSchedule())
        out["peak_bytes"] = plan.replay.peakBytes;
    out["resident_bytes"] = residentBytes;
    out["largest_working_set_bytes"] = plan.largestWorkingSetBytes;
    out["keep_all_peak_bytes"] = plan.keepAllPeakBytes;
    if (plan.hasSchedule()) {
        out["paged_out_bytes"] = plan.replay.pagedOutBytes;
        out["paged_in_bytes"] = plan.replay.pagedInBytes;
        out["recomputed_nodes"] = plan.replay.recomputedNodes;
    }
}

Expected<Step> readStep(const ordered_json& value, const std::string& path)
{
    ObjectReader reader(value, path, ErrorCode::BadModel);
    reader.onlyKnown({"stage", "kind", "mode", "node", "start", "end", "ram_bytes", "offset"});
    Step step;
    step.stage = static_cast<int>(std::min<std::int64_t>(reader.integer("stage"), 1 << 30));
    step.node = static_cast<NodeId>(std::min<std::int64_t>(reader.integer("node"), 1 << 30));
    if (const auto kind = stepKindFromName(reader.text("kind")))
        step.kind = *kind;
    else
        reader.complain("kind", "must be compute, recompute, page_out, page_in or free");
    if (reader.has("mode")) {
        if (const auto mode = transferModeFromName(reader.text("mode")))
            step.mode = *mode;
        else
            reader.complain("mode", "must be blocking, background or prefetch");
    }
    step.startSeconds = reader.number("start", 0, 0);
    step.endSeconds = reader.number("end", 0, 0);
    step.ramBytes = reader.integer("ram_bytes", 0, 0);
    if (reader.has("offset"))
        step.offset = reader.integer("offset");
    POET_CHECK(reader.result());
    return step;
}

Expected<Schedule> readSteps(const ordered_json& array, const std::string& where)
{
    Schedule schedule;
    schedule.steps.reserve(array.size());
    for (std::size_t i = 0; i < array.size(); ++i) {
        POET_TRY(step, readStep(array[i], where + ": steps[" + std::to_string(i) + "]"));
        schedule.steps.push_back(step);
    }
    return schedule;
}

bool areNear(double stated, double replayed, double scale)
{
    return std::abs(stated - replayed) <= 1e-6 * std::max({std::abs(stated), std::abs(replayed), scale, 1e-30});
}

std::unexpected<Error> tampered(const std::string& path, std::string_view key)
{
    return fail(ErrorCode::InvalidSchedule, path + ": '" + std::string(key) + "' is not what the replay of the steps gives.",
                "The file was changed by hand or is damaged: solve again.");
}

/// The bound is the solver's word; what a replay can say is whether energy and status go with it.
Expected<void> checkBound(ObjectReader& reader, const Plan& plan)
{
    if (reader.isNull("bound_joules"))
        reader.complain("bound_joules", "must be a number");
    if (plan.status == SolveStatus::Optimal && !reader.has("bound_joules"))
        reader.complain("bound_joules", "is missing: an optimal plan has a bound");
    POET_CHECK(reader.result());
    if (plan.hasSchedule() && plan.boundJoules > plan.replay.energyJoules * (1 + 1e-6))
        return tampered(reader.path(), "bound_joules");
    return {};
}

/// What was claimed of the plan while it was looked for must go with its schedule.
Expected<void> checkClaims(const ObjectReader& reader, const Plan& plan)
{
    if (!plan.hasSchedule())
        return {};
    if (const auto& limit = plan.overheadLimit) {
        const double most = limit->percent / 100 * plan.keepAllEnergyJoules;
        if (plan.overheadJoules() > most + 1e-6 * plan.replay.energyJoules || limit->memoryBoundBytes > plan.memoryBytes)
            return tampered(reader.path(), "overhead_limit");
    }
    for (const PointOutcome& point : plan.points)
        if (point.isChosen && point.energyJoules && !areNear(*point.energyJoules, plan.replay.energyJoules, 0))
            return tampered(reader.path(), "operating_points");
    return {};
}

/// The file's own numbers, where it has them, must be what the replay finds.
Expected<void> compare(ObjectReader& reader, const PlanFile& file)
{
    struct Figure {
        std::string_view key;
        double replayed;
        double scale = 0;  ///< of a difference: what it is small against
    };
    const Plan& plan = file.plan;
    POET_CHECK(checkBound(reader, plan));
    POET_CHECK(checkClaims(reader, plan));
    const auto bytes = [](std::int64_t value) { return static_cast<double>(value); };
    std::vector<Figure> figures{{"keep_all_energy_joules", plan.keepAllEnergyJoules},
                                {"keep_all_seconds", plan.keepAllSeconds},
                                {"keep_all_peak_bytes", bytes(plan.keepAllPeakBytes)},
                                {"largest_working_set_bytes", bytes(plan.largestWorkingSetBytes)},
                                {"resident_bytes", bytes(file.graph.device.residentBytes)}};
    if (plan.hasSchedule()) {
        const double energy = plan.replay.energyJoules;
        figures.insert(figures.end(), {{"energy_joules", energy},
                                       {"overhead_joules", plan.overheadJoules(), energy},
                                       {"overhead_percent", plan.keepAllEnergyJoules > 0 ? 100 * plan.overheadJoules() / plan.keepAllEnergyJoules : 0.0, 100},
                                       {"gap_percent", plan.gapPercent(), 100},
                                       {"seconds", plan.replay.seconds},
                                       {"peak_bytes", bytes(plan.replay.peakBytes)},
                                       {"paged_out_bytes", bytes(plan.replay.pagedOutBytes)},
                                       {"paged_in_bytes", bytes(plan.replay.pagedInBytes)},
                                       {"recomputed_nodes", bytes(plan.replay.recomputedNodes)}});
    }
    for (const Figure& figure : figures) {
        if (reader.isNull(figure.key))
            reader.complain(figure.key, "must be a number");
        if (reader.has(figure.key) && !areNear(reader.number(figure.key, -1e300), figure.replayed, figure.scale))
            return tampered(reader.path(), figure.key);
    }
    return reader.result();
}

/// Times and RAM of the steps, where the file has them, must be what the replay finds.
Expected<void> compareSteps(const ordered_json& array, const Schedule& stated, const ReplayReport& report, const std::string& where)
{
    for (std::size_t i = 0; i < stated.steps.size(); ++i) {
        const Step& mine = stated.steps[i];
        const Step& replayed = report.schedule.steps[i];
        const std::string path = where + ": steps[" + std::to_string(i) + "]";
        if (array[i].contains("start") && !areNear(mine.startSeconds, replayed.startSeconds, report.seconds))
            return tampered(path, "start");
        if (array[i].contains("end") && !areNear(mine.endSeconds, replayed.endSeconds, report.seconds))
            return tampered(path, "end");
        if (array[i].contains("ram_bytes") && mine.ramBytes != replayed.ramBytes)
            return tampered(path, "ram_bytes");
    }
    return {};
}

/// Reads the steps and replays them; a file without steps says that there is no schedule.
Expected<void> readSchedule(ObjectReader& reader, PlanFile& file)
{
    Plan& plan = file.plan;
    const ordered_json* steps = reader.array("steps", false);
    POET_CHECK(reader.result());
    const bool mustHave = plan.status == SolveStatus::Optimal || plan.status == SolveStatus::Feasible;
    if (steps ? plan.status == SolveStatus::Infeasible : mustHave)
        return fail(ErrorCode::InvalidSchedule, reader.path() + ": a plan that is " + std::string(name(plan.status)) + (steps ? " can have no" : " must have") + " 'steps'.",
                    "The file was changed by hand or is damaged: solve again.");
    if (!steps)
        return {};
    POET_TRY(schedule, readSteps(*steps, reader.path()));
    readRegions(reader, schedule.regions);
    POET_CHECK(reader.result());
    POET_TRY(report, replay(file.graph, plan.transfer, schedule));
    POET_CHECK(compareSteps(*steps, schedule, report, reader.path()));
    plan.replay = std::move(report);
    return {};
}

}  // namespace

std::string toJson(const PlanFile& file)
{
    const Plan& plan = file.plan;
    ordered_json out{{"format", "poet-schedule"},
                     {"version", 1},
                     {"status", name(plan.status)},
                     {"scope", plan.isRestrictedProof ? "restricted" : "full"},
                     {"covers_every_schedule", plan.coversEverySchedule},
                     {"strategy", name(plan.strategy)},
                     {"transfer", name(plan.transfer)},
                     {"memory_bytes", plan.memoryBytes}};
    out["deadline_seconds"] = plan.deadlineSeconds ? ordered_json(*plan.deadlineSeconds) : ordered_json(nullptr);
    addScheduleNumbers(out, plan, file.graph.device.residentBytes);
    out["solve_seconds"] = plan.solveSeconds;
    out["variables"] = plan.variables;
    out["rows"] = plan.rows;
    out["source"] = sourceJson(plan.source);
    if (plan.bands)
        out["bands"] = bandsJson(*plan.bands);
    if (plan.freezing)
        out["freezing"] = freezingJson(*plan.freezing);
    if (plan.overheadLimit)
        out["overhead_limit"] = {{"percent", plan.overheadLimit->percent}, {"memory_bound_bytes", plan.overheadLimit->memoryBoundBytes}};
    if (!plan.points.empty())
        out["operating_points"] = pointsJson(plan.points);
    if (plan.infeasible)
        out["infeasible"] = infeasibleJson(*plan.infeasible);
    if (!plan.replay.schedule.regions.empty())
        out["regions"] = regionsJson(plan.replay.schedule.regions);
    std::string text = out.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
    text.pop_back();
    text += ",\n\"graph\":" + toJson(file.graph);
    if (plan.hasSchedule())
        text += ",\n\"steps\":" + stepsToJson(plan.replay.schedule);
    return text + "}\n";
}

std::string stepsToJson(const Schedule& schedule)
{
    std::string text = "[";
    for (const Step& step : schedule.steps)
        text += (text.size() > 1 ? "," : "") + stepJson(step).dump();
    return text + "]";
}

Expected<Schedule> parseSteps(std::string_view json, std::string_view where)
{
    POET_TRY(value, parseJson(json, where, ErrorCode::BadModel));
    if (!value.is_array())
        return fail(ErrorCode::BadModel, std::string(where) + " must be an array of steps.");
    return readSteps(value, std::string(where));
}

Expected<PlanFile> parsePlanFile(std::string_view json, std::string_view where)
{
    POET_TRY(value, parseJson(json, where, ErrorCode::BadModel));
    ObjectReader reader(value, std::string(where), ErrorCode::BadModel);
    reader.expectFormat("poet-schedule", 1);
    reader.onlyKnown({"format", "version", "status", "scope", "covers_every_schedule", "strategy", "transfer", "memory_bytes", "deadline_seconds", "energy_joules",
                      "keep_all_energy_joules", "overhead_joules", "overhead_percent", "bound_joules", "gap_percent", "seconds", "keep_all_seconds",
                      "peak_bytes", "resident_bytes", "largest_working_set_bytes", "keep_all_peak_bytes", "paged_out_bytes", "paged_in_bytes",
                      "recomputed_nodes", "solve_seconds", "variables", "rows", "source", "bands", "freezing", "overhead_limit", "operating_points", "infeasible", "regions", "graph", "steps"});
    PlanFile file;
    Plan& plan = file.plan;
    readName(reader, "status", plan.status, &solveStatusFromName);
    readName(reader, "strategy", plan.strategy, &strategyFromName);
    readName(reader, "transfer", plan.transfer, &transferModelFromName);
    const std::string scope = reader.text("scope", "full");
    plan.isRestrictedProof = scope == "restricted";
    if (!plan.isRestrictedProof && scope != "full")
        reader.complain("scope", "must be full or restricted");
    plan.coversEverySchedule = reader.flag("covers_every_schedule", false);
    plan.memoryBytes = reader.integer("memory_bytes");
    if (reader.has("deadline_seconds"))
        plan.deadlineSeconds = reader.number("deadline_seconds");
    plan.boundJoules = reader.number("bound_joules", 0, 0);
    plan.solveSeconds = reader.number("solve_seconds", 0, 0);
    plan.variables = static_cast<int>(reader.integer("variables", 0, 0));
    plan.rows = static_cast<int>(reader.integer("rows", 0, 0));
    readSource(reader, plan.source);
    readBands(reader, plan);
    readFreezing(reader, plan);
    readOverheadLimit(reader, plan);
    readPoints(reader, plan);
    readInfeasible(reader, plan);
    const ordered_json* graphValue = reader.object("graph");
    POET_CHECK(reader.result());
    POET_TRY(graph, readCostGraph(*graphValue, std::string(where) + ": graph"));
    file.graph = std::move(graph);
    POET_TRY(keepAll, replay(file.graph, plan.transfer, keepAllSchedule(file.graph)));
    plan.keepAllEnergyJoules = keepAll.energyJoules;
    plan.keepAllSeconds = keepAll.seconds;
    plan.keepAllPeakBytes = keepAll.peakBytes + file.graph.device.residentBytes;
    plan.largestWorkingSetBytes = findWall(file.graph, plan.transfer).bytes + file.graph.device.residentBytes;
    POET_CHECK(readSchedule(reader, file));
    POET_CHECK(compare(reader, file));
    return file;
}

}  // namespace poet

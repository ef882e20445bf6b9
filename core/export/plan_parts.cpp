// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/plan_parts.h"

#include "core/base/json_reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace poet {

using nlohmann::ordered_json;

ordered_json sourceJson(const PlanSource& source)
{
    ordered_json out{{"model", source.model},         {"sha256", source.sha256}, {"dims", source.dims},     {"loss", source.loss},
                     {"optimizer", source.optimizer}, {"freeze", source.freeze}, {"device", source.device}, {"program", source.program}};
    if (!source.operatingPoint.empty())
        out["operating_point"] = source.operatingPoint;
    if (!source.data.empty())
        out["data"] = source.data;
    if (!source.type.empty())
        out["type"] = source.type;
    if (!source.keep.empty() && source.keep != "lean")
        out["keep"] = source.keep;
    return out;
}

ordered_json pointsJson(const std::vector<PointOutcome>& points)
{
    ordered_json out = ordered_json::array();
    for (const PointOutcome& point : points) {
        ordered_json item{{"name", point.name}, {"status", name(point.status)}, {"cut_off", point.isCutOff}, {"chosen", point.isChosen}, {"bound_joules", point.boundJoules}};
        if (point.energyJoules)
            item["energy_joules"] = *point.energyJoules;
        if (point.seconds)
            item["seconds"] = *point.seconds;
        out.push_back(std::move(item));
    }
    return out;
}

ordered_json infeasibleJson(const InfeasibleReason& why)
{
    ordered_json out{{"reason", why.reason}, {"node", why.node}};
    if (why.smallestMemoryBytes)
        out["smallest_memory_bytes"] = *why.smallestMemoryBytes;
    if (why.smallestDeadlineSeconds)
        out["smallest_deadline_seconds"] = *why.smallestDeadlineSeconds;
    if (why.memoryBoundBytes)
        out["memory_bound_bytes"] = *why.memoryBoundBytes;
    if (why.deadlineBoundSeconds)
        out["deadline_bound_seconds"] = *why.deadlineBoundSeconds;
    for (const RamItem& item : why.inRam)
        out["in_ram"].push_back({{"name", item.name}, {"bytes", item.bytes}});
    if (!why.commands.empty())
        out["commands"] = why.commands;
    return out;
}

ordered_json regionsJson(const std::vector<ArenaRegion>& regions)
{
    ordered_json out = ordered_json::array();
    for (const ArenaRegion& region : regions)
        out.push_back({{"name", region.name}, {"bytes", region.bytes}, {"dma", region.hasDma}});
    return out;
}

ordered_json figuresJson(const StepFigures& figures)
{
    ordered_json json{{"keep_all_peak_bytes", figures.keepAllPeakBytes}, {"largest_working_set_bytes", figures.wallBytes},
                      {"resident_bytes", figures.residentBytes}, {"saved_activation_bytes", figures.savedActivationBytes}};
    const bool isPriced = figures.keepAllJoules > 0;
    json["keep_all_seconds"] = isPriced ? ordered_json(figures.keepAllSeconds) : ordered_json(nullptr);
    json["keep_all_energy_joules"] = isPriced ? ordered_json(figures.keepAllJoules) : ordered_json(nullptr);
    return json;
}

ordered_json freezingJson(const FreezeSavings& savings) { return {{"frozen", figuresJson(savings.frozen)}, {"nothing_frozen", figuresJson(savings.whole)}}; }

ordered_json bandsJson(const PlanBands& bands) { return {{"energy_joules", bands.energyJoules}, {"seconds", bands.seconds}}; }

namespace {

std::vector<std::string> readTexts(ObjectReader& reader, std::string_view key)
{
    std::vector<std::string> out;
    if (const ordered_json* values = reader.array(key, false))
        for (const auto& value : *values) {
            if (value.is_string())
                out.push_back(value.get<std::string>());
            else
                reader.complain(key, "must hold texts");
        }
    return out;
}

StepFigures readFigures(ObjectReader& reader, std::string_view key)
{
    StepFigures figures;
    const ordered_json* value = reader.object(key);
    if (!value)
        return figures;
    ObjectReader inner(*value, reader.path() + ": " + std::string(key), ErrorCode::BadModel);
    inner.onlyKnown({"keep_all_peak_bytes", "largest_working_set_bytes", "resident_bytes", "saved_activation_bytes", "keep_all_seconds", "keep_all_energy_joules"});
    figures.keepAllPeakBytes = inner.integer("keep_all_peak_bytes");
    figures.wallBytes = inner.integer("largest_working_set_bytes");
    figures.residentBytes = inner.integer("resident_bytes");
    figures.savedActivationBytes = inner.integer("saved_activation_bytes");
    figures.keepAllSeconds = inner.number("keep_all_seconds", 0, 0);
    figures.keepAllJoules = inner.number("keep_all_energy_joules", 0, 0);
    reader.adopt(inner.result());
    return figures;
}

std::array<double, 3> readQuantiles(ObjectReader& reader, std::string_view key)
{
    std::array<double, 3> result{};
    const ordered_json* values = reader.array(key);
    if (!values)
        return result;
    const bool isThreeNumbers = values->size() == 3 && std::ranges::all_of(*values, [](const ordered_json& value) { return value.is_number() && value >= 0; });
    if (!isThreeNumbers)
        reader.complain(key, "must hold three numbers that are not negative");
    for (std::size_t i = 0; isThreeNumbers && i < 3; ++i)
        result[i] = (*values)[i].get<double>();
    return result;
}

}  // namespace

void readSource(ObjectReader& reader, PlanSource& source)
{
    const ordered_json* value = reader.object("source", false);
    if (!value)
        return;
    ObjectReader inner(*value, reader.path() + ": source", ErrorCode::BadModel);
    source.model = inner.text("model", "");
    source.sha256 = inner.text("sha256", "");
    source.dims = readTexts(inner, "dims");
    source.loss = inner.text("loss", "");
    source.optimizer = inner.text("optimizer", "");
    source.freeze = readTexts(inner, "freeze");
    source.device = inner.text("device", "");
    source.operatingPoint = inner.text("operating_point", "");
    source.program = inner.text("program", "");
    source.data = readTexts(inner, "data");
    source.type = inner.text("type", "");
    source.keep = inner.text("keep", "");
    reader.adopt(inner.result());
}

void readBands(ObjectReader& reader, Plan& plan)
{
    const ordered_json* value = reader.object("bands", false);
    if (!value)
        return;
    ObjectReader inner(*value, reader.path() + ": bands", ErrorCode::BadModel);
    inner.onlyKnown({"energy_joules", "seconds"});
    plan.bands = PlanBands{readQuantiles(inner, "energy_joules"), readQuantiles(inner, "seconds")};
    reader.adopt(inner.result());
}

void readRegions(ObjectReader& reader, std::vector<ArenaRegion>& regions)
{
    const ordered_json* values = reader.array("regions", false);
    for (std::size_t i = 0; values && i < values->size(); ++i) {
        ObjectReader inner((*values)[i], reader.path() + ": regions[" + std::to_string(i) + "]", ErrorCode::BadModel);
        inner.onlyKnown({"name", "bytes", "dma"});
        regions.push_back({inner.text("name"), inner.integer("bytes"), inner.flag("dma", true)});
        reader.adopt(inner.result());
    }
}

void readFreezing(ObjectReader& reader, Plan& plan)
{
    const ordered_json* value = reader.object("freezing", false);
    if (!value)
        return;
    ObjectReader inner(*value, reader.path() + ": freezing", ErrorCode::BadModel);
    inner.onlyKnown({"frozen", "nothing_frozen"});
    plan.freezing = FreezeSavings{readFigures(inner, "frozen"), readFigures(inner, "nothing_frozen")};
    reader.adopt(inner.result());
}

void readOverheadLimit(ObjectReader& reader, Plan& plan)
{
    const ordered_json* value = reader.object("overhead_limit", false);
    if (!value)
        return;
    ObjectReader inner(*value, reader.path() + ": overhead_limit", ErrorCode::BadModel);
    inner.onlyKnown({"percent", "memory_bound_bytes"});
    plan.overheadLimit = OverheadLimit{inner.number("percent"), inner.integer("memory_bound_bytes")};
    reader.adopt(inner.result());
}

void readPoints(ObjectReader& reader, Plan& plan)
{
    const ordered_json* values = reader.array("operating_points", false);
    for (std::size_t i = 0; values && i < values->size(); ++i) {
        ObjectReader inner((*values)[i], reader.path() + ": operating_points[" + std::to_string(i) + "]", ErrorCode::BadModel);
        inner.onlyKnown({"name", "status", "cut_off", "chosen", "bound_joules", "energy_joules", "seconds"});
        PointOutcome point;
        point.name = inner.text("name");
        readName(inner, "status", point.status, &solveStatusFromName);
        point.isCutOff = inner.flag("cut_off", false);
        point.isChosen = inner.flag("chosen", false);
        point.boundJoules = inner.number("bound_joules", 0, 0);
        if (inner.has("energy_joules"))
            point.energyJoules = inner.number("energy_joules");
        if (inner.has("seconds"))
            point.seconds = inner.number("seconds");
        plan.points.push_back(std::move(point));
        reader.adopt(inner.result());
    }
}

void readInfeasible(ObjectReader& reader, Plan& plan)
{
    const ordered_json* value = reader.object("infeasible", false);
    if (!value)
        return;
    ObjectReader inner(*value, reader.path() + ": infeasible", ErrorCode::BadModel);
    InfeasibleReason why{inner.text("reason", ""), inner.text("node", ""), {}, {}};
    if (inner.has("smallest_memory_bytes"))
        why.smallestMemoryBytes = inner.integer("smallest_memory_bytes");
    if (inner.has("smallest_deadline_seconds"))
        why.smallestDeadlineSeconds = inner.number("smallest_deadline_seconds");
    if (inner.has("memory_bound_bytes"))
        why.memoryBoundBytes = inner.integer("memory_bound_bytes");
    if (inner.has("deadline_bound_seconds"))
        why.deadlineBoundSeconds = inner.number("deadline_bound_seconds");
    const ordered_json* items = inner.array("in_ram", false);
    for (std::size_t i = 0; items && i < items->size(); ++i) {
        ObjectReader item((*items)[i], inner.path() + ": in_ram[" + std::to_string(i) + "]", ErrorCode::BadModel);
        why.inRam.push_back({item.text("name"), item.integer("bytes")});
        inner.adopt(item.result());
    }
    why.commands = readTexts(inner, "commands");
    plan.infeasible = why;
    reader.adopt(inner.result());
}

}  // namespace poet

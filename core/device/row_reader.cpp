// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/device/row_reader.h"

#include "core/device/field_reader.h"

namespace poet {
namespace {

/// What a row takes from the object around it.
struct RowDefaults {
    std::string device;
    std::string operatingPoint;
    std::string library;
    std::string date;
    std::string instrument;
    std::optional<double> clockHz;
};

RowDefaults readDefaults(FieldReader& fields, const RowDefaults& outer)
{
    const auto orOuter = [](std::string own, const std::string& fallback) { return own.empty() ? fallback : own; };
    RowDefaults defaults;
    defaults.device = orOuter(fields.text("device"), outer.device);
    defaults.operatingPoint = orOuter(fields.text("operating_point"), outer.operatingPoint);
    defaults.library = orOuter(fields.text("library"), outer.library);
    defaults.date = orOuter(fields.text("date"), outer.date);
    defaults.instrument = orOuter(fields.text("instrument"), outer.instrument);
    defaults.clockHz = fields.number("clock_hz");
    if (!defaults.clockHz)
        defaults.clockHz = outer.clockHz;
    return defaults;
}

/// A field that CSV-minded writers leave empty: absent, null, "" or a number.
std::optional<double> optionalNumber(FieldReader& fields, std::string_view key)
{
    const JsonTree* value = fields.member(key);
    if (!value || value->kind == JsonTree::Kind::Null || (value->kind == JsonTree::Kind::Text && value->text.empty()))
        return std::nullopt;
    return fields.number(key);
}

constexpr double kLongestSeconds = 1e6;       ///< of one run: eleven days
constexpr double kLargestWatts = 1e4;         ///< of one device
constexpr double kLargestFlopPerSecond = 1e16;
constexpr double kMostRuns = 1e9;

/// A slip of units or a broken counter, not a measurement: such a row would bend every number that is fitted to it.
void refuseAbsurd(FieldReader& fields, const MeasuredRow& row)
{
    if (row.seconds == 0 && !row.isIdle())
        fields.complain("seconds", "is 0: the clock was too coarse for one run; measure more runs and give their mean");
    if (row.seconds > kLongestSeconds)
        fields.complain("seconds", "says that one run takes longer than eleven days; times are in seconds");
    const bool hasTime = !row.isIdle() || row.seconds > 0;  // an idle row without changes nothing
    if (row.joules && hasTime && *row.joules > kLargestWatts * row.seconds)
        fields.complain("joules", "means more than 10 kW; energies are in joules of one run");
    if (row.flops && *row.flops > kLargestFlopPerSecond * row.seconds)
        fields.complain("flops", "means more than 10 PFLOP/s; they are those of one run");
}

MeasuredRow readRow(const JsonTree& tree, const std::string& path, const RowDefaults& outer, ReadState& state)
{
    FieldReader fields(tree, path, state);
    const RowDefaults meta = readDefaults(fields, outer);
    MeasuredRow row;
    row.device = meta.device;
    row.operatingPoint = meta.operatingPoint;
    row.library = meta.library;
    row.date = meta.date;
    row.instrument = meta.instrument;
    row.op = fields.text("op", true);
    row.type = fields.text("type");
    row.shape = fields.text("shape");
    row.node = fields.text("node");
    if (row.shape.starts_with("node=")) {
        row.node = row.shape.substr(5);
        row.shape.clear();
    }
    row.cycles = optionalNumber(fields, "cycles");
    const auto seconds = optionalNumber(fields, "seconds");
    if (seconds)
        row.seconds = *seconds;
    else if (row.cycles && meta.clockHz && *meta.clockHz > 0)
        row.seconds = *row.cycles / *meta.clockHz;
    else
        fields.complain("seconds", "is missing, and so are cycles with clock_hz");
    row.joules = optionalNumber(fields, "joules");
    if (const auto count = optionalNumber(fields, "count")) {
        if (*count < 1 || *count > kMostRuns)
            fields.complain("count", "must be from 1 to 1e9");
        else
            row.count = static_cast<int>(*count);
    }
    row.secondsDeviation = optionalNumber(fields, "seconds_sd");
    row.joulesDeviation = optionalNumber(fields, "joules_sd");
    row.flops = optionalNumber(fields, "flops");
    row.bytes = optionalNumber(fields, "bytes");
    row.opClass = fields.text("class");
    refuseAbsurd(fields, row);
    fields.finish();
    return row;
}

}  // namespace

Expected<std::vector<MeasuredRow>> readRows(const JsonTree& tree, const std::string& path, const std::string& where)
{
    ReadState state{where, {}, {}};
    std::vector<MeasuredRow> rows;
    if (tree.kind == JsonTree::Kind::Array) {
        for (std::size_t i = 0; i < tree.items.size(); ++i)
            rows.push_back(readRow(tree.items[i], itemPath(path, i), {}, state));
    } else if (tree.find("rows")) {
        FieldReader fields(tree, path, state);
        const RowDefaults defaults = readDefaults(fields, {});
        const auto& items = fields.array("rows");
        for (std::size_t i = 0; i < items.size(); ++i)
            rows.push_back(readRow(items[i], itemPath(path + ".rows", i), defaults, state));
        fields.finish();
    } else {
        rows.push_back(readRow(tree, path, {}, state));
    }
    if (state.error)
        return std::unexpected<Error>(*state.error);
    return rows;
}

JsonTree toTree(const MeasuredRow& row)
{
    JsonTree tree = JsonTree::object();
    const auto text = [&](std::string_view key, const std::string& value) {
        if (!value.empty())
            tree.set(key, JsonTree::ofText(value));
    };
    const auto number = [&](std::string_view key, const std::optional<double>& value) {
        if (value)
            tree.set(key, JsonTree::ofNumber(*value));
    };
    text("op", row.op);
    text("type", row.type);
    text("shape", row.shape);
    text("node", row.node);
    number("seconds", row.seconds);
    number("joules", row.joules);
    number("cycles", row.cycles);
    number("count", row.count);
    number("seconds_sd", row.secondsDeviation);
    number("joules_sd", row.joulesDeviation);
    number("flops", row.flops);
    number("bytes", row.bytes);
    text("class", row.opClass);
    text("operating_point", row.operatingPoint);
    text("library", row.library);
    text("device", row.device);
    text("date", row.date);
    text("instrument", row.instrument);
    return tree;
}

}  // namespace poet

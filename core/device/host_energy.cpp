// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/device/host_energy.h"

#include "core/base/units.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <system_error>

namespace poet {

namespace {

std::optional<double> numberIn(const std::filesystem::path& file)
{
    std::ifstream in(file);
    double value = 0;
    if (in >> value && value >= 0)
        return value;
    return {};
}

/// "intel-rapl:0" is a package; "intel-rapl:0:1" a part of one.
bool isPackage(const std::string& name) { return name.starts_with("intel-rapl:") && std::ranges::count(name, ':') == 1; }

/// A field that may hold commas and quotes.
std::string field(const std::string& text)
{
    if (text.find_first_of(",\"") == std::string::npos)
        return text;
    std::string out = "\"";
    for (const char c : text)
        out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + "\"";
}

}  // namespace

EnergyCounters::EnergyCounters(const std::filesystem::path& folder)
{
    std::error_code code;
    for (const auto& entry : std::filesystem::directory_iterator(folder, code)) {
        if (!isPackage(entry.path().filename().string()))
            continue;
        const auto begin = numberIn(entry.path() / "energy_uj");
        if (begin)
            m_counters.push_back({entry.path() / "energy_uj", *begin, numberIn(entry.path() / "max_energy_range_uj").value_or(0)});
    }
}

std::optional<double> EnergyCounters::joules() const
{
    double sum = 0;
    for (const Counter& counter : m_counters) {
        const auto now = numberIn(counter.file);
        if (!now)
            return {};
        sum += *now >= counter.begin ? *now - counter.begin : *now + counter.range - counter.begin;
    }
    return m_counters.empty() ? std::nullopt : std::optional<double>(1e-6 * sum);
}

void addMeanPower(std::vector<MeasuredRow>& rows, double watts)
{
    for (MeasuredRow& row : rows)
        if (!row.joules && !row.isStore() && !row.isIdle())
            row.joules = watts * row.seconds;
}

std::string toCsv(const std::vector<MeasuredRow>& rows)
{
    std::string text;
    const auto comment = [&](const char* key, const std::string& value) { text += value.empty() ? "" : "# " + std::string(key) + ": " + value + "\n"; };
    if (!rows.empty()) {
        comment("device", rows.front().device);
        comment("operating_point", rows.front().operatingPoint);
        comment("library", rows.front().library);
        comment("date", rows.front().date);
        comment("instrument", rows.front().instrument);
    }
    text += "op,type,shape,seconds,joules,cycles,count,seconds_sd,joules_sd\n";
    const auto number = [](const std::optional<double>& value) { return value ? formatDouble(*value) : std::string(); };
    for (const MeasuredRow& row : rows)
        text += row.op + "," + (row.type.empty() ? "-" : row.type) + "," + field(row.node.empty() ? row.shape : "node=" + row.node) + "," + formatDouble(row.seconds) + "," +
                number(row.joules) + ",," + std::to_string(row.count) + "," + number(row.secondsDeviation) + "," + number(row.joulesDeviation) + "\n";
    return text;
}

}  // namespace poet

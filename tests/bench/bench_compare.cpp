// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/bench_compare.h"

#include "core/base/files.h"
#include "core/base/json_reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <vector>

namespace poet::bench {

namespace {

constexpr double kNoiseSeconds = 0.01;

struct Result {
    double seconds = 0;
    std::string status;
    double gapPercent = 0;
    double overheadPercent = 0;
};
using Results = std::map<std::string, Result>;  ///< by a label that names the case

Expected<Results> readResults(const std::string& path)
{
    POET_TRY(text, readFile(path));
    POET_TRY(value, parseJson(text, path, ErrorCode::BadModel));
    if (!value.is_array())
        return fail(ErrorCode::BadModel, "'" + path + "' is no result of this benchmark.", "Give files that were written with --json.");
    Results results;
    for (std::size_t i = 0; i < value.size(); ++i) {
        ObjectReader row(value[i], path + ": row " + std::to_string(i), ErrorCode::BadModel);
        const std::string label = row.text("network") + " " + row.text("device") + " " + row.text("transfer") + " " + std::to_string(row.integer("span_percent")) + "%";
        results[label] = {row.number("seconds"), row.text("status"), row.number("gap_percent", -1e9), row.number("overhead_percent", -1e9)};
        POET_CHECK(row.result());
    }
    return results;
}

template <class... Arguments>
std::string line(const char* format, Arguments... arguments)
{
    char buffer[256];
    std::snprintf(buffer, sizeof buffer, format, arguments...);
    return buffer;
}

}  // namespace

Expected<std::string> compareResults(const std::string& oldPath, const std::string& newPath)
{
    POET_TRY(before, readResults(oldPath));
    POET_TRY(after, readResults(newPath));
    std::string text = line("%-44s %9s %9s %7s %10s %10s %11s %11s\n", "case", "old s", "new s", "ratio", "old gap %", "new gap %", "old over %", "new over %");
    double logarithms = 0;
    int both = 0;
    std::vector<std::string> alone;
    for (const auto& [label, old] : before) {
        const auto found = after.find(label);
        if (found == after.end()) {
            alone.push_back(label + ": only in " + oldPath);
            continue;
        }
        const Result& now = found->second;
        const double ratio = std::max(now.seconds, kNoiseSeconds) / std::max(old.seconds, kNoiseSeconds);
        logarithms += std::log(ratio);
        ++both;
        text += line("%-44s %9.2f %9.2f %7.2f %10.4f %10.4f %11.4f %11.4f", label.c_str(), old.seconds, now.seconds, ratio, old.gapPercent, now.gapPercent,
                     old.overheadPercent, now.overheadPercent);
        text += old.status == now.status ? "\n" : "  " + old.status + " -> " + now.status + "\n";
    }
    for (const auto& [label, unused] : after)
        if (!before.contains(label))
            alone.push_back(label + ": only in " + newPath);
    if (both > 0)
        text += line("%d cases, geometric mean of the ratios %.3f\n", both, std::exp(logarithms / both));
    for (const std::string& label : alone)
        text += label + "\n";
    return text;
}

}  // namespace poet::bench

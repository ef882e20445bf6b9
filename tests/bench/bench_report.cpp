// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/bench_report.h"

#include "core/base/files.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>

namespace poet::bench {

void printHeading(bool withPublished)
{
    std::printf("%-16s %-12s %-8s %5s %6s %8s %8s %9s %-10s %9s %10s", "network", "device", "transfer", "nodes", "%span", "vars", "rows", "seconds",
                "status", "gap %", "overhead %");
    if (withPublished)
        std::printf(" | %9s %9s %10s %10s %10s", "vars", "rows", "seconds", "overhead %", "ratio");
    std::printf("\n");
}

void printRow(const BenchRow& row)
{
    std::printf("%-16s %-12s %-8s %5d %6d %8d %8d %9.2f %-10s %9.4f %10.4f", row.network.c_str(), row.device.c_str(), row.transfer.c_str(), row.nodes,
                row.spanPercent, row.variables, row.rows, row.seconds, row.status.c_str(), row.gapPercent, row.overheadPercent);
    if (row.published) {
        const double ratio = row.published->seconds / std::max(row.seconds, 1e-3);
        std::printf(" | %9d %9d %10.2f %10.4f %2s%8.1f", row.published->variables, row.published->rows, row.published->seconds,
                    row.published->overheadPercent, row.published->hasHitLimit ? ">=" : "", ratio);
    }
    std::printf("\n");
    std::fflush(stdout);
}

Expected<void> writeJson(const std::vector<BenchRow>& rows, const std::string& path)
{
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const BenchRow& row : rows) {
        nlohmann::ordered_json item{{"network", row.network}, {"device", row.device}, {"transfer", row.transfer}, {"nodes", row.nodes},
                                    {"span_percent", row.spanPercent}, {"memory_bytes", row.memoryBytes}, {"variables", row.variables}, {"rows", row.rows},
                                    {"seconds", row.seconds}, {"status", row.status}, {"gap_percent", row.gapPercent},
                                    {"overhead_percent", row.overheadPercent}};
        if (row.deadlinePercent > 0)
            item["deadline_percent"] = row.deadlinePercent;
        if (row.processorSeconds > 0)
            item["processor_seconds"] = row.processorSeconds;
        if (row.published)
            item["published"] = {{"variables", row.published->variables}, {"rows", row.published->rows}, {"seconds", row.published->seconds},
                                 {"hit_limit", row.published->hasHitLimit}, {"overhead_percent", row.published->overheadPercent},
                                 {"ratio_at_least", row.published->seconds / std::max(row.seconds, 1e-3)}};
        list.push_back(std::move(item));
    }
    return writeFile(path, list.dump(1) + "\n");
}

int finish(const std::vector<BenchRow>& rows, const std::string& path)
{
    if (path.empty())
        return 0;
    if (const auto written = writeJson(rows, path); !written) {
        std::fprintf(stderr, "%s\n", written.error().text().c_str());
        return 2;
    }
    return 0;
}

}  // namespace poet::bench

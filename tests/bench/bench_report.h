// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace poet::bench {

/// One solve.
struct BenchRow {
    std::string network;
    std::string device;
    std::string transfer;
    int nodes = 0;
    int spanPercent = 0;
    std::int64_t memoryBytes = 0;
    int variables = 0;
    int rows = 0;
    double seconds = 0;      ///< wall time of the whole solve
    std::string status;
    double gapPercent = 0;
    double overheadPercent = 0;  ///< energy over keep-all
    int deadlinePercent = 0;     ///< of keep-all time; 0 = none
    double processorSeconds = 0; ///< with the solving processes; 0 = not measured

    /// Of the published program with the same solver and gap, where asked for.
    struct Published {
        int variables = 0;
        int rows = 0;
        double seconds = 0;
        bool hasHitLimit = false;
        double overheadPercent = 0;
    };
    std::optional<Published> published;
};

/// Column headings and one line a row, for a terminal.
void printHeading(bool withPublished);
void printRow(const BenchRow& row);
/// Writes all rows as a JSON array. Errors: FileNotFound.
[[nodiscard]] Expected<void> writeJson(const std::vector<BenchRow>& rows, const std::string& path);
/// The end of a benchmark: the rows in that file unless `path` is empty; its exit code, 2 with a message when it cannot be written.
[[nodiscard]] int finish(const std::vector<BenchRow>& rows, const std::string& path);

}  // namespace poet::bench

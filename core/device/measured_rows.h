// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace poet {

/// One measured row (devices.md, section 4): an operator, a store transfer ("store.read", "store.write",
/// "store.erase") or "idle". Times and energies are of one run; joules are totals, idle power included.
struct MeasuredRow {
    std::string op;                     ///< Work::op, "store.write", "idle" ...
    std::string type;                   ///< "f32"; "-" or empty = every type
    std::string shape;                  ///< Work::key, or "bytes=4096" of a store row; empty when a node is named
    std::string node;                   ///< name of a node instead of a shape
    double seconds = 0;                 ///< from cycles and the clock when the file gives cycles
    std::optional<double> joules;       ///< empty: active power x seconds, "power from the profile"
    std::optional<double> cycles;
    int count = 1;                      ///< runs that were averaged
    std::optional<double> secondsDeviation;
    std::optional<double> joulesDeviation;
    std::optional<double> flops;        ///< optional columns for fits without the model: class, flops, bytes
    std::optional<double> bytes;
    std::string opClass;
    std::string operatingPoint;         ///< empty: every point
    std::string library;                ///< empty: every library
    std::string device;
    std::string date;
    std::string instrument;
    bool operator==(const MeasuredRow&) const = default;

    [[nodiscard]] bool isStore() const { return op.starts_with("store."); }
    [[nodiscard]] bool isIdle() const { return op == "idle"; }
};

/// Reads CSV with `#` comment lines for metadata ("# device=nrf52840 clock_hz=64e6", also "# device: nrf52840"), or a
/// JSON array of the same fields, or a JSON object of metadata with "rows". Errors: BadProfile naming line and column.
[[nodiscard]] Expected<std::vector<MeasuredRow>> parseMeasuredRows(std::string_view text, std::string_view where);

}  // namespace poet

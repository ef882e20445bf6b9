// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/export/firmware/program.h"
#include "core/export/plan_file.h"

#include <string>

namespace poet {

/// What `poet export` was asked for.
struct FirmwareExport {
    std::string schedule;     ///< path of the schedule file: its model lies relative to it
    std::string output;
    std::string name;         ///< prefix of names; empty: from the graph
    bool withKernels = false;
    bool calibrate = false;
    bool allowsLargerArena = false;  ///< than the memory of the plan, when no plan's rounded sizes fit
    std::vector<ArenaRegion> regions = {};  ///< memories for the arena, the preferred first; empty: those of the plan's device
};

/// The plan as instructions, with workspace of the reference kernels where they are bound. When no offsets fit the
/// memory, the plan is solved again with less, at most three times; stderr says so. A larger arena is written, and said,
/// only for scratch of bound kernels, which the plan did not know, or where the request allows it. Errors: those of lowering.
[[nodiscard]] Expected<firmware::Program> lowerPlan(const FirmwareExport& request, PlanFile& file);

/// Writes the folder. Errors: BadUsage when the schedule has no model to take kernels and weights from.
[[nodiscard]] Expected<void> exportFolder(const FirmwareExport& request, PlanFile& file);

}  // namespace poet

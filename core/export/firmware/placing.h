// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/export/firmware/program.h"

#include <map>

namespace poet::firmware {

/// Offsets of what each step of a schedule places.
struct Placing {
    std::map<std::size_t, std::uint32_t> tensors, workspaces;  ///< by step
};

/// Finds offsets for all residencies of the plan within the limits of the options, and fills in what the program says of
/// its arena. `program` holds the nodes and the alignment. Errors: InvalidSchedule naming the instant and the buffers
/// when no offsets fit.
[[nodiscard]] Expected<Placing> placeBuffers(const CostGraph& graph, const Plan& plan, const LowerOptions& options, Program& program);

}  // namespace poet::firmware

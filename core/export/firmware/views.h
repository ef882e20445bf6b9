// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/export/firmware/program.h"

#include <string>

/// A schedule for spreadsheets, allocators, papers.
namespace poet::firmware {

/// One row a step: step, stage, kind, mode, node, name, start and end in seconds, bytes of the tensor, RAM after.
[[nodiscard]] std::string stepsCsv(const CostGraph& graph, const Plan& plan);

/// One row a residency as MiniMalloc has it: id,lower,upper,size,alignment,offset; `upper` is exclusive, times are
/// positions in the instruction list, sizes are rounded to the alignment. Workspaces are residencies of one instruction.
[[nodiscard]] std::string buffersCsv(const Program& program);

/// Graphviz: nodes coloured by what happens to their tensor (kept, recomputed, paged), transfers as dashed edges.
[[nodiscard]] std::string scheduleDot(const CostGraph& graph, const Plan& plan);

/// The timeline: lanes compute, recompute, page-out, page-in, and the memory curve under the budget line.
[[nodiscard]] std::string timelineSvg(const CostGraph& graph, const Plan& plan);

}  // namespace poet::firmware

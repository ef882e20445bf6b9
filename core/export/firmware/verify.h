// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/export/firmware/program.h"

#include <cstdint>

namespace poet::firmware {

/// What a proven program does; equal to its header.
struct ProgramFacts {
    std::uint64_t outBytes = 0, inBytes = 0;
    std::uint32_t highWaterBytes = 0;   ///< highest byte ever used
    std::uint32_t peakBytes = 0;        ///< largest sum of live sizes, rounded to the alignment
    int recomputes = 0;
};

/// Proves the rules of firmware.md, section 6, on instructions alone (shares no code with lowering or allocation):
/// inputs resident at every run; no overlap, misalignment or overrun; no tensor in two
/// memories, nor in flight where DMA does not reach; every page-in reads what this step wrote; every
/// node runs once, and again only where that is allowed; nothing runs after UPDATE; nothing is left at END; peak, bytes,
/// blocks and counts equal to the header. Errors: InvalidSchedule with the first broken rule, the instruction and both
/// tensors. Cost: O(instructions x log live).
[[nodiscard]] Expected<ProgramFacts> verifyProgram(const Program& program);

}  // namespace poet::firmware

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/export/firmware/program.h"

#include <cstdint>
#include <string>
#include <vector>

/// Witnesses for programs: the real interpreter of the runtime with mixing kernels, and a symbolic arena.
namespace poet::firmware::test {

struct MachineResult {
    int code = 0;
    unsigned instruction = 0, id = 0;
    std::uint64_t outBytes = 0, inBytes = 0;
    std::vector<std::vector<std::uint8_t>> backward;  ///< content of every backward tensor when it was made
};

/// Runs the program in the checked interpreter. Every node's tensor is a hash of its inputs' content.
[[nodiscard]] MachineResult runMachine(const Program& program);

/// Executes on an arena of owners: empty when every node reads, whole, what its inputs made, and every node of `meant`
/// runs; else what went wrong.
[[nodiscard]] std::string runSymbolically(const Program& program, const Program& meant);

/// Makes the CRC of a changed file right again.
void repairCrc(std::string& packed);

}  // namespace poet::firmware::test

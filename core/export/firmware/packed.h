// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/export/firmware/program.h"

#include <string>
#include <string_view>

namespace poet::firmware {

/// The packed binary of firmware.md, section 3, with these additions: bit 1 of `x` of PAGE_IN and PREFETCH is the input
/// page; a flag (packed_layout.h) leaves out the list of pages where the code tells it; the dictionary begins with the unit
/// of its offsets, a varint in units of the alignment, and its entries may have one byte each; the tensor sizes begin
/// with their unit and are followed by the runs of workspace sizes; where the arena is several memories, another flag says
/// so and their list stands before the sizes: count, then bytes / alignment * 2 + (1: DMA reaches it) of each. With `withGraph` (a stand-alone file) the section of
/// the sizes holds the nodes with their inputs instead (packed_graph.h), so that everything can be verified.
[[nodiscard]] std::string encode(const Program& program, bool withGraph);

/// Reads it back; encode and decode are each other's inverse on nodes (with a graph), pages and code. A file without a
/// graph needs `graph`: the program that knows the nodes' inputs; only their inputs and flags are taken.
/// Errors: InvalidSchedule naming the section and what is wrong (magic, ABI, CRC, range, overlong varint, ...).
[[nodiscard]] Expected<Program> decode(std::string_view bytes, const Program* graph);

/// Where the parts of a file without a graph lie, for a decoder that is compiled with it.
struct PackedPlaces {
    std::size_t totalBytes = 0;
    std::uint32_t crc = 0;
    std::size_t words = 0;        ///< first offset of the dictionary
    std::size_t code = 0;
    int width = 0;                ///< bytes of an offset in the dictionary; 0: there is none
    std::uint64_t unitBytes = 0;  ///< offsets are multiples of it
};
[[nodiscard]] PackedPlaces packedPlaces(const Program& program);

/// The file holds the nodes' inputs.
[[nodiscard]] bool hasGraph(std::string_view bytes);

inline constexpr std::size_t kPackedHeaderBytes = 96;
inline constexpr std::uint16_t kAbi = 0x0102;

}  // namespace poet::firmware

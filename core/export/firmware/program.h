// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/schedule/arena.h"
#include "core/schedule/plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// A schedule as the list of instructions that a microcontroller runs. Source: firmware.md, section 2.
namespace poet::firmware {

enum class OpCode : std::uint8_t { Compute = 1, Recompute, PageOut, PageIn, Prefetch, Wait, Free, Update, Mark, End, Ext };
[[nodiscard]] std::string_view name(OpCode code);

inline constexpr std::uint8_t kFlagInPlace = 1;
inline constexpr std::uint8_t kFlagAsync = 2;
inline constexpr std::uint16_t kAll = 0xFFFF;        ///< id of Wait and Update
inline constexpr std::uint32_t kInputPage = 0xFFFF;  ///< page that holds what the caller gives to `step`
inline constexpr std::uint32_t kDefaultPage = 0xFFFFFFFF;  ///< operand of a transfer that uses its tensor's own page

/// One wide record. Ext records follow the one whose operand `id` they give (1: workspace offset, or page of a read).
struct Instruction {
    OpCode op = OpCode::End;
    std::uint8_t flags = 0;
    std::uint16_t id = 0;
    std::uint32_t arg = 0;
    bool operator==(const Instruction&) const = default;
};

/// What is true of one node beside its bytes, for lowering and verification.
struct ProgramNode {
    std::uint32_t bytes = 0;            ///< of its tensor
    std::uint32_t workBytes = 0;        ///< scratch while it runs
    std::vector<std::uint16_t> inputs;  ///< tensors it reads
    bool isInput = false;               ///< comes from the caller: the input page
    bool isBackward = false;
    bool mayRunAgain = false;
    bool operator==(const ProgramNode&) const = default;
};

/// A lowered schedule: everything that the header, the table and the binary hold. Tensor i is node i's.
struct Program {
    std::string name;
    std::vector<ProgramNode> nodes;
    std::vector<std::uint16_t> pages;       ///< tensor of each page, in order of first use
    std::vector<Instruction> code;
    std::uint32_t alignment = 8;            ///< of offsets and sizes
    std::uint32_t arenaBytes = 0;           ///< of all regions
    std::vector<ArenaRegion> regions;       ///< several memories, one behind the other in the offsets; empty: one
    std::uint32_t lowerBoundBytes = 0;      ///< replayed peak with rounded sizes
    std::uint32_t pageBlockBytes = 512;
    std::uint32_t eraseBlockBytes = 0;      ///< 0: the store needs no erase
    std::uint32_t storeBlocks = 0;          ///< blocks of all pages
    float joules = 0, seconds = 0;          ///< of one step
    std::uint64_t outBytes = 0, inBytes = 0;  ///< moved in one step
    std::uint32_t erases = 0;               ///< of one step
    std::uint32_t wearOutSteps = 0xFFFFFFFF;  ///< 0xFFFFFFFF: no wear
    std::uint64_t modelHash = 0;            ///< of the graph without costs
    std::string arenaMethod;
    std::vector<std::optional<std::int64_t>> stepOffsets;  ///< per step of the schedule: where it places a tensor

    /// First store block of each page.
    [[nodiscard]] std::vector<std::uint32_t> pageBlocks() const;
};

/// What lowering needs beside the plan.
struct LowerOptions {
    std::uint32_t alignment = 8;           ///< at least 4; the device's wins when larger
    std::uint32_t pageBlockBytes = 512;
    std::uint32_t eraseBlockBytes = 0;
    std::vector<int> inputOf;              ///< by node: number of the data input, -1: computed; empty: nodes without inputs are data
    std::vector<std::uint32_t> workBytes;  ///< scratch that the kernels need, by node; empty: the graph's
    bool hasUpdate = true;                 ///< an UPDATE of all parameters before END
    double arenaSeconds = 10;              ///< limit of the exact offset search
    bool isStrict = false;                 ///< refuse an arena over the limit even where rounded sizes alone exceed it
    std::optional<std::int64_t> arenaLimitBytes;  ///< default: the plan's memory less the resident bytes
    std::vector<ArenaRegion> regions;      ///< what the arena may take of each of several memories, the preferred first
};

/// Lowers a plan's schedule: offsets for every residency, transfers, frees of what is left, END.
/// Errors: InvalidSchedule (no schedule; more than 65,534 nodes; sizes beyond 32 bits), naming the instant and the
/// buffers when no offsets fit the memory.
[[nodiscard]] Expected<Program> lower(const CostGraph& graph, const Plan& plan, const LowerOptions& options);

/// First 8 bytes of the SHA-256 of the graph's canonical JSON without costs.
[[nodiscard]] std::uint64_t modelHash(const CostGraph& graph);

}  // namespace poet::firmware

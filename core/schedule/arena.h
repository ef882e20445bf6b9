// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/graph/cost_graph.h"
#include "core/schedule/schedule.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Arena offsets: where in RAM every residency of a schedule lies. Source: firmware.md, section 5.
namespace poet {

/// One stretch of bytes that is needed for one half-open interval of time.
struct ArenaBuffer {
    int id = 0;               ///< breaks ties; unique
    std::int64_t lower = 0;   ///< first instant (step index, or any integer time)
    std::int64_t upper = 0;   ///< first instant after it; empty when upper <= lower
    std::int64_t size = 0;    ///< bytes, >= 0
    NodeId node = -1;         ///< tensor it holds, or whose workspace it is; -1 outside schedules
    bool isWorkspace = false;
    std::uint32_t regions = 0xFFFFFFFF;  ///< bits of the regions that it may lie in
};

/// The residencies of a schedule, in the order in which they begin; the instant of a step is its index.
/// A residency begins with the Compute, Recompute or PageIn that places the tensor and ends with its Free (or the
/// end of the schedule); a workspace lives for its step only; in the `paper` model a source that is freed and paged
/// again is another residency. Ids are positions in the result. Sizes are as in the graph, not yet rounded.
/// The schedule must have passed replay(). Threads: pure. Cost: O(steps).
[[nodiscard]] std::vector<ArenaBuffer> residencies(const CostGraph& graph, const Schedule& schedule);

/// Orders in which first fit places buffers.
enum class ArenaOrder { Size, Lifetime, Area, Arrival, Busiest };
inline constexpr ArenaOrder kArenaOrders[] = {ArenaOrder::Size, ArenaOrder::Lifetime, ArenaOrder::Area,
                                              ArenaOrder::Arrival, ArenaOrder::Busiest};
[[nodiscard]] std::string_view name(ArenaOrder order);

/// What the allocation may do.
struct ArenaParams {
    std::int64_t alignment = 1;                    ///< of offsets and sizes, bytes, a power of two or 1
    std::optional<std::int64_t> capacityBytes{};   ///< stop as soon as the arena is at most this; absent: the lower bound
    bool useExactSearch = true;                    ///< after the greedy orders
    double timeLimitSeconds = 10;                  ///< of the exact search
    bool minimize = false;                         ///< go on below the capacity, towards the lower bound
    std::vector<std::int64_t> regionBytes{};       ///< capacities of several memories, the preferred first; empty: one memory
};

/// Why an allocation stays above its capacity: the instant with the highest top and the buffers there.
struct ArenaConflict {
    std::int64_t instant = 0;
    std::vector<int> buffers;  ///< positions of the buffers that live then, by ascending offset
};

/// Offsets and what is known about them. With several regions, offsets count through them: each region begins where the
/// used bytes of the one before it end, and no buffer lies in two.
struct ArenaResult {
    std::vector<std::int64_t> offsets;  ///< per buffer, in the order given; 0 for empty buffers
    std::vector<std::int64_t> regionUsedBytes;  ///< of each region, when there are several and everything fits
    std::int64_t usedBytes = 0;         ///< highest top, sizes rounded to the alignment; of all regions
    std::int64_t lowerBoundBytes = 0;   ///< largest sum of rounded live sizes: no arena can be smaller
    bool fits = true;                   ///< usedBytes <= capacity
    bool isProvenTooSmall = false;      ///< the search was exhausted: no offsets fit the capacity
    std::string method;                 ///< "first fit by size", ..., "exact search"
    std::optional<ArenaConflict> conflict;  ///< when it does not fit
};

/// Places all buffers: greedy orders, then the exact search for the capacity (a decision), then, if asked,
/// bisection towards the bound. Same input, same offsets, unless the time limit strikes. Regions replace the capacity:
/// greedy orders and search keep their borders, and nothing is minimised beyond fitting.
/// Errors: BadUsage for a negative size, an alignment that is no power of two, over 32 regions, or sums beyond 62 bits.
/// Threads: pure.
[[nodiscard]] Expected<ArenaResult> allocateArena(std::span<const ArenaBuffer> buffers, const ArenaParams& params);

/// Largest sum of sizes rounded to `alignment` that live at one instant.
[[nodiscard]] std::int64_t arenaLowerBound(std::span<const ArenaBuffer> buffers, std::int64_t alignment);

/// First fit in one fixed order; offsets are multiples of `alignment` when sizes are. What fits no region lies behind all.
[[nodiscard]] std::vector<std::int64_t> firstFit(std::span<const ArenaBuffer> buffers, ArenaOrder order,
                                                 std::span<const std::int64_t> regionBytes = {});

/// Answer of the exact search.
enum class ArenaSearchStatus { Found, Impossible, TimedOut };
struct ArenaSearchOutcome {
    ArenaSearchStatus status = ArenaSearchStatus::TimedOut;
    std::vector<std::int64_t> offsets;  ///< when Found
    std::int64_t nodes = 0;             ///< search nodes visited
};
/// Depth-first search for offsets with every top at most `capacity` and no buffer across the border of two regions;
/// complete but for the time limit.
[[nodiscard]] ArenaSearchOutcome searchArena(std::span<const ArenaBuffer> buffers, std::int64_t capacity,
                                             double timeLimitSeconds, std::span<const std::int64_t> regionBytes = {});

/// Independent sweep over what was written: no two live buffers overlap, all offsets are multiples of `alignment`,
/// every top is at most `capacity`, and every buffer lies in one region that it may lie in. Shares no code with the
/// allocation. Errors: InvalidSchedule naming both buffers and the instant. Cost: O(n log n).
[[nodiscard]] Expected<void> checkArena(std::span<const ArenaBuffer> buffers, std::span<const std::int64_t> offsets,
                                        std::int64_t alignment, std::int64_t capacity, std::span<const std::int64_t> regionBytes = {});

}  // namespace poet

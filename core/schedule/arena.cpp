// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/arena.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <numeric>

namespace poet {
namespace {

constexpr std::int64_t kMaxBytes = std::int64_t{1} << 62;
constexpr std::size_t kMostRegions = 32;  // bits of ArenaBuffer::regions

std::int64_t roundUp(std::int64_t bytes, std::int64_t alignment)
{
    return (bytes + alignment - 1) / alignment * alignment;
}

bool isEmpty(const ArenaBuffer& buffer)
{
    return buffer.size <= 0 || buffer.upper <= buffer.lower;
}

/// Checks the input and gives sizes in units of their greatest common divisor (at least the alignment).
Expected<std::vector<ArenaBuffer>> scaled(std::span<const ArenaBuffer> buffers, std::int64_t alignment, std::int64_t& unit)
{
    if (alignment < 1 || (alignment & (alignment - 1)) != 0)
        return fail(ErrorCode::BadUsage, "The alignment " + std::to_string(alignment) + " is not a power of two.");
    std::vector<ArenaBuffer> result(buffers.begin(), buffers.end());
    std::int64_t sum = 0;
    unit = 0;
    for (ArenaBuffer& buffer : result) {
        if (buffer.size < 0 || buffer.size > kMaxBytes - alignment)
            return fail(ErrorCode::BadUsage, "Buffer " + std::to_string(buffer.id) + " has an impossible size.");
        if (isEmpty(buffer))
            continue;
        buffer.size = roundUp(buffer.size, alignment);
        if (buffer.size > kMaxBytes - sum)
            return fail(ErrorCode::BadUsage, "The buffers together exceed 2^62 bytes.");
        sum += buffer.size;
        unit = std::gcd(unit, buffer.size);
    }
    unit = std::max<std::int64_t>(unit, 1);
    for (ArenaBuffer& buffer : result)
        if (!isEmpty(buffer))
            buffer.size /= unit;
    return result;
}

std::int64_t highestTop(std::span<const ArenaBuffer> buffers, std::span<const std::int64_t> offsets)
{
    std::int64_t top = 0;
    for (std::size_t i = 0; i < buffers.size(); ++i)
        if (!isEmpty(buffers[i]))
            top = std::max(top, offsets[i] + buffers[i].size);
    return top;
}

ArenaConflict conflictOf(std::span<const ArenaBuffer> buffers, std::span<const std::int64_t> offsets)
{
    const std::int64_t top = highestTop(buffers, offsets);
    ArenaConflict conflict;
    for (std::size_t i = 0; i < buffers.size(); ++i)
        if (!isEmpty(buffers[i]) && offsets[i] + buffers[i].size == top) {
            conflict.instant = buffers[i].lower;
            break;
        }
    for (std::size_t i = 0; i < buffers.size(); ++i)
        if (!isEmpty(buffers[i]) && buffers[i].lower <= conflict.instant && conflict.instant < buffers[i].upper)
            conflict.buffers.push_back(static_cast<int>(i));
    std::ranges::stable_sort(conflict.buffers, {}, [&](int i) { return offsets[static_cast<std::size_t>(i)]; });
    return conflict;
}

/// Exact search for the capacity, then, if asked, bisection towards the bound; all in units.
void improveExactly(std::span<const ArenaBuffer> buffers, std::int64_t capacity, std::span<const std::int64_t> regions, const ArenaParams& params,
                    ArenaResult& result)
{
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    const auto left = [&] {
        return params.timeLimitSeconds - std::chrono::duration<double>(Clock::now() - begin).count();
    };
    const auto accept = [&](ArenaSearchOutcome& outcome) {
        result.offsets = std::move(outcome.offsets);
        result.usedBytes = highestTop(buffers, result.offsets);
        result.method = "exact search";
    };
    const bool isMinimized = params.minimize && regions.empty();
    const auto goal = [&](std::int64_t floor) { return isMinimized ? floor : std::max(floor, capacity); };
    std::int64_t impossible = result.lowerBoundBytes - 1;  // largest capacity known to be too small
    std::int64_t target = std::max(capacity, result.lowerBoundBytes);
    while (result.usedBytes > goal(impossible + 1) && left() > 0) {
        target = std::clamp(target, impossible + 1, result.usedBytes - 1);
        const double share = isMinimized && target < capacity ? left() / 3 : left();
        ArenaSearchOutcome outcome = searchArena(buffers, target, share, regions);
        if (outcome.status == ArenaSearchStatus::Found) {
            accept(outcome);
            target = impossible + 1;
        } else {
            if (outcome.status == ArenaSearchStatus::Impossible && target >= capacity)
                result.isProvenTooSmall = true;
            if (!isMinimized)
                return;
            impossible = target;  // for a time-out: not worth another try
            target = impossible + (result.usedBytes - impossible) / 2;
        }
    }
}

/// Lets each region begin where the used bytes of the one before it end; all in units.
void closeGaps(std::span<const ArenaBuffer> buffers, std::span<const std::int64_t> regionBytes, ArenaResult& result)
{
    std::vector<std::int64_t> shift;
    std::vector<std::size_t> regionOf(buffers.size(), 0);
    std::int64_t begin = 0, used = 0;
    for (std::size_t r = 0; r < regionBytes.size(); begin += regionBytes[r++]) {
        std::int64_t top = begin;
        for (std::size_t i = 0; i < buffers.size(); ++i)
            if (!isEmpty(buffers[i]) && result.offsets[i] >= begin && result.offsets[i] < begin + regionBytes[r]) {
                regionOf[i] = r;
                top = std::max(top, result.offsets[i] + buffers[i].size);
            }
        shift.push_back(begin - used);
        result.regionUsedBytes.push_back(top - begin);
        used += top - begin;
    }
    for (std::size_t i = 0; i < buffers.size(); ++i)
        if (!isEmpty(buffers[i]))
            result.offsets[i] -= shift[regionOf[i]];
    result.usedBytes = used;
}

}  // namespace

std::vector<ArenaBuffer> residencies(const CostGraph& graph, const Schedule& schedule)
{
    std::vector<ArenaBuffer> result;
    std::vector<int> open(graph.nodes.size(), -1);
    const auto begin = [&](NodeId node, std::int64_t size, std::int64_t time) {
        const int id = static_cast<int>(result.size());
        result.push_back({.id = id, .lower = time, .upper = static_cast<std::int64_t>(schedule.steps.size()), .size = size,
                          .node = node});
        return id;
    };
    for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
        const Step& step = schedule.steps[i];
        const auto node = static_cast<std::size_t>(step.node);
        const auto time = static_cast<std::int64_t>(i);
        switch (step.kind) {
        case StepKind::Compute:
        case StepKind::Recompute:
            open[node] = begin(step.node, graph.nodes[node].bytes, time);
            if (graph.nodes[node].workspaceBytes > 0) {
                const int id = begin(step.node, graph.nodes[node].workspaceBytes, time);
                result[static_cast<std::size_t>(id)].upper = time + 1;
                result[static_cast<std::size_t>(id)].isWorkspace = true;
            }
            break;
        case StepKind::PageIn: open[node] = begin(step.node, graph.nodes[node].bytes, time); break;
        case StepKind::Free:
            if (open[node] >= 0)
                result[static_cast<std::size_t>(open[node])].upper = time;
            open[node] = -1;
            break;
        case StepKind::PageOut: break;
        }
    }
    return result;
}

std::int64_t arenaLowerBound(std::span<const ArenaBuffer> buffers, std::int64_t alignment)
{
    std::map<std::int64_t, std::int64_t> changes;
    for (const ArenaBuffer& buffer : buffers) {
        if (isEmpty(buffer))
            continue;
        changes[buffer.lower] += roundUp(buffer.size, alignment);
        changes[buffer.upper] -= roundUp(buffer.size, alignment);
    }
    std::int64_t sum = 0, most = 0;
    for (const auto& [time, change] : changes)
        most = std::max(most, sum += change);
    return most;
}

Expected<ArenaResult> allocateArena(std::span<const ArenaBuffer> buffers, const ArenaParams& params)
{
    std::int64_t unit = 1;
    POET_TRY(units, scaled(buffers, params.alignment, unit));
    if (params.regionBytes.size() > kMostRegions)
        return fail(ErrorCode::BadUsage, "There are more than " + std::to_string(kMostRegions) + " regions.");
    std::vector<std::int64_t> regions;
    for (const std::int64_t bytes : params.regionBytes)
        regions.push_back(std::max<std::int64_t>(bytes, 0) / unit);
    ArenaResult result;
    result.lowerBoundBytes = arenaLowerBound(units, 1);
    const std::int64_t capacity = !regions.empty()       ? std::accumulate(regions.begin(), regions.end(), std::int64_t{0})
                                  : params.capacityBytes ? std::max<std::int64_t>(*params.capacityBytes, 0) / unit
                                                         : result.lowerBoundBytes;
    const bool isMinimized = params.minimize && regions.empty();
    result.usedBytes = kMaxBytes;
    for (const ArenaOrder order : kArenaOrders) {
        std::vector<std::int64_t> offsets = firstFit(units, order, regions);
        const std::int64_t used = highestTop(units, offsets);
        if (used >= result.usedBytes)
            continue;
        result.usedBytes = used;
        result.offsets = std::move(offsets);
        result.method = "first fit by " + std::string(name(order));
        if (used == result.lowerBoundBytes || (used <= capacity && !isMinimized))
            break;
    }
    const bool isPossible = result.lowerBoundBytes <= capacity || isMinimized;
    if (params.useExactSearch && isPossible)
        improveExactly(units, capacity, regions, params, result);
    if (result.lowerBoundBytes > capacity)
        result.isProvenTooSmall = true;
    result.fits = result.usedBytes <= capacity;
    if (!result.fits)
        result.conflict = conflictOf(units, result.offsets);
    else if (!regions.empty())
        closeGaps(units, regions, result);
    for (std::vector<std::int64_t>* bytes : {&result.offsets, &result.regionUsedBytes})
        for (std::int64_t& value : *bytes)
            value *= unit;
    result.usedBytes *= unit;
    result.lowerBoundBytes *= unit;
    return result;
}

}  // namespace poet

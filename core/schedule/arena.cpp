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
void improveExactly(std::span<const ArenaBuffer> buffers, std::int64_t capacity, const ArenaParams& params, ArenaResult& result)
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
    const auto goal = [&](std::int64_t floor) { return params.minimize ? floor : std::max(floor, capacity); };
    std::int64_t impossible = result.lowerBoundBytes - 1;  // largest capacity known to be too small
    std::int64_t target = std::max(capacity, result.lowerBoundBytes);
    while (result.usedBytes > goal(impossible + 1) && left() > 0) {
        target = std::clamp(target, impossible + 1, result.usedBytes - 1);
        const double share = params.minimize && target < capacity ? left() / 3 : left();
        ArenaSearchOutcome outcome = searchArena(buffers, target, share);
        if (outcome.status == ArenaSearchStatus::Found) {
            accept(outcome);
            target = impossible + 1;
        } else {
            if (outcome.status == ArenaSearchStatus::Impossible && target >= capacity)
                result.isProvenTooSmall = true;
            if (!params.minimize)
                return;
            impossible = target;  // for a time-out: not worth another try
            target = impossible + (result.usedBytes - impossible) / 2;
        }
    }
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
    ArenaResult result;
    result.lowerBoundBytes = arenaLowerBound(units, 1);
    const std::int64_t capacity = params.capacityBytes ? std::max<std::int64_t>(*params.capacityBytes, 0) / unit
                                                       : result.lowerBoundBytes;
    result.usedBytes = kMaxBytes;
    for (const ArenaOrder order : kArenaOrders) {
        std::vector<std::int64_t> offsets = firstFit(units, order);
        const std::int64_t used = highestTop(units, offsets);
        if (used >= result.usedBytes)
            continue;
        result.usedBytes = used;
        result.offsets = std::move(offsets);
        result.method = "first fit by " + std::string(name(order));
        if (used == result.lowerBoundBytes || (used <= capacity && !params.minimize))
            break;
    }
    const bool isPossible = result.lowerBoundBytes <= capacity || params.minimize;
    if (params.useExactSearch && isPossible)
        improveExactly(units, capacity, params, result);
    if (result.lowerBoundBytes > capacity)
        result.isProvenTooSmall = true;
    result.fits = result.usedBytes <= capacity;
    if (!result.fits)
        result.conflict = conflictOf(units, result.offsets);
    for (std::int64_t& offset : result.offsets)
        offset *= unit;
    result.usedBytes *= unit;
    result.lowerBoundBytes *= unit;
    return result;
}

}  // namespace poet

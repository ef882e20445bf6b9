// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/arena_regions.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace poet {
namespace {

/// Bytes that live with each buffer at its busiest instant.
std::vector<std::int64_t> busiestSums(std::span<const ArenaBuffer> buffers)
{
    std::map<std::int64_t, std::int64_t> changes;
    for (const ArenaBuffer& buffer : buffers) {
        if (buffer.upper <= buffer.lower)
            continue;
        changes[buffer.lower] += buffer.size;
        changes[buffer.upper] -= buffer.size;
    }
    std::vector<std::int64_t> times, sums;
    std::int64_t sum = 0;
    for (const auto& [time, change] : changes) {
        times.push_back(time);
        sums.push_back(sum += change);
    }
    std::vector<std::int64_t> result;
    for (const ArenaBuffer& buffer : buffers) {
        std::int64_t most = 0;
        const auto first = std::ranges::lower_bound(times, buffer.lower) - times.begin();
        for (auto i = static_cast<std::size_t>(first); i < times.size() && times[i] < buffer.upper; ++i)
            most = std::max(most, sums[i]);
        result.push_back(most);
    }
    return result;
}

std::vector<std::size_t> sortedBy(std::span<const ArenaBuffer> buffers, ArenaOrder order)
{
    std::vector<std::int64_t> first(buffers.size()), second(buffers.size());  // both descending
    const auto busiest = order == ArenaOrder::Busiest ? busiestSums(buffers) : std::vector<std::int64_t>{};
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        const ArenaBuffer& buffer = buffers[i];
        const std::int64_t life = buffer.upper - buffer.lower;
        switch (order) {
        case ArenaOrder::Size: first[i] = buffer.size; second[i] = life; break;
        case ArenaOrder::Lifetime: first[i] = life; second[i] = buffer.size; break;
        case ArenaOrder::Area: first[i] = static_cast<std::int64_t>(static_cast<double>(life) * static_cast<double>(buffer.size)); break;
        case ArenaOrder::Arrival: first[i] = -buffer.lower; second[i] = buffer.size; break;
        case ArenaOrder::Busiest: first[i] = busiest[i]; second[i] = buffer.size; break;
        }
    }
    std::vector<std::size_t> result(buffers.size());
    std::iota(result.begin(), result.end(), std::size_t{0});
    std::ranges::sort(result, [&](std::size_t a, std::size_t b) {
        if (first[a] != first[b])
            return first[a] > first[b];
        if (second[a] != second[b])
            return second[a] > second[b];
        return buffers[a].id < buffers[b].id;
    });
    return result;
}

}  // namespace

std::string_view name(ArenaOrder order)
{
    switch (order) {
    case ArenaOrder::Size: return "size";
    case ArenaOrder::Lifetime: return "lifetime";
    case ArenaOrder::Area: return "size x lifetime";
    case ArenaOrder::Arrival: return "arrival";
    case ArenaOrder::Busiest: return "busiest instant";
    }
    return "size";
}

std::vector<std::int64_t> firstFit(std::span<const ArenaBuffer> buffers, ArenaOrder order, std::span<const std::int64_t> regionBytes)
{
    const ArenaBorders borders(regionBytes);
    std::vector<std::int64_t> offsets(buffers.size(), 0);
    std::vector<std::size_t> placed;  // by ascending offset
    for (const std::size_t index : sortedBy(buffers, order)) {
        const ArenaBuffer& buffer = buffers[index];
        if (buffer.size <= 0 || buffer.upper <= buffer.lower)
            continue;
        std::int64_t offset = borders.fit(0, buffer.size, buffer.regions);
        for (const std::size_t other : placed) {
            if (buffers[other].lower >= buffer.upper || buffers[other].upper <= buffer.lower)
                continue;
            if (offsets[other] - offset >= buffer.size)
                break;
            offset = borders.fit(std::max(offset, offsets[other] + buffers[other].size), buffer.size, buffer.regions);
        }
        offsets[index] = offset;
        const auto place = std::ranges::upper_bound(placed, offset, {}, [&](std::size_t other) { return offsets[other]; });
        placed.insert(place, index);
    }
    return offsets;
}

}  // namespace poet

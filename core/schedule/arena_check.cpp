// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/arena.h"

#include <algorithm>
#include <map>

namespace poet {
namespace {

std::string bufferText(const ArenaBuffer& buffer, std::int64_t offset)
{
    return "buffer " + std::to_string(buffer.id) + " at [" + std::to_string(offset) + ", " +
           std::to_string(offset + buffer.size) + ")";
}

Expected<void> checkPlace(const ArenaBuffer& buffer, std::int64_t offset, std::int64_t alignment, std::int64_t capacity)
{
    if (offset < 0 || offset % alignment != 0)
        return fail(ErrorCode::InvalidSchedule,
                    bufferText(buffer, offset) + " is not aligned to " + std::to_string(alignment) + " bytes.");
    if (offset > capacity || buffer.size > capacity - offset)
        return fail(ErrorCode::InvalidSchedule,
                    bufferText(buffer, offset) + " ends behind the arena of " + std::to_string(capacity) + " bytes.");
    return {};
}

Expected<void> checkRegion(const ArenaBuffer& buffer, std::int64_t offset, std::span<const std::int64_t> regionBytes)
{
    std::int64_t begin = 0;
    for (std::size_t r = 0; r < regionBytes.size(); begin += regionBytes[r++]) {
        if (offset < begin || offset >= begin + regionBytes[r])
            continue;
        if (offset + buffer.size > begin + regionBytes[r])
            return fail(ErrorCode::InvalidSchedule, bufferText(buffer, offset) + " crosses the end of region " + std::to_string(r) + ".");
        if ((buffer.regions & 1U << r) == 0)
            return fail(ErrorCode::InvalidSchedule, bufferText(buffer, offset) + " must not lie in region " + std::to_string(r) + ".");
        return {};
    }
    return fail(ErrorCode::InvalidSchedule, bufferText(buffer, offset) + " lies in no region.");
}

}  // namespace

Expected<void> checkArena(std::span<const ArenaBuffer> buffers, std::span<const std::int64_t> offsets,
                          std::int64_t alignment, std::int64_t capacity, std::span<const std::int64_t> regionBytes)
{
    if (offsets.size() != buffers.size())
        return fail(ErrorCode::InvalidSchedule, "There are " + std::to_string(offsets.size()) + " offsets for " +
                                                    std::to_string(buffers.size()) + " buffers.");
    struct Event {
        std::int64_t time;
        bool isBegin;  // ends sort first: upper is exclusive
        std::size_t index;
    };
    std::vector<Event> events;
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        POET_CHECK(checkPlace(buffers[i], offsets[i], alignment, capacity));
        if (buffers[i].size <= 0 || buffers[i].upper <= buffers[i].lower)
            continue;
        if (!regionBytes.empty())
            POET_CHECK(checkRegion(buffers[i], offsets[i], regionBytes));
        events.push_back({buffers[i].lower, true, i});
        events.push_back({buffers[i].upper, false, i});
    }
    std::ranges::sort(events, [](const Event& a, const Event& b) {
        return a.time != b.time ? a.time < b.time : a.isBegin != b.isBegin ? b.isBegin : a.index < b.index;
    });
    std::map<std::int64_t, std::size_t> live;  // offset -> buffer; never overlapping, so neighbours suffice
    for (const Event& event : events) {
        const std::int64_t offset = offsets[event.index];
        if (!event.isBegin) {
            live.erase(offset);
            continue;
        }
        const auto next = live.lower_bound(offset);
        std::optional<std::size_t> other;
        if (next != live.end() && next->first < offset + buffers[event.index].size)
            other = next->second;
        if (next != live.begin()) {
            const std::size_t before = std::prev(next)->second;
            if (offsets[before] + buffers[before].size > offset)
                other = before;
        }
        if (other)
            return fail(ErrorCode::InvalidSchedule, bufferText(buffers[event.index], offset) + " overlaps " +
                                                        bufferText(buffers[*other], offsets[*other]) + " at instant " +
                                                        std::to_string(event.time) + ".");
        live.emplace(offset, event.index);
    }
    return {};
}

}  // namespace poet

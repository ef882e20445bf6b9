// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/arena_regions.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <numeric>

namespace poet {
namespace {

using Clock = std::chrono::steady_clock;
using Group = std::vector<int>;

/// Buffers are placed in non-decreasing (offset, rank), each on the skyline of what is placed: every packing can be
/// pushed down and sorted into this form, so the search is complete. Unplaced buffers that never live together fall
/// apart into groups that are solved alone, each with its own orders of rank. What would cross the border of two regions
/// rests on the border: pushing down may jump over it, so the form stays complete.
class ArenaSearch {
public:
    ArenaSearch(std::span<const ArenaBuffer> buffers, std::int64_t capacity, double timeLimitSeconds, std::span<const std::int64_t> regionBytes)
        : m_capacity(capacity), m_borders(regionBytes), m_deadline(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                                              std::chrono::duration<double>(timeLimitSeconds)))
    {
        cutTime(buffers);
        findNeighbours();
        rankBuffers();
    }

    ArenaSearchOutcome run(std::size_t bufferCount)
    {
        ArenaSearchOutcome outcome;
        Group all(m_items.size());
        std::iota(all.begin(), all.end(), 0);
        const Verdict verdict = solveGroups(all, 0, std::numeric_limits<std::int64_t>::max());
        outcome.nodes = m_nodes;
        outcome.status = verdict == Verdict::Found  ? ArenaSearchStatus::Found
                         : verdict == Verdict::None ? ArenaSearchStatus::Impossible
                                                    : ArenaSearchStatus::TimedOut;
        if (verdict == Verdict::Found) {
            outcome.offsets.assign(bufferCount, 0);
            for (const Item& item : m_items)
                outcome.offsets[item.index] = item.offset;
        }
        return outcome;
    }

private:
    enum class Verdict { Found, None, Limit };
    static constexpr int kOrders = 3;
    static constexpr std::int64_t kFirstNodeLimit = 128;

    struct Item {
        std::size_t index;   // in the caller's list
        std::int64_t size;
        std::uint32_t regions;
        int first, last;     // sections [first, last)
        std::int64_t offset = 0;   // least feasible while unplaced
        bool isPlaced = false;
        std::array<int, kOrders> rank{};
        std::vector<int> neighbours;
    };
    struct Change {
        int item;
        std::int64_t offset;
    };

    void cutTime(std::span<const ArenaBuffer> buffers)
    {
        std::vector<std::int64_t> times;
        for (const ArenaBuffer& buffer : buffers)
            if (buffer.size > 0 && buffer.lower < buffer.upper)
                times.push_back(buffer.lower);  // the sum can only rise where something begins
        std::ranges::sort(times);
        times.erase(std::unique(times.begin(), times.end()), times.end());
        const auto section = [&](std::int64_t time) {
            return static_cast<int>(std::ranges::lower_bound(times, time) - times.begin());
        };
        for (std::size_t i = 0; i < buffers.size(); ++i)
            if (buffers[i].size > 0 && buffers[i].lower < buffers[i].upper)
                m_items.push_back({.index = i, .size = buffers[i].size, .regions = buffers[i].regions, .first = section(buffers[i].lower),
                                   .last = section(buffers[i].upper), .offset = m_borders.fit(0, buffers[i].size, buffers[i].regions), .neighbours = {}});
        m_unplaced.assign(times.size(), 0);
        m_least.assign(times.size(), 0);
        for (const Item& item : m_items)
            for (int s = item.first; s < item.last; ++s)
                m_unplaced[at(s)] += item.size;
    }

    void findNeighbours()
    {
        for (std::size_t a = 0; a < m_items.size(); ++a)
            for (std::size_t b = 0; b < m_items.size(); ++b)
                if (a != b && m_items[a].first < m_items[b].last && m_items[b].first < m_items[a].last)
                    m_items[a].neighbours.push_back(static_cast<int>(b));
    }

    void rankBuffers()
    {
        std::vector<std::array<std::int64_t, kOrders>> keys;  // width, area, busiest total
        for (const Item& item : m_items) {
            std::int64_t total = 0;
            for (int s = item.first; s < item.last; ++s)
                total = std::max(total, m_unplaced[at(s)]);
            const std::int64_t width = item.last - item.first;
            keys.push_back({width, width * item.size, total});
        }
        static constexpr std::array<std::array<int, kOrders>, kOrders> kKeyOrder{{{0, 1, 2}, {2, 1, 0}, {2, 0, 1}}};
        std::vector<int> sorted(m_items.size());
        for (std::size_t order = 0; order < kOrders; ++order) {
            std::iota(sorted.begin(), sorted.end(), 0);
            std::ranges::sort(sorted, [&](int a, int b) {
                for (const int key : kKeyOrder[order])
                    if (keys[at(a)][at(key)] != keys[at(b)][at(key)])
                        return keys[at(a)][at(key)] > keys[at(b)][at(key)];
                return a < b;
            });
            for (std::size_t i = 0; i < sorted.size(); ++i)
                m_items[at(sorted[i])].rank[order] = static_cast<int>(i);
        }
    }

    /// Splits the unplaced buffers of `group` where nothing lives across, and solves each part.
    Verdict solveGroups(Group& group, std::int64_t floor, std::int64_t nodeLimit)
    {
        std::ranges::sort(group, [&](int a, int b) {
            return m_items[at(a)].first != m_items[at(b)].first ? m_items[at(a)].first < m_items[at(b)].first : a < b;
        });
        std::vector<Group> parts;
        int end = -1;
        for (const int item : group) {
            if (m_items[at(item)].first >= end)
                parts.emplace_back();
            parts.back().push_back(item);
            end = std::max(end, m_items[at(item)].last);
        }
        if (parts.size() > 1)  // small parts fail fastest
            std::ranges::stable_sort(parts, {}, [](const Group& part) { return part.size(); });
        const std::int64_t until = nodeLimit == std::numeric_limits<std::int64_t>::max() ? nodeLimit : m_nodes + nodeLimit;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const Verdict verdict = solveRanked(parts[i], floor, until);
            if (verdict == Verdict::Found)
                continue;
            for (std::size_t j = 0; j < i; ++j)
                for (const int item : parts[j])
                    m_items[at(item)].isPlaced = false;  // the caller restores offsets and sums
            return verdict;
        }
        return Verdict::Found;
    }

    /// One group, with the orders of rank in turn and a doubling limit of nodes.
    Verdict solveRanked(const Group& group, std::int64_t floor, std::int64_t until)
    {
        const int orders = group.size() < 4 ? 1 : kOrders;
        for (std::int64_t limit = kFirstNodeLimit;; limit *= 2) {
            for (int order = 0; order < orders; ++order) {
                const std::int64_t stop = std::min(until, m_nodes + (orders == 1 ? until - m_nodes : limit));
                const Verdict verdict = place(group, floor, -1, order, stop);
                if (verdict != Verdict::Limit)
                    return verdict;
                if (m_nodes >= until || m_isLate)
                    return Verdict::Limit;
            }
        }
    }

    /// False when some instant cannot hold what is still to come; finds the least top on the way.
    bool isPossible(const Group& group, std::int64_t floor, std::int64_t& leastTop)
    {
        int first = std::numeric_limits<int>::max(), last = 0;
        for (const int index : group) {
            first = std::min(first, m_items[at(index)].first);
            last = std::max(last, m_items[at(index)].last);
        }
        std::fill(m_least.begin() + first, m_least.begin() + last, std::numeric_limits<std::int64_t>::max());
        leastTop = std::numeric_limits<std::int64_t>::max();
        for (const int index : group) {
            const Item& item = m_items[at(index)];
            const std::int64_t offset = leastFrom(item, floor);
            if (offset + item.size > m_capacity)
                return false;
            leastTop = std::min(leastTop, offset + item.size);
            for (int s = item.first; s < item.last; ++s)
                m_least[at(s)] = std::min(m_least[at(s)], offset);
        }
        for (int s = first; s < last; ++s)
            if (m_unplaced[at(s)] > 0 && m_least[at(s)] + m_unplaced[at(s)] > m_capacity)
                return false;
        return true;
    }

    Verdict place(const Group& group, std::int64_t floor, int floorRank, int order, std::int64_t until)
    {
        if (group.empty())
            return Verdict::Found;
        if ((++m_nodes & 255) == 0 && Clock::now() > m_deadline)
            m_isLate = true;
        if (m_isLate || m_nodes > until)
            return Verdict::Limit;
        std::int64_t leastTop = 0;
        if (!isPossible(group, floor, leastTop))
            return Verdict::None;
        const auto key = [&](int index) {
            const Item& item = m_items[at(index)];
            return std::pair(item.offset, item.rank[at(order)]);
        };
        Group candidates;
        for (const int index : group)
            if (key(index) > std::pair(floor, floorRank) && m_items[at(index)].offset < leastTop)
                candidates.push_back(index);
        std::ranges::sort(candidates, {}, key);
        for (const int index : candidates) {
            bool hasMoved = false;
            const Verdict verdict = tryItem(group, index, order, until, hasMoved);
            if (verdict != Verdict::None)
                return verdict;
            if (!hasMoved)
                break;  // nobody is hindered by it, so leaving it for later cannot help
        }
        return Verdict::None;
    }

    Verdict tryItem(const Group& group, int index, int order, std::int64_t until, bool& hasMoved)
    {
        Item& item = m_items[at(index)];
        const std::int64_t top = item.offset + item.size;
        std::vector<Change> changes;
        item.isPlaced = true;
        addUnplaced(item, -item.size);
        for (const int other : item.neighbours) {
            Item& neighbour = m_items[at(other)];
            if (neighbour.isPlaced || neighbour.offset >= top)
                continue;
            changes.push_back({other, neighbour.offset});
            neighbour.offset = m_borders.fit(top, neighbour.size, neighbour.regions);
        }
        hasMoved = !changes.empty();
        Group rest;
        for (const int other : group)
            if (other != index)
                rest.push_back(other);
        const Verdict verdict = descend(rest, item.offset, item.rank[at(order)], order, until);
        if (verdict == Verdict::Found)
            return verdict;
        item.isPlaced = false;
        addUnplaced(item, item.size);
        for (const Change& change : changes)
            m_items[at(change.item)].offset = change.offset;
        return verdict;
    }

    /// Goes on with the rest; where it falls apart, each part is solved alone.
    Verdict descend(const Group& rest, std::int64_t floor, int floorRank, int order, std::int64_t until)
    {
        if (!fallsApart(rest))
            return place(rest, floor, floorRank, order, until);
        Group group = rest;
        return solveParts(group, floor, until);
    }

    bool fallsApart(const Group& group) const
    {
        // Groups are kept sorted by first section.
        int end = -1;
        for (const int index : group) {
            const Item& item = m_items[at(index)];
            if (end >= 0 && item.first >= end)
                return true;
            end = std::max(end, item.last);
        }
        return false;
    }

    Verdict solveParts(Group& group, std::int64_t floor, std::int64_t until)
    {
        std::vector<std::pair<int, std::int64_t>> before;
        for (const int index : group)
            before.emplace_back(index, m_items[at(index)].offset);
        const Verdict verdict = solveGroups(group, floor, until == std::numeric_limits<std::int64_t>::max()
                                                              ? until : std::max<std::int64_t>(until - m_nodes, 0));
        if (verdict == Verdict::Found)
            return verdict;
        for (const auto& [index, offset] : before)
            m_items[at(index)].offset = offset;
        recountUnplaced(group);
        return verdict;
    }

    /// Puts the sums of the sections of `group` right after some of its parts had been placed.
    void recountUnplaced(const Group& group)
    {
        int first = std::numeric_limits<int>::max(), last = 0;
        for (const int index : group) {
            first = std::min(first, m_items[at(index)].first);
            last = std::max(last, m_items[at(index)].last);
        }
        if (first < last)
            std::fill(m_unplaced.begin() + first, m_unplaced.begin() + last, 0);
        for (const int index : group)
            addUnplaced(m_items[at(index)], m_items[at(index)].size);
    }

    void addUnplaced(const Item& item, std::int64_t bytes)
    {
        for (int s = item.first; s < item.last; ++s)
            m_unplaced[at(s)] += bytes;
    }

    std::int64_t leastFrom(const Item& item, std::int64_t floor) const
    {
        return item.offset >= floor ? item.offset : m_borders.fit(floor, item.size, item.regions);
    }

    static constexpr std::size_t at(int index) { return static_cast<std::size_t>(index); }

    std::int64_t m_capacity;
    ArenaBorders m_borders;
    Clock::time_point m_deadline;
    std::vector<Item> m_items;
    std::vector<std::int64_t> m_unplaced;  // per section: bytes not yet placed
    std::vector<std::int64_t> m_least;     // scratch: least offset of what is unplaced in a section
    std::int64_t m_nodes = 0;
    bool m_isLate = false;
};

}  // namespace

ArenaSearchOutcome searchArena(std::span<const ArenaBuffer> buffers, std::int64_t capacity, double timeLimitSeconds, std::span<const std::int64_t> regionBytes)
{
    return ArenaSearch(buffers, capacity, timeLimitSeconds, regionBytes).run(buffers.size());
}

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/schedule/arena.h"

#include <cstdint>
#include <span>
#include <vector>

namespace poet {

/// Memories one behind the other in one line of offsets, whose borders no buffer may cross. Without regions there is no
/// border.
class ArenaBorders {
public:
    explicit ArenaBorders(std::span<const std::int64_t> regionBytes)
    {
        std::int64_t end = 0;
        for (const std::int64_t bytes : regionBytes)
            m_ends.push_back(end += bytes);
    }

    /// Least offset from `offset` on where the buffer crosses no border and lies in a region of its own; behind all
    /// regions when there is none.
    [[nodiscard]] std::int64_t fit(std::int64_t offset, std::int64_t size, std::uint32_t allowed) const
    {
        for (std::size_t r = 0; r < m_ends.size(); ++r) {
            if (offset >= m_ends[r])
                continue;
            if ((allowed >> r & 1U) != 0 && size <= m_ends[r] - offset)
                return offset;
            offset = m_ends[r];
        }
        return offset;
    }

private:
    std::vector<std::int64_t> m_ends;
};

}  // namespace poet

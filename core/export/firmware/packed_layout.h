// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

/// Constants that encoder and decoder share.
namespace poet::firmware {

inline constexpr std::uint32_t kMagic = 'P' | 'O' << 8 | 'E' << 16 | 'T' << 24;
inline constexpr std::uint32_t kFlagGraph = 1;      ///< stand-alone: the graph follows the code
inline constexpr std::uint32_t kFlagPlain = 2;      ///< placements are 1 + offset / alignment, without a dictionary
inline constexpr std::uint32_t kWidthShift = 2;     ///< bytes of a dictionary entry, 3 bits
inline constexpr std::uint32_t kFlagPagesInCode = 0x20;  ///< pages in the order of their first PAGE_OUT: their section is empty
inline constexpr std::uint32_t kFlagRegions = 0x40;      ///< the arena is several memories: their list begins the sizes
inline constexpr std::uint32_t kKnownFlags = 0x7F;
inline constexpr std::uint32_t kMostPackedRegions = 32;

/// Ids that the first instruction of each code is relative to.
constexpr std::array<std::int32_t, 16> firstIds()
{
    std::array<std::int32_t, 16> ids{};
    ids.fill(-1);
    return ids;
}

}  // namespace poet::firmware

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace poet::firmware {

/// Bytes of the only element type that kernels compute with.
inline constexpr std::int64_t kFloatBytes = 4;

/// Attributes of kernels are 32-bit words: what a microcontroller can hold is far below their range.
template <class T>
[[nodiscard]] constexpr std::int32_t narrow(T value) { return static_cast<std::int32_t>(value); }

/// Counts a negative axis from the end of `rank` dimensions.
[[nodiscard]] constexpr std::size_t axisOf(std::int64_t axis, std::size_t rank)
{
    return static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis);
}

}  // namespace poet::firmware

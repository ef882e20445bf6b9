// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace poet::firmware {

/// SHA-256 (FIPS 180-4) of bytes.
[[nodiscard]] std::array<std::uint8_t, 32> sha256(std::string_view bytes);

/// CRC-32, reflected 0xEDB88320; "123456789" gives 0xCBF43926.
[[nodiscard]] std::uint32_t crc32(std::string_view bytes);

}  // namespace poet::firmware

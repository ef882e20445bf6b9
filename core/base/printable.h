// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace poet {

/// Text for a terminal: names from files may hold control characters, which a terminal obeys. Each, and each byte that is
/// no UTF-8, becomes "\x1b" and the like; line ends and tabs stay with `keepsLines`. For people only: JSON has its own escapes.
[[nodiscard]] std::string printable(std::string_view text, bool keepsLines = true);

}  // namespace poet

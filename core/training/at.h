// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace poet::training {

/// Index into an array that is parallel to the ids of values, operations or nodes. `id` must not be kNoValue.
[[nodiscard]] constexpr std::size_t at(int id) { return static_cast<std::size_t>(id); }

}  // namespace poet::training

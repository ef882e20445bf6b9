// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/device/field_reader.h"
#include "core/device/store_profile.h"

namespace poet {

/// Reads the fields of a store, `use` already resolved; errors and warnings go to `state`.
[[nodiscard]] StoreProfile readStore(const JsonTree& tree, const std::string& path, ReadState& state);
[[nodiscard]] JsonTree toTree(const StoreProfile& store);

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/device/device_profile.h"
#include "core/device/json_tree.h"

namespace poet {

/// The tree of `toJson(profile)`, for writers that add to it.
[[nodiscard]] JsonTree toTree(const DeviceProfile& profile);

}  // namespace poet

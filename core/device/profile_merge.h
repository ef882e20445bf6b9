// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/device/json_tree.h"

namespace poet {

/// `mine` with the fields of `base` where it has none (`based_on`, devices.md section 1). Objects merge field by
/// field; arrays of things with a name, id, use or library merge by it, mine first; quantities, texts, numbers and
/// other arrays are taken whole from `mine`.
[[nodiscard]] JsonTree mergeProfiles(const JsonTree& mine, const JsonTree& base);

}  // namespace poet

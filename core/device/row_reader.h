// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/device/json_tree.h"
#include "core/device/measured_rows.h"

namespace poet {

/// Rows of a JSON array, of one row object, or of an object of metadata with "rows". `path` is the JSON path of
/// `tree`. Errors: BadProfile naming path and field.
[[nodiscard]] Expected<std::vector<MeasuredRow>> readRows(const JsonTree& tree, const std::string& path, const std::string& where);
[[nodiscard]] JsonTree toTree(const MeasuredRow& row);

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <string>

namespace poet::bench {

/// Two result files of this benchmark side by side, as a table: seconds, their ratio (new over old), gap and overhead of
/// each row that both have, then the geometric mean of the ratios, and what only one has. Ratios of times under a
/// hundredth of a second count as 1: they are noise. Errors: FileNotFound, BadModel naming the file and the row.
[[nodiscard]] Expected<std::string> compareResults(const std::string& oldPath, const std::string& newPath);

}  // namespace poet::bench

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/device/measured_rows.h"

#include <filesystem>
#include <vector>

namespace poet {

/// How a disk was measured.
struct StoreMeasurement {
    std::vector<MeasuredRow> rows;  ///< store.write and store.read, five sizes from 4 KiB to 1 MiB
    bool isPastCache = false;       ///< read and written past the kernel's page cache (O_DIRECT); else reads may come from RAM
};

/// Measures the disk below `folder` as a page store, with a file that is removed again. A write ends when the data are on
/// the disk. Each size is repeated up to 50 times, within about `seconds` for all. Linux. Errors: FileNotFound.
[[nodiscard]] Expected<StoreMeasurement> measureHostStore(const std::filesystem::path& folder, double seconds);

}  // namespace poet

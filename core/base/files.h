// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace poet {

/// The whole file as bytes. Errors: FileNotFound naming the path and the system's reason.
[[nodiscard]] Expected<std::string> readFile(const std::filesystem::path& path);

/// Writes beside the target and renames, so that a reader sees the old file or the whole new one. A link stays a link and
/// an existing file keeps its permissions; a pipe or a device is written to as it is. Errors: FileNotFound.
[[nodiscard]] Expected<void> writeFile(const std::filesystem::path& path, std::string_view content);

/// Notices before long work that `writeFile` would fail: no such folder, a folder of that name, no right to write there.
/// Errors: FileNotFound.
[[nodiscard]] Expected<void> checkCanWrite(const std::filesystem::path& path);

}  // namespace poet

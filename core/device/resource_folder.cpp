// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/device/resource_folder.h"

#include <cstdlib>
#include <system_error>

namespace poet {

std::filesystem::path resourceFolder()
{
    if (const char* chosen = std::getenv("POET_RESOURCES"); chosen && *chosen)
        return chosen;
    std::error_code error;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
    if (!error) {
        const auto installed = program.parent_path().parent_path() / POET_DATA_SUBFOLDER;
        if (std::filesystem::is_directory(installed / "devices", error))
            return installed;
    }
    if (const std::filesystem::path source = POET_SOURCE_RESOURCES; std::filesystem::is_directory(source / "devices", error))
        return source;
    return POET_INSTALLED_RESOURCES;
}

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace poet {

/// Folder of the shipped resources (devices/, stores/ and what other rooms install beside them). In this order: the
/// environment variable POET_RESOURCES; share/poet beside the folder of the running program; the source tree this
/// program was built from; the install prefix it was configured for. Always returns a path; readers report what is missing.
[[nodiscard]] std::filesystem::path resourceFolder();

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <string>

namespace poet {

/// Keeps a file to one process at a time by a locked FILE.lock beside it. The lock goes with the process, however it ends;
/// the lock file is removed by the destructor and stays, without effect, when the process was killed.
class FileLock {
public:
    /// Errors: BadUsage when another process holds the lock; FileNotFound when no lock file can be made.
    [[nodiscard]] static Expected<FileLock> take(const std::string& path);
    FileLock(FileLock&& other) noexcept;
    FileLock& operator=(FileLock&&) = delete;
    ~FileLock();

private:
    FileLock(std::string path, int descriptor) : m_path(std::move(path)), m_descriptor(descriptor) {}

    std::string m_path;  ///< of the lock file
    int m_descriptor = -1;
};

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "app/poet/file_lock.h"

#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace poet {
namespace {

constexpr int kMostRefusals = 10;
constexpr std::chrono::milliseconds kBetweenTries{50};

/// The descriptor is still that of the file of this name: its last holder may have removed it between opening and locking.
bool isStillThere(int descriptor, const std::string& path)
{
    struct stat opened {};
    struct stat named {};
    return ::fstat(descriptor, &opened) == 0 && ::stat(path.c_str(), &named) == 0 && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

}  // namespace

Expected<FileLock> FileLock::take(const std::string& path)
{
    const std::string lock = path + ".lock";
    int refusals = 0;
    while (true) {
        const int descriptor = ::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (descriptor < 0)
            return fail(ErrorCode::FileNotFound, "'" + lock + "' cannot be made: " + std::generic_category().message(errno) + ".", "Choose another folder.");
        if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
            ::close(descriptor);
            // Processes that a killed holder has started die a moment after it, and hold its lock until then.
            if (++refusals <= kMostRefusals) {
                std::this_thread::sleep_for(kBetweenTries);
                continue;
            }
            return fail(ErrorCode::BadUsage, "Another sweep is writing '" + path + "'.", "Wait for its end, or name another file.");
        }
        if (isStillThere(descriptor, lock))
            return FileLock(lock, descriptor);
        ::close(descriptor);
    }
}

FileLock::FileLock(FileLock&& other) noexcept : m_path(std::move(other.m_path)), m_descriptor(std::exchange(other.m_descriptor, -1)) {}

FileLock::~FileLock()
{
    if (m_descriptor < 0)
        return;
    ::unlink(m_path.c_str());
    ::close(m_descriptor);
}

}  // namespace poet

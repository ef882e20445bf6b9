// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/device/host_store.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <string>
#include <unistd.h>

namespace poet {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::array<std::size_t, 5> kBlockSizes{4096, 16384, 65536, 262144, 1048576};
constexpr std::size_t kAlignment = 4096;  ///< of memory, sizes and places, as O_DIRECT wants them
constexpr int kMostRuns = 50;
constexpr int kFewestRuns = 3;

struct Freed {
    void operator()(void* memory) const { std::free(memory); }
};

/// A file that has no name any more and ends with the object.
class StoreFile {
public:
    explicit StoreFile(const std::filesystem::path& folder)
    {
        std::string name = (folder / "poet_store_XXXXXX").string();
        m_file = ::mkstemp(name.data());
        if (m_file < 0)
            return;
        const int direct = ::open(name.c_str(), O_RDWR | O_DIRECT | O_CLOEXEC);
        if (direct >= 0) {
            ::close(m_file);
            m_file = direct;
            m_isDirect = true;
        }
        ::unlink(name.c_str());
    }
    ~StoreFile()
    {
        if (m_file >= 0)
            ::close(m_file);
    }
    StoreFile(const StoreFile&) = delete;
    StoreFile& operator=(const StoreFile&) = delete;

    [[nodiscard]] bool isOpen() const { return m_file >= 0; }
    [[nodiscard]] bool isDirect() const { return m_isDirect; }
    [[nodiscard]] bool write(const void* data, std::size_t bytes, off_t at) const
    {
        return ::pwrite(m_file, data, bytes, at) == static_cast<ssize_t>(bytes) && ::fdatasync(m_file) == 0;
    }
    [[nodiscard]] bool read(void* data, std::size_t bytes, off_t at) const { return ::pread(m_file, data, bytes, at) == static_cast<ssize_t>(bytes); }
    /// Asks the kernel to forget what it holds of the file.
    void forget() const { static_cast<void>(::posix_fadvise(m_file, 0, 0, POSIX_FADV_DONTNEED)); }

private:
    int m_file = -1;
    bool m_isDirect = false;
};

/// Times of one kind of transfer.
class Times {
public:
    void add(double seconds)
    {
        m_sum += seconds;
        m_squares += seconds * seconds;
        ++m_count;
    }
    [[nodiscard]] MeasuredRow row(const char* op, std::size_t bytes) const
    {
        MeasuredRow row;
        row.op = op;
        row.type = "-";
        row.shape = "bytes=" + std::to_string(bytes);
        row.seconds = m_sum / m_count;
        row.secondsDeviation = std::sqrt(std::max(0.0, m_squares / m_count - row.seconds * row.seconds));
        row.count = m_count;
        return row;
    }

private:
    double m_sum = 0;
    double m_squares = 0;
    int m_count = 0;
};

}  // namespace

Expected<StoreMeasurement> measureHostStore(const std::filesystem::path& folder, double seconds)
{
    const auto failed = [&] {
        return fail(ErrorCode::FileNotFound, "The page store in '" + folder.string() + "' cannot be measured: " + std::strerror(errno) + ".",
                    "Name a folder on the disk that may be written to.");
    };
    const StoreFile file(folder);
    const std::unique_ptr<void, Freed> data(std::aligned_alloc(kAlignment, kBlockSizes.back()));
    if (!file.isOpen() || !data)
        return failed();
    std::memset(data.get(), 0x5a, kBlockSizes.back());
    StoreMeasurement result;
    result.isPastCache = file.isDirect();
    for (const std::size_t bytes : kBlockSizes) {
        Times writes;
        Times reads;
        const auto begin = Clock::now();
        const auto since = [](Clock::time_point from) { return std::chrono::duration<double>(Clock::now() - from).count(); };
        for (int run = 0; run < kMostRuns && (run < kFewestRuns || since(begin) < seconds / kBlockSizes.size()); ++run) {
            const off_t at = static_cast<off_t>(bytes) * run;  // never the same place: disks cache, too
            auto start = Clock::now();
            if (!file.write(data.get(), bytes, at))
                return failed();
            writes.add(since(start));
            file.forget();
            start = Clock::now();
            if (!file.read(data.get(), bytes, at))
                return failed();
            reads.add(since(start));
        }
        result.rows.push_back(writes.row("store.write", bytes));
        result.rows.push_back(reads.row("store.read", bytes));
    }
    return result;
}

}  // namespace poet

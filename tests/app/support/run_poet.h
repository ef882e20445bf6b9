// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <sys/types.h>
#include <vector>

/// Runs the real `poet` for tests. Programs that use this are compiled with POET_COMMAND and POET_SOURCE_DIR.
namespace poet::testing {

/// How a run ended: exit code (128 + signal when it was killed) and both streams.
struct Outcome {
    int exit = -1;
    std::string output;
    std::string errors;
};

/// Runs `poet ARGUMENTS` with `input` on standard input; ends it after a minute.
[[nodiscard]] Outcome runPoet(const std::vector<std::string>& arguments, const std::string& input = {});

/// A `poet` that runs beside the test, its output going to a file. Killed by the destructor.
class RunningPoet {
public:
    explicit RunningPoet(const std::vector<std::string>& arguments, const std::filesystem::path& output = "/dev/null");
    ~RunningPoet();
    RunningPoet(const RunningPoet&) = delete;
    RunningPoet& operator=(const RunningPoet&) = delete;

    /// The processes that descend from it and live; waits up to `seconds` until there are some.
    [[nodiscard]] std::vector<pid_t> waitForChildren(double seconds) const;
    void signal(int number) const;
    /// Waits for its end; the exit code, 128 + signal, or -1 when it still runs after `seconds`.
    [[nodiscard]] int wait(double seconds);

private:
    pid_t m_process = -1;
};

/// True unless the process is gone or only waits to be collected; waits up to `seconds` for that.
[[nodiscard]] bool livesLongerThan(pid_t process, double seconds);

/// A folder that is removed with the object.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    /// The path of a file in it, as text.
    [[nodiscard]] std::string file(const std::string& name) const { return (m_path / name).string(); }
    /// Writes a file in it and gives its path.
    [[nodiscard]] std::string write(const std::string& name, const std::string& content) const;
    /// Names of all that is in it, sorted.
    [[nodiscard]] std::vector<std::string> names() const;

private:
    std::filesystem::path m_path;
};

/// A file of examples/.
[[nodiscard]] std::string example(const std::string& name);

}  // namespace poet::testing

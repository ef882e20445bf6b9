// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "app/poet/child_process.h"

#include "app/poet/event_stream.h"
#include "core/base/files.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace poet {

namespace {

/// The last line of a log that says something.
std::string lastLine(const std::filesystem::path& log)
{
    auto text = readFile(log);
    if (!text)
        return {};
    text->erase(text->find_last_not_of("\n ") + 1);
    return text->substr(text->find_last_of('\n') + 1);
}

[[noreturn]] void becomeChild(std::vector<std::string>& words, int log, int output)
{
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    std::vector<char*> argv;
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    if (::dup2(output, STDOUT_FILENO) >= 0 && ::dup2(log, STDERR_FILENO) >= 0)
        ::execvp(argv.front(), argv.data());
    std::_Exit(127);
}

}  // namespace

Expected<void> runChild(const std::vector<std::string>& words, const std::filesystem::path& log, const std::filesystem::path& output)
{
    std::vector<std::string> own = words;
    const auto open = [](const std::filesystem::path& path, int extra) { return ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | extra, 0600); };
    const int logFile = open(log, O_APPEND);
    const int outputFile = output.empty() ? logFile : open(output, O_TRUNC);
    if (logFile < 0 || outputFile < 0)
        return fail(ErrorCode::WorkerFailed, "'" + words.front() + "' cannot be run: its output has no place to go.", "Check that the temporary folder has room.");
    const pid_t process = ::fork();
    if (process == 0)
        becomeChild(own, logFile, outputFile);
    ::close(logFile);
    if (outputFile != logFile)
        ::close(outputFile);
    if (process < 0)
        return fail(ErrorCode::WorkerFailed, "'" + words.front() + "' cannot be started.", "Close other programs and try again.");
    int status = 0;
    while (::waitpid(process, &status, 0) < 0)
        if (errno == EINTR && wasInterrupted())
            ::kill(process, SIGTERM);
    if (wasInterrupted())
        return fail(ErrorCode::Cancelled, "Cancelled.");
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return fail(ErrorCode::WorkerFailed, "'" + words.front() + "' is not installed.", "Install it and try again.");
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return fail(ErrorCode::WorkerFailed, "'" + words.front() + "' failed: " + lastLine(log), "The log is above; please report it.");
    return {};
}

}  // namespace poet

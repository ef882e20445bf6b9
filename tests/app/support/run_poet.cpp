// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/support/run_poet.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <sstream>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace poet::testing {
namespace {

namespace fs = std::filesystem;

/// Empty also when it goes away while it is read, as the files of a process do.
std::string contentOf(const fs::path& path)
{
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

/// Starts `poet` with its streams on files.
pid_t start(const std::vector<std::string>& arguments, const fs::path& input, const fs::path& output, const fs::path& errors)
{
    std::vector<std::string> words{POET_COMMAND};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    ::setenv("POET_RESOURCES", POET_SOURCE_DIR "/resources", 1);
    const pid_t process = ::fork();
    if (process != 0)
        return process;
    const auto put = [](const fs::path& path, int flags, int stream) {
        const int file = ::open(path.c_str(), flags | O_CLOEXEC, 0600);
        if (file < 0 || ::dup2(file, stream) < 0)
            std::_Exit(126);
    };
    put(input, O_RDONLY, STDIN_FILENO);
    put(output, O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
    put(errors, O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
    ::execv(argv[0], argv.data());
    std::_Exit(127);
}

/// Asks `isTrue` every 5 ms.
bool waitUntil(double seconds, const std::function<bool()>& isTrue)
{
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (!isTrue()) {
        if (std::chrono::steady_clock::now() > end)
            return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
}

int codeOf(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

/// The end of `process`, or -1 when it does not come in time.
int collect(pid_t process, double seconds)
{
    int status = 0;
    return waitUntil(seconds, [&] { return ::waitpid(process, &status, WNOHANG) == process; }) ? codeOf(status) : -1;
}

/// State letter and parent of a process; '?' when there is none.
std::pair<char, pid_t> stateOf(pid_t process)
{
    const std::string text = contentOf("/proc/" + std::to_string(process) + "/stat");
    const auto at = text.rfind(')');
    if (at == std::string::npos)
        return {'?', 0};
    std::istringstream rest(text.substr(at + 1));
    char state = '?';
    pid_t parent = 0;
    rest >> state >> parent;
    return {state, parent};
}

void addDescendants(pid_t process, std::vector<pid_t>& found)
{
    for (const auto& entry : fs::directory_iterator("/proc")) {
        const std::string name = entry.path().filename().string();
        if (name.find_first_not_of("0123456789") != std::string::npos)
            continue;
        const pid_t id = static_cast<pid_t>(std::stol(name));
        const auto [state, parent] = stateOf(id);
        if (parent != process || state == 'Z')
            continue;
        found.push_back(id);
        addDescendants(id, found);
    }
}

}  // namespace

Outcome runPoet(const std::vector<std::string>& arguments, const std::string& input)
{
    const TemporaryFolder folder;
    const pid_t process = start(arguments, folder.write("input", input), folder.file("output"), folder.file("errors"));
    Outcome run;
    run.exit = collect(process, 60);
    if (run.exit < 0) {
        ::kill(process, SIGKILL);
        static_cast<void>(collect(process, 5));
    }
    run.output = contentOf(folder.file("output"));
    run.errors = contentOf(folder.file("errors"));
    return run;
}

RunningPoet::RunningPoet(const std::vector<std::string>& arguments, const fs::path& output)
    : m_process(start(arguments, "/dev/null", output, "/dev/null"))
{
}

RunningPoet::~RunningPoet()
{
    if (m_process <= 0)
        return;
    ::kill(m_process, SIGKILL);
    ::waitpid(m_process, nullptr, 0);
}

std::vector<pid_t> RunningPoet::waitForChildren(double seconds) const
{
    std::vector<pid_t> found;
    static_cast<void>(waitUntil(seconds, [&] {
        addDescendants(m_process, found);
        return !found.empty();
    }));
    return found;
}

void RunningPoet::signal(int number) const { ::kill(m_process, number); }

int RunningPoet::wait(double seconds)
{
    const int code = collect(m_process, seconds);
    if (code >= 0)
        m_process = -1;
    return code;
}

bool livesLongerThan(pid_t process, double seconds)
{
    return !waitUntil(seconds, [&] {
        const char state = stateOf(process).first;
        return state == '?' || state == 'Z' || state == 'X';
    });
}

TemporaryFolder::TemporaryFolder()
{
    std::string name = (fs::temp_directory_path() / "poet_test_XXXXXX").string();
    if (!::mkdtemp(name.data()))
        throw std::runtime_error("no temporary folder");
    m_path = name;
}

TemporaryFolder::~TemporaryFolder()
{
    std::error_code code;
    fs::remove_all(m_path, code);
}

std::string TemporaryFolder::write(const std::string& name, const std::string& content) const
{
    std::ofstream(m_path / name, std::ios::binary) << content;
    return file(name);
}

std::vector<std::string> TemporaryFolder::names() const
{
    std::vector<std::string> all;
    for (const auto& entry : fs::directory_iterator(m_path))
        all.push_back(entry.path().filename().string());
    std::sort(all.begin(), all.end());
    return all;
}

std::string example(const std::string& name) { return POET_SOURCE_DIR "/examples/" + name; }

}  // namespace poet::testing

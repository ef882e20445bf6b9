// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "app/poet/forked_solve.h"

#include "app/poet/event_stream.h"
#include "core/export/plan_file.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <map>
#include <poll.h>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace poet {
namespace {

struct Child {
    pid_t process = -1;
    int pipe = -1;
    std::size_t index = 0;
    std::string text;
};

/// The child's life: solve, write the plan or the error text, leave without running the parent's exit handlers. It dies
/// with its parent.
[[noreturn]] void liveAsChild(const planning::Problem& problem, const planning::SolveParams& params, int pipe, pid_t parent)
{
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent)  // it died before the request took effect
        std::_Exit(1);
    for (const int signal : {SIGINT, SIGHUP})  // the parent decides
        std::signal(signal, SIG_IGN);
    planning::ProgressSink quiet;
    const auto plan = planning::solve(problem, params, quiet);
    const std::string text = plan ? toJson(PlanFile{*problem.graph, *plan}) : "!" + plan.error().text();
    std::size_t sent = 0;
    while (sent < text.size()) {
        const ssize_t written = ::write(pipe, text.data() + sent, text.size() - sent);
        if (written <= 0)
            std::_Exit(1);
        sent += static_cast<std::size_t>(written);
    }
    std::_Exit(0);
}

Expected<Child> start(const planning::Problem& problem, const planning::SolveParams& params, std::size_t index)
{
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0)
        return fail(ErrorCode::Internal, "No pipe to a solving process can be made.", "Close other programs and try again.");
    const pid_t parent = ::getpid();
    const pid_t process = ::fork();
    if (process < 0)
        return fail(ErrorCode::Internal, "No solving process can be started.", "Close other programs and try again.");
    if (process == 0) {
        ::close(ends[0]);
        liveAsChild(problem, params, ends[1], parent);
    }
    ::close(ends[1]);
    return Child{process, ends[0], index, {}};
}

Expected<Plan> resultOf(const Child& child)
{
    if (child.text.starts_with('!'))
        return fail(ErrorCode::Internal, child.text.substr(1));
    if (child.text.empty())
        return fail(ErrorCode::WorkerFailed, "The solving process of a point ended without an answer.", "Try again with a shorter time limit.");
    POET_TRY(file, parsePlanFile(child.text, "The answer of a solving process"));
    return std::move(file.plan);
}

void finish(Child& child)
{
    ::close(child.pipe);
    ::waitpid(child.process, nullptr, 0);
}

}  // namespace

Expected<void> solveForked(const std::vector<planning::Problem>& problems, int jobs,
                           const std::function<planning::SolveParams(std::size_t)>& params,
                           const std::function<void(std::size_t, const Expected<Plan>&)>& done)
{
    std::vector<Child> running;
    std::size_t next = 0;
    while ((next < problems.size() || !running.empty()) && !wasInterrupted()) {
        while (next < problems.size() && running.size() < static_cast<std::size_t>(jobs)) {
            POET_TRY(child, start(problems[next], params(next), next));
            running.push_back(child);
            ++next;
        }
        std::vector<pollfd> waits;
        for (const Child& child : running)
            waits.push_back({child.pipe, POLLIN, 0});
        if (::poll(waits.data(), waits.size(), 200) < 0 && errno != EINTR)
            break;
        for (std::size_t i = running.size(); i-- > 0;) {
            if (waits[i].revents == 0)
                continue;
            std::array<char, 65536> buffer{};
            const ssize_t got = ::read(running[i].pipe, buffer.data(), buffer.size());
            if (got > 0) {
                running[i].text.append(buffer.data(), static_cast<std::size_t>(got));
                continue;
            }
            finish(running[i]);
            done(running[i].index, resultOf(running[i]));
            running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }
    for (Child& child : running) {
        ::kill(child.process, SIGKILL);
        finish(child);
    }
    return {};
}

}  // namespace poet

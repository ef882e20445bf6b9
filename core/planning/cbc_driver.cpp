// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/planning/cbc_driver.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wpedantic"
#include <coin/CbcConfig.h>
#include <coin/CbcEventHandler.hpp>
#include <coin/CbcModel.hpp>
#include <coin/CbcSolver.hpp>
#include <coin/CoinError.hpp>
#include <coin/CoinMessageHandler.hpp>
#include <coin/CoinPackedMatrix.hpp>
#include <coin/OsiClpSolverInterface.hpp>
#pragma GCC diagnostic pop

#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace poet::planning {
namespace {

using Clock = std::chrono::steady_clock;

/// CBC gets this long to wind up after its time before it is ended.
constexpr double kGraceSeconds = 0.3;
constexpr int kPollMilliseconds = 50;

/// What the solving process sends: bounds while it runs, the result at its end.
enum class Message : std::int32_t { Bound, Result, Failure };

/// The writing end of the pipe to the caller.
class Wire {
public:
    explicit Wire(int pipe) : m_pipe(pipe) {}
    void send(const void* data, std::size_t bytes) const
    {
        const char* at = static_cast<const char*>(data);
        while (bytes > 0) {
            const ssize_t sent = ::write(m_pipe, at, bytes);
            if (sent <= 0)
                std::_Exit(1);
            at += sent;
            bytes -= static_cast<std::size_t>(sent);
        }
    }
    template <class T>
    void send(const T& value) const
    {
        send(&value, sizeof value);
    }
    template <class T>
    void send(const std::vector<T>& values) const
    {
        send(static_cast<std::uint64_t>(values.size()));
        send(values.data(), values.size() * sizeof(T));
    }

private:
    int m_pipe;
};

/// What the solving process works on.
struct Job {
    const LinearProgram& program;
    const MipLimits& limits;
    Wire wire;
    MipResult result;
};

class SilentHandler : public CoinMessageHandler {
public:
    int print() override { return 0; }
    CoinMessageHandler* clone() const override { return new SilentHandler(*this); }
};

/// Receives CBC's events. CBC preprocesses, so solutions in events are not in the program's columns; bounds are in its
/// objective. A bound that reaches the cutoff ends the search: CBC itself compares with found solutions only.
class Listener : public CbcEventHandler {
public:
    explicit Listener(Job& job) : m_job(&job) {}
    CbcEventHandler* clone() const override { return new Listener(*this); }

    CbcAction event(CbcEvent which) override
    {
        // Heuristics run small models of their own, whose bounds are not the program's.
        if (model_->parentModel() != nullptr || (model_->specialOptions() & kInSmallBranchAndBound) != 0)
            return noAction;
        if (which == node || which == treeStatus)
            takeBound(model_->getBestPossibleObjValue());
        return m_job->result.bound >= m_job->limits.cutoff - m_job->limits.absoluteGap ? stop : noAction;
    }

private:
    static constexpr int kInSmallBranchAndBound = 2048;  ///< bit 11 of CbcModel's special options

    void takeBound(double bound)
    {
        if (!std::isfinite(bound) || std::abs(bound) > 1e40 || bound <= m_job->result.bound)
            return;
        m_job->result.bound = bound;
        m_job->wire.send(Message::Bound);
        m_job->wire.send(bound);
    }

    Job* m_job;
};

void load(OsiClpSolverInterface& solver, const LinearProgram& program)
{
    std::vector<int> rows;
    std::vector<int> columns;
    std::vector<double> values;
    std::vector<double> lower, upper, cost, rowLower, rowUpper;
    for (std::size_t r = 0; r < program.rows.size(); ++r)
        for (const auto& [column, value] : program.rows[r].terms) {
            rows.push_back(static_cast<int>(r));
            columns.push_back(column);
            values.push_back(value);
        }
    const auto finite = [](double value) { return std::isinf(value) ? (value > 0 ? COIN_DBL_MAX : -COIN_DBL_MAX) : value; };
    for (const auto& row : program.rows) {
        rowLower.push_back(finite(row.lower));
        rowUpper.push_back(finite(row.upper));
    }
    for (const auto& column : program.columns) {
        lower.push_back(finite(column.lower));
        upper.push_back(finite(column.upper));
        cost.push_back(column.cost);
    }
    CoinPackedMatrix matrix(true, rows.data(), columns.data(), values.data(), static_cast<CoinBigIndex>(values.size()));
    matrix.setDimensions(static_cast<int>(program.rows.size()), static_cast<int>(program.columns.size()));
    solver.loadProblem(matrix, lower.data(), upper.data(), cost.data(), rowLower.data(), rowUpper.data());
    for (std::size_t c = 0; c < program.columns.size(); ++c)
        if (program.columns[c].isInteger)
            solver.setInteger(static_cast<int>(c));
}

void finish(Job& job, const CbcModel& model)
{
    const double bound = model.getBestPossibleObjValue();
    const bool hasBound = std::isfinite(bound) && std::abs(bound) < 1e40;
    double best = kInfinity;
    if (model.bestSolution()) {
        best = model.getObjValue();
        job.result.solution.assign(model.bestSolution(), model.bestSolution() + model.getNumCols());
    }
    if (model.status() != 0 || model.secondaryStatus() > 1) {
        if (hasBound)
            job.result.bound = std::max(job.result.bound, std::min(bound, job.limits.cutoff));
        return;
    }
    if (job.result.solution.empty()) {
        const bool hasCutoff = !std::isinf(job.limits.cutoff);
        job.result.status = hasCutoff ? MipStatus::Proven : MipStatus::Infeasible;
        job.result.bound = hasCutoff ? job.limits.cutoff - job.limits.absoluteGap : kInfinity;
        return;
    }
    job.result.status = MipStatus::Proven;
    const double least = best - job.limits.absoluteGap;
    job.result.bound = std::min(best, std::max({job.result.bound, least, hasBound ? bound : least}));
}

void solveRelaxation(Job& job, OsiClpSolverInterface& solver)
{
    solver.initialSolve();
    if (!solver.isProvenOptimal())
        return;
    job.result.status = MipStatus::Proven;
    job.result.bound = solver.getObjValue();
    job.result.solution.assign(solver.getColSolution(), solver.getColSolution() + solver.getNumCols());
}

void runCbc(Job& job)
{
    OsiClpSolverInterface solver;
    SilentHandler silent;
    solver.passInMessageHandler(&silent);
    solver.setHintParam(OsiDoReducePrint, true, OsiHintTry);
    load(solver, job.program);
    if (job.limits.isRelaxation)
        return solveRelaxation(job, solver);
    CbcModel model(solver);
    model.passInMessageHandler(&silent);
    CbcSolverUsefulData data;
    data.noPrinting_ = true;
    CbcMain0(model, data);
    model.setLogLevel(0);
    Listener listener(job);
    model.passInEventHandler(&listener);
    std::vector<std::string> words{"cbc", "-log", "0", "-timeMode", "elapsed", "-sec", std::to_string(job.limits.seconds), "-allow",
                                   std::to_string(job.limits.absoluteGap), "-ratio", "0"};
    if (!std::isinf(job.limits.cutoff))
        words.insert(words.end(), {"-cutoff", std::to_string(job.limits.cutoff)});
    words.insert(words.end(), {"-solve", "-quit"});
    std::vector<const char*> arguments;
    for (const std::string& word : words)
        arguments.push_back(word.c_str());
    CbcMain1(static_cast<int>(arguments.size()), arguments.data(), model, [](CbcModel*, int) { return 0; }, data);
    finish(job, model);
}

/// The solving process: never returns into the caller's code, prints nothing, dies with its parent.
[[noreturn]] void liveAsSolver(const LinearProgram& program, const MipLimits& limits, int pipe)
{
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    std::signal(SIGINT, SIG_IGN);
    const int nowhere = ::open("/dev/null", O_WRONLY);
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
    Job job{program, limits, Wire(pipe), {}};
    std::string failure;
    try {
        runCbc(job);
    } catch (const CoinError& error) {
        failure = error.message();
    } catch (const std::exception& error) {
        failure = error.what();
    }
    if (failure.empty()) {
        job.wire.send(Message::Result);
        job.wire.send(job.result.status);
        job.wire.send(job.result.bound);
        job.wire.send(job.result.solution);
    } else {
        job.wire.send(Message::Failure);
        job.wire.send(std::vector<char>(failure.begin(), failure.end()));
    }
    std::_Exit(0);
}

/// What has arrived so far; messages are taken off the front once they are whole.
class Inbox {
public:
    /// Reads what is there. False at the end of the stream.
    bool fill(int pipe)
    {
        std::array<char, 65536> buffer{};
        const ssize_t got = ::read(pipe, buffer.data(), buffer.size());
        if (got <= 0)
            return false;
        m_bytes.append(buffer.data(), static_cast<std::size_t>(got));
        return true;
    }

    void take(MipResult& result, std::string& failure, const MipEvents& events)
    {
        while (takeOne(result, failure, events))
            m_bytes.erase(0, m_at);
    }

private:
    bool takeOne(MipResult& result, std::string& failure, const MipEvents& events)
    {
        m_at = 0;
        Message kind{};
        if (!read(kind))
            return false;
        if (kind == Message::Bound) {
            double bound = 0;
            if (!read(bound))
                return false;
            result.bound = std::max(result.bound, bound);
            if (events.bound)
                events.bound(bound);
            return true;
        }
        if (kind == Message::Failure) {
            std::vector<char> text;
            if (!read(text))
                return false;
            failure.assign(text.begin(), text.end());
            return true;
        }
        MipResult whole;
        if (!read(whole.status) || !read(whole.bound) || !read(whole.solution))
            return false;
        result = std::move(whole);
        return true;
    }
    template <class T>
    bool read(T& value)
    {
        if (m_bytes.size() - m_at < sizeof value)
            return false;
        std::memcpy(&value, m_bytes.data() + m_at, sizeof value);
        m_at += sizeof value;
        return true;
    }
    template <class T>
    bool read(std::vector<T>& values)
    {
        std::uint64_t count = 0;
        if (!read(count) || (m_bytes.size() - m_at) / sizeof(T) < count)
            return false;
        values.resize(count);
        std::memcpy(values.data(), m_bytes.data() + m_at, count * sizeof(T));
        m_at += count * sizeof(T);
        return true;
    }

    std::string m_bytes;
    std::size_t m_at = 0;
};

}  // namespace

Expected<MipResult> solveMip(const LinearProgram& program, const MipLimits& limits, const MipEvents& events)
{
    MipResult result;
    if (limits.cutoff < 0) {  // no cost and no lower limit of a column is negative
        result.status = MipStatus::Proven;
        result.bound = 0;
        return result;
    }
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        return fail(ErrorCode::Internal, "No pipe to a solving process can be made.", "Close other programs and try again.");
    const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limits.seconds + kGraceSeconds));
    const pid_t process = ::fork();
    if (process == 0)
        liveAsSolver(program, limits, ends[1]);
    ::close(ends[1]);
    if (process < 0) {
        ::close(ends[0]);
        return fail(ErrorCode::Internal, "No solving process can be started.", "Close other programs and try again.");
    }
    Inbox inbox;
    std::string failure;
    while (Clock::now() < end && !(events.wantsStop && events.wantsStop())) {
        pollfd wait{ends[0], POLLIN, 0};
        if (::poll(&wait, 1, kPollMilliseconds) <= 0)
            continue;
        if (!inbox.fill(ends[0]))
            break;
        inbox.take(result, failure, events);
    }
    ::kill(process, SIGKILL);
    ::close(ends[0]);
    ::waitpid(process, nullptr, 0);
    if (!failure.empty() && events.failure)
        events.failure(failure);
    return result;
}

}  // namespace poet::planning

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/planning/cbc_driver.h"

#include "core/planning/solver_messages.h"

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

double finite(double value)
{
    return std::isinf(value) ? (value > 0 ? COIN_DBL_MAX : -COIN_DBL_MAX) : value;
}

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

void runCbc(Job& job)
{
    OsiClpSolverInterface solver;
    SilentHandler silent;
    solver.passInMessageHandler(&silent);
    solver.setHintParam(OsiDoReducePrint, true, OsiHintTry);
    load(solver, job.program);
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
    if (job.limits.isForProof)
        words.insert(words.end(), {"-heuristicsOnOff", "off", "-preprocess", "off"});
    words.insert(words.end(), {"-solve", "-quit"});
    std::vector<const char*> arguments;
    for (const std::string& word : words)
        arguments.push_back(word.c_str());
    CbcMain1(static_cast<int>(arguments.size()), arguments.data(), model, [](CbcModel*, int) { return 0; }, data);
    finish(job, model);
}

void addRows(OsiClpSolverInterface& solver, const std::vector<LinearProgram::Row>& rows, const Wire& wire)
{
    for (const LinearProgram::Row& row : rows) {
        std::vector<int> columns;
        std::vector<double> values;
        for (const auto& [column, value] : row.terms) {
            columns.push_back(column);
            values.push_back(value);
        }
        solver.addRow(static_cast<int>(columns.size()), columns.data(), values.data(), finite(row.lower), finite(row.upper));
        wire.send(Message::Row);
        wire.send(columns);
        wire.send(values);
        wire.send(row.lower);
        wire.send(row.upper);
    }
}

void runRelaxation(Job& job, const Separator& separate)
{
    const auto begin = Clock::now();
    const auto secondsLeft = [&] { return job.limits.seconds - std::chrono::duration<double>(Clock::now() - begin).count(); };
    OsiClpSolverInterface solver;
    SilentHandler silent;
    solver.passInMessageHandler(&silent);
    solver.getModelPtr()->setLogLevel(0);
    load(solver, job.program);
    solver.initialSolve();
    while (solver.isProvenOptimal()) {
        job.wire.send(Message::Relaxed);
        job.wire.send(solver.getObjValue());
        const std::size_t columns = job.program.columns.size();
        const std::vector<double> values(solver.getColSolution(), solver.getColSolution() + columns);
        job.wire.send(values);
        job.wire.send(std::vector<double>(solver.getReducedCost(), solver.getReducedCost() + columns));
        const auto rows = separate && secondsLeft() > job.limits.seconds / 2 ? separate(values) : std::vector<LinearProgram::Row>{};
        if (rows.empty())
            return;
        addRows(solver, rows, job.wire);
        solver.getModelPtr()->setMaximumSeconds(std::max(secondsLeft(), 0.01));
        solver.resolve();
    }
}

/// The solving process: never returns into the caller's code, prints nothing, dies with its parent.
[[noreturn]] void liveAsSolver(Job& job, const std::function<void(Job&)>& work)
{
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    std::signal(SIGINT, SIG_IGN);
    const int nowhere = ::open("/dev/null", O_WRONLY);
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
    std::string failure;
    try {
        work(job);
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

/// Lets a process of its own work on the program, for a little longer than the limit, and collects what it says.
Expected<Answer> askSolver(const LinearProgram& program, const MipLimits& limits, const MipEvents& events, const std::function<void(Job&)>& work)
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        return fail(ErrorCode::Internal, "No pipe to a solving process can be made.", "Close other programs and try again.");
    const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limits.seconds + kGraceSeconds));
    const pid_t process = ::fork();
    if (process == 0) {
        Job job{program, limits, Wire(ends[1]), {}};
        liveAsSolver(job, work);
    }
    ::close(ends[1]);
    if (process < 0) {
        ::close(ends[0]);
        return fail(ErrorCode::Internal, "No solving process can be started.", "Close other programs and try again.");
    }
    Inbox inbox;
    Answer answer;
    while (Clock::now() < end && !(events.wantsStop && events.wantsStop())) {
        pollfd wait{ends[0], POLLIN, 0};
        if (::poll(&wait, 1, kPollMilliseconds) <= 0)
            continue;
        if (!inbox.fill(ends[0]))
            break;
        inbox.take(answer, events);
    }
    ::kill(process, SIGKILL);
    ::close(ends[0]);
    ::waitpid(process, nullptr, 0);
    if (!answer.failure.empty() && events.failure)
        events.failure(answer.failure);
    return answer;
}

}  // namespace

Expected<MipResult> solveMip(const LinearProgram& program, const MipLimits& limits, const MipEvents& events)
{
    if (limits.cutoff < 0) {  // no cost and no lower limit of a column is negative
        MipResult result;
        result.status = MipStatus::Proven;
        result.bound = 0;
        return result;
    }
    POET_TRY(answer, askSolver(program, limits, events, runCbc));
    return std::move(answer.result);
}

Expected<Relaxation> solveRelaxation(const LinearProgram& program, double seconds, const MipEvents& events, const Separator& separate)
{
    MipLimits limits;
    limits.seconds = seconds;
    POET_TRY(answer, askSolver(program, limits, events, [&](Job& job) { runRelaxation(job, separate); }));
    return std::move(answer.relaxation);
}

}  // namespace poet::planning

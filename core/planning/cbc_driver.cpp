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

#include <chrono>
#include <condition_variable>
#include <cmath>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace poet::planning {
namespace {

using Clock = std::chrono::steady_clock;

/// What the solver's thread and the waiting caller share; outlives the caller when CBC does not stop.
struct Job {
    LinearProgram program;
    MipLimits limits;
    MipEvents events;
    std::mutex mutex;
    std::condition_variable changed;
    MipResult result;
    double best = kInfinity;
    bool isDone = false;
    bool isAbandoned = false;  ///< the caller has left: no more callbacks
    std::string failure;
};

class SilentHandler : public CoinMessageHandler {
public:
    int print() override { return 0; }
    CoinMessageHandler* clone() const override { return new SilentHandler(*this); }
};

/// Receives CBC's events; with preprocessing off its columns are the program's.
class Listener : public CbcEventHandler {
public:
    explicit Listener(std::shared_ptr<Job> job) : m_job(std::move(job)) {}
    CbcEventHandler* clone() const override { return new Listener(*this); }

    CbcAction event(CbcEvent which) override
    {
        const std::lock_guard lock(m_job->mutex);
        if (m_job->isAbandoned || (m_job->events.wantsStop && m_job->events.wantsStop()))
            return stop;
        // Heuristics run small models of their own, whose columns and bounds are not the program's.
        if (m_job->limits.usePreprocessing || model_->getNumCols() != static_cast<int>(m_job->program.columns.size()) || (model_->specialOptions() & 2048) != 0)
            return noAction;
        if (which == solution || which == heuristicSolution)
            takeSolution();
        if (which == node || which == treeStatus || which == endSearch)
            takeBound(model_->getBestPossibleObjValue());
        return noAction;
    }

private:
    void takeSolution()
    {
        const double* values = model_->bestSolution();
        const double objective = model_->getObjValue();
        if (!values || objective >= m_job->best)
            return;
        m_job->best = objective;
        m_job->result.solution.assign(values, values + model_->getNumCols());
        if (m_job->events.solution)
            m_job->events.solution(m_job->result.solution, objective);
    }
    void takeBound(double bound)
    {
        if (!std::isfinite(bound) || std::abs(bound) > 1e40 || bound <= m_job->result.bound)
            return;
        m_job->result.bound = bound;
        if (m_job->events.bound)
            m_job->events.bound(bound);
    }

    std::shared_ptr<Job> m_job;
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
    const bool isInfeasible = model.isProvenInfeasible() || model.isContinuousUnbounded();
    const double bound = model.getBestPossibleObjValue();
    if (model.bestSolution() && model.getObjValue() < job.best) {
        job.best = model.getObjValue();
        job.result.solution.assign(model.bestSolution(), model.bestSolution() + model.getNumCols());
    }
    if (model.status() == 0 && model.secondaryStatus() <= 1) {
        const bool hasCutoff = !std::isinf(job.limits.cutoff);
        if (isInfeasible || job.result.solution.empty()) {
            job.result.status = hasCutoff ? MipStatus::Proven : MipStatus::Infeasible;
            job.result.bound = hasCutoff ? job.limits.cutoff - job.limits.absoluteGap : kInfinity;
            return;
        }
        job.result.status = MipStatus::Proven;
        const double least = job.best - job.limits.absoluteGap;
        job.result.bound = std::max(job.result.bound, std::isfinite(bound) && std::abs(bound) < 1e40 ? std::max(bound, least) : least);
        job.result.bound = std::min(job.result.bound, job.best);
        return;
    }
    if (std::isfinite(bound) && std::abs(bound) < 1e40)
        job.result.bound = std::max(job.result.bound, bound);
}

void runCbc(const std::shared_ptr<Job>& job)
{
    OsiClpSolverInterface solver;
    SilentHandler silent;
    solver.passInMessageHandler(&silent);
    solver.setHintParam(OsiDoReducePrint, true, OsiHintTry);
    load(solver, job->program);
    CbcModel model(solver);
    model.passInMessageHandler(&silent);
    CbcSolverUsefulData data;
    data.noPrinting_ = true;
    CbcMain0(model, data);
    model.setLogLevel(0);
    Listener listener(job);
    model.passInEventHandler(&listener);
    std::vector<std::string> words{"cbc", "-log", "0", "-timeMode", "elapsed", "-sec", std::to_string(job->limits.seconds), "-allow",
                                   std::to_string(job->limits.absoluteGap), "-ratio", "0"};
    if (!job->limits.usePreprocessing)
        words.insert(words.end(), {"-preprocess", "off"});
    if (!std::isinf(job->limits.cutoff))
        words.insert(words.end(), {"-cutoff", std::to_string(job->limits.cutoff)});
    words.insert(words.end(), {"-solve", "-quit"});
    std::vector<const char*> arguments;
    for (const std::string& word : words)
        arguments.push_back(word.c_str());
    CbcMain1(static_cast<int>(arguments.size()), arguments.data(), model, [](CbcModel*, int) { return 0; }, data);
    const std::lock_guard lock(job->mutex);
    if (!job->isAbandoned)
        finish(*job, model);
}

void runGuarded(const std::shared_ptr<Job>& job)
{
    std::string failure;
    try {
        runCbc(job);
    } catch (const CoinError& error) {
        failure = error.message();
    } catch (const std::exception& error) {
        failure = error.what();
    }
    const std::lock_guard lock(job->mutex);
    job->failure = failure;
    job->isDone = true;
    job->changed.notify_all();
}

}  // namespace

Expected<MipResult> solveMip(const LinearProgram& program, const MipLimits& limits, const MipEvents& events)
{
    const auto job = std::make_shared<Job>();
    job->program = program;
    job->limits = limits;
    job->events = events;
    const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limits.seconds + 0.5));
    std::thread worker(runGuarded, job);
    std::unique_lock lock(job->mutex);
    auto graceEnd = end;
    while (!job->isDone && Clock::now() < graceEnd) {
        job->changed.wait_for(lock, std::chrono::milliseconds(50));
        if (!job->isDone && graceEnd == end && events.wantsStop && events.wantsStop())
            graceEnd = std::min(end, Clock::now() + std::chrono::milliseconds(300));
    }
    job->isAbandoned = !job->isDone;
    const MipResult result = job->result;
    const std::string failure = job->failure;
    lock.unlock();
    if (job->isAbandoned)
        worker.detach();
    else
        worker.join();
    if (!failure.empty())
        return fail(ErrorCode::Internal, "The solver CBC failed: " + failure + ".", "Try another budget, and report the model.");
    return result;
}

}  // namespace poet::planning

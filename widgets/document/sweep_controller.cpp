// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/sweep_controller.h"

#include "widgets/document/judge.h"
#include "widgets/document/sweep_grid.h"

#include <algorithm>

namespace poet {

namespace {
constexpr double kSweepGap = 1e-4;
constexpr double kPointSeconds = 30;
}  // namespace

SweepController::SweepController(DocumentState& state, SolverBackend& backend, QObject* parent) : QObject(parent), m_state(state), m_backend(backend)
{
    connect(&m_backend, &SolverBackend::eventArrived, this, &SweepController::receive);
    connect(&m_state, &DocumentState::changed, this, [this](DocumentState::Aspects aspects) {
        if (aspects & DocumentState::ProblemAspect && m_problem != m_state.problem())
            halt();
    });
}

void SweepController::start(SweepAxes axes, int points)
{
    const ProblemPtr& problem = m_state.problem();
    if (!problem)
        return;
    const PlanQuery present = m_state.controls().query;
    const int memories = axes == SweepAxes::Deadline ? 1 : points;
    const int deadlines = axes == SweepAxes::Memory ? 1 : points;
    std::vector<PlanQuery> todo;  // the last one is asked first: the most generous limits
    for (int d = deadlines - 1; d >= 0; --d)
        for (int m = memories - 1; m >= 0; --m) {
            PlanQuery query = present;
            if (axes != SweepAxes::Memory)
                query.deadlineSeconds = sweepDeadline(*problem, d, points);
            if (axes != SweepAxes::Deadline)
                query.memoryBytes = sweepMemory(*problem, m, points);
            if (todo.empty() || todo.back() != query)  // a small model has fewer bytes than points
                todo.push_back(query);
        }
    begin(std::move(todo));
}

void SweepController::startStrategies(const std::vector<Strategy>& strategies)
{
    std::vector<PlanQuery> todo;
    for (auto strategy = strategies.rbegin(); strategy != strategies.rend(); ++strategy) {
        PlanQuery query = m_state.controls().query;
        query.strategy = *strategy;
        todo.push_back(query);
    }
    begin(std::move(todo));
}

void SweepController::begin(std::vector<PlanQuery> todo)
{
    halt();
    m_problem = m_state.problem();
    if (!m_problem)
        return;
    m_todo = std::move(todo);
    m_total = static_cast<int>(m_todo.size());
    m_done = 0;
    next();
}

void SweepController::cancel()
{
    if (!isRunning())
        return;
    m_paused = std::move(m_todo);
    m_todo.clear();
    m_paused.push_back(m_query);
    m_isRunning = false;
    ++m_generation;
    m_backend.kill();
    Q_EMIT progressed(m_done, 0);
}

void SweepController::resume()
{
    if (!canResume() || m_problem != m_state.problem())
        return;
    m_todo = std::move(m_paused);
    m_paused.clear();
    m_total = m_done + static_cast<int>(m_todo.size());
    next();
}

void SweepController::halt()
{
    ++m_generation;
    m_todo.clear();
    m_paused.clear();
    m_backend.kill();
    m_total = 0;
    m_isRunning = false;
    Q_EMIT progressed(m_done, 0);
}

void SweepController::next()
{
    while (!m_todo.empty()) {
        m_query = m_todo.back();
        m_todo.pop_back();
        if (m_state.cache().isSettled(*m_problem, m_query, kSweepGap)) {
            ++m_done;
            continue;
        }
        SolveRequest request;
        request.generation = ++m_generation;
        request.problem = m_problem;
        request.query = m_query;
        request.gap = kSweepGap;
        request.timeLimitSeconds = kPointSeconds;
        request.threads = m_state.controls().threads;
        request.start = m_state.cache().best(*m_problem, m_query);
        m_isRunning = true;
        Q_EMIT progressed(m_done, m_total);
        m_backend.start(request);
        return;
    }
    m_isRunning = false;
    Q_EMIT progressed(m_done, 0);
    m_total = 0;
}

void SweepController::receive(quint64 generation, const WorkerEvent& event)
{
    if (generation != m_generation || m_problem != m_state.problem())
        return;
    if (event.kind == WorkerEvent::Kind::Done) {
        if (event.plan)
            keep(*event.plan);
        ++m_done;
        next();
    } else if (event.kind == WorkerEvent::Kind::Failed) {
        ++m_done;
        next();
    }
}

/// An answer that does not agree with its replay is left out; the sweep goes on.
void SweepController::keep(const Plan& claimed)
{
    SolveRequest asked;
    asked.problem = m_problem;
    asked.query = m_query;
    auto plan = judgeAnswer(asked, claimed);
    if (plan && m_state.cache().insert(*m_problem, std::move(*plan)))
        m_state.cacheGrew();
}

}  // namespace poet

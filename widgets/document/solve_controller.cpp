// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/solve_controller.h"

#include "widgets/document/judge.h"
#include "widgets/style/text.h"

#include <cmath>

namespace poet {

using SearchPhase = SearchState::Phase;

SolveController::SolveController(DocumentState& state, SolverBackend& backend, DelayTimer& timer, QObject* parent)
    : QObject(parent), m_state(state), m_backend(backend), m_timer(timer)
{
    connect(&m_state, &DocumentState::questionChanged, this, &SolveController::questionChanged);
    connect(&m_backend, &SolverBackend::eventArrived, this, &SolveController::receive);
    connect(&m_timer, &DelayTimer::fired, this, [this] { solveNow(); });
}

void SolveController::questionChanged()
{
    if (isAsked())
        return;
    m_timer.stop();
    ++m_generation;
    m_backend.kill();
    if (!m_state.problem()) {
        setPhase(SearchPhase::Idle);
        return;
    }
    if (m_isAutomatic && !isImpossible() &&
        !m_state.cache().isSettled(*m_state.problem(), m_state.controls().query, m_state.controls().gap)) {
        setPhase(SearchPhase::Waiting);
        m_timer.start(kQuietMilliseconds);
    } else {
        setPhase(SearchPhase::Idle);
    }
}

bool SolveController::isImpossible() const
{
    const Problem& problem = *m_state.problem();
    const PlanQuery& query = m_state.controls().query;
    return query.memoryBytes < problem.wallBytes || (query.deadlineSeconds && *query.deadlineSeconds < problem.shortestSeconds * (1 - 1e-9));
}

void SolveController::solveNow(bool isForced)
{
    m_timer.stop();
    if (!m_state.problem())
        return;
    const Controls& controls = m_state.controls();
    if (isAsked())
        return;
    if (isImpossible() || (!isForced && m_state.cache().isSettled(*m_state.problem(), controls.query, controls.gap))) {
        setPhase(SearchPhase::Idle);
        return;
    }
    begin(controls.gap, controls.timeLimitSeconds);
}

void SolveController::begin(double gap, double timeLimitSeconds)
{
    m_request = {};
    m_request.generation = ++m_generation;
    m_request.problem = m_state.problem();
    m_request.query = m_state.controls().query;
    m_request.gap = gap;
    m_request.timeLimitSeconds = timeLimitSeconds;
    m_request.threads = m_state.controls().threads;
    m_request.start = m_state.planFits() ? m_state.plan() : nullptr;
    m_asked = m_state.controls();
    ++m_started;
    setPhase(SearchPhase::Running);
    m_backend.start(m_request);
}

bool SolveController::isAsked() const
{
    const Controls& now = m_state.controls();
    return m_backend.isRunning() && m_state.problem() == m_request.problem && now.query == m_asked.query && now.gap == m_asked.gap &&
           now.timeLimitSeconds == m_asked.timeLimitSeconds && now.threads == m_asked.threads;
}

void SolveController::prove()
{
    if (!m_state.problem())
        return;
    m_timer.stop();
    m_backend.kill();
    begin(kProveGap, std::max(kProveSeconds, m_state.controls().timeLimitSeconds));
}

void SolveController::stop()
{
    m_timer.stop();
    if (!m_backend.isRunning() && m_state.search().phase != SearchPhase::Waiting)
        return;
    ++m_generation;
    m_backend.kill();
    setPhase(SearchPhase::Stopped);
}

void SolveController::setPhase(SearchState::Phase phase, const QString& failure)
{
    SearchState search = m_state.search();
    if (phase == SearchPhase::Waiting || phase == SearchPhase::Idle || phase == SearchPhase::Running)
        search.elapsedSeconds = 0;
    search.limitSeconds = phase == SearchPhase::Running ? m_request.timeLimitSeconds : 0;
    search.phase = phase;
    search.failure = failure;
    m_state.setSearch(search);
}

void SolveController::receive(quint64 generation, const WorkerEvent& event)
{
    // Late answers never reach a view, but a valid schedule is knowledge all the same.
    const bool isCurrent = generation == m_generation && m_request.problem == m_state.problem();
    if (generation != m_request.generation && event.kind != WorkerEvent::Kind::Failed) {
        return;
    }
    switch (event.kind) {
    case WorkerEvent::Kind::Hello: break;
    case WorkerEvent::Kind::Incumbent:
        if (event.schedule)
            receiveSchedule(*event.schedule);
        break;
    case WorkerEvent::Kind::Bound:
        if (keepBound(m_state.cache(), m_request, event.boundJoules) && isCurrent)
            m_state.cacheGrew();
        break;
    case WorkerEvent::Kind::Range:
    case WorkerEvent::Kind::Heartbeat: break;
    case WorkerEvent::Kind::Done:
        if (event.plan)
            receiveResult(*event.plan, event.elapsedSeconds);
        return;
    case WorkerEvent::Kind::Failed:
        if (isCurrent)
            setPhase(SearchPhase::Failed, event.message);
        return;
    }
    if (isCurrent && m_state.search().phase == SearchPhase::Running) {
        SearchState search = m_state.search();
        search.elapsedSeconds = std::max(search.elapsedSeconds, event.elapsedSeconds);
        m_state.setSearch(search);
        if (search.elapsedSeconds > m_request.timeLimitSeconds + kGraceSeconds) {
            // A worker that does not end by itself: what it found and proved so far is the answer.
            ++m_generation;
            m_backend.kill();
            setPhase(SearchPhase::TimedOut);
        }
    }
}

void SolveController::receiveSchedule(const Schedule& schedule)
{
    auto plan = judgeSchedule(m_request, schedule);
    if (!plan) {
        if (m_request.generation == m_generation) {
            m_backend.kill();
            setPhase(SearchPhase::Failed, text::from(plan.error().text()));
        }
        return;
    }
    if (m_state.cache().insert(*m_request.problem, std::move(*plan)) && m_request.problem == m_state.problem())
        m_state.cacheGrew();
}

void SolveController::receiveResult(const Plan& claimed, double elapsedSeconds)
{
    const bool isCurrent = m_request.generation == m_generation && m_request.problem == m_state.problem();
    auto plan = judgeAnswer(m_request, claimed);
    if (!plan) {
        if (isCurrent)
            setPhase(SearchPhase::Failed, text::from(plan.error().text()));
        return;
    }
    const SolveStatus status = (*plan)->status;
    if (m_state.cache().insert(*m_request.problem, std::move(*plan)) && m_request.problem == m_state.problem())
        m_state.cacheGrew();
    if (!isCurrent)
        return;
    SearchState search = m_state.search();
    search.elapsedSeconds = std::max(search.elapsedSeconds, elapsedSeconds);
    search.failure.clear();
    const bool isProven = status == SolveStatus::Optimal || status == SolveStatus::Infeasible;
    search.phase = isProven ? SearchPhase::Finished : SearchPhase::TimedOut;
    m_state.setSearch(search);
}

}  // namespace poet

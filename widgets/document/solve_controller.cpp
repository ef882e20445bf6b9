// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/solve_controller.h"

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
    const bool isSame = m_backend.isRunning() && m_state.problem() == m_request.problem &&
                        m_request.query == m_state.controls().query;
    if (isSame)
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
    const bool isSame = m_backend.isRunning() && m_state.problem() == m_request.problem && m_request.query == controls.query;
    if (isSame)
        return;
    if (isImpossible() || (!isForced && m_state.cache().isSettled(*m_state.problem(), controls.query, controls.gap))) {
        setPhase(SearchPhase::Idle);
        return;
    }
    m_request = {};
    m_request.generation = ++m_generation;
    m_request.problem = m_state.problem();
    m_request.query = controls.query;
    m_request.gap = controls.gap;
    m_request.timeLimitSeconds = controls.timeLimitSeconds;
    m_request.start = m_state.planFits() ? m_state.plan() : nullptr;
    ++m_started;
    setPhase(SearchPhase::Running);
    m_backend.start(m_request);
}

void SolveController::prove()
{
    if (!m_state.problem())
        return;
    m_timer.stop();
    m_backend.kill();
    m_request = {};
    m_request.generation = ++m_generation;
    m_request.problem = m_state.problem();
    m_request.query = m_state.controls().query;
    m_request.gap = kProveGap;
    m_request.timeLimitSeconds = std::max(600.0, m_state.controls().timeLimitSeconds);
    m_request.start = m_state.planFits() ? m_state.plan() : nullptr;
    ++m_started;
    setPhase(SearchPhase::Running);
    m_backend.start(m_request);
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
        if (std::isfinite(event.boundJoules) && receiveBound(event.boundJoules) && isCurrent)
            m_state.cacheGrew();
        break;
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
    }
}

/// In the paper model what is proven on the way may be of the restricted program alone; the final answer says which.
bool SolveController::receiveBound(double joules)
{
    const Problem& problem = *m_request.problem;
    PlanCache& cache = m_state.cache();
    if (problem.graph->device.transfer == TransferModel::Paper && m_request.query.strategy == Strategy::Integrated)
        return cache.insertRestrictedBound(problem, m_request.query, joules);
    return cache.insertBound(problem, m_request.query, joules);
}

void SolveController::receiveSchedule(const Schedule& schedule)
{
    const Problem& problem = *m_request.problem;
    auto report = replay(*problem.graph, problem.graph->device.transfer, schedule);
    if (!report) {
        if (m_request.generation == m_generation) {
            m_backend.kill();
            setPhase(SearchPhase::Failed, tr("The solver sent a plan that does not work: %1").arg(text::from(report.error().text())));
        }
        return;
    }
    auto plan = std::make_shared<Plan>();
    plan->status = SolveStatus::Feasible;
    plan->strategy = m_request.query.strategy;
    plan->transfer = problem.graph->device.transfer;
    plan->memoryBytes = m_request.query.memoryBytes;
    plan->deadlineSeconds = m_request.query.deadlineSeconds;
    plan->keepAllEnergyJoules = problem.keepAll->replay.energyJoules;
    plan->keepAllSeconds = problem.keepAll->replay.seconds;
    plan->keepAllPeakBytes = problem.keepAllPeakBytes;
    plan->largestWorkingSetBytes = problem.wallBytes;
    plan->replay = std::move(*report);
    if (m_state.cache().insert(problem, std::move(plan)) && m_request.problem == m_state.problem())
        m_state.cacheGrew();
}

void SolveController::receiveResult(const Plan& claimed, double elapsedSeconds)
{
    const Problem& problem = *m_request.problem;
    const bool isCurrent = m_request.generation == m_generation && m_request.problem == m_state.problem();
    auto plan = std::make_shared<Plan>(claimed);
    if (claimed.hasSchedule()) {
        auto report = replay(*problem.graph, problem.graph->device.transfer, claimed.replay.schedule);
        const bool isTrue = report && std::abs(report->energyJoules - claimed.replay.energyJoules) <= 1e-6 * std::abs(report->energyJoules) &&
                            report->peakBytes == claimed.replay.peakBytes;
        if (!isTrue) {
            if (isCurrent)
                setPhase(SearchPhase::Failed, report ? tr("The solver's numbers do not agree with the replay of its plan.")
                                               : tr("The solver sent a plan that does not work: %1").arg(text::from(report.error().text())));
            return;
        }
        plan->replay = std::move(*report);
    }
    plan->memoryBytes = m_request.query.memoryBytes;
    plan->deadlineSeconds = m_request.query.deadlineSeconds;
    plan->strategy = m_request.query.strategy;
    const SolveStatus status = plan->status;
    if (m_state.cache().insert(problem, std::move(plan)) && m_request.problem == m_state.problem())
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

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/overhead_search.h"

#include "widgets/document/judge.h"
#include "widgets/style/text.h"

#include <algorithm>

namespace poet {

using OverheadPhase = OverheadState::Phase;

OverheadSearch::OverheadSearch(DocumentState& state, SolverBackend& backend, QObject* parent) : QObject(parent), m_state(state), m_backend(backend)
{
    connect(&m_backend, &SolverBackend::eventArrived, this, &OverheadSearch::receive);
    connect(&m_state, &DocumentState::questionChanged, this, [this] {
        const PlanQuery& now = m_state.controls().query;
        const bool isSameQuestion = m_state.problem() == m_request.problem && now.strategy == m_request.query.strategy &&
                                    now.deadlineSeconds == m_request.query.deadlineSeconds;
        if (isSameQuestion || m_known.phase == OverheadPhase::Idle)
            return;
        if (isRunning())
            m_backend.kill();
        ++m_generation;
        m_known = {};  // the answer was to another question
        Q_EMIT changed();
    });
}

bool OverheadSearch::isPossibleFor(Strategy strategy)
{
    return strategy == Strategy::Integrated || strategy == Strategy::Paging || strategy == Strategy::Recompute;
}

void OverheadSearch::start(double percent)
{
    const ProblemPtr& problem = m_state.problem();
    if (!problem || !isPossibleFor(m_state.controls().query.strategy))
        return;
    m_request = {};
    m_request.generation = ++m_generation;
    m_request.problem = problem;
    m_request.query = m_state.controls().query;
    m_request.gap = m_state.controls().gap;
    m_request.timeLimitSeconds = m_state.controls().timeLimitSeconds;
    m_request.threads = m_state.controls().threads;
    m_request.overheadPercent = percent;
    m_known = {};
    m_known.phase = OverheadPhase::Running;
    m_known.percent = percent;
    m_known.boundBytes = problem->wallBytes;
    m_known.limitSeconds = m_request.timeLimitSeconds;
    Q_EMIT changed();
    m_backend.start(m_request);
}

void OverheadSearch::cancel()
{
    if (!isRunning())
        return;
    ++m_generation;
    m_backend.kill();
    end(OverheadPhase::Stopped);
}

void OverheadSearch::end(OverheadPhase phase, const QString& failure)
{
    m_known.phase = phase;
    m_known.failure = failure;
    Q_EMIT changed();
    if ((phase == OverheadPhase::Proven || phase == OverheadPhase::Open) && m_known.bestBytes)
        Q_EMIT found(*m_known.bestBytes);
}

void OverheadSearch::narrow(std::int64_t best, std::int64_t bound)
{
    m_known.bestBytes = std::min(best, m_known.bestBytes.value_or(best));
    m_known.boundBytes = std::max(m_known.boundBytes, bound);
}

void OverheadSearch::keep(PlanPtr plan)
{
    if (m_state.cache().insert(*m_request.problem, std::move(plan)))
        m_state.cacheGrew();
}

void OverheadSearch::receive(quint64 generation, const WorkerEvent& event)
{
    if (generation != m_generation || !isRunning())
        return;
    m_known.elapsedSeconds = std::max(m_known.elapsedSeconds, event.elapsedSeconds);
    switch (event.kind) {
    case WorkerEvent::Kind::Incumbent:
        if (event.schedule)
            receiveSchedule(*event.schedule);
        break;
    case WorkerEvent::Kind::Range: narrow(event.memoryBytes, event.memoryBoundBytes); break;
    case WorkerEvent::Kind::Done:
        if (event.plan)
            receiveAnswer(*event.plan);
        return;
    case WorkerEvent::Kind::Failed: end(OverheadPhase::Failed, event.message); return;
    default: break;
    }
    if (isRunning())
        Q_EMIT changed();
}

void OverheadSearch::receiveSchedule(const Schedule& schedule)
{
    const auto judged = judgeSchedule(m_request, schedule);
    if (!judged) {
        m_backend.kill();
        end(OverheadPhase::Failed, text::from(judged.error().text()));
        return;
    }
    // The memory was looked for, not given: the plan answers for what it needs.
    auto plan = std::make_shared<Plan>(**judged);
    plan->memoryBytes = memoryNeed(*m_request.problem->graph, *plan);
    keep(std::move(plan));
}

void OverheadSearch::receiveAnswer(const Plan& claimed)
{
    if (claimed.status == SolveStatus::Infeasible) {
        end(OverheadPhase::Impossible, claimed.infeasible ? text::from(claimed.infeasible->reason) : QString());
        return;
    }
    if (!claimed.hasSchedule()) {
        end(m_known.bestBytes ? OverheadPhase::Open : OverheadPhase::Stopped);
        return;
    }
    SolveRequest asked = m_request;
    asked.query.memoryBytes = claimed.memoryBytes;
    auto judged = judgeAnswer(asked, claimed);
    if (!judged) {
        end(OverheadPhase::Failed, text::from(judged.error().text()));
        return;
    }
    narrow(claimed.memoryBytes, claimed.overheadLimit ? claimed.overheadLimit->memoryBoundBytes : 0);
    keep(std::move(*judged));
    end(m_known.boundBytes >= *m_known.bestBytes ? OverheadPhase::Proven : OverheadPhase::Open);
}

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/solver_backend.h"

#include <QList>

#include <random>

namespace poet::test {

/// A timer that fires when the test says so.
class ManualTimer : public DelayTimer {
    Q_OBJECT
public:
    using DelayTimer::DelayTimer;
    void start(int milliseconds) override
    {
        m_isActive = true;
        m_milliseconds = milliseconds;
    }
    void stop() override { m_isActive = false; }
    [[nodiscard]] bool isActive() const override { return m_isActive; }
    [[nodiscard]] int milliseconds() const { return m_milliseconds; }
    void fire()
    {
        if (!m_isActive)
            return;
        m_isActive = false;
        Q_EMIT fired();
    }

private:
    bool m_isActive = false;
    int m_milliseconds = 0;
};

/// A worker that says only what the test lets it say: late, twice, out of order, cut, or never.
class ScriptedBackend : public SolverBackend {
    Q_OBJECT
public:
    using SolverBackend::SolverBackend;
    void start(const SolveRequest& request) override
    {
        m_requests.append(request);
        m_isRunning = true;
        ++m_starts;
    }
    void kill() override
    {
        if (m_isRunning)
            ++m_kills;
        m_isRunning = false;
    }
    [[nodiscard]] bool isRunning() const override { return m_isRunning; }

    [[nodiscard]] const QList<SolveRequest>& requests() const { return m_requests; }
    [[nodiscard]] int starts() const { return m_starts; }
    [[nodiscard]] int kills() const { return m_kills; }
    /// Sends an event for any request, also one killed long ago.
    void say(const SolveRequest& request, WorkerEvent event) { Q_EMIT eventArrived(request.generation, event); }
    /// The full answer to a request: incumbent, bound, done.
    void answer(const SolveRequest& request);
    void finish() { m_isRunning = false; }

private:
    QList<SolveRequest> m_requests;
    bool m_isRunning = false;
    int m_starts = 0;
    int m_kills = 0;
};

}  // namespace poet::test

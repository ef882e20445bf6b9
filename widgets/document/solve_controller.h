// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document_state.h"
#include "widgets/document/solver_backend.h"

namespace poet {

/// Keeps the shown answer true to the controls: preview from the cache at once, then 200 ms of quiet, then one worker;
/// any further change kills it (gui.md section 5). Every schedule is replayed here before it enters the cache.
class SolveController : public QObject {
    Q_OBJECT
public:
    static constexpr int kQuietMilliseconds = 200;
    static constexpr double kProveGap = 1e-6;
    static constexpr double kProveSeconds = 600;  ///< "Prove it" may take so long, or the user's limit if that is longer
    static constexpr double kGraceSeconds = 10;   ///< a worker that overruns its limit by more is killed

    /// Does not own `state`; owns nothing: backend and timer are the caller's and must outlive it.
    SolveController(DocumentState& state, SolverBackend& backend, DelayTimer& timer, QObject* parent = nullptr);

    /// Starts now what the timer would start later: slider released, Enter, F5. `isForced` also repeats a settled question.
    void solveNow(bool isForced = false);
    /// Ends the search; the best plan found stays.
    void stop();
    /// Goes on to a gap of 1e-6.
    void prove();
    void setAutomatic(bool isAutomatic) { m_isAutomatic = isAutomatic; }
    [[nodiscard]] quint64 generation() const { return m_generation; }
    [[nodiscard]] int startedSearches() const { return m_started; }

private:
    void questionChanged();
    void receive(quint64 generation, const WorkerEvent& event);
    void receiveSchedule(const Schedule& schedule);
    void receiveResult(const Plan& claimed, double elapsedSeconds);
    void setPhase(SearchState::Phase phase, const QString& failure = {});
    [[nodiscard]] bool isImpossible() const;
    void begin(double gap, double timeLimitSeconds);
    /// True while a worker answers what the controls ask.
    [[nodiscard]] bool isAsked() const;

    DocumentState& m_state;
    SolverBackend& m_backend;
    DelayTimer& m_timer;
    quint64 m_generation = 0;
    SolveRequest m_request;  ///< of the running or last search
    Controls m_asked;        ///< with which it was started
    bool m_isAutomatic = true;
    int m_started = 0;
};

}  // namespace poet

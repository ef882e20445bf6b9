// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document_state.h"
#include "widgets/document/solver_backend.h"

#include <vector>

namespace poet {

/// What varies over a sweep: Grid is the heat map, `points` memories times `points` deadlines.
enum class SweepAxes { Memory, Deadline, Grid };

/// Fills the Pareto views: limits from the most generous down, one worker after the other beside the interactive one.
/// Skips what the cache already proves; every schedule is replayed before it is kept. Can be cancelled and resumed.
class SweepController : public QObject {
    Q_OBJECT
public:
    SweepController(DocumentState& state, SolverBackend& backend, QObject* parent = nullptr);

    /// `points` memories, deadlines (see sweep_grid.h) or both for the present strategy; what does not vary stays as it is.
    void start(SweepAxes axes, int points);
    /// The present limits once for every strategy of the list: the comparison.
    void startStrategies(const std::vector<Strategy>& strategies);
    /// Ends the sweep; what is left can be resumed until another sweep or problem begins.
    void cancel();
    void resume();
    [[nodiscard]] bool canResume() const { return !isRunning() && !m_paused.empty(); }
    [[nodiscard]] bool isRunning() const { return m_isRunning; }
    [[nodiscard]] int done() const { return m_done; }
    [[nodiscard]] int total() const { return m_total; }
    [[nodiscard]] Strategy strategy() const { return m_query.strategy; }

Q_SIGNALS:
    void progressed(int done, int total);

private:
    void begin(std::vector<PlanQuery> todo);
    void halt();
    void next();
    void receive(quint64 generation, const WorkerEvent& event);
    void keep(const Plan& claimed);

    DocumentState& m_state;
    SolverBackend& m_backend;
    ProblemPtr m_problem;
    PlanQuery m_query;
    std::vector<PlanQuery> m_todo;    ///< next one last
    std::vector<PlanQuery> m_paused;  ///< what a cancelled sweep had left
    quint64 m_generation = 0;
    int m_done = 0;
    int m_total = 0;
    bool m_isRunning = false;  ///< not the backend's: its process may outlive the last answer a little
};

}  // namespace poet

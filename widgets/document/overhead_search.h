// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document_state.h"
#include "widgets/document/solver_backend.h"

namespace poet {

/// What is known of the smallest memory in which a training step needs at most so much more energy than keep-all.
struct OverheadState {
    enum class Phase { Idle, Running, Proven, Open, Stopped, Impossible, Failed };
    Phase phase = Phase::Idle;
    double percent = 0;                    ///< that was asked
    std::optional<std::int64_t> bestBytes; ///< enough: a replayed plan needs no more
    std::int64_t boundBytes = 0;           ///< proven: no plan of so little overhead needs less
    double elapsedSeconds = 0;
    double limitSeconds = 0;
    QString failure;                       ///< Impossible, Failed: why
    bool operator==(const OverheadState&) const = default;
};

/// Looks for that memory in a worker of its own, under the present deadline and strategy; what it finds on the way becomes
/// known plans. Ends by itself when one of these changes. GUI thread.
class OverheadSearch : public QObject {
    Q_OBJECT
public:
    /// Owns nothing; `backend` is its alone and must outlive it.
    OverheadSearch(DocumentState& state, SolverBackend& backend, QObject* parent = nullptr);

    /// `percent` of keep-all energy, >= 0. A running search is replaced.
    void start(double percent);
    /// Ends the search; what is known stays.
    void cancel();
    /// True for strategies that are searched by integer program: for others a smallest memory cannot be proven.
    [[nodiscard]] static bool isPossibleFor(Strategy strategy);
    [[nodiscard]] const OverheadState& state() const { return m_known; }
    [[nodiscard]] bool isRunning() const { return m_known.phase == OverheadState::Phase::Running; }

Q_SIGNALS:
    void changed();
    /// The search ended by itself, and this much is enough.
    void found(qint64 bytes);

private:
    void receive(quint64 generation, const WorkerEvent& event);
    void receiveSchedule(const Schedule& schedule);
    void receiveAnswer(const Plan& claimed);
    void narrow(std::int64_t best, std::int64_t bound);
    void end(OverheadState::Phase phase, const QString& failure = {});
    void keep(PlanPtr plan);

    DocumentState& m_state;
    SolverBackend& m_backend;
    SolveRequest m_request;
    quint64 m_generation = 0;
    OverheadState m_known;
};

}  // namespace poet

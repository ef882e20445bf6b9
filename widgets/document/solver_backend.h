// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/plan_cache.h"

#include <QObject>
#include <QString>

#include <optional>

namespace poet {

/// One question to a worker.
struct SolveRequest {
    quint64 generation = 0;
    ProblemPtr problem;
    PlanQuery query;
    double gap = 1e-4;               ///< of total energy
    double timeLimitSeconds = 60;
    int threads = 1;                 ///< of the solver
    std::optional<double> overheadPercent;  ///< look for the smallest memory with this overhead; the query's memory does not count
    PlanPtr start;                   ///< a known plan that fits, to begin from; may be null
};

/// One line that a worker said.
struct WorkerEvent {
    enum class Kind { Hello, Incumbent, Bound, Range, Heartbeat, Done, Failed };
    Kind kind = Kind::Heartbeat;
    double elapsedSeconds = 0;
    double boundJoules = 0;             ///< Bound
    std::int64_t memoryBytes = 0;       ///< Range: known to be enough
    std::int64_t memoryBoundBytes = 0;  ///< Range: proven not to be less
    std::optional<Schedule> schedule;   ///< Incumbent: not replayed yet
    PlanPtr plan;                       ///< Done: as claimed, not replayed against our graph yet
    QString message;                    ///< Hello: version; Failed: what happened
};

/// Runs at most one search at a time, elsewhere. Answers come as signals with the request's generation; what arrives
/// for an older generation is the receiver's to judge. kill() never waits.
class SolverBackend : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    virtual void start(const SolveRequest& request) = 0;
    virtual void kill() = 0;
    [[nodiscard]] virtual bool isRunning() const = 0;
    /// Child processes alive, also those killed and not yet reaped; for tests and the status line.
    [[nodiscard]] virtual int liveWorkers() const { return isRunning() ? 1 : 0; }

Q_SIGNALS:
    void eventArrived(quint64 generation, const poet::WorkerEvent& event);
};

/// A one-shot timer that tests can fire by hand.
class DelayTimer : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    virtual void start(int milliseconds) = 0;
    virtual void stop() = 0;
    [[nodiscard]] virtual bool isActive() const = 0;

Q_SIGNALS:
    void fired();
};

}  // namespace poet

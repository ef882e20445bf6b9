// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/solver_backend.h"

#include <QByteArray>
#include <QPointer>
#include <QProcess>
#include <QThreadPool>

namespace poet {

/// Each search is one child process (`poet solve - --events`): killing it is the only stop that always works. A killed
/// process is left to finish by itself; the window never waits for it. Plans are written and read on a thread of its own.
class ProcessBackend : public SolverBackend {
    Q_OBJECT
public:
    /// `program`: the `poet` command; an empty path makes every start fail with a sentence.
    explicit ProcessBackend(QString program, QObject* parent = nullptr);
    ~ProcessBackend() override;

    void start(const SolveRequest& request) override;
    void kill() override;
    [[nodiscard]] bool isRunning() const override { return m_process != nullptr; }
    [[nodiscard]] int liveWorkers() const override { return m_live; }
    [[nodiscard]] qint64 processId() const { return m_process ? m_process->processId() : 0; }

private:
    /// Runs `work` on the thread of this backend, after what was given to it before, and `then` here with its result,
    /// unless another search has begun or this one was killed meanwhile.
    template <class Work, class Then>
    void beside(Work work, Then then);
    void readLines(QProcess* process, quint64 generation);
    void ended(QProcess* process, quint64 generation, int code, QProcess::ExitStatus status);
    void report(quint64 generation, const QString& message);

    QString m_program;
    QPointer<QProcess> m_process;
    QByteArray m_pending;
    bool m_isDone = false;
    bool m_hasEnded = false;  ///< the current process is gone, its last lines may still be read
    quint64 m_run = 0;        ///< counts the processes
    QThreadPool m_thread;     ///< reads and writes plans
    int m_live = 0;
};

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/process_backend.h"

#include "core/export/plan_file.h"
#include "widgets/document/worker_protocol.h"
#include "widgets/style/text.h"

#include <QTemporaryFile>
#include <QTimer>

namespace poet {

using namespace Qt::StringLiterals;

ProcessBackend::ProcessBackend(QString program, QObject* parent) : SolverBackend(parent), m_program(std::move(program)) {}

ProcessBackend::~ProcessBackend()
{
    // At the end of the program nobody is left to reap by signals: a killed child needs no more than milliseconds.
    const auto processes = findChildren<QProcess*>();
    for (QProcess* process : processes) {
        process->disconnect(this);
        process->kill();
        process->waitForFinished(1000);
    }
}

void ProcessBackend::start(const SolveRequest& request)
{
    kill();
    const quint64 generation = request.generation;
    if (m_program.isEmpty()) {
        report(generation, tr("The program \"poet\", which searches for plans, is not beside this program nor on the search path. "
                              "Install the package \"poet\" of the same version."));
        return;
    }
    auto* process = new QProcess(this);
    m_process = process;
    m_pending.clear();
    m_isDone = false;
    ++m_live;
    QStringList arguments = workerArguments(request);
    if (request.start && request.start->hasSchedule()) {
        auto* file = new QTemporaryFile(process);  // lives as long as the worker
        if (file->open()) {
            const std::string json = toJson(PlanFile{*request.problem->graph, *request.start});
            file->write(json.data(), static_cast<qint64>(json.size()));
            file->flush();
            arguments << u"--start"_s << file->fileName();
        }
    }
    connect(process, &QProcess::readyReadStandardOutput, this, [this, process, generation] { readLines(process, generation); });
    connect(process, &QProcess::finished, this, [this, process, generation](int code, QProcess::ExitStatus status) {
        --m_live;
        const bool isCurrent = m_process == process;
        if (isCurrent) {
            readLines(process, generation);
            m_process = nullptr;
            if (!m_isDone) {
                const QString said = QString::fromUtf8(process->readAllStandardError()).trimmed();
                report(generation, !said.isEmpty()                    ? said
                                   : status == QProcess::CrashExit    ? tr("The solver process died before it answered.")
                                                                      : tr("The solver process ended with code %1 and no answer.").arg(code));
            }
        }
        process->deleteLater();
    });
    connect(process, &QProcess::errorOccurred, this, [this, process, generation](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart)
            return;
        --m_live;
        if (m_process == process) {
            m_process = nullptr;
            report(generation, tr("The solver program %1 cannot be started: %2.").arg(m_program, process->errorString()));
        }
        process->deleteLater();
    });
    process->start(m_program, arguments);
    process->write(request.problem->json);
    process->closeWriteChannel();
}

void ProcessBackend::kill()
{
    if (!m_process)
        return;
    QProcess* process = m_process;
    m_process = nullptr;
    m_pending.clear();
    process->disconnect(this);
    if (process->state() == QProcess::NotRunning) {
        --m_live;
        process->deleteLater();
        return;
    }
    // Never wait: the QProcess destructor would. It deletes itself once the system has reaped the child.
    connect(process, &QProcess::finished, this, [this, process] {
        --m_live;
        process->deleteLater();
    });
    connect(process, &QProcess::errorOccurred, this, [this, process](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            --m_live;
            process->deleteLater();
        }
    });
    process->kill();
}

void ProcessBackend::readLines(QProcess* process, quint64 generation)
{
    if (m_process != process)
        return;
    m_pending += process->readAllStandardOutput();
    qsizetype end = 0;
    // A receiver may kill this process in answer to an event: look again before every line.
    while (m_process == process && (end = m_pending.indexOf('\n')) >= 0) {
        const QByteArray line = m_pending.left(end).trimmed();
        m_pending.remove(0, end + 1);
        if (!line.startsWith('{'))
            continue;  // the solver library's own chatter is no event
        const auto event = parseWorkerLine(line);
        if (!event) {
            m_isDone = true;
            report(generation, text::from(event.error().text()));
            kill();
            return;
        }
        if (event->kind == WorkerEvent::Kind::Done)
            m_isDone = true;
        Q_EMIT eventArrived(generation, *event);
    }
}

void ProcessBackend::report(quint64 generation, const QString& message)
{
    WorkerEvent event;
    event.kind = WorkerEvent::Kind::Failed;
    event.message = message;
    // Queued, so that a start that fails at once looks like one that fails later.
    QTimer::singleShot(0, this, [this, generation, event] { Q_EMIT eventArrived(generation, event); });
}

}  // namespace poet

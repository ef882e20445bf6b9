// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/process_backend.h"

#include "core/export/plan_file.h"
#include "widgets/document/beside.h"
#include "widgets/document/worker_protocol.h"
#include "widgets/style/text.h"

#include <QFile>
#include <QTemporaryFile>
#include <QTimer>

namespace poet {

using namespace Qt::StringLiterals;

ProcessBackend::ProcessBackend(QString program, QObject* parent) : SolverBackend(parent), m_program(std::move(program))
{
    m_thread.setMaxThreadCount(1);  // lines stay in order
}

ProcessBackend::~ProcessBackend()
{
    m_thread.clear();
    m_thread.waitForDone();
    // At the end of the program nobody is left to reap by signals: a killed child needs no more than milliseconds.
    const auto processes = findChildren<QProcess*>();
    for (QProcess* process : processes) {
        process->disconnect(this);
        process->kill();
        process->waitForFinished(1000);
    }
}

template <class Work, class Then>
void ProcessBackend::beside(Work work, Then then)
{
    runBeside(
        this, std::move(work),
        [this, run = m_run, then = std::move(then)](const auto& result) {
            if (m_process && m_run == run)
                then(result);
        },
        &m_thread);
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
    m_hasEnded = false;
    ++m_run;
    ++m_live;
    QStringList arguments = workerArguments(request);
    auto* known = request.start && request.start->hasSchedule() ? new QTemporaryFile(process) : nullptr;  // lives as long as the worker
    if (known && known->open())
        arguments << u"--start"_s << known->fileName();
    connect(process, &QProcess::readyReadStandardOutput, this, [this, process, generation] { readLines(process, generation); });
    connect(process, &QProcess::finished, this, [this, process, generation](int code, QProcess::ExitStatus status) { ended(process, generation, code, status); });
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
    const auto feed = [process, json = request.problem->json](bool) {
        if (process->state() == QProcess::NotRunning)
            return;
        process->write(json);
        process->closeWriteChannel();
    };
    if (!known) {
        feed(true);
        return;
    }
    // The worker reads the known plan once its input has ended: time enough to write it beside the window's thread.
    beside(
        [path = known->fileName(), problem = request.problem, plan = request.start] {
            QFile file(path);  // gone when the worker was killed meanwhile: then it must not come back
            const std::string json = toJson(PlanFile{*problem->graph, *plan});
            return file.open(QIODevice::WriteOnly | QIODevice::ExistingOnly) && file.write(json.data(), static_cast<qint64>(json.size())) >= 0;
        },
        feed);
}

void ProcessBackend::ended(QProcess* process, quint64 generation, int code, QProcess::ExitStatus status)
{
    --m_live;
    if (m_process != process) {
        process->deleteLater();
        return;
    }
    m_hasEnded = true;
    readLines(process, generation);
    const QString said = QString::fromUtf8(process->readAllStandardError()).trimmed();
    beside([] { return true; }, [this, process, generation, code, status, said](bool) {  // after the last line
        m_process = nullptr;
        process->deleteLater();
        if (!m_isDone)
            report(generation, !said.isEmpty()                    ? said
                               : status == QProcess::CrashExit    ? tr("The solver process died before it answered.")
                                                                  : tr("The solver process ended with code %1 and no answer.").arg(code));
    });
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
        if (!m_hasEnded)
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
    const qsizetype end = m_pending.lastIndexOf('\n');
    if (end < 0)
        return;
    const QByteArray complete = m_pending.left(end);
    m_pending.remove(0, end + 1);
    // A plan of thousands of steps takes longer to parse than a frame may take.
    beside(
        [complete] {
            std::vector<Expected<WorkerEvent>> events;
            for (const QByteArray& line : complete.split('\n'))
                if (line.startsWith('{'))  // the solver library's own chatter is no event
                    events.push_back(parseWorkerLine(line.trimmed()));
            return events;
        },
        [this, generation, run = m_run](const std::vector<Expected<WorkerEvent>>& events) {
            for (const Expected<WorkerEvent>& event : events) {
                if (!m_process || m_run != run)  // a receiver may kill this process in answer to an event
                    return;
                if (!event) {
                    m_isDone = true;
                    report(generation, text::from(event.error().text()));
                    kill();
                    return;
                }
                m_isDone = m_isDone || event->kind == WorkerEvent::Kind::Done;
                Q_EMIT eventArrived(generation, *event);
            }
        });
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

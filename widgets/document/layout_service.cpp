// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/layout_service.h"

#include "core/layout/ladder.h"
#include "core/layout/layout_json.h"

namespace poet {

using namespace Qt::StringLiterals;

LayoutService::LayoutService(QString program, QObject* parent) : QObject(parent), m_program(std::move(program))
{
    m_slowTimer.setSingleShot(true);
    m_slowTimer.setInterval(kSlowMilliseconds);
    connect(&m_slowTimer, &QTimer::timeout, this,
            [this] { Q_EMIT slow(static_cast<int>(m_view.nodes.size()), static_cast<int>(m_view.edges.size())); });
}

LayoutService::~LayoutService()
{
    const auto processes = findChildren<QProcess*>();
    for (QProcess* process : processes) {
        process->disconnect(this);
        process->kill();
        process->waitForFinished(1000);
    }
}

void LayoutService::request(const GraphView& view)
{
    stopWorker();
    m_view = view;
    ++m_layoutsRun;
    if (m_program.isEmpty() || m_isLadderOnly || view.nodes.empty()) {
        useLadder();
        return;
    }
    auto* process = new QProcess(this);
    m_process = process;
    connect(process, &QProcess::finished, this, [this, process] { finished(process); });
    connect(process, &QProcess::errorOccurred, this, [this, process](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart && m_process == process) {
            m_process = nullptr;
            process->deleteLater();
            useLadder();
        }
    });
    process->start(m_program, {u"layout"_s});
    const std::string json = toJson(view);
    process->write(json.data(), static_cast<qint64>(json.size()));
    process->closeWriteChannel();
    m_slowTimer.start();
}

void LayoutService::finished(QProcess* process)
{
    process->deleteLater();
    if (m_process != process)
        return;
    m_process = nullptr;
    m_slowTimer.stop();
    if (process->exitStatus() == QProcess::NormalExit && process->exitCode() == 0) {
        const QByteArray output = process->readAllStandardOutput();
        const auto layout = parseLayout(std::string_view(output.constData(), static_cast<std::size_t>(output.size())), m_view);
        if (layout) {
            Q_EMIT ended();
            Q_EMIT ready(*layout);
            return;
        }
    }
    useLadder();
}

void LayoutService::useLadder()
{
    stopWorker();
    if (const auto layout = ladderLayout(m_view))
        Q_EMIT ready(*layout);
}

void LayoutService::cancel() { stopWorker(); }

void LayoutService::stopWorker()
{
    m_slowTimer.stop();
    Q_EMIT ended();
    if (!m_process)
        return;
    QProcess* process = m_process;
    m_process = nullptr;
    process->disconnect(this);
    connect(process, &QProcess::finished, process, &QObject::deleteLater);
    process->kill();
}

}  // namespace poet

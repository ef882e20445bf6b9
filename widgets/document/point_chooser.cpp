// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/point_chooser.h"

#include "widgets/document/worker_protocol.h"
#include "widgets/style/text.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace poet {

using namespace Qt::StringLiterals;

PointChooser::PointChooser(QString program, QObject* parent) : QObject(parent), m_program(std::move(program)) {}

PointChooser::~PointChooser()
{
    if (m_process) {
        m_process->disconnect(this);
        m_process->kill();
        m_process->waitForFinished(1000);
    }
}

QStringList PointChooser::arguments(const Problem& problem, const Controls& controls, std::optional<double> overheadPercent)
{
    QStringList list{u"solve"_s, problem.path, u"--operating-point"_s, u"auto"_s};
    list += memoryArguments(controls.query.memoryBytes, overheadPercent);
    list += QStringList{u"--strategy"_s, text::from(name(controls.query.strategy)),
                     u"--gap"_s, text::from(formatDouble(controls.gap)), u"--time-limit"_s, text::from(formatDouble(controls.timeLimitSeconds)) + "s"_L1, u"--json"_s, u"--exit-with-parent"_s};
    list += modelArguments(problem.setup);
    if (controls.threads > 1)
        list << u"--threads"_s << QString::number(controls.threads);
    if (controls.query.deadlineSeconds)
        list << u"--deadline"_s << text::from(formatDouble(*controls.query.deadlineSeconds)) + "s"_L1;
    return list;
}

void PointChooser::ask(const Problem& problem, const Controls& controls, std::optional<double> overheadPercent)
{
    cancel();
    auto* process = new QProcess(this);
    m_process = process;
    connect(process, &QProcess::finished, this, [this, process] { finish(process); });
    connect(process, &QProcess::errorOccurred, this, [this, process](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart)
            return;
        process->deleteLater();
        m_process = nullptr;
        Q_EMIT failed(tr("The program \"poet\" cannot be started. Install it beside this program."));
    });
    process->start(m_program, arguments(problem, controls, overheadPercent));
}

void PointChooser::cancel()
{
    if (!m_process)
        return;
    m_process->disconnect(this);
    connect(m_process, &QProcess::finished, m_process, &QObject::deleteLater);
    m_process->kill();
    m_process = nullptr;
}

void PointChooser::finish(QProcess* process)
{
    const QJsonObject result = QJsonDocument::fromJson(process->readAllStandardOutput()).object();
    const QString said = QString::fromUtf8(process->readAllStandardError()).trimmed();
    process->deleteLater();
    m_process = nullptr;
    QStringList lines;
    PointChoice choice;
    const QJsonArray points = result.value("operating_points"_L1).toArray();
    for (const QJsonValue& value : points) {
        const QJsonObject point = value.toObject();
        const QString pointName = point.value("name"_L1).toString();
        if (point.value("chosen"_L1).toBool())
            choice.point = pointName;
        if (point.value("energy_joules"_L1).isDouble())
            lines << tr("%1: %2, %3").arg(pointName, text::joules(point.value("energy_joules"_L1).toDouble()), text::seconds(point.value("seconds"_L1).toDouble()));
        else
            lines << tr("%1: at least %2").arg(pointName, text::joules(point.value("bound_joules"_L1).toDouble()));
    }
    choice.report = lines.join(u"; "_s);
    if (const QJsonObject limit = result.value("overhead_limit"_L1).toObject(); !limit.isEmpty()) {
        choice.memoryBytes = result.value("memory_bytes"_L1).toInteger();
        choice.boundBytes = limit.value("memory_bound_bytes"_L1).toInteger();
    }
    if (!choice.point.isEmpty())
        Q_EMIT chosen(choice);
    else if (result.value("infeasible"_L1).isObject())
        Q_EMIT failed(result.value("infeasible"_L1).toObject().value("reason"_L1).toString());
    else
        Q_EMIT failed(said.isEmpty() ? tr("No operating point was found that keeps the limits.") : said);
}

}  // namespace poet

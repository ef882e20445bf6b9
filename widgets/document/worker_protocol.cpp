// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/worker_protocol.h"

#include "core/export/plan_file.h"
#include "widgets/style/text.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStandardPaths>

namespace poet {

namespace {

using namespace Qt::StringLiterals;

Expected<WorkerEvent> broken(const QString& what)
{
    return fail(ErrorCode::WorkerFailed, "The solver's answer cannot be used: " + what.toStdString() + ".",
                "Press F5 to try again; if it happens again, please report it.");
}

/// `done` carries the result beside "event" and "elapsed", or inside a "result" key.
Expected<PlanPtr> planOf(const QJsonObject& object)
{
    QJsonObject result = object;
    if (object.value("result"_L1).isObject())
        result = object.value("result"_L1).toObject();
    result.remove("event"_L1);
    result.remove("elapsed"_L1);
    const QByteArray json = QJsonDocument(result).toJson(QJsonDocument::Compact);
    POET_TRY(file, parsePlanFile(std::string_view(json.constData(), static_cast<std::size_t>(json.size())), "the solver's answer"));
    return std::make_shared<const Plan>(std::move(file.plan));
}

}  // namespace

Expected<WorkerEvent> parseWorkerLine(const QByteArray& line)
{
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(line, &error);
    if (!document.isObject())
        return broken(u"not a JSON object (%1)"_s.arg(error.errorString()));
    const QJsonObject object = document.object();
    const QString name = object.value("event"_L1).toString();
    WorkerEvent event;
    event.elapsedSeconds = object.value("elapsed"_L1).toDouble();
    if (name == "hello"_L1) {
        event.kind = WorkerEvent::Kind::Hello;
        event.message = object.value("version"_L1).toString();
    } else if (name == "bound"_L1) {
        event.kind = WorkerEvent::Kind::Bound;
        event.boundJoules = object.value("bound_joules"_L1).toDouble();
    } else if (name == "range"_L1) {
        event.kind = WorkerEvent::Kind::Range;
        event.memoryBytes = object.value("memory_bytes"_L1).toInteger();
        event.memoryBoundBytes = object.value("memory_bound_bytes"_L1).toInteger();
    } else if (name == "incumbent"_L1) {
        event.kind = WorkerEvent::Kind::Incumbent;
        const QByteArray steps = QJsonDocument(object.value("schedule"_L1).toArray()).toJson(QJsonDocument::Compact);
        POET_TRY(schedule, parseSteps(std::string_view(steps.constData(), static_cast<std::size_t>(steps.size())), "the solver's plan"));
        event.schedule = std::move(schedule);
    } else if (name == "heartbeat"_L1) {
        event.kind = WorkerEvent::Kind::Heartbeat;
    } else if (name == "done"_L1) {
        event.kind = WorkerEvent::Kind::Done;
        POET_TRY(plan, planOf(object));
        event.plan = std::move(plan);
    } else {
        return broken(u"unknown event \"%1\""_s.arg(name));
    }
    return event;
}

QStringList memoryArguments(qint64 memoryBytes, std::optional<double> overheadPercent)
{
    if (overheadPercent)
        return {u"--overhead-at-most"_s, text::from(formatDouble(*overheadPercent)) + u'%'};
    return {u"--memory"_s, QString::number(memoryBytes)};
}

QStringList workerArguments(const SolveRequest& request)
{
    const QStringList limit = memoryArguments(request.query.memoryBytes, request.overheadPercent);
    QStringList arguments{u"solve"_s,        u"-"_s,     limit[0],       limit[1],
                          u"--strategy"_s,   text::from(name(request.query.strategy)),
                          u"--gap"_s,        text::from(formatDouble(request.gap)),
                          u"--time-limit"_s, text::from(formatDouble(request.timeLimitSeconds)) + "s"_L1,
                          u"--events"_s,     u"--exit-with-parent"_s};
    if (request.threads > 1)
        arguments << u"--threads"_s << QString::number(request.threads);
    if (request.query.deadlineSeconds)
        arguments << u"--deadline"_s << text::from(formatDouble(*request.query.deadlineSeconds)) + "s"_L1;
    return arguments;
}

QString findWorkerProgram()
{
    const QString beside = QCoreApplication::applicationDirPath() + "/poet"_L1;
    if (QFileInfo(beside).isExecutable())
        return beside;
    const QString build = qEnvironmentVariable("POET_WORKER");
    if (QFileInfo(build).isExecutable())
        return build;
    return QStandardPaths::findExecutable(u"poet"_s);
}

}  // namespace poet

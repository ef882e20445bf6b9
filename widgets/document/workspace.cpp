// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/workspace.h"

#include "core/export/plan_file.h"
#include "widgets/style/text.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>

#include <algorithm>

namespace poet {

namespace {

using namespace Qt::StringLiterals;

QString tr(const char* text) { return QCoreApplication::translate("poet::Workspace", text); }

QJsonObject planToJson(const Plan& plan)
{
    QJsonObject object{{u"strategy"_s, text::from(name(plan.strategy))},
                       {u"status"_s, text::from(name(plan.status))},
                       {u"memory_bytes"_s, static_cast<qint64>(plan.memoryBytes)},
                       {u"bound_joules"_s, plan.boundJoules},
                       {u"restricted"_s, plan.isRestrictedProof}};
    if (plan.deadlineSeconds)
        object.insert(u"deadline_seconds"_s, *plan.deadlineSeconds);
    const std::string steps = stepsToJson(plan.replay.schedule);
    object.insert(u"steps"_s, QJsonDocument::fromJson(QByteArray(steps.data(), static_cast<qsizetype>(steps.size()))).array());
    return object;
}

Expected<PlanPtr> planFromJson(const QJsonObject& object, const QString& where)
{
    auto plan = std::make_shared<Plan>();
    const auto strategy = strategyFromName(object.value("strategy"_L1).toString().toStdString());
    const auto status = solveStatusFromName(object.value("status"_L1).toString().toStdString());
    if (!strategy || !status)
        return fail(ErrorCode::BadModel, where.toStdString() + " holds a plan of an unknown strategy or status.", "It was written by another version.");
    plan->strategy = *strategy;
    plan->status = *status;
    plan->memoryBytes = object.value("memory_bytes"_L1).toInteger();
    plan->boundJoules = object.value("bound_joules"_L1).toDouble();
    plan->isRestrictedProof = object.value("restricted"_L1).toBool();
    if (object.contains("deadline_seconds"_L1))
        plan->deadlineSeconds = object.value("deadline_seconds"_L1).toDouble();
    const QByteArray steps = QJsonDocument(object.value("steps"_L1).toArray()).toJson(QJsonDocument::Compact);
    POET_TRY(schedule, parseSteps(std::string_view(steps.constData(), static_cast<std::size_t>(steps.size())), where.toStdString()));
    plan->replay.schedule = std::move(schedule);
    return PlanPtr(std::move(plan));
}

QJsonObject setupToJson(const ModelSetup& setup)
{
    QJsonObject object{{u"device"_s, setup.device},
                       {u"dims"_s, QJsonArray::fromStringList(setup.dims)},
                       {u"loss"_s, setup.loss},
                       {u"optimizer"_s, setup.optimizer},
                       {u"freeze"_s, QJsonArray::fromStringList(setup.freeze)}};
    if (!setup.operatingPoint.isEmpty())
        object.insert(u"operating_point"_s, setup.operatingPoint);
    if (setup.transfer)
        object.insert(u"transfer"_s, text::from(name(*setup.transfer)));
    return object;
}

QStringList strings(const QJsonValue& value)
{
    QStringList list;
    const QJsonArray array = value.toArray();
    for (const QJsonValue& item : array)
        list.append(item.toString());
    return list;
}

}  // namespace

bool isWorkspacePath(const QString& path) { return path.endsWith(".poet.json"_L1, Qt::CaseInsensitive); }

Expected<void> writeWorkspace(const QString& path, const Workspace& workspace)
{
    const QDir folder = QFileInfo(path).absoluteDir();
    const QString relative = folder.relativeFilePath(workspace.modelPath);
    QJsonArray plans;
    for (const PlanPtr& plan : workspace.plans)
        plans.append(planToJson(*plan));
    QJsonObject controls{{u"memory_bytes"_s, static_cast<qint64>(workspace.controls.query.memoryBytes)},
                         {u"strategy"_s, text::from(name(workspace.controls.query.strategy))},
                         {u"gap"_s, workspace.controls.gap},
                         {u"time_limit_seconds"_s, workspace.controls.timeLimitSeconds}};
    if (workspace.controls.query.deadlineSeconds)
        controls.insert(u"deadline_seconds"_s, *workspace.controls.query.deadlineSeconds);
    if (workspace.controls.job)
        controls.insert(u"job"_s, QJsonObject{{u"epochs"_s, workspace.controls.job->epochs}, {u"steps_per_epoch"_s, workspace.controls.job->stepsPerEpoch}});
    const QJsonObject root{{u"format"_s, u"poet-workspace"_s},
                           {u"version"_s, 1},
                           {u"model"_s, relative},
                           {u"problem_sha256"_s, QString::fromLatin1(workspace.problemHash)},
                           {u"setup"_s, setupToJson(workspace.setup)},
                           {u"controls"_s, controls},
                           {u"plans"_s, plans},
                           {u"view"_s, QJsonObject{{u"collapsed"_s, QJsonArray::fromStringList(workspace.collapsed)}, {u"coloring"_s, workspace.coloring}}}};
    QSaveFile file(path);
    const QByteArray bytes = QJsonDocument(root).toJson();
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        return fail(ErrorCode::FileNotFound, tr("%1 cannot be written: %2.").arg(path, file.errorString()).toStdString(), tr("Choose another folder.").toStdString());
    return {};
}

Expected<Workspace> readWorkspace(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return fail(ErrorCode::FileNotFound, tr("%1 cannot be read: %2.").arg(path, file.errorString()).toStdString());
    QJsonParseError error;
    const QJsonObject root = QJsonDocument::fromJson(file.readAll(), &error).object();
    if (root.value("format"_L1).toString() != "poet-workspace"_L1 || root.value("version"_L1).toInt() != 1)
        return fail(ErrorCode::BadModel, tr("%1 is no project of this program (%2).").arg(path, error.errorString()).toStdString(),
                    tr("Open the model itself instead.").toStdString());
    Workspace workspace;
    workspace.modelPath = QFileInfo(path).absoluteDir().absoluteFilePath(root.value("model"_L1).toString());
    workspace.problemHash = root.value("problem_sha256"_L1).toString().toLatin1();
    const QJsonObject setup = root.value("setup"_L1).toObject();
    workspace.setup.device = setup.value("device"_L1).toString();
    workspace.setup.operatingPoint = setup.value("operating_point"_L1).toString();
    workspace.setup.dims = strings(setup.value("dims"_L1));
    workspace.setup.loss = setup.value("loss"_L1).toString(workspace.setup.loss);
    workspace.setup.optimizer = setup.value("optimizer"_L1).toString(workspace.setup.optimizer);
    workspace.setup.freeze = strings(setup.value("freeze"_L1));
    if (setup.contains("transfer"_L1))
        workspace.setup.transfer = transferModelFromName(setup.value("transfer"_L1).toString().toStdString());
    const QJsonObject controls = root.value("controls"_L1).toObject();
    workspace.controls.query.memoryBytes = controls.value("memory_bytes"_L1).toInteger();
    if (const auto strategy = strategyFromName(controls.value("strategy"_L1).toString().toStdString()))
        workspace.controls.query.strategy = *strategy;
    if (controls.contains("deadline_seconds"_L1))
        workspace.controls.query.deadlineSeconds = controls.value("deadline_seconds"_L1).toDouble();
    if (const QJsonObject job = controls.value("job"_L1).toObject(); !job.isEmpty())
        workspace.controls.job = Job{std::max(1, job.value("epochs"_L1).toInt(1)), std::max(1, job.value("steps_per_epoch"_L1).toInt(1))};
    workspace.controls.gap = controls.value("gap"_L1).toDouble(workspace.controls.gap);
    workspace.controls.timeLimitSeconds = controls.value("time_limit_seconds"_L1).toDouble(workspace.controls.timeLimitSeconds);
    const QJsonArray plans = root.value("plans"_L1).toArray();
    for (const QJsonValue& item : plans) {
        POET_TRY(plan, planFromJson(item.toObject(), path));
        workspace.plans.push_back(plan);
    }
    workspace.collapsed = strings(root.value("view"_L1).toObject().value("collapsed"_L1));
    workspace.coloring = root.value("view"_L1).toObject().value("coloring"_L1).toInt();
    return workspace;
}

int adoptPlans(const Workspace& workspace, const Problem& problem, PlanCache& cache)
{
    if (workspace.problemHash != problem.hash)
        return static_cast<int>(workspace.plans.size());
    int refused = 0;
    for (const PlanPtr& claimed : workspace.plans) {
        auto report = replay(*problem.graph, problem.graph->device.transfer, claimed->replay.schedule);
        if (!report) {
            ++refused;
            continue;
        }
        auto plan = std::make_shared<Plan>(*claimed);
        plan->transfer = problem.graph->device.transfer;
        plan->keepAllEnergyJoules = problem.keepAll->replay.energyJoules;
        plan->keepAllSeconds = problem.keepAll->replay.seconds;
        plan->keepAllPeakBytes = problem.keepAllPeakBytes;
        plan->largestWorkingSetBytes = problem.wallBytes;
        plan->replay = std::move(*report);
        cache.insert(problem, std::move(plan));
    }
    return refused;
}

}  // namespace poet

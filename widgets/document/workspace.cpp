// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/workspace.h"

#include "core/export/plan_file.h"
#include "widgets/style/text.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QObject>
#include <QSaveFile>

#include <algorithm>
#include <array>
#include <utility>

namespace poet {

namespace {

using namespace Qt::StringLiterals;

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

/// Members of a setup that are texts, empty by default.
constexpr std::array<std::pair<const char*, QString ModelSetup::*>, 8> kSetupTexts{{{"type", &ModelSetup::type},
                                                                                   {"keep", &ModelSetup::keep},
                                                                                   {"library", &ModelSetup::library},
                                                                                   {"store", &ModelSetup::store},
                                                                                   {"store_capacity", &ModelSetup::storeCapacity},
                                                                                   {"max_written", &ModelSetup::maxWritten},
                                                                                   {"lifetime_steps", &ModelSetup::lifetimeSteps},
                                                                                   {"period", &ModelSetup::period}}};

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
    if (!setup.data.isEmpty())
        object.insert(u"data"_s, QJsonArray::fromStringList(setup.data));
    for (const auto& [key, member] : kSetupTexts)
        if (!(setup.*member).isEmpty())
            object.insert(QLatin1String(key), setup.*member);
    if (setup.isConservative)
        object.insert(u"conservative"_s, true);
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

QJsonObject viewToJson(const WorkspaceView& view)
{
    return {{u"collapsed"_s, QJsonArray::fromStringList(view.collapsed)},
            {u"coloring"_s, view.coloring},
            {u"horizontal"_s, view.isHorizontal},
            {u"steps"_s, view.isInSteps},
            {u"memory_form"_s, view.memoryForm},
            {u"pareto_axis"_s, view.paretoAxis},
            {u"lanes"_s, view.lanes},
            {u"docks"_s, QString::fromLatin1(view.docks.toBase64())}};
}

WorkspaceView viewFromJson(const QJsonObject& object)
{
    WorkspaceView view;
    view.collapsed = strings(object.value("collapsed"_L1));
    view.coloring = std::clamp(object.value("coloring"_L1).toInt(), 0, 4);
    view.isHorizontal = object.value("horizontal"_L1).toBool();
    view.isInSteps = object.value("steps"_L1).toBool();
    view.memoryForm = std::clamp(object.value("memory_form"_L1).toInt(), 0, 2);
    view.paretoAxis = std::clamp(object.value("pareto_axis"_L1).toInt(), 0, 2);
    view.lanes = object.value("lanes"_L1).toString();
    view.docks = QByteArray::fromBase64(object.value("docks"_L1).toString().toLatin1());
    return view;
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
    QJsonObject names;
    for (auto name = workspace.planNames.begin(); name != workspace.planNames.end(); ++name)
        names.insert(name.key(), name.value());
    QJsonObject controls{{u"memory_bytes"_s, static_cast<qint64>(workspace.controls.query.memoryBytes)},
                         {u"strategy"_s, text::from(name(workspace.controls.query.strategy))},
                         {u"gap"_s, workspace.controls.gap},
                         {u"time_limit_seconds"_s, workspace.controls.timeLimitSeconds},
                         {u"threads"_s, workspace.controls.threads}};
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
                           {u"plan_names"_s, names},
                           {u"view"_s, viewToJson(workspace.view)}};
    QSaveFile file(path);
    const QByteArray bytes = QJsonDocument(root).toJson();
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        return fail(ErrorCode::FileNotFound, QObject::tr("%1 cannot be written: %2.").arg(path, file.errorString()).toStdString(), QObject::tr("Choose another folder.").toStdString());
    return {};
}

Expected<Workspace> readWorkspace(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return fail(ErrorCode::FileNotFound, QObject::tr("%1 cannot be read: %2.").arg(path, file.errorString()).toStdString());
    QJsonParseError error;
    const QJsonObject root = QJsonDocument::fromJson(file.readAll(), &error).object();
    if (root.value("format"_L1).toString() != "poet-workspace"_L1 || root.value("version"_L1).toInt() != 1)
        return fail(ErrorCode::BadModel, QObject::tr("%1 is no project of this program (%2).").arg(path, error.errorString()).toStdString(),
                    QObject::tr("Open the model itself instead.").toStdString());
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
    workspace.setup.data = strings(setup.value("data"_L1));
    for (const auto& [key, member] : kSetupTexts)
        workspace.setup.*member = setup.value(QLatin1String(key)).toString();
    workspace.setup.isConservative = setup.value("conservative"_L1).toBool();
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
    workspace.controls.threads = std::clamp(controls.value("threads"_L1).toInt(workspace.controls.threads), 1, kMostThreads);
    const QJsonArray plans = root.value("plans"_L1).toArray();
    for (const QJsonValue& item : plans) {
        POET_TRY(plan, planFromJson(item.toObject(), path));
        workspace.plans.push_back(plan);
    }
    const QJsonObject names = root.value("plan_names"_L1).toObject();
    for (auto name = names.begin(); name != names.end(); ++name)
        workspace.planNames.insert(name.key(), name.value().toString());
    workspace.view = viewFromJson(root.value("view"_L1).toObject());
    return workspace;
}

std::vector<PlanPtr> replayPlans(const Workspace& workspace, const Problem& problem)
{
    std::vector<PlanPtr> replayed;
    if (workspace.problemHash != problem.hash)
        return replayed;
    for (const PlanPtr& claimed : workspace.plans) {
        auto report = replay(*problem.graph, problem.graph->device.transfer, claimed->replay.schedule);
        if (!report)
            continue;
        auto plan = std::make_shared<Plan>(*claimed);
        plan->transfer = problem.graph->device.transfer;
        plan->keepAllEnergyJoules = problem.keepAll->replay.energyJoules;
        plan->keepAllSeconds = problem.keepAll->replay.seconds;
        plan->keepAllPeakBytes = problem.keepAllPeakBytes;
        plan->largestWorkingSetBytes = problem.wallBytes;
        plan->replay = std::move(*report);
        replayed.push_back(std::move(plan));
    }
    return replayed;
}

}  // namespace poet

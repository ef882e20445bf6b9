// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/document_loader.h"

#include "core/base/files.h"
#include "core/export/plan_file.h"
#include "core/training/build.h"
#include "widgets/document/beside.h"
#include "widgets/style/text.h"

#include <QFileInfo>

namespace poet {

namespace {

using namespace Qt::StringLiterals;

bool isSchedule(std::string_view json) { return json.substr(0, 400).find("\"poet-schedule\"") != std::string_view::npos; }

Expected<ProblemPtr> loadJson(const QString& path, const ModelSetup& setup, PlanPtr* plan)
{
    const QString title = QFileInfo(path).fileName();
    POET_TRY(content, readFile(path.toStdString()));
    if (isSchedule(content)) {
        POET_TRY(file, parsePlanFile(content, path.toStdString()));
        auto result = makeProblem(std::move(file.graph), nullptr, title, path, setup, text::from(file.plan.source.device));
        if (result && plan)
            *plan = std::make_shared<const Plan>(std::move(file.plan));
        return result;
    }
    POET_TRY(graph, parseCostGraph(content, path.toStdString()));
    return makeProblem(std::move(graph), nullptr, title, path, setup, {});
}

}  // namespace

DocumentLoader::DocumentLoader(ModelReaders readers, QObject* parent)
    : QObject(parent), m_readers(std::move(readers))
{
}

Expected<ProblemPtr> DocumentLoader::load(const ModelReaders& readers, const QString& path, const ModelSetup& setup, PlanPtr* plan,
                                          const std::function<void(QString)>& stage)
{
    const QFileInfo info(path);
    if (!info.exists())
        return fail(ErrorCode::FileNotFound, "The file " + path.toStdString() + " does not exist.", "Choose another file.");
    stage(tr("Reading %1\u2026").arg(info.fileName()));
    if (info.suffix().compare("json"_L1, Qt::CaseInsensitive) == 0)
        return loadJson(path, setup, plan);
    if (!readers.importModel || !readers.buildCosts)
        return fail(ErrorCode::BadModel, "This program can only read cost graphs (.json), and " + path.toStdString() + " is none.",
                    "Open a cost graph.");
    POET_TRY(training, readers.importModel(path, setup));
    stage(tr("Costs of %1 on the device\u2026").arg(info.fileName()));
    QString deviceName;
    POET_TRY(graph, readers.buildCosts(*training, setup, deviceName));
    WholeModel whole;
    if (!training->freeze.empty()) {
        POET_TRY(unfrozen, withNothingFrozen(*training));
        QString sameName;
        POET_TRY(costs, readers.buildCosts(unfrozen, setup, sameName));
        whole = {std::make_shared<const TrainingGraph>(std::move(unfrozen)), std::make_shared<const CostGraph>(std::move(costs))};
    }
    return makeProblem(std::move(graph), training, info.fileName(), path, setup, deviceName, readers.deviceRam ? readers.deviceRam(setup.device) : 0, whole);
}

void DocumentLoader::run(const QString& path, std::function<Expected<Answer>(const Stage&)> read)
{
    const quint64 generation = ++m_generation;
    m_isLoading = true;
    Q_EMIT stageChanged(tr("Reading %1\u2026").arg(QFileInfo(path).fileName()));
    const Stage stage = [self = QPointer<DocumentLoader>(this), generation](const QString& text) {
        QMetaObject::invokeMethod(
            qApp,
            [self, generation, text] {
                if (self && self->m_generation == generation)
                    Q_EMIT self->stageChanged(text);
            },
            Qt::QueuedConnection);
    };
    runBeside(this, [stage, read = std::move(read)] { return read(stage); },
              [this, generation, path](const Expected<Answer>& answer) {
                  if (m_generation != generation)
                      return;
                  m_isLoading = false;
                  Q_EMIT stageChanged({});
                  if (answer)
                      (*answer)(*this);
                  else
                      Q_EMIT failed(path, answer.error());
              });
}

void DocumentLoader::open(const QString& path, const ModelSetup& setup)
{
    run(path, [readers = m_readers, path, setup](const Stage& stage) -> Expected<Answer> {
        PlanPtr plan;
        POET_TRY(problem, load(readers, path, setup, &plan, stage));
        return Answer([problem, plan](DocumentLoader& loader) { Q_EMIT loader.loaded(problem, plan); });
    });
}

void DocumentLoader::openWorkspace(const QString& path)
{
    run(path, [readers = m_readers, path](const Stage& stage) -> Expected<Answer> {
        POET_TRY(read, readWorkspace(path));
        if (!QFileInfo::exists(read.modelPath))
            return fail(ErrorCode::FileNotFound, tr("The project's model %1 is missing.").arg(read.modelPath).toStdString(),
                        tr("Put it back, or open the model itself.").toStdString());
        POET_TRY(problem, load(readers, read.modelPath, read.setup, nullptr, stage));
        auto workspace = std::make_shared<Workspace>(std::move(read));
        const std::size_t stored = workspace->plans.size();
        workspace->plans = replayPlans(*workspace, *problem);
        const int refused = static_cast<int>(stored - workspace->plans.size());
        return Answer([path, problem, workspace, refused](DocumentLoader& loader) { Q_EMIT loader.workspaceLoaded(path, problem, workspace, refused); });
    });
}

void DocumentLoader::cancel()
{
    ++m_generation;
    m_isLoading = false;
    Q_EMIT stageChanged({});
}

}  // namespace poet

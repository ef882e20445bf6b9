// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/dag/dag_view.h"
#include "widgets/document/autosave.h"
#include "widgets/document/beside.h"
#include "widgets/document/workspace.h"
#include "widgets/style/text.h"
#include "widgets/timeline/timeline_view.h"
#include "widgets/window/main_window.h"
#include "widgets/window/message_bar.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>

#include <utility>

/// Projects of MainWindow: saved by the user, and by itself for the case of a crash.
namespace poet {

using namespace Qt::StringLiterals;

void MainWindow::saveWorkspace(bool asksForName)
{
    if (!m_state->problem()) {
        m_messages->show(MessageBar::Kind::Note, tr("There is nothing to save: no model is open."), {});
        return;
    }
    QString path = m_workspacePath;
    if (path.isEmpty() || asksForName)
        path = QFileDialog::getSaveFileName(this, tr("Save project"), QFileInfo(m_state->problem()->path).absolutePath() + u'/' + QFileInfo(m_state->problem()->title).completeBaseName() + u".poet.json"_s,
                                            tr("Projects (*.poet.json)"));
    if (path.isEmpty())
        return;
    if (!isWorkspacePath(path))
        path += u".poet.json"_s;
    writeProject(path, [this, path, problem = m_state->problem()](const Expected<void>& result) {
        if (result) {
            if (problem == m_state->problem())
                m_workspacePath = path;
            remember(path);
        }
        report(result, path);
    });
}

void MainWindow::writeProject(const QString& path, WhenWritten then)
{
    runBeside(this, [make = workspaceMaker(), path] { return writeWorkspace(path, make()); }, std::move(then));
}

WorkspaceMaker MainWindow::workspaceMaker() const
{
    Workspace workspace;
    workspace.modelPath = m_state->problem()->path;
    workspace.problemHash = m_state->problem()->hash;
    workspace.setup = m_state->problem()->setup;
    workspace.controls = m_state->controls();
    workspace.planNames = m_state->planNames();
    workspace.view = {QStringList(m_dag->collapsedBlocks().begin(), m_dag->collapsedBlocks().end()),
                      m_coloring->currentIndex(),
                      m_dag->isHorizontal(),
                      m_timeline->unit() == TimelineUnit::Steps,
                      m_memoryForm->checkedId(),
                      m_paretoAxis->currentIndex(),
                      m_timeline->laneSettings(),
                      saveState(kStateVersion)};
    return [workspace, problem = m_state->problem(), cache = m_state->cache().only(*m_state->problem())] {
        Workspace whole = workspace;
        for (const PlanPtr& plan : cache.plans(*problem))
            whole.plans.push_back(withProof(cache, *problem, plan, whole.controls.gap));
        return whole;
    };
}

void MainWindow::showWorkspace(const QString& path, ProblemPtr problem, std::shared_ptr<const Workspace> workspace, int refused)
{
    if (m_leftovers.contains(path)) {
        m_workspacePath.clear();  // saving asks for a name: this file is not the user's
        Autosave::discard(std::exchange(m_leftovers, {}));
    } else if (m_autosave && path == m_autosave->keptPath()) {
        sessionShown();
    } else {
        m_workspacePath = path;
        remember(path);
    }
    m_isGraphShown = false;
    for (const PlanPtr& plan : workspace->plans)
        m_state->cache().insert(*problem, plan);
    m_state->setProblem(std::move(problem), false);
    m_state->setControlsDirectly(workspace->controls);
    m_state->setPlanNames(workspace->planNames);
    m_state->cacheGrew();
    showOperatingPoints();
    showView(workspace->view);
    if (refused > 0)
        m_messages->show(MessageBar::Kind::Note, tr("The model has changed since the project was saved; stored schedules not used: %1.").arg(refused), {});
    Q_EMIT documentShown();
}

void MainWindow::showView(const WorkspaceView& view)
{
    m_dag->setCollapsedBlocks(QSet<QString>(view.collapsed.begin(), view.collapsed.end()));
    m_dag->setHorizontal(view.isHorizontal);
    setColoring(view.coloring);
    m_timelineUnit->button(view.isInSteps ? 1 : 0)->click();
    m_memoryForm->button(view.memoryForm)->click();
    m_timeline->applyLaneSettings(view.lanes);
    showParetoView(view.paretoAxis);
    if (!view.docks.isEmpty())
        restoreState(view.docks, kStateVersion);
}

void MainWindow::startAutosave(const QString& folder)
{
    if (folder.isEmpty())
        return;
    m_autosave = new Autosave(folder, this);
    connect(m_state, &DocumentState::changed, this, [this](DocumentState::Aspects aspects) {
        const bool isWorthIt = m_state->problem() && !m_state->problem()->path.isEmpty() && !m_beforeLesson;
        if (isWorthIt && aspects & (DocumentState::ProblemAspect | DocumentState::ControlsAspect | DocumentState::CacheAspect))
            m_autosave->schedule([this] { return workspaceMaker(); });
    });
}

void MainWindow::offerRestore()
{
    m_leftovers = m_autosave ? m_autosave->leftovers() : QStringList();
    if (m_leftovers.isEmpty())
        return;
    const QString path = m_leftovers.front();
    const auto workspace = readWorkspace(path);
    if (!workspace || !QFileInfo::exists(workspace->modelPath)) {
        Autosave::discard(std::exchange(m_leftovers, {}));
        return;
    }
    m_messages->show(MessageBar::Kind::Note, tr("The last session ended unexpectedly; %1 was open.").arg(QFileInfo(workspace->modelPath).fileName()), {},
                     tr("Restore"), [this, path] { openFile(path); });
}

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/dag/dag_view.h"
#include "widgets/document/autosave.h"
#include "widgets/document/workspace.h"
#include "widgets/style/text.h"
#include "widgets/window/main_window.h"
#include "widgets/window/message_bar.h"

#include <QFileDialog>
#include <QFileInfo>

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
    const auto result = writeWorkspace(path, currentWorkspace());
    if (result) {
        m_workspacePath = path;
        remember(path);
    }
    report(result, path);
}

Workspace MainWindow::currentWorkspace() const
{
    Workspace workspace;
    workspace.modelPath = m_state->problem()->path;
    workspace.problemHash = m_state->problem()->hash;
    workspace.setup = m_state->problem()->setup;
    workspace.controls = m_state->controls();
    workspace.plans = m_state->cache().plans(*m_state->problem());
    workspace.collapsed = QStringList(m_dag->collapsedBlocks().begin(), m_dag->collapsedBlocks().end());
    workspace.coloring = m_coloring->currentIndex();
    return workspace;
}

void MainWindow::openWorkspace(const QString& path)
{
    auto workspace = readWorkspace(path);
    if (!workspace) {
        openFailed(path, workspace.error());
        return;
    }
    if (!QFileInfo::exists(workspace->modelPath)) {
        m_messages->show(MessageBar::Kind::Problem, tr("The project's model %1 is missing.").arg(workspace->modelPath), tr("Put it back, or open the model itself."));
        return;
    }
    m_pendingWorkspace = std::make_unique<Workspace>(std::move(*workspace));
    m_workspacePath = path;
    m_loader->open(m_pendingWorkspace->modelPath, m_pendingWorkspace->setup);
}

void MainWindow::applyWorkspace()
{
    const std::unique_ptr<Workspace> workspace = std::move(m_pendingWorkspace);
    const int refused = adoptPlans(*workspace, *m_state->problem(), m_state->cache());
    m_state->setControlsDirectly(workspace->controls);
    m_state->cacheGrew();
    m_dag->setCollapsedBlocks(QSet<QString>(workspace->collapsed.begin(), workspace->collapsed.end()));
    setColoring(workspace->coloring);
    if (refused > 0)
        m_messages->show(MessageBar::Kind::Note, tr("The model has changed since the project was saved; stored schedules not used: %1.").arg(refused), {});
}

void MainWindow::startAutosave(const QString& folder)
{
    if (folder.isEmpty())
        return;
    m_autosave = new Autosave(folder, this);
    connect(m_state, &DocumentState::changed, this, [this](DocumentState::Aspects aspects) {
        const bool isWorthIt = m_state->problem() && !m_state->problem()->path.isEmpty();
        if (isWorthIt && aspects & (DocumentState::ProblemAspect | DocumentState::ControlsAspect | DocumentState::CacheAspect))
            m_autosave->schedule([this] { return currentWorkspace(); });
    });
}

void MainWindow::offerRestore()
{
    const QStringList left = m_autosave ? m_autosave->leftovers() : QStringList();
    if (left.isEmpty())
        return;
    const QString path = left.front();
    const auto workspace = readWorkspace(path);
    if (!workspace || !QFileInfo::exists(workspace->modelPath)) {
        Autosave::discard(left);
        return;
    }
    m_messages->show(MessageBar::Kind::Note, tr("The last session ended unexpectedly; %1 was open.").arg(QFileInfo(workspace->modelPath).fileName()), {},
                     tr("Restore"), [this, path, left] {
                         openWorkspace(path);
                         m_workspacePath.clear();  // saving asks for a name: this file is not the user's
                         Autosave::discard(left);
                     });
}

}  // namespace poet

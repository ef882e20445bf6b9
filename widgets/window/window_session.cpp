// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/autosave.h"
#include "widgets/document/solve_controller.h"
#include "widgets/document/sweep_controller.h"
#include "widgets/style/text.h"
#include "widgets/window/main_window.h"
#include "widgets/window/message_bar.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QMessageBox>
#include <QSettings>

/// What MainWindow leaves at its end for the next start, so that no plan is lost and nobody has to be asked.
namespace poet {

using namespace Qt::StringLiterals;

/// What runs ends, what was borrowed goes back, the arrangement is kept.
void MainWindow::settleDown()
{
    m_solver->stop();
    m_sweep->cancel();
    endLesson();
    saveSettings();
}

/// Errors: FileNotFound when it cannot be written.
Expected<void> MainWindow::keepOpen()
{
    if (!m_autosave)
        return {};
    const ProblemPtr& problem = m_state->problem();
    if (!problem || problem->path.isEmpty()) {
        m_autosave->keepNothing();
        return {};
    }
    QSettings settings;
    settings.setValue(u"session/model"_s, problem->path);
    settings.setValue(u"session/project"_s, m_workspacePath);
    return m_autosave->keep(workspaceMaker()());
}

void MainWindow::quitUnasked()
{
    settleDown();
    // When it cannot be kept, what was saved for the case of a crash stays and is offered.
    if (!keepOpen() && m_autosave)
        m_autosave->leaveBehind();
    QCoreApplication::exit(0);
}

bool MainWindow::keepSession()
{
    const auto kept = keepOpen();
    if (kept)
        return true;
    const auto answer = QMessageBox::warning(this, tr("Plans would be lost"),
                                             tr("What is open cannot be kept for the next start: %1\nQuit all the same?").arg(text::from(kept.error().text())),
                                             QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Cancel);
    return answer == QMessageBox::Discard;
}

bool MainWindow::restoreSession(const QString& model)
{
    const QSettings settings;
    if (!m_autosave || !settings.value(u"restoreSession"_s, true).toBool() || !QFileInfo::exists(m_autosave->keptPath()))
        return false;
    if (!m_autosave->leftovers().isEmpty())
        return false;  // a crash since then: what it left is newer, and is offered
    const QString known = settings.value(u"session/model"_s).toString();
    if (!QFileInfo::exists(known) || (!model.isEmpty() && QFileInfo(model).canonicalFilePath() != QFileInfo(known).canonicalFilePath()))
        return false;
    openFile(m_autosave->keptPath());
    return true;
}

/// The file is not the user's: saving goes to the project that was open, or asks for a name.
void MainWindow::sessionShown()
{
    m_workspacePath = QSettings().value(u"session/project"_s).toString();
    m_messages->show(MessageBar::Kind::Note, tr("As at the end of the last session, with all its plans."), {}, tr("Close it"), [this] { closeModel(); });
}

void MainWindow::closeModel()
{
    if (m_beforeLesson) {  // what is open is the lesson's; the user's own comes back
        endLesson();
        return;
    }
    m_solver->stop();
    m_sweep->cancel();
    m_messages->dismiss();
    m_workspacePath.clear();
    m_state->setProblem(nullptr);
    showOperatingPoints();
}

}  // namespace poet

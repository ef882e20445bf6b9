// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/model_panel.h"
#include "widgets/document/solve_controller.h"
#include "widgets/style/text.h"
#include "widgets/teaching/lesson_panel.h"
#include "widgets/window/main_window.h"
#include "widgets/window/message_bar.h"

#include <QDockWidget>
#include <QFileInfo>

/// Lessons: the window does what each page asks for.
namespace poet {

using namespace Qt::StringLiterals;

void MainWindow::startLesson(int index)
{
    const std::vector<Lesson>& lessons = shippedLessons();
    if (index < 0 || static_cast<std::size_t>(index) >= lessons.size())
        return;
    for (QDockWidget* dock : std::as_const(m_docks))
        if (dock->widget() == m_lessons) {
            dock->show();
            dock->raise();
        }
    m_lessons->start(lessons[static_cast<std::size_t>(index)]);
}

void MainWindow::runLessonStep(const LessonStep& step)
{
    for (QDockWidget* dock : std::as_const(m_docks))
        if (!step.dock.isEmpty() && dock->objectName() == step.dock) {
            dock->show();
            dock->raise();
        }
    m_lessonStep = std::make_unique<LessonStep>(step);
    if (step.model.isEmpty()) {
        applyLessonLimits();
        return;
    }
    // The examples' folder is that of the examples on the start page.
    const QString folder = m_exampleList.empty() ? QString() : QFileInfo(m_exampleList.front().path).absolutePath();
    const QString path = folder + u'/' + step.model;
    if (folder.isEmpty() || !QFileInfo::exists(path)) {
        m_messages->show(MessageBar::Kind::Problem, tr("The lesson's example %1 is not installed.").arg(step.model), tr("Install the examples."));
        return;
    }
    ModelSetup setup;
    setup.device = step.device;
    if (const auto transfer = transferModelFromName(step.transfer.toStdString()))
        setup.transfer = *transfer;
    m_isSetupChange = false;
    m_state->dropRequest();
    m_loader->open(path, setup);
}

void MainWindow::applyLessonLimits()
{
    const std::unique_ptr<LessonStep> step = std::move(m_lessonStep);
    const ProblemPtr& problem = m_state->problem();
    if (!step || !problem)
        return;
    Controls controls = m_state->controls();
    if (const auto memory = parseMemory(step->memory.toStdString()); memory && !step->memory.isEmpty())
        controls.query.memoryBytes = memory->bytes(problem->wallBytes, problem->keepAllPeakBytes);
    if (step->deadline == "none"_L1)
        controls.query.deadlineSeconds.reset();
    else if (!step->deadline.isEmpty())
        if (const auto deadline = parseDeadline(step->deadline.toStdString()))
            controls.query.deadlineSeconds = deadline->seconds(problem->keepAll->replay.seconds);
    if (const auto strategy = strategyFromName(step->strategy.toStdString()))
        controls.query.strategy = *strategy;
    m_state->editControls(controls, tr("lesson"));
    m_solver->solveNow();
}

}  // namespace poet

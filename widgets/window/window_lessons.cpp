// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/model_panel.h"
#include "widgets/dag/dag_view.h"
#include "widgets/document/solve_controller.h"
#include "widgets/style/text.h"
#include "widgets/teaching/lesson_panel.h"
#include "widgets/window/main_window.h"
#include "widgets/window/message_bar.h"

#include <QDockWidget>
#include <QFileInfo>

#include <utility>

/// Lessons: the window does what each page asks for, and afterwards shows again what it had shown before.
namespace poet {

using namespace Qt::StringLiterals;

namespace {

/// The limits that a page asks for, on the problem that it asks for; what it does not name stays.
Controls lessonControls(const LessonStep& step, const Problem& problem, Controls controls)
{
    if (const auto memory = parseMemory(step.memory.toStdString()); memory && !step.memory.isEmpty())
        controls.query.memoryBytes = memory->bytes(problem.wallBytes, problem.keepAllPeakBytes);
    if (step.deadline == "none"_L1)
        controls.query.deadlineSeconds.reset();
    else if (!step.deadline.isEmpty())
        if (const auto deadline = parseDeadline(step.deadline.toStdString()))
            controls.query.deadlineSeconds = deadline->seconds(problem.keepAll->replay.seconds);
    if (const auto strategy = strategyFromName(step.strategy.toStdString()))
        controls.query.strategy = *strategy;
    return controls;
}

}  // namespace

void MainWindow::startLesson(int index)
{
    const std::vector<Lesson>& lessons = shippedLessons();
    if (index < 0 || static_cast<std::size_t>(index) >= lessons.size())
        return;
    if (!m_beforeLesson) {
        m_beforeLesson = BeforeLesson{m_state->snapshot(), m_modelPanel->setup(), saveState(kStateVersion), m_dag->collapsedBlocks(), m_workspacePath};
        m_workspacePath.clear();  // saving a lesson asks for a name
    }
    raiseDock(u"lessonDock"_s);
    // A page is to be read without scrolling; the end puts the docks back.
    if (auto* dock = qobject_cast<QDockWidget*>(m_lessons->parentWidget()); dock && !dock->isFloating())
        resizeDocks({m_docks.front(), dock}, {height() / 5, height() / 2}, Qt::Vertical);
    m_lessons->start(lessons[static_cast<std::size_t>(index)]);
}

void MainWindow::runLessonStep(const LessonStep& step)
{
    raiseDock(step.dock);
    m_lessonStep.reset();
    if (step.model.isEmpty()) {
        if (m_state->problem()) {
            m_state->editControls(lessonControls(step, *m_state->problem(), m_state->controls()), tr("lesson"));
            m_solver->solveNow();
        }
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
    m_lessonStep = std::make_unique<LessonStep>(step);
    m_loader->open(path, setup);
}

void MainWindow::showLessonProblem(ProblemPtr problem)
{
    const std::unique_ptr<LessonStep> step = std::move(m_lessonStep);
    m_isGraphShown = false;
    DocumentSnapshot lesson;
    Controls plain = m_state->controls();
    plain.query.deadlineSeconds.reset();  // that of another model
    plain.job.reset();
    lesson.controls = lessonControls(*step, *problem, plain);
    lesson.problem = std::move(problem);
    m_state->replaceDocument(lesson, tr("lesson"));
    showOperatingPoints();
    m_solver->solveNow();
    Q_EMIT documentShown();
}

/// Closing the lesson's dock is leaving the lesson; that it is only behind another tab is not.
bool MainWindow::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Close && watched->objectName() == "lessonDock"_L1)
        QMetaObject::invokeMethod(this, &MainWindow::endLesson, Qt::QueuedConnection);
    return QMainWindow::eventFilter(watched, event);
}

void MainWindow::endLesson()
{
    if (!m_beforeLesson)
        return;
    const BeforeLesson before = *std::exchange(m_beforeLesson, std::nullopt);
    if (std::exchange(m_lessonStep, nullptr))
        m_loader->cancel();
    m_lessons->clear();
    m_state->replaceDocument(before.document, tr("end of the lesson"));
    m_modelPanel->showSetup(before.setup);
    m_dag->setCollapsedBlocks(before.collapsed);
    restoreState(before.docks, kStateVersion);
    m_workspacePath = before.workspacePath;
    showOperatingPoints();
}

}  // namespace poet

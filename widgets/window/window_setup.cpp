// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/constraints_panel.h"
#include "widgets/controls/model_panel.h"
#include "widgets/controls/overhead_finder.h"
#include "widgets/dag/dag_view.h"
#include "widgets/device/device_editor.h"
#include "widgets/document/point_chooser.h"
#include "widgets/document/solve_controller.h"
#include "widgets/document/undo.h"
#include "widgets/document/worker_protocol.h"
#include "widgets/style/text.h"
#include "widgets/teaching/lesson.h"
#include "widgets/window/action_registry.h"
#include "widgets/window/main_window.h"
#include "widgets/window/message_bar.h"
#include "widgets/window/preferences_dialog.h"

#include <QComboBox>
#include <QDoubleSpinBox>

/// How the open model's setup and the views' settings change, and how undo takes that back.
namespace poet {

void MainWindow::connectSetup()
{
    connect(m_modelPanel, &ModelPanel::setupEdited, this, &MainWindow::changeSetup);
    connect(m_modelPanel, &ModelPanel::blockActivated, m_dag, &DagView::toggleBlock);
    connect(m_modelPanel, &ModelPanel::deviceEditAsked, this, &MainWindow::editDevice);
    connect(m_state, &DocumentState::setupWanted, this, &MainWindow::changeSetup);
    connect(m_state, &DocumentState::setupNotWanted, this, [this] {
        m_isSetupChange = false;
        m_loader->cancel();
    });
    connect(m_constraints, &ConstraintsPanel::operatingPointChosen, this, [this](const QString& point) {
        if (point == QLatin1String(ConstraintsPanel::kBestPoint))
            findBestPoint({});
        else if (point == QLatin1String(ConstraintsPanel::kBestPointForOverhead))
            findBestPoint(m_constraints->overheadFinder()->percentBox()->value());
        else
            takeOperatingPoint(point);
    });
    connect(m_dag, &DagView::collapseEdited, this, [this](const QSet<QString>& before, const QSet<QString>& after) {
        m_state->undoStack().push(
            new SettingCommand<QSet<QString>>(tr("blocks"), before, after, [this](const QSet<QString>& blocks) { m_dag->setCollapsedBlocks(blocks); }));
    });
}

void MainWindow::changeSetup(const ModelSetup& setup)
{
    if (!m_state->problem())
        return;
    m_isSetupChange = true;
    m_lessonStep.reset();
    m_loader->open(m_state->problem()->path, setup);
}

void MainWindow::takeOperatingPoint(const QString& point)
{
    if (!m_state->problem())
        return;
    ModelSetup setup = m_state->problem()->setup;
    setup.operatingPoint = point;
    changeSetup(setup);
}

void MainWindow::takePointChoice(const PointChoice& choice)
{
    const QString memory = text::bytesApart(choice.memoryBytes, {choice.boundBytes});
    if (choice.memoryBytes <= 0)
        m_messages->show(MessageBar::Kind::Note, tr("%1 needs least energy under these limits (%2).").arg(choice.point, choice.report), {});
    else if (choice.boundBytes >= choice.memoryBytes)
        m_messages->show(MessageBar::Kind::Note, tr("%2 at %1 is the smallest memory of all operating points: proven (%3).").arg(choice.point, memory, choice.report), {});
    else
        m_messages->show(MessageBar::Kind::Note, tr("%2 at %1 is enough; less than %4 is proven not to be at any operating point (%3).")
                                                     .arg(choice.point, memory, choice.report, text::bytesApart(choice.boundBytes, {choice.memoryBytes})), {});
    if (choice.memoryBytes > 0) {
        Controls controls = m_state->controls();
        controls.query.memoryBytes = choice.memoryBytes;
        m_state->editControls(controls, tr("memory"), 0);
    }
    takeOperatingPoint(choice.point);
}

void MainWindow::findBestPoint(std::optional<double> overheadPercent)
{
    if (!m_state->problem())
        return;
    if (!m_points) {
        m_points = new PointChooser(findWorkerProgram(), this);
        connect(m_points, &PointChooser::chosen, this, &MainWindow::takePointChoice);
        connect(m_points, &PointChooser::failed, this, [this](const QString& message) {
            showOperatingPoints();
            m_messages->show(MessageBar::Kind::Problem, message, {});
        });
        // Its answer would be for another question.
        connect(m_state, &DocumentState::questionChanged, m_points, &PointChooser::cancel);
    }
    m_points->ask(*m_state->problem(), m_state->controls(), overheadPercent);
    m_messages->show(MessageBar::Kind::Note, tr("Solving at every operating point\u2026"), {}, tr("Cancel"), [this] {
        m_points->cancel();
        showOperatingPoints();
    });
}

void MainWindow::showOperatingPoints()
{
    const ProblemPtr& problem = m_state->problem();
    const auto& list = m_loader->readers().operatingPoints;
    const bool hasPoints = problem && problem->hasTraining && list;
    m_constraints->setOperatingPoints(hasPoints ? list(problem->setup.device) : QList<OperatingPointEntry>(), hasPoints ? problem->setup.operatingPoint : QString());
}

void MainWindow::editDevice()
{
    const QString device = m_modelPanel->device();
    if (device.isEmpty()) {
        m_messages->show(MessageBar::Kind::Note, tr("No device is chosen: a cost graph carries its own costs."), {});
        return;
    }
    if (!m_deviceEditor) {
        m_deviceEditor = new DeviceEditor(*m_state, this);
        m_deviceEditor->setDevices(m_loader->readers().devices ? m_loader->readers().devices() : QList<DeviceEntry>());
        connect(m_deviceEditor, &DeviceEditor::deviceSaved, this, [this](const QString& file) { openFile(file); });
    }
    if (!m_deviceEditor->isVisible())
        if (const auto done = m_deviceEditor->edit(device); !done) {
            m_messages->show(MessageBar::Kind::Problem, text::from(done.error().message), text::from(done.error().hint));
            return;
        }
    m_deviceEditor->show();
    m_deviceEditor->raise();
}

void MainWindow::editPreferences()
{
    PreferencesDialog dialog(this);
    connect(&dialog, &PreferencesDialog::themeChosen, this, &MainWindow::setTheme);
    connect(&dialog, &PreferencesDialog::wheelZoomsChosen, m_actions->action(QStringLiteral("view.wheel")), &QAction::setChecked);
    connect(&dialog, &PreferencesDialog::automaticChosen, this, [this](bool isAutomatic) { m_solver->setAutomatic(isAutomatic); });
    dialog.exec();
}

void MainWindow::setColoring(int index)
{
    m_coloring->setCurrentIndex(index);
    m_dag->setColoring(static_cast<DagColoring>(index));
}

}  // namespace poet

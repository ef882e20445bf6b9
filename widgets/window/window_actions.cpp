// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/constraints_panel.h"
#include "widgets/controls/overhead_finder.h"
#include "widgets/dag/dag_view.h"
#include "widgets/document/solve_controller.h"
#include "widgets/document/sweep_controller.h"
#include "widgets/document/undo.h"
#include "widgets/help/manual_window.h"
#include "widgets/inspector/search_field.h"
#include "widgets/style/colors.h"
#include "widgets/teaching/lesson_panel.h"
#include "widgets/teaching/step_bar.h"
#include "widgets/timeline/timeline_view.h"
#include "widgets/window/action_registry.h"
#include "widgets/window/command_palette.h"
#include "widgets/window/main_window.h"
#include "widgets/window/message_bar.h"

#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QSettings>
#include <QStackedWidget>
#include <QStyle>
#include <QToolBar>
#include <QWhatsThis>

#include <algorithm>
#include <tuple>

/// Every action of MainWindow: made here, next to its keys (gui.md section 8).
namespace poet {

using namespace Qt::StringLiterals;

void MainWindow::buildActions()
{
    buildFileActions();
    buildEditActions();
    buildViewActions();
    buildScheduleActions();
    buildGraphActions();
    buildTimelineActions();
    buildHelpActions();
    buildMenus();
    buildToolBar();
}

void MainWindow::buildFileActions()
{
    m_actions->add(u"file.open"_s, tr("File"), tr("&Open\u2026"), {QKeySequence(u"Ctrl+O"_s)}, [this] { openDialog(); });
    m_actions->add(u"file.openDevice"_s, tr("File"), tr("Open &device profile\u2026"), {QKeySequence(u"Ctrl+Shift+O"_s)}, [this] { openDeviceDialog(); });
    m_actions->add(u"file.save"_s, tr("File"), tr("&Save project"), {QKeySequence(u"Ctrl+S"_s)}, [this] { saveWorkspace(false); });
    m_actions->add(u"file.saveAs"_s, tr("File"), tr("Save project &as\u2026"), {QKeySequence(u"Ctrl+Shift+S"_s)}, [this] { saveWorkspace(true); });
    m_actions->add(u"file.export"_s, tr("File"), tr("&Export schedule\u2026"), {QKeySequence(u"Ctrl+E"_s)}, [this] { exportSchedule(); });
    m_actions->add(u"file.exportView"_s, tr("File"), tr("Export this &view\u2026"), {QKeySequence(u"Ctrl+Shift+E"_s)}, [this] { exportPicture(focusedPicture()); });
    m_actions->add(u"file.report"_s, tr("File"), tr("Export &report (PDF)\u2026"), {}, [this] { exportReport(); });
    m_actions->add(u"file.exportEvents"_s, tr("File"), tr("Export event &table\u2026"), {}, [this] { exportTable(false); });
    m_actions->add(u"file.exportPareto"_s, tr("File"), tr("Export &Pareto table\u2026"), {}, [this] { exportTable(true); });
    m_actions->add(u"file.close"_s, tr("File"), tr("&Close model"), {QKeySequence(u"Ctrl+W"_s)}, [this] { closeModel(); });
    const QStringList views{tr("&Graph\u2026"), tr("&Timeline\u2026"), tr("&Pareto curve\u2026"), tr("&Heat map\u2026"), tr("&Side by side\u2026"), tr("&Recompute or page\u2026"), tr("S&ummary\u2026"),
                            tr("&Events\u2026"), tr("&Comparison\u2026"), tr("P&lans\u2026"), tr("Rep&ort\u2026")};
    for (int i = 0; i < views.size(); ++i)  // in the order of exportableViews()
        m_actions->add(u"export.view%1"_s.arg(i + 1), tr("Export view"), views[i], {}, [this, i] { exportPicture(picture(static_cast<std::size_t>(i))); });
    m_actions->add(u"file.quit"_s, tr("File"), tr("&Quit"), {QKeySequence(u"Ctrl+Q"_s)}, [this] { close(); });
}

void MainWindow::buildEditActions()
{
    QAction* undo = m_actions->add(u"edit.undo"_s, tr("Edit"), tr("&Undo"), {QKeySequence(u"Ctrl+Z"_s)}, [this] { m_state->undoStack().undo(); });
    QAction* redo = m_actions->add(u"edit.redo"_s, tr("Edit"), tr("&Redo"), {QKeySequence(u"Ctrl+Shift+Z"_s)}, [this] { m_state->undoStack().redo(); });
    undo->setEnabled(false);
    redo->setEnabled(false);
    connect(&m_state->undoStack(), &QUndoStack::canUndoChanged, undo, &QAction::setEnabled);
    connect(&m_state->undoStack(), &QUndoStack::canRedoChanged, redo, &QAction::setEnabled);
    connect(&m_state->undoStack(), &QUndoStack::undoTextChanged, undo, [undo](const QString& what) {
        undo->setText(what.isEmpty() ? tr("&Undo") : tr("&Undo %1").arg(what));
    });
    m_actions->add(u"edit.copy"_s, tr("Edit"), tr("&Copy this view"), {QKeySequence(u"Ctrl+C"_s)}, [this] { copyView(); });
    m_actions->add(u"edit.find"_s, tr("Edit"), tr("&Find node or tensor"), {QKeySequence(u"Ctrl+F"_s)}, [this] {
        m_search->setFocus();
        m_search->selectAll();
    });
    m_actions->add(u"edit.findNext"_s, tr("Edit"), tr("Find &next"), {QKeySequence(u"F3"_s)}, [this] { m_search->next(1); });
    m_actions->add(u"edit.findPrevious"_s, tr("Edit"), tr("Find &previous"), {QKeySequence(u"Shift+F3"_s)}, [this] { m_search->next(-1); });
    m_actions->add(u"edit.preferences"_s, tr("Edit"), tr("&Preferences\u2026"), {QKeySequence(u"Ctrl+,"_s)}, [this] { editPreferences(); });
    m_actions->add(u"go.back"_s, tr("Edit"), tr("&Back"), {QKeySequence(u"Alt+Left"_s)}, [this] { m_state->goBack(); });
    m_actions->add(u"go.forward"_s, tr("Edit"), tr("&Forward"), {QKeySequence(u"Alt+Right"_s)}, [this] { m_state->goForward(); });
}

void MainWindow::buildViewActions()
{
    for (int i = 0; i < m_docks.size(); ++i) {
        QDockWidget* dock = m_docks[i];
        const QList<QKeySequence> keys = i < 9 ? QList<QKeySequence>{QKeySequence(u"Alt+%1"_s.arg(i + 1))} : QList<QKeySequence>{};
        m_actions->add(u"view.dock%1"_s.arg(i + 1), tr("View"), tr("Show %1").arg(dock->windowTitle()), keys, [dock] {
            // Behind another tab counts as hidden: bring it to front.
            const bool isInFront = dock->isVisible() && !dock->visibleRegion().isEmpty();
            dock->setVisible(!isInFront);
            if (!isInFront)
                dock->raise();
        });
    }
    m_actions->add(u"view.reset"_s, tr("View"), tr("&Reset layout"), {}, [this] { resetLayout(); });
    m_actions->add(u"view.nextPane"_s, tr("View"), tr("&Next pane"), {QKeySequence(u"F6"_s)}, [this] { cyclePanes(1); });
    m_actions->add(u"view.previousPane"_s, tr("View"), tr("&Previous pane"), {QKeySequence(u"Shift+F6"_s)}, [this] { cyclePanes(-1); });
    m_actions->add(u"focus.memory"_s, tr("View"), tr("Go to memory field"), {QKeySequence(u"Alt+M"_s)}, [this] {
        m_constraints->memoryField()->setFocus();
        m_constraints->memoryField()->selectAll();
    });
    m_actions->add(u"focus.deadline"_s, tr("View"), tr("Go to deadline field"), {QKeySequence(u"Alt+D"_s)}, [this] {
        m_constraints->deadlineField()->setFocus();
        m_constraints->deadlineField()->selectAll();
    });
    m_actions->add(u"focus.strategy"_s, tr("View"), tr("Go to strategy"), {QKeySequence(u"Alt+G"_s)}, [this] { m_constraints->strategyBox()->setFocus(); });
}

void MainWindow::buildScheduleActions()
{
    m_actions->add(u"schedule.solve"_s, tr("Schedule"), tr("&Solve now"), {QKeySequence(u"F5"_s)}, [this] { m_solver->solveNow(true); });
    if (OverheadFinder* finder = m_constraints->overheadFinder())
        m_actions->add(u"schedule.overhead"_s, tr("Schedule"), tr("Smallest memory for an &overhead"), {QKeySequence(u"Ctrl+M"_s)}, [finder] {
            finder->percentBox()->setFocus();
            finder->percentBox()->selectAll();
        });
    m_actions->add(u"schedule.stop"_s, tr("Schedule"), tr("S&top the search"), {QKeySequence(u"Shift+F5"_s)}, [this] { m_solver->stop(); });
    m_actions->add(u"device.edit"_s, tr("Schedule"), tr("Device &editor\u2026"), {QKeySequence(u"Ctrl+D"_s)}, [this] { editDevice(); });
    m_actions->add(u"schedule.prove"_s, tr("Schedule"), tr("&Prove it"), {}, [this] { m_solver->prove(); });
    m_actions->add(u"schedule.sweep"_s, tr("Schedule"), tr("S&weep, cancel or resume"), {QKeySequence(u"Ctrl+F5"_s)}, [this] { sweepOrCancel(); });
    for (const auto& [id, name, index] : {std::tuple(u"pareto.memory"_s, tr("Energy against &memory"), 0), std::tuple(u"pareto.deadline"_s, tr("Energy against &deadline"), 1),
                                          std::tuple(u"pareto.both"_s, tr("Energy over &both (heat map)"), 2)})
        m_actions->add(id, tr("Schedule"), name, {}, [this, index = index] { showParetoView(index); });
}

void MainWindow::buildGraphActions()
{
    const QString category = tr("Graph");
    m_actions->add(u"view.fit"_s, category, tr("&Fit all"), {QKeySequence(Qt::Key_Home)}, [this] { m_dag->fitAll(); }, m_dag);
    m_actions->add(u"graph.fitSelection"_s, category, tr("Zoom to &selection"), {QKeySequence(Qt::Key_F)}, [this] { m_dag->zoomToSelection(); }, m_dag);
    m_actions->add(u"graph.original"_s, category, tr("&Original size"), {QKeySequence(u"Ctrl+0"_s)}, [this] { m_dag->zoomTo(1); });
    m_actions->add(u"graph.zoomIn"_s, category, tr("Zoom &in"), {QKeySequence(u"Ctrl++"_s), QKeySequence(u"Ctrl+="_s)}, [this] { m_dag->zoomBy(1.25); });
    m_actions->add(u"graph.zoomOut"_s, category, tr("Zoom o&ut"), {QKeySequence(u"Ctrl+-"_s)}, [this] { m_dag->zoomBy(1 / 1.25); });
    m_actions->add(u"graph.rotate"_s, category, tr("O&rientation"), {QKeySequence(u"Ctrl+K"_s)}, [this] { m_dag->setHorizontal(!m_dag->isHorizontal()); });
    m_actions->add(u"graph.isolate"_s, category, tr("I&solate the selection"), {QKeySequence(u"Ctrl+I"_s)}, [this] { m_dag->toggleIsolation(); });
    m_actions->add(u"graph.collapse"_s, category, tr("&Collapse all blocks"), {}, [this] { m_dag->collapseAll(true); });
    m_actions->add(u"graph.expand"_s, category, tr("&Expand all blocks"), {}, [this] { m_dag->collapseAll(false); });
}

void MainWindow::buildTimelineActions()
{
    const QString category = tr("Timeline");
    m_actions->add(u"timeline.zoomIn"_s, category, tr("Zoom in at the cursor"), {QKeySequence(Qt::Key_W)}, [this] { m_timeline->zoomBy(1.3); }, m_timeline);
    m_actions->add(u"timeline.zoomOut"_s, category, tr("Zoom out at the cursor"), {QKeySequence(Qt::Key_S)}, [this] { m_timeline->zoomBy(1 / 1.3); }, m_timeline);
    m_actions->add(u"timeline.previous"_s, category, tr("Previous event"), {QKeySequence(Qt::Key_Comma)}, [this] { m_timeline->stepEvent(-1); }, m_timeline);
    m_actions->add(u"timeline.next"_s, category, tr("Next event"), {QKeySequence(Qt::Key_Period)}, [this] { m_timeline->stepEvent(1); }, m_timeline);
    m_actions->add(u"timeline.fit"_s, category, tr("Fit the whole step"), {QKeySequence(Qt::Key_F)}, [this] { m_timeline->fitAll(); }, m_timeline);
    m_actions->add(u"timeline.play"_s, category, tr("Play or pause the steps"), {QKeySequence(Qt::Key_Space)}, [this] { m_steps->playOrPause(); }, m_timeline);
    m_actions->add(u"timeline.range"_s, category, tr("Range from selection"), {QKeySequence(Qt::Key_R)}, [this] { m_timeline->rangeFromSelection(); }, m_timeline);
}

void MainWindow::buildHelpActions()
{
    const QString teach = tr("Teach");
    m_actions->add(u"step.play"_s, teach, tr("&Play or pause"), {QKeySequence(u"Ctrl+Space"_s)}, [this] { m_steps->playOrPause(); });
    m_actions->add(u"step.previous"_s, teach, tr("P&revious event"), {QKeySequence(u"["_s)}, [this] { m_steps->move(-1); });
    m_actions->add(u"step.next"_s, teach, tr("&Next event"), {QKeySequence(u"]"_s)}, [this] { m_steps->move(1); });
    m_actions->add(u"step.leave"_s, teach, tr("&Leave step mode"), {}, [this] { m_steps->leave(); });
    const std::vector<Lesson>& lessons = shippedLessons();
    for (std::size_t i = 0; i < lessons.size(); ++i)
        m_actions->add(u"lesson.%1"_s.arg(i + 1), teach, tr("Lesson: %1").arg(lessons[i].title), {}, [this, i] { startLesson(static_cast<int>(i)); });
    m_actions->add(u"compare.strategies"_s, tr("Schedule"), tr("&Compare strategies"), {}, [this] { compareStrategies(); });
    m_actions->add(u"compare.pin"_s, tr("Schedule"), tr("Pin shown plan as &B"), {QKeySequence(u"Ctrl+B"_s)}, [this] { m_state->setComparePlan(m_state->plan()); });
    m_actions->add(u"compare.clear"_s, tr("Schedule"), tr("&Unpin B"), {QKeySequence(u"Ctrl+Shift+B"_s)}, [this] { m_state->setComparePlan(nullptr); });
    const QString help = tr("Help");
    m_actions->add(u"help.tour"_s, help, tr("Take the &tour"), {}, [this] { takeTour(); });
    m_actions->add(u"help.palette"_s, help, tr("&Command palette\u2026"), {QKeySequence(u"Ctrl+Shift+P"_s)}, [this] { CommandPalette(*m_actions, this).exec(); });
    m_actions->add(u"help.manual"_s, help, tr("&Manual"), {QKeySequence(u"F1"_s)}, [this] { showManual(topicOf(QApplication::focusWidget())); });
    m_actions->add(u"help.glossary"_s, help, tr("&Glossary"), {}, [this] { showManual(u"activation"_s); });
    m_actions->add(u"help.keys"_s, help, tr("&Keyboard shortcuts"), {QKeySequence(u"?"_s)}, [this] { ShortcutSheet(*m_actions, this).exec(); });
    m_actions->add(u"help.whatsThis"_s, help, tr("&What's this?"), {QKeySequence(u"Shift+F1"_s)}, [] { QWhatsThis::enterWhatsThisMode(); });
    m_actions->add(u"view.themeLight"_s, tr("View"), tr("&Light appearance"), {}, [this] { setTheme(u"light"_s); });
    m_actions->add(u"view.themeDark"_s, tr("View"), tr("&Dark appearance"), {}, [this] { setTheme(u"dark"_s); });
    for (const auto& [id, language, name] : {std::tuple(u"view.english"_s, u"en"_s, tr("&English")), std::tuple(u"view.german"_s, u"de"_s, tr("&Deutsch"))})
        m_actions->add(id, tr("View"), name, {}, [this, language = language] {
            QSettings().setValue(u"language"_s, language);
            m_messages->show(MessageBar::Kind::Note, tr("The language changes when the program is started again."), {});
        });
    QAction* wheel = m_actions->add(u"view.wheel"_s, tr("View"), tr("&Wheel zooms graph and timeline"), {}, [] {});
    wheel->setCheckable(true);
    wheel->setChecked(QSettings().value(u"wheelZooms"_s, true).toBool());
    const auto setWheel = [this](bool zooms) {
        m_dag->setWheelZooms(zooms);
        m_timeline->setWheelZooms(zooms);
    };
    setWheel(wheel->isChecked());
    connect(wheel, &QAction::toggled, this, [setWheel](bool zooms) {
        setWheel(zooms);
        QSettings().setValue(u"wheelZooms"_s, zooms);
    });
}

void MainWindow::showManual(const QString& topic)
{
    if (!m_manual)
        m_manual = new ManualWindow(this);
    m_manual->showTopic(topic);
    m_manual->show();
    m_manual->raise();
    m_manual->activateWindow();
}

void MainWindow::setTheme(const QString& theme)
{
    QSettings().setValue(u"theme"_s, theme);
    const bool isDark = theme == "dark"_L1 || (theme.isEmpty() && style::isDark(QApplication::style()->standardPalette()));
    QApplication::setPalette(isDark ? style::darkPalette() : style::lightPalette());
}

void MainWindow::buildMenus()
{
    QMenu* file = menuBar()->addMenu(tr("&File"));
    file->addAction(m_actions->action(u"file.open"_s));
    file->addAction(m_actions->action(u"file.openDevice"_s));
    m_recentMenu = file->addMenu(tr("Open &recent"));
    auto* views = new QMenu(tr("Export a vie&w"), this);
    for (const ActionRegistry::Entry& entry : m_actions->entries())
        if (entry.category == tr("Export view"))
            views->addAction(entry.action);
    for (const char* id : {"file.save", "file.saveAs", "", "file.export", "file.exportView", "views", "file.report", "file.exportEvents", "file.exportPareto", "", "file.close", "file.quit"})
        if (QLatin1String(id) == "views"_L1)
            file->addMenu(views);
        else if (QAction* action = m_actions->action(QString::fromLatin1(id)))
            file->addAction(action);
        else
            file->addSeparator();
    QMenu* edit = menuBar()->addMenu(tr("&Edit"));
    QMenu* view = menuBar()->addMenu(tr("&View"));
    QMenu* schedule = menuBar()->addMenu(tr("&Schedule"));
    QMenu* teach = menuBar()->addMenu(tr("&Teach"));
    QMenu* help = menuBar()->addMenu(tr("&Help"));
    QMenu* panes = view->addMenu(tr("&Panes"));
    QMenu* go = view->addMenu(tr("G&o to"));
    QMenu* graph = view->addMenu(tr("&Graph"));
    QMenu* timeline = view->addMenu(tr("&Timeline"));
    QMenu* appearance = view->addMenu(tr("&Appearance"));
    QMenu* language = view->addMenu(tr("&Language"));
    // By the beginning of the id first, then by category.
    const std::vector<std::pair<QString, QMenu*>> byId{{u"view.dock"_s, panes},          {u"view.nextPane"_s, go},        {u"view.previousPane"_s, go}, {u"focus."_s, go},
                                                       {u"view.theme"_s, appearance}, {u"view.english"_s, language}, {u"view.german"_s, language}, {u"view.wheel"_s, graph}};
    const std::map<QString, QMenu*> byCategory{{tr("Edit"), edit}, {tr("View"), view}, {tr("Schedule"), schedule}, {tr("Teach"), teach}, {tr("Help"), help}, {tr("Graph"), graph}, {tr("Timeline"), timeline}};
    for (const ActionRegistry::Entry& entry : m_actions->entries()) {
        const auto group = std::find_if(byId.begin(), byId.end(), [&](const auto& pair) { return entry.action->objectName().startsWith(pair.first); });
        if (group != byId.end())
            group->second->addAction(entry.action);
        else if (const auto menu = byCategory.find(entry.category); menu != byCategory.end())
            menu->second->addAction(entry.action);
    }
}

void MainWindow::buildToolBar()
{
    m_toolBar = addToolBar(tr("Main tools"));
    m_toolBar->setObjectName(u"mainToolBar"_s);
    m_toolBar->setMovable(false);
    m_toolBar->addAction(m_actions->action(u"file.open"_s));
    m_toolBar->addAction(m_actions->action(u"go.back"_s));
    m_toolBar->addAction(m_actions->action(u"go.forward"_s));
    m_toolBar->addSeparator();
    auto* label = new QLabel(tr("Colour by "));
    m_toolBar->addWidget(label);
    m_coloring = new QComboBox;
    m_coloring->setAccessibleName(tr("Colour of the graph's nodes"));
    m_coloring->addItems({tr("Decision"), tr("Operator"), tr("Bytes"), tr("Energy"), tr("Block")});
    connect(m_coloring, &QComboBox::activated, this, [this](int index) {
        const int before = static_cast<int>(m_dag->coloring());
        if (index != before)
            m_state->undoStack().push(new SettingCommand<int>(tr("colours"), before, index, [this](int value) { setColoring(value); }));
    });
    m_toolBar->addWidget(m_coloring);
    m_toolBar->addSeparator();
    m_toolBar->addAction(m_actions->action(u"file.export"_s));
    auto* space = new QWidget;
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_toolBar->addWidget(space);
    m_search = new SearchField(*m_state);
    m_search->setMaximumWidth(320);
    m_toolBar->addWidget(m_search);
}

void MainWindow::cyclePanes(int direction)
{
    QList<QWidget*> panes{m_dag, m_timeline};
    for (QDockWidget* dock : std::as_const(m_docks))
        if (dock->isVisible())
            panes.append(dock->widget());
    int current = -1;
    for (int i = 0; i < panes.size(); ++i)
        if (panes[i]->hasFocus() || panes[i]->isAncestorOf(QApplication::focusWidget()))
            current = i;
    QWidget* next = panes[(current + direction + static_cast<int>(panes.size())) % static_cast<int>(panes.size())];
    if (next->focusPolicy() == Qt::NoFocus && next->nextInFocusChain())
        next = next->nextInFocusChain();
    next->setFocus(Qt::TabFocusReason);
}

}  // namespace poet

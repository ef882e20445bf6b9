// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/constraints_panel.h"
#include "widgets/controls/model_panel.h"
#include "widgets/dag/dag_view.h"
#include "widgets/document/sweep_controller.h"
#include "widgets/inspector/compare_panel.h"
#include "widgets/inspector/events_table.h"
#include "widgets/inspector/properties_panel.h"
#include "widgets/inspector/summary_panel.h"
#include "widgets/pareto/pareto_chart.h"
#include "widgets/report/report_panel.h"
#include "widgets/style/wheel_guard.h"
#include "widgets/teaching/break_even_view.h"
#include "widgets/teaching/lesson_panel.h"
#include "widgets/teaching/side_by_side.h"
#include "widgets/teaching/step_bar.h"
#include "widgets/timeline/timeline_view.h"
#include "widgets/window/main_window.h"
#include "widgets/window/message_bar.h"
#include "widgets/window/tool_row.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QDockWidget>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedWidget>
#include <QStatusBar>
#include <QStyle>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

/// The docks of MainWindow and the small tool rows in them.
namespace poet {

using namespace Qt::StringLiterals;

QDockWidget* MainWindow::addDock(const QString& name, const QString& title, QWidget* content, Qt::DockWidgetArea area)
{
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(name);
    dock->setWidget(content);
    addDockWidget(area, dock);
    // Behind each other from the start: side by side they would ask for a window wider than the screen.
    for (QDockWidget* other : std::as_const(m_docks))
        if (area == Qt::BottomDockWidgetArea && dockWidgetArea(other) == area) {
            tabifyDockWidget(other, dock);
            break;
        }
    m_docks.append(dock);
    return dock;
}

QWidget* MainWindow::buildGraphPane()
{
    m_dag = new DagView(*m_state, *m_layouts);
    auto* row = new QHBoxLayout;
    auto* title = new QLabel(tr("Graph"));
    row->addWidget(title);
    row->addStretch();
    const auto add = [&](const QString& text, const QString& tip, auto work) {
        QToolButton* button = flatButton(text, tip);
        connect(button, &QToolButton::clicked, this, work);
        row->addWidget(button);
    };
    add(tr("Fit"), tr("Show the whole graph (Home)"), [this] { m_dag->fitAll(); });
    add(u"100 %"_s, tr("Original size (Ctrl+0)"), [this] { m_dag->zoomTo(1); });
    add(u"\u2212"_s, tr("Smaller (Ctrl+-)"), [this] { m_dag->zoomBy(1 / 1.25); });
    add(u"+"_s, tr("Larger (Ctrl++)"), [this] { m_dag->zoomBy(1.25); });
    add(tr("Collapse"), tr("Collapse all blocks"), [this] { m_dag->collapseAll(true); });
    add(tr("Expand"), tr("Expand all blocks"), [this] { m_dag->collapseAll(false); });
    add(tr("Rotate"), tr("Vertical or horizontal ladder (Ctrl+K)"), [this] { m_dag->setHorizontal(!m_dag->isHorizontal()); });
    m_messages = new MessageBar;
    new style::WheelGuard(this);
    auto* box = new QWidget;
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_start = new StartPage;
    m_center = new QStackedWidget;
    m_center->addWidget(m_start);
    m_steps = new StepBar(*m_state);
    QWidget* graph = withTools(row, m_dag);
    graph->layout()->addWidget(m_steps);
    m_center->addWidget(graph);
    layout->addWidget(m_messages);
    layout->addWidget(m_center, 1);
    return box;
}

QHBoxLayout* MainWindow::buildTimelineTools()
{
    m_timeline = new TimelineView(*m_state);
    auto* row = new QHBoxLayout;
    row->addWidget(new QLabel(tr("x")));
    m_timelineUnit = addChoice(row, this, {tr("time"), tr("steps")}, {tr("x axis in time"), tr("x axis in steps of equal width")});
    connect(m_timelineUnit, &QButtonGroup::idClicked, this, [this](int id) { m_timeline->setUnit(id == 0 ? TimelineUnit::Time : TimelineUnit::Steps); });
    row->addSpacing(14);
    row->addWidget(new QLabel(tr("memory")));
    m_memoryForm = addChoice(row, this, {tr("total"), tr("stacked"), tr("blocks")},
                             {tr("Total RAM over time"), tr("Total RAM, the largest tensors by name"),
                              tr("Each tensor as a rectangle: width lifetime, height bytes, position address")});
    connect(m_memoryForm, &QButtonGroup::idClicked, this, [this](int id) { m_timeline->setMemoryForm(static_cast<MemoryForm>(id)); });
    row->addSpacing(14);
    row->addWidget(new QLabel(tr("detail")));
    auto* detail = new QSpinBox;
    detail->setRange(1, 200);
    detail->setValue(20);
    detail->setAccessibleName(tr("Number of tensors drawn by name"));
    connect(detail, &QSpinBox::valueChanged, m_timeline, &TimelineView::setDetail);
    row->addWidget(detail);
    row->addStretch();
    m_rangeLabel = new QLabel;
    m_rangeLabel->setObjectName(u"rangeLabel"_s);
    row->addWidget(m_rangeLabel);
    return row;
}

void MainWindow::buildDocks()
{
    setCentralWidget(buildGraphPane());
    m_modelPanel = new ModelPanel(*m_state, m_loader->readers());
    m_properties = new PropertiesPanel(*m_state);
    m_constraints = new ConstraintsPanel(*m_state, *m_solver, m_overhead);
    m_summary = new SummaryPanel(*m_state);
    m_table = new EventsTable(*m_state);
    addDock(u"modelDock"_s, tr("Model and device"), m_modelPanel, Qt::LeftDockWidgetArea);
    addDock(u"propertiesDock"_s, tr("Properties"), m_properties, Qt::LeftDockWidgetArea);
    addDock(u"constraintsDock"_s, tr("Constraints"), m_constraints, Qt::RightDockWidgetArea);
    QHBoxLayout* paretoTools = buildParetoTools();
    setTools(addDock(u"paretoDock"_s, tr("Pareto"), m_paretoViews, Qt::RightDockWidgetArea), paretoTools);
    QHBoxLayout* timelineTools = buildTimelineTools();
    setTools(addDock(u"timelineDock"_s, tr("Timeline"), m_timeline, Qt::BottomDockWidgetArea), timelineTools);
    addDock(u"summaryDock"_s, tr("Summary"), m_summary, Qt::BottomDockWidgetArea);
    addDock(u"tableDock"_s, tr("Table"), m_table, Qt::BottomDockWidgetArea);
    auto* plansRow = new QHBoxLayout;
    QWidget* plans = buildPlansTable(*plansRow);
    setTools(addDock(u"plansDock"_s, tr("Plans"), plans, Qt::BottomDockWidgetArea), plansRow);
    m_breakEven = new BreakEvenView(*m_state);
    auto* breakEvenRow = new QHBoxLayout;
    QButtonGroup* what = addChoice(breakEvenRow, this, {tr("energy"), tr("time")}, {tr("Compare energy"), tr("Compare time")});
    connect(what, &QButtonGroup::idClicked, this, [this](int id) { m_breakEven->setTime(id == 1); });
    breakEvenRow->addStretch();
    setTools(addDock(u"breakEvenDock"_s, tr("Recompute or page"), m_breakEven, Qt::BottomDockWidgetArea), breakEvenRow);
    m_lessons = new LessonPanel;
    QDockWidget* lessons = addDock(u"lessonDock"_s, tr("Lesson"), m_lessons, Qt::LeftDockWidgetArea);
    lessons->hide();
    lessons->installEventFilter(this);
    m_sideBySide = new SideBySide(*m_state);
    connect(m_sideBySide, &SideBySide::strategyPicked, this, [this](Strategy strategy) {
        Controls controls = m_state->controls();
        controls.query.strategy = strategy;
        m_state->editControls(controls, tr("strategy"));
    });
    auto* sideRow = new QHBoxLayout;
    auto* solveAll = flatButton(tr("Solve all four"), tr("Search the best plan of each strategy under the present limits"));
    connect(solveAll, &QToolButton::clicked, this,
            [this] { m_sweep->startStrategies({Strategy::Integrated, Strategy::Paging, Strategy::Recompute, Strategy::KeepAll}); });
    sideRow->addWidget(solveAll);
    sideRow->addStretch();
    setTools(addDock(u"sideBySideDock"_s, tr("Side by side"), m_sideBySide, Qt::BottomDockWidgetArea), sideRow);
    m_compare = new ComparePanel(*m_state, m_loader->readers());
    addDock(u"compareDock"_s, tr("Compare"), m_compare, Qt::BottomDockWidgetArea);
    m_report = new ReportPanel(*m_state);
    auto* reportRow = new QHBoxLayout;
    reportRow->addWidget(m_report->searchField());
    reportRow->addStretch();
    setTools(addDock(u"reportDock"_s, tr("Report"), m_report, Qt::BottomDockWidgetArea), reportRow);
    connect(m_modelPanel, &ModelPanel::reportAsked, this, [this] { raiseDock(u"reportDock"_s); });
    m_shownLabel = new QLabel;
    m_shownLabel->setObjectName(u"shownLabel"_s);
    m_layoutLabel = new QLabel;
    m_sweepBar = new QProgressBar;
    m_sweepBar->setMaximumWidth(180);
    m_sweepBar->hide();
    m_sweepCancel = new QPushButton(tr("cancel"));
    m_sweepCancel->setFlat(true);
    m_sweepCancel->hide();
    connect(m_sweepCancel, &QPushButton::clicked, m_sweep, &SweepController::cancel);
    statusBar()->addPermanentWidget(m_shownLabel);
    statusBar()->addPermanentWidget(m_layoutLabel);
    statusBar()->addPermanentWidget(m_sweepBar);
    statusBar()->addPermanentWidget(m_sweepCancel);
}

void MainWindow::raiseDock(const QString& name)
{
    for (QDockWidget* dock : std::as_const(m_docks))
        if (!name.isEmpty() && dock->objectName() == name) {
            dock->show();
            dock->raise();
        }
}

void MainWindow::resetLayout()
{
    if (!m_defaultLayout.isEmpty()) {
        restoreState(m_defaultLayout, kStateVersion);
        sizeDocks();
        return;
    }
    setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
    QDockWidget* model = m_docks[0];
    QDockWidget* properties = m_docks[1];
    QDockWidget* constraints = m_docks[2];
    QDockWidget* pareto = m_docks[3];
    QDockWidget* timeline = m_docks[4];
    splitDockWidget(model, properties, Qt::Vertical);
    splitDockWidget(constraints, pareto, Qt::Vertical);
    tabifyDockWidget(properties, m_docks[9]);
    for (int i : {5, 6, 7, 8, 10, 11, 12})
        tabifyDockWidget(timeline, m_docks[i]);
    timeline->raise();
    setTabPosition(Qt::BottomDockWidgetArea, QTabWidget::North);
    sizeDocks();
}

/// Sizes that suit the window as it is now: in a low one the limits need more of the height than the timeline.
void MainWindow::sizeDocks()
{
    const int timelineHeight = std::clamp(height() * 26 / 100, 170, 235);
    const int columnHeight = std::max(300, height() - timelineHeight - 85);
    resizeDocks({m_docks[0], m_docks[2]}, {270, 330}, Qt::Horizontal);
    resizeDocks({m_docks[4]}, {timelineHeight}, Qt::Vertical);
    resizeDocks({m_docks[0], m_docks[1]}, {columnHeight * 57 / 100, columnHeight * 36 / 100}, Qt::Vertical);
    resizeDocks({m_docks[2], m_docks[3]}, {columnHeight * 64 / 100, columnHeight * 36 / 100}, Qt::Vertical);
}

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/constraints_panel.h"
#include "widgets/controls/model_panel.h"
#include "widgets/dag/dag_view.h"
#include "widgets/document/sweep_controller.h"
#include "widgets/inspector/events_table.h"
#include "widgets/inspector/properties_panel.h"
#include "widgets/inspector/summary_panel.h"
#include "widgets/pareto/pareto_chart.h"
#include "widgets/teaching/break_even_view.h"
#include "widgets/teaching/lesson_panel.h"
#include "widgets/teaching/step_bar.h"
#include "widgets/timeline/timeline_view.h"
#include "widgets/window/main_window.h"
#include "widgets/window/message_bar.h"

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

/// The docks of MainWindow and the small tool rows in them.
namespace poet {

using namespace Qt::StringLiterals;

namespace {

/// A row of tools above its view.
QWidget* column(QLayout* row, QWidget* content)
{
    auto* box = new QWidget;
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    row->setContentsMargins(8, 2, 8, 2);
    layout->addLayout(row);
    layout->addWidget(content, 1);
    return box;
}

/// A dock's title bar with the tools of its view: two rows in the height of one. Dragging still moves the dock.
void setTools(QDockWidget* dock, QHBoxLayout* row)
{
    auto* bar = new QWidget;
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(8, 2, 4, 2);
    layout->setSpacing(4);
    layout->addWidget(new QLabel(dock->windowTitle()));
    layout->addSpacing(14);
    layout->addLayout(row, 1);
    const auto add = [&](QStyle::StandardPixmap icon, const QString& tip, auto work) {
        auto* button = new QToolButton;
        button->setIcon(dock->style()->standardIcon(icon));
        button->setIconSize(QSize(12, 12));
        button->setAutoRaise(true);
        button->setToolTip(tip);
        button->setAccessibleName(tip);
        QObject::connect(button, &QToolButton::clicked, dock, work);
        layout->addWidget(button);
    };
    add(QStyle::SP_TitleBarNormalButton, MainWindow::tr("Float or dock"), [dock] { dock->setFloating(!dock->isFloating()); });
    add(QStyle::SP_TitleBarCloseButton, MainWindow::tr("Hide"), [dock] { dock->close(); });
    dock->setTitleBarWidget(bar);
}

QToolButton* flatButton(const QString& text, const QString& tip)
{
    auto* button = new QToolButton;
    button->setText(text);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setAutoRaise(true);
    return button;
}

/// Buttons of which exactly one is down.
QButtonGroup* addChoice(QHBoxLayout* row, QWidget* parent, const QStringList& names, const QStringList& tips)
{
    auto* group = new QButtonGroup(parent);
    for (int i = 0; i < names.size(); ++i) {
        QToolButton* button = flatButton(names[i], tips[i]);
        button->setCheckable(true);
        button->setChecked(i == 0);
        group->addButton(button, i);
        row->addWidget(button);
    }
    return group;
}

}  // namespace

QDockWidget* MainWindow::addDock(const QString& name, const QString& title, QWidget* content, Qt::DockWidgetArea area)
{
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(name);
    dock->setWidget(content);
    addDockWidget(area, dock);
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
    auto* box = new QWidget;
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_start = new StartPage;
    m_center = new QStackedWidget;
    m_center->addWidget(m_start);
    m_steps = new StepBar(*m_state);
    QWidget* graph = column(row, m_dag);
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
    QButtonGroup* unit = addChoice(row, this, {tr("time"), tr("steps")}, {tr("x axis in time"), tr("x axis in steps of equal width")});
    connect(unit, &QButtonGroup::idClicked, this, [this](int id) { m_timeline->setUnit(id == 0 ? TimelineUnit::Time : TimelineUnit::Steps); });
    row->addSpacing(14);
    row->addWidget(new QLabel(tr("memory")));
    QButtonGroup* form = addChoice(row, this, {tr("total"), tr("stacked"), tr("blocks")},
                                   {tr("Total RAM over time"), tr("Total RAM, the largest tensors by name"),
                                    tr("Each tensor as a rectangle: width lifetime, height bytes, position address")});
    connect(form, &QButtonGroup::idClicked, this, [this](int id) { m_timeline->setMemoryForm(static_cast<MemoryForm>(id)); });
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

QHBoxLayout* MainWindow::buildParetoTools()
{
    m_pareto = new ParetoModel(*m_state, this);
    m_chart = new ParetoChart(*m_pareto, *m_state);
    auto* row = new QHBoxLayout;
    QButtonGroup* unit = addChoice(row, this, {u"%"_s, u"J"_s}, {tr("Overhead over keep-all in percent"), tr("Energy in joules")});
    auto* logarithmic = flatButton(tr("log"), tr("Logarithmic energy axis (joules only)"));
    logarithmic->setCheckable(true);
    logarithmic->setEnabled(false);
    connect(unit, &QButtonGroup::idClicked, this, [this, logarithmic](int id) {
        logarithmic->setEnabled(id == 1);
        if (id == 0)
            logarithmic->setChecked(false);
        m_chart->setPercent(id == 0);
    });
    connect(logarithmic, &QToolButton::toggled, m_chart, &ParetoChart::setLogarithmic);
    row->addWidget(logarithmic);
    row->addStretch();
    auto* sweep = flatButton(tr("Sweep"), tr("Solve for 12 budgets between the smallest and keep-all"));
    connect(sweep, &QToolButton::clicked, this, [this] { m_sweep->start(12); });
    row->addWidget(sweep);
    return row;
}

/// Every known plan as a table, strategies beside each other; a click shows the plan.
QWidget* MainWindow::buildPlansTable(QHBoxLayout& row)
{
    auto* table = new QTableView;
    table->setObjectName(u"plansTable"_s);
    table->setAccessibleName(tr("Known plans"));
    table->setModel(m_pareto);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setAlternatingRowColors(true);
    table->setFrameShape(QFrame::NoFrame);
    table->setShowGrid(false);
    table->verticalHeader()->hide();
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    connect(table, &QTableView::clicked, this, [this](const QModelIndex& index) {
        if (static_cast<std::size_t>(index.row()) < m_pareto->points().size())
            showPoint(m_pareto->points()[static_cast<std::size_t>(index.row())]);
    });
    auto* compare = flatButton(tr("Compare strategies"), tr("Solve the present limits with every strategy, each replayed by the same judge"));
    connect(compare, &QToolButton::clicked, this, &MainWindow::compareStrategies);
    row.addWidget(compare);
    row.addStretch();
    return table;
}

void MainWindow::compareStrategies()
{
    m_sweep->startStrategies({Strategy::Integrated, Strategy::Paging, Strategy::Recompute, Strategy::KeepAll, Strategy::PageAll, Strategy::Sqrt,
                              Strategy::Revolve, Strategy::Greedy, Strategy::Capuchin, Strategy::Dtr});
}

void MainWindow::buildDocks()
{
    setCentralWidget(buildGraphPane());
    m_modelPanel = new ModelPanel(*m_state, m_loader->readers());
    m_properties = new PropertiesPanel(*m_state);
    m_constraints = new ConstraintsPanel(*m_state, *m_solver);
    m_summary = new SummaryPanel(*m_state);
    m_table = new EventsTable(*m_state);
    addDock(u"modelDock"_s, tr("Model and device"), m_modelPanel, Qt::LeftDockWidgetArea);
    addDock(u"propertiesDock"_s, tr("Properties"), m_properties, Qt::LeftDockWidgetArea);
    addDock(u"constraintsDock"_s, tr("Constraints"), m_constraints, Qt::RightDockWidgetArea);
    QHBoxLayout* paretoTools = buildParetoTools();
    setTools(addDock(u"paretoDock"_s, tr("Pareto"), m_chart, Qt::RightDockWidgetArea), paretoTools);
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

void MainWindow::resetLayout()
{
    if (!m_defaultLayout.isEmpty()) {
        restoreState(m_defaultLayout, 1);
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
    tabifyDockWidget(timeline, m_docks[5]);
    tabifyDockWidget(properties, m_docks[9]);
    for (int i = 6; i <= 8; ++i)
        tabifyDockWidget(timeline, m_docks[i]);
    timeline->raise();
    setTabPosition(Qt::BottomDockWidgetArea, QTabWidget::North);
    resizeDocks({model, constraints}, {270, 330}, Qt::Horizontal);
    resizeDocks({model, properties}, {330, 210}, Qt::Vertical);
    resizeDocks({constraints, pareto}, {270, 290}, Qt::Vertical);
    resizeDocks({timeline}, {260}, Qt::Vertical);
}

}  // namespace poet

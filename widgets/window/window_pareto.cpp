// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/sweep_controller.h"
#include "widgets/pareto/heat_map.h"
#include "widgets/pareto/pareto_chart.h"
#include "widgets/pareto/plans_table.h"
#include "widgets/window/action_registry.h"
#include "widgets/window/main_window.h"
#include "widgets/window/tool_row.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>

/// The Pareto dock of MainWindow: curve and heat map, sweeps, and the table of known plans.
namespace poet {

using namespace Qt::StringLiterals;

namespace {
constexpr int kCurvePoints = 12;
}  // namespace

QHBoxLayout* MainWindow::buildParetoTools()
{
    m_pareto = new ParetoModel(*m_state, this);
    m_chart = new ParetoChart(*m_pareto, *m_state);
    m_heatMap = new HeatMap(*m_state);
    m_paretoViews = new QStackedWidget;
    m_paretoViews->addWidget(m_chart);
    m_paretoViews->addWidget(m_heatMap);
    auto* row = new QHBoxLayout;
    m_paretoAxis = new QComboBox;
    m_paretoAxis->setObjectName(u"paretoAxis"_s);
    m_paretoAxis->setAccessibleName(tr("What energy is drawn against"));
    m_paretoAxis->setToolTip(tr("Energy against memory, against the deadline, or over both as a heat map"));
    m_paretoAxis->addItems({tr("memory"), tr("deadline"), tr("both")});
    row->addWidget(m_paretoAxis);
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
    connect(m_paretoAxis, &QComboBox::activated, this, [this](int index) { showParetoView(index); });
    row->addStretch();
    m_sweepButton = flatButton(tr("Sweep"), {});
    m_sweepButton->setObjectName(u"sweepButton"_s);
    connect(m_sweepButton, &QToolButton::clicked, this, &MainWindow::sweepOrCancel);
    row->addWidget(m_sweepButton);
    connect(m_heatMap, &HeatMap::limitsPicked, this, [this](qint64 memory, double deadline) {
        Controls controls = m_state->controls();
        controls.query.memoryBytes = memory;
        controls.query.deadlineSeconds = deadline;
        m_state->editControls(controls, tr("limits of the heat map"));
    });
    return row;
}

void MainWindow::showParetoView(int index)
{
    m_paretoAxis->setCurrentIndex(index);
    m_paretoViews->setCurrentIndex(index == 2 ? 1 : 0);
    if (index < 2)
        m_chart->setAxis(index == 0 ? ParetoAxis::Memory : ParetoAxis::Deadline);
    showSweep(m_sweep->done(), m_sweep->isRunning() ? m_sweep->total() : 0);
}

void MainWindow::startSweep()
{
    const auto axes = static_cast<SweepAxes>(m_paretoAxis->currentIndex());
    m_sweep->start(axes, axes == SweepAxes::Grid ? HeatMap::kSize : kCurvePoints);
}

void MainWindow::sweepOrCancel()
{
    if (m_sweep->isRunning())
        m_sweep->cancel();
    else if (m_sweep->canResume())
        m_sweep->resume();
    else
        startSweep();
}

/// Progress in the status bar, and what the one button would do now.
void MainWindow::showSweep(int done, int total)
{
    m_sweepBar->setVisible(total > 0);
    m_sweepCancel->setVisible(total > 0);
    m_sweepBar->setRange(0, std::max(total, 1));
    m_sweepBar->setValue(done);
    m_sweepBar->setFormat(tr("sweep %1/%2").arg(done).arg(total));
    QString name = tr("Sweep");
    QString tip;
    if (m_sweep->isRunning()) {
        name = tr("Cancel");
        tip = tr("End the sweep; it can be resumed");
    } else if (m_sweep->canResume()) {
        name = tr("Resume");
        tip = tr("Go on with the cancelled sweep: %1 of %2 points are done").arg(done).arg(m_sweep->total());
    } else if (m_paretoAxis->currentIndex() == 2) {
        tip = tr("Solve for every cell: %1 memories times %1 deadlines").arg(HeatMap::kSize);
    } else if (m_paretoAxis->currentIndex() == 1) {
        tip = tr("Solve for %1 deadlines from three times keep-all time down to it").arg(kCurvePoints);
    } else {
        tip = tr("Solve for %1 budgets between the smallest and keep-all").arg(kCurvePoints);
    }
    m_sweepButton->setText(name);
    m_sweepButton->setToolTip(tip);
    m_sweepButton->setAccessibleName(name + u": "_s + tip);
}

QWidget* MainWindow::buildPlansTable(QHBoxLayout& row)
{
    m_plans = new PlansTable(*m_state, *m_pareto);
    connect(m_plans, &PlansTable::planPicked, this, &MainWindow::showPoint);
    auto* compare = flatButton(tr("Compare strategies"), tr("Solve the present limits with every strategy, each replayed by the same judge"));
    connect(compare, &QToolButton::clicked, this, &MainWindow::compareStrategies);
    row.addWidget(compare);
    for (QWidget* tool : m_plans->tools())
        row.addWidget(tool);
    row.addStretch();
    return m_plans;
}

void MainWindow::compareStrategies()
{
    m_sweep->startStrategies({Strategy::Integrated, Strategy::Paging, Strategy::Recompute, Strategy::KeepAll, Strategy::PageAll, Strategy::Sqrt,
                              Strategy::Revolve, Strategy::Greedy, Strategy::Capuchin, Strategy::Dtr});
}

}  // namespace poet

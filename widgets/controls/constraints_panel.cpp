// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/constraints_panel.h"

#include "widgets/controls/limit_row.h"
#include "widgets/controls/limit_slider.h"
#include "widgets/controls/overhead_finder.h"
#include "widgets/document/solve_controller.h"
#include "widgets/style/scrolled.h"
#include "widgets/style/text.h"

#include <QComboBox>
#include <QFormLayout>
#include <QFrame>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QRegularExpression>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace poet {

using namespace Qt::StringLiterals;

ConstraintsPanel::ConstraintsPanel(DocumentState& state, SolveController& solver, OverheadSearch* overhead, QWidget* parent)
    : QWidget(parent), m_state(state), m_solver(solver), m_overhead(overhead)
{
    build();
    connect(&m_state, &DocumentState::changed, this, &ConstraintsPanel::refresh);
    connect(memorySlider(), &LimitSlider::moved, this, [this](double value, bool) {
        setMemory(static_cast<std::int64_t>(std::llround(value)), tr("memory"), m_dragKey);
    });
    connect(memorySlider(), &LimitSlider::released, this, [this] {
        ++m_dragKey;
        m_solver.solveNow();
    });
    connect(m_memory, &LimitRow::resetAsked, this, [this] {
        if (const ProblemPtr& problem = m_state.problem())
            setMemory(problem->wallBytes + (problem->keepAllPeakBytes - problem->wallBytes) / 2, tr("reset memory"), 0);
    });
    connect(memoryField(), &QLineEdit::editingFinished, this, &ConstraintsPanel::takeMemoryText);
    connect(memoryField(), &QLineEdit::returnPressed, this, [this] { m_solver.solveNow(true); });
    connect(m_deadline, &DeadlineEditor::solveAsked, this, [this](bool isForced) { m_solver.solveNow(isForced); });
    connect(m_strategy, &QComboBox::activated, this, [this] {
        Controls controls = m_state.controls();
        controls.query.strategy = static_cast<Strategy>(m_strategy->currentData().toInt());
        m_state.editControls(controls, tr("strategy"));
    });
    connect(m_point, &QComboBox::activated, this, [this] { Q_EMIT operatingPointChosen(m_point->currentData().toString()); });
    setEnabled(false);
}

LimitSlider* ConstraintsPanel::memorySlider() const { return m_memory->slider(); }

QLineEdit* ConstraintsPanel::memoryField() const { return m_memory->field(); }

void ConstraintsPanel::buildMemory()
{
    m_memory = new LimitRow({u"memory"_s, tr("&Memory"), tr("Memory budget"), tr("Memory budget, typed"),
                             tr("All RAM: 65536, 64 KiB, 0.5 MiB, 50% of the keep-all peak, or 50%span of the way from the smallest to the keep-all peak"),
                             tr("Memory back to half-way between smallest and keep-all")});
    if (!m_overhead)
        return;
    m_finder = new OverheadFinder(m_state, *m_overhead);
    connect(m_finder, &OverheadFinder::memoryFound, this, [this](qint64 bytes) {
        setMemory(bytes, tr("smallest memory for an overhead"), 0);
        m_solver.solveNow();
    });
}

void ConstraintsPanel::buildChoices()
{
    m_strategy = new QComboBox;
    m_strategy->setObjectName(u"strategyBox"_s);
    m_strategy->setAccessibleName(tr("Strategy"));
    m_strategy->setToolTip(tr("What a plan may do to save memory"));
    for (Strategy strategy : {Strategy::Integrated, Strategy::Paging, Strategy::Recompute, Strategy::KeepAll, Strategy::PageAll,
                              Strategy::Sqrt, Strategy::Revolve, Strategy::Greedy, Strategy::Capuchin, Strategy::Dtr})
        m_strategy->addItem(text::strategy(strategy), static_cast<int>(strategy));
    m_strategy->insertSeparator(4);
    m_point = new QComboBox;
    m_point->setObjectName(u"operatingPointBox"_s);
    m_point->setAccessibleName(tr("Operating point"));
    m_point->setToolTip(tr("The frequency and voltage that the device runs at: slower is often thriftier, until the deadline binds"));
    for (QComboBox* box : {m_strategy, m_point}) {  // the panel's width decides, not the longest name
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(9);
    }
    m_pointLabel = new QLabel(tr("&Operating point"));
    m_pointLabel->setBuddy(m_point);
    m_search = new SearchSettings(m_state);
}

void ConstraintsPanel::build()
{
    buildMemory();
    m_deadline = new DeadlineEditor(m_state);
    buildChoices();
    m_status = new StatusPanel(m_state, m_solver);
    auto* choices = new QFormLayout;
    choices->setRowWrapPolicy(QFormLayout::WrapLongRows);
    choices->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    choices->setHorizontalSpacing(8);
    choices->setVerticalSpacing(4);
    choices->addRow(tr("Strate&gy"), m_strategy);
    choices->addRow(m_pointLabel, m_point);
    choices->addRow(tr("Ends at gap"), m_search);
    choices->addRow(tr("Threads"), m_search->threadsBox());
    auto* line = new QFrame;
    line->setFrameShape(QFrame::HLine);
    line->setForegroundRole(QPalette::Midlight);
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(10, 6, 10, 4);
    column->setSpacing(4);
    column->addWidget(m_memory);
    if (m_finder)
        column->addWidget(m_finder);
    column->addWidget(m_deadline);
    column->addLayout(choices);
    column->addStretch(1);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(new ColumnScroll(content), 1);
    // What is known stays in sight, however low the dock is.
    auto* foot = new QVBoxLayout;
    foot->setContentsMargins(10, 2, 10, 6);
    foot->addWidget(line);
    foot->addWidget(m_status);
    all->addLayout(foot);
    setOperatingPoints({}, {});
}

void ConstraintsPanel::setOperatingPoints(const QList<OperatingPointEntry>& points, const QString& current)
{
    m_point->clear();
    for (const OperatingPointEntry& point : points) {
        m_point->addItem(point.id, point.id);
        m_point->setItemData(m_point->count() - 1, point.summary, Qt::ToolTipRole);
    }
    if (points.size() > 1) {
        m_point->addItem(tr("find the best for these limits"), QString::fromLatin1(kBestPoint));
        m_point->setItemData(m_point->count() - 1, tr("Solves every operating point, or proves that it cannot be better"), Qt::ToolTipRole);
        if (m_finder) {
            m_point->addItem(tr("find the smallest memory at any"), QString::fromLatin1(kBestPointForOverhead));
            m_point->setItemData(m_point->count() - 1, tr("The smallest memory in which some operating point keeps the overhead above; takes both"), Qt::ToolTipRole);
        }
    }
    m_point->setCurrentIndex(std::max(0, m_point->findData(current)));
    m_point->setEnabled(points.size() > 1);
    m_point->setVisible(!points.isEmpty());
    m_pointLabel->setVisible(!points.isEmpty());
}

void ConstraintsPanel::refresh(DocumentState::Aspects aspects)
{
    setEnabled(m_state.problem() != nullptr);
    if (!m_state.problem())
        return;
    if (aspects & (DocumentState::ProblemAspect | DocumentState::CacheAspect | DocumentState::ControlsAspect))
        showRange();
    if (aspects & (DocumentState::ProblemAspect | DocumentState::ControlsAspect))
        showControls();
}

void ConstraintsPanel::showRange()
{
    const ProblemPtr& problem = m_state.problem();
    const PlanQuery& query = m_state.controls().query;
    const PlanCache& cache = m_state.cache();
    const auto wall = static_cast<double>(problem->wallBytes);
    const auto peak = static_cast<double>(problem->keepAllPeakBytes);
    const double margin = std::max((peak - wall) * 0.08, peak * 0.01);
    LimitSlider& slider = *memorySlider();
    if (!slider.isDragging())
        slider.setRange(std::max(1.0, wall - margin), peak + margin / 2);
    const auto knownMemory = cache.smallestKnownMemory(*problem, query);
    slider.setBands(static_cast<double>(cache.largestInfeasibleMemory(*problem, query)), knownMemory ? static_cast<double>(*knownMemory) : peak + margin);
    std::vector<LimitSlider::Mark> marks{{wall, text::bytesApart(problem->wallBytes, {problem->keepAllPeakBytes})}};
    const auto ram = static_cast<double>(problem->deviceRamBytes);
    if (ram > wall && ram < peak)
        marks.push_back({ram, tr("device %1").arg(text::bytes(problem->deviceRamBytes))});
    marks.push_back({peak, tr("keep-all %1").arg(text::bytesApart(problem->keepAllPeakBytes, {problem->wallBytes}))});
    slider.setMarks(std::move(marks));
    std::vector<double> stops;
    for (const PlanPtr& plan : cache.plans(*problem))
        if (isAllowed(*plan, query.strategy))
            stops.push_back(static_cast<double>(memoryNeed(*problem->graph, *plan)));
    stops.push_back(peak);
    std::sort(stops.begin(), stops.end());
    slider.setStops(std::move(stops));
}

void ConstraintsPanel::showControls()
{
    const ProblemPtr& problem = m_state.problem();
    const PlanQuery& query = m_state.controls().query;
    memorySlider()->setValue(static_cast<double>(query.memoryBytes));
    m_memory->showValue(shownMemory(query.memoryBytes));
    m_strategy->setCurrentIndex(m_strategy->findData(static_cast<int>(query.strategy)));
    const std::int64_t resident = problem->residentBytes();
    if (m_memory->isTyped() && m_memory->hasProblem())
        return;  // what is wrong stays in sight until it is corrected
    m_memory->showUnderstood(resident > 0 ? tr("%1 resident + %2 planned").arg(text::bytes(resident), text::bytes(std::max<std::int64_t>(0, query.memoryBytes - resident)))
                                          : tr("%1 bytes, nothing resident").arg(QLocale().toString(query.memoryBytes)));
}

QString ConstraintsPanel::shownMemory(std::int64_t bytes) const
{
    const Problem& problem = *m_state.problem();
    const std::int64_t step = std::max<std::int64_t>(1, (problem.keepAllPeakBytes - problem.wallBytes) / LimitSlider::kSteps);
    return text::bytesApart(bytes, {problem.wallBytes, problem.keepAllPeakBytes, bytes - step, bytes + step});
}

void ConstraintsPanel::setMemory(std::int64_t bytes, const QString& what, int mergeKey)
{
    Controls controls = m_state.controls();
    controls.query.memoryBytes = std::max<std::int64_t>(1, bytes);
    m_state.editControls(controls, what, mergeKey);
}

namespace {

/// A bare number means the unit that was shown, as in "53.8 MiB"; a decimal comma is a point.
QString withUnit(QString typed, const QString& shown)
{
    static const QRegularExpression comma(u"^(\\d+),(\\d+)"_s);
    typed.replace(comma, u"\\1.\\2"_s);
    bool isBare = false;
    static_cast<void>(QString::fromStdString(text::typed(typed)).toDouble(&isBare));
    return isBare ? typed + u' ' + shown.section(u' ', -1) : typed;
}

}  // namespace

void ConstraintsPanel::takeMemoryText()
{
    const ProblemPtr& problem = m_state.problem();
    if (!problem || !m_memory->isTyped())
        return;
    const auto spec = parseMemory(text::typed(withUnit(memoryField()->text().trimmed(), text::bytes(m_state.controls().query.memoryBytes))));
    if (!spec) {
        m_memory->showProblem(text::from(spec.error().text()));
        return;
    }
    memoryField()->setModified(false);
    std::int64_t bytes = spec->bytes(problem->wallBytes, problem->keepAllPeakBytes);
    for (const std::int64_t mark : {problem->wallBytes, problem->keepAllPeakBytes})
        if (memoryField()->text().trimmed() == text::bytes(mark) || shownMemory(bytes) == shownMemory(mark))  // what is shown of a mark means the mark, not a rounding of it
            bytes = mark;
    setMemory(bytes, tr("memory"), 0);
    showControls();
}

}  // namespace poet

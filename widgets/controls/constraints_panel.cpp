// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/constraints_panel.h"

#include "widgets/controls/limit_slider.h"
#include "widgets/document/solve_controller.h"
#include "widgets/style/text.h"

#include <QComboBox>
#include <QFrame>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QRegularExpression>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace poet {

using namespace Qt::StringLiterals;

ConstraintsPanel::ConstraintsPanel(DocumentState& state, SolveController& solver, QWidget* parent) : QWidget(parent), m_state(state), m_solver(solver)
{
    build();
    connect(&m_state, &DocumentState::changed, this, &ConstraintsPanel::refresh);
    connect(m_memory, &LimitSlider::moved, this, [this](double value, bool) {
        setMemory(static_cast<std::int64_t>(std::llround(value)), tr("memory"), m_dragKey);
    });
    connect(m_memory, &LimitSlider::released, this, [this] {
        ++m_dragKey;
        m_solver.solveNow();
    });
    connect(m_memoryField, &QLineEdit::editingFinished, this, &ConstraintsPanel::takeMemoryText);
    connect(m_memoryField, &QLineEdit::returnPressed, this, [this] { m_solver.solveNow(true); });
    connect(m_deadline, &DeadlineEditor::solveAsked, this, [this](bool isForced) { m_solver.solveNow(isForced); });
    connect(m_strategy, &QComboBox::activated, this, [this] {
        Controls controls = m_state.controls();
        controls.query.strategy = static_cast<Strategy>(m_strategy->currentData().toInt());
        m_state.editControls(controls, tr("strategy"));
    });
    connect(m_point, &QComboBox::activated, this, [this] { Q_EMIT operatingPointChosen(m_point->currentData().toString()); });
    setEnabled(false);
}

void ConstraintsPanel::buildMemory()
{
    m_memory = new LimitSlider;
    m_memory->setAccessibleName(tr("Memory budget"));
    m_memory->setObjectName(u"memorySlider"_s);
    m_memoryField = new QLineEdit;
    m_memoryField->setObjectName(u"memoryField"_s);
    m_memoryField->setAccessibleName(tr("Memory budget, typed"));
    m_memoryField->setToolTip(tr("All RAM: 65536, 64 KiB, 0.5 MiB, 50% of the keep-all peak, or 50%span of the way from the smallest to the keep-all peak"));
    m_memoryUnderstood = new QLabel;
    m_memoryUnderstood->setForegroundRole(QPalette::PlaceholderText);
    m_memoryUnderstood->setWordWrap(true);
    auto* label = new QLabel(tr("&Memory"));
    label->setBuddy(m_memoryField);
    auto* reset = new QToolButton;
    reset->setText(tr("reset"));
    reset->setToolTip(tr("Memory back to half-way between smallest and keep-all"));
    reset->setAccessibleName(reset->toolTip());
    reset->setAutoRaise(true);
    connect(m_memory, &LimitSlider::resetAsked, reset, &QToolButton::click);
    connect(reset, &QToolButton::clicked, this, [this] {
        if (const ProblemPtr& problem = m_state.problem())
            setMemory(problem->wallBytes + (problem->keepAllPeakBytes - problem->wallBytes) / 2, tr("reset memory"), 0);
    });
    auto* row = new QHBoxLayout;
    row->addWidget(label);
    row->addWidget(m_memoryField, 1);
    row->addWidget(reset);
    m_memoryBox = new QWidget;
    auto* column = new QVBoxLayout(m_memoryBox);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(3);
    column->addLayout(row);
    column->addWidget(m_memory);
    column->addWidget(m_memoryUnderstood);
}

void ConstraintsPanel::build()
{
    buildMemory();
    m_deadline = new DeadlineEditor(m_state);
    m_strategy = new QComboBox;
    m_strategy->setObjectName(u"strategyBox"_s);
    m_strategy->setAccessibleName(tr("Strategy"));
    for (Strategy strategy : {Strategy::Integrated, Strategy::Paging, Strategy::Recompute, Strategy::KeepAll, Strategy::PageAll,
                              Strategy::Sqrt, Strategy::Revolve, Strategy::Greedy, Strategy::Capuchin, Strategy::Dtr})
        m_strategy->addItem(text::strategy(strategy), static_cast<int>(strategy));
    m_strategy->insertSeparator(4);
    auto* strategyLabel = new QLabel(tr("Strate&gy"));
    strategyLabel->setBuddy(m_strategy);
    m_point = new QComboBox;
    m_point->setObjectName(u"operatingPointBox"_s);
    m_point->setAccessibleName(tr("Operating point"));
    m_point->setToolTip(tr("The frequency and voltage that the device runs at: slower is often thriftier, until the deadline binds"));
    m_point->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_point->setMinimumContentsLength(7);
    m_pointLabel = new QLabel(tr("&Operating point"));
    m_pointLabel->setBuddy(m_point);
    m_search = new SearchSettings(m_state);
    m_status = new StatusPanel(m_state, m_solver);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(4);
    grid->addWidget(strategyLabel, 0, 0);
    grid->addWidget(m_strategy, 0, 1);
    grid->addWidget(m_pointLabel, 1, 0);
    grid->addWidget(m_point, 1, 1);
    grid->addWidget(new QLabel(tr("Ends at gap")), 2, 0);
    grid->addWidget(m_search, 2, 1);
    grid->setColumnStretch(1, 1);
    auto* line = new QFrame;
    line->setFrameShape(QFrame::HLine);
    line->setForegroundRole(QPalette::Midlight);
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(10, 6, 10, 4);
    column->setSpacing(4);
    column->addWidget(m_memoryBox);
    column->addWidget(m_deadline);
    column->addLayout(grid);
    column->addStretch(1);
    auto* scroll = new QScrollArea;
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(scroll, 1);
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
    if (!m_memory->isDragging())
        m_memory->setRange(std::max(1.0, wall - margin), peak + margin / 2);
    const auto knownMemory = cache.smallestKnownMemory(*problem, query);
    m_memory->setBands(static_cast<double>(cache.largestInfeasibleMemory(*problem, query)), knownMemory ? static_cast<double>(*knownMemory) : peak + margin);
    std::vector<LimitSlider::Mark> marks{{wall, text::bytes(problem->wallBytes)}};
    const auto ram = static_cast<double>(problem->deviceRamBytes);
    if (ram > wall && ram < peak)
        marks.push_back({ram, tr("device %1").arg(text::bytes(problem->deviceRamBytes))});
    marks.push_back({peak, tr("keep-all %1").arg(text::bytes(problem->keepAllPeakBytes))});
    m_memory->setMarks(std::move(marks));
    std::vector<double> stops;
    for (const PlanPtr& plan : cache.plans(*problem))
        if (isAllowed(*plan, query.strategy))
            stops.push_back(static_cast<double>(memoryNeed(*problem->graph, *plan)));
    stops.push_back(peak);
    std::sort(stops.begin(), stops.end());
    m_memory->setStops(std::move(stops));
}

void ConstraintsPanel::showControls()
{
    const ProblemPtr& problem = m_state.problem();
    const PlanQuery& query = m_state.controls().query;
    m_memory->setValue(static_cast<double>(query.memoryBytes));
    if (!m_memoryField->hasFocus() || !m_memoryField->isModified())
        m_memoryField->setText(text::bytes(query.memoryBytes));
    m_strategy->setCurrentIndex(m_strategy->findData(static_cast<int>(query.strategy)));
    const std::int64_t resident = problem->residentBytes();
    m_memoryUnderstood->setText(resident > 0 ? tr("%1 resident + %2 planned").arg(text::bytes(resident), text::bytes(std::max<std::int64_t>(0, query.memoryBytes - resident)))
                                             : tr("%1 bytes, nothing resident").arg(QLocale().toString(query.memoryBytes)));
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
    static_cast<void>(typed.toDouble(&isBare));
    return isBare ? typed + u' ' + shown.section(u' ', -1) : typed;
}

}  // namespace

void ConstraintsPanel::takeMemoryText()
{
    const ProblemPtr& problem = m_state.problem();
    if (!problem || !m_memoryField->isModified())
        return;
    const auto spec = parseMemory(text::to(withUnit(m_memoryField->text().trimmed(), text::bytes(m_state.controls().query.memoryBytes))));
    if (!spec) {
        m_memoryUnderstood->setText(text::from(spec.error().text()));
        return;
    }
    m_memoryField->setModified(false);
    std::int64_t bytes = spec->bytes(problem->wallBytes, problem->keepAllPeakBytes);
    for (const std::int64_t mark : {problem->wallBytes, problem->keepAllPeakBytes})
        if (text::bytes(bytes) == text::bytes(mark))  // what is shown of a mark means the mark, not a rounding of it
            bytes = mark;
    setMemory(bytes, tr("memory"), 0);
    showControls();
}

}  // namespace poet

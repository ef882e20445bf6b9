// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/constraints_panel.h"

#include "widgets/controls/limit_slider.h"
#include "widgets/document/solve_controller.h"
#include "widgets/style/colors.h"
#include "widgets/style/text.h"

#include <QAccessible>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QSpinBox>
#include <QStyle>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <limits>

namespace poet {

using namespace Qt::StringLiterals;

namespace {

constexpr int kMemoryKey = 1;    // undo merge keys; a new drag gets a new pair
constexpr int kDeadlineKey = 2;

QToolButton* resetButton(const QString& tip)
{
    auto* button = new QToolButton;
    button->setText(ConstraintsPanel::tr("reset"));
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setAutoRaise(true);
    return button;
}

}  // namespace

ConstraintsPanel::ConstraintsPanel(DocumentState& state, SolveController& solver, QWidget* parent) : QWidget(parent), m_state(state), m_solver(solver)
{
    buildControls();
    connect(&m_state, &DocumentState::changed, this, &ConstraintsPanel::refresh);
    setEnabled(false);
    m_gap->setCurrentIndex(m_gap->findData(m_state.controls().gap));
    m_limit->setValue(static_cast<int>(m_state.controls().timeLimitSeconds));
    showStatus();
}

void ConstraintsPanel::buildControls()
{
    m_memory = new LimitSlider;
    m_memory->setAccessibleName(tr("Memory budget"));
    m_memory->setObjectName(u"memorySlider"_s);
    m_deadline = new LimitSlider;
    m_deadline->setAccessibleName(tr("Deadline of one training step"));
    m_deadline->setObjectName(u"deadlineSlider"_s);
    m_memoryField = new QLineEdit;
    m_memoryField->setObjectName(u"memoryField"_s);
    m_memoryField->setAccessibleName(tr("Memory budget, typed"));
    m_memoryField->setToolTip(tr("All RAM: 65536, 64 KiB, 0.5 MiB, 50% of the keep-all peak, or 50%span of the way from the smallest to the keep-all peak"));
    m_deadlineField = new QLineEdit;
    m_deadlineField->setObjectName(u"deadlineField"_s);
    m_deadlineField->setAccessibleName(tr("Deadline, typed"));
    m_deadlineField->setToolTip(tr("One training step: 140 ms, 2.5 s, 120% of keep-all time; a whole job: 8 h / 5000 steps; empty for none"));
    m_deadlineField->setPlaceholderText(tr("none"));
    m_memoryUnderstood = new QLabel;
    m_deadlineUnderstood = new QLabel;
    for (QLabel* label : {m_memoryUnderstood, m_deadlineUnderstood}) {
        label->setForegroundRole(QPalette::PlaceholderText);
        label->setWordWrap(true);
    }
    m_strategy = new QComboBox;
    m_strategy->setObjectName(u"strategyBox"_s);
    m_strategy->setAccessibleName(tr("Strategy"));
    for (Strategy strategy : {Strategy::Integrated, Strategy::Paging, Strategy::Recompute, Strategy::KeepAll, Strategy::PageAll,
                              Strategy::Sqrt, Strategy::Revolve, Strategy::Greedy, Strategy::Capuchin, Strategy::Dtr})
        m_strategy->addItem(text::strategy(strategy), static_cast<int>(strategy));
    m_strategy->insertSeparator(4);

    auto* memoryLabel = new QLabel(tr("&Memory"));
    memoryLabel->setBuddy(m_memoryField);
    auto* deadlineLabel = new QLabel(tr("&Deadline"));
    deadlineLabel->setBuddy(m_deadlineField);
    auto* strategyLabel = new QLabel(tr("Strate&gy"));
    strategyLabel->setBuddy(m_strategy);
    auto* memoryReset = resetButton(tr("Memory back to half-way between smallest and keep-all"));
    auto* deadlineReset = resetButton(tr("No deadline"));
    m_mark = new QLabel;
    m_headline = new QLabel;
    m_headline->setObjectName(u"statusHeadline"_s);
    m_headline->setWordWrap(true);
    m_detail = new QLabel;
    m_detail->setWordWrap(true);
    m_detail->setTextInteractionFlags(Qt::TextSelectableByMouse);
    QFont bold = font();
    bold.setBold(true);
    m_headline->setFont(bold);
    QFont large = font();
    large.setPointSizeF(font().pointSizeF() * 1.3);
    m_mark->setFont(large);
    m_prove = new QPushButton(tr("Prove it"));
    m_prove->setToolTip(tr("Search on until the gap is below 0.0001 %"));
    m_stop = new QPushButton(tr("Stop"));
    m_stop->setToolTip(tr("End the search and keep the best schedule found (Shift+F5)"));
    m_retry = new QPushButton(tr("Retry"));
    m_jumps = new QHBoxLayout;

    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(10, 8, 10, 8);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(3);
    grid->addWidget(memoryLabel, 0, 0);
    grid->addWidget(m_memoryField, 0, 1);
    grid->addWidget(memoryReset, 0, 2);
    grid->addWidget(m_memory, 1, 0, 1, 3);
    grid->addWidget(m_memoryUnderstood, 2, 0, 1, 3);
    grid->addWidget(deadlineLabel, 3, 0);
    grid->addWidget(m_deadlineField, 3, 1);
    grid->addWidget(deadlineReset, 3, 2);
    grid->addWidget(m_deadline, 4, 0, 1, 3);
    grid->addWidget(m_deadlineUnderstood, 5, 0, 1, 3);
    grid->addWidget(strategyLabel, 6, 0);
    grid->addWidget(m_strategy, 6, 1, 1, 2);
    m_gap = new QComboBox;
    m_gap->setAccessibleName(tr("Gap at which a search ends"));
    m_gap->setToolTip(tr("How close to the proven bound a plan must be to count as optimal"));
    for (double gap : {1e-6, 1e-4, 1e-3, 1e-2})
        m_gap->addItem(QString::number(gap * 100, 'g', 3) + u" %"_s, gap);
    m_limit = new QSpinBox;
    m_limit->setRange(1, 3600);
    m_limit->setSuffix(tr(" s"));
    m_limit->setAccessibleName(tr("Time limit of a search"));
    m_limit->setToolTip(tr("A search ends after this time with the best plan found and an honest gap"));
    auto* search = new QHBoxLayout;
    search->addWidget(m_gap);
    search->addWidget(new QLabel(tr("within")));
    search->addWidget(m_limit);
    search->addStretch();
    grid->addWidget(new QLabel(tr("Gap")), 7, 0);
    grid->addLayout(search, 7, 1, 1, 2);
    connect(m_gap, &QComboBox::activated, this, [this] {
        Controls controls = m_state.controls();
        controls.gap = m_gap->currentData().toDouble();
        m_state.editControls(controls, tr("gap"));
    });
    connect(m_limit, &QSpinBox::editingFinished, this, [this] {
        Controls controls = m_state.controls();
        controls.timeLimitSeconds = m_limit->value();
        m_state.editControls(controls, tr("time limit"));
    });
    auto* line = new QFrame;
    line->setFrameShape(QFrame::HLine);
    line->setForegroundRole(QPalette::Midlight);
    grid->addWidget(line, 8, 0, 1, 3);
    auto* status = new QHBoxLayout;
    status->addWidget(m_mark, 0, Qt::AlignTop);
    status->addWidget(m_headline, 1);
    grid->addLayout(status, 9, 0, 1, 3);
    grid->addWidget(m_detail, 10, 0, 1, 3);
    grid->addLayout(m_jumps, 11, 0, 1, 3);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_prove);
    buttons->addWidget(m_retry);
    buttons->addStretch();
    buttons->addWidget(m_stop);
    grid->addLayout(buttons, 12, 0, 1, 3);
    grid->setRowStretch(13, 1);
    grid->setColumnStretch(1, 1);

    connect(m_memory, &LimitSlider::moved, this, [this](double value, bool) {
        setMemory(static_cast<std::int64_t>(std::llround(value)), tr("memory"), kMemoryKey + m_dragKey);
    });
    connect(m_deadline, &LimitSlider::moved, this, [this](double value, bool) {
        setDeadline(value >= m_deadline->maximum() ? std::nullopt : std::optional(value), tr("deadline"), kDeadlineKey + m_dragKey);
    });
    for (LimitSlider* slider : {m_memory, m_deadline})
        connect(slider, &LimitSlider::released, this, [this] {
            m_dragKey += 2;
            m_solver.solveNow();
        });
    connect(m_memory, &LimitSlider::resetAsked, memoryReset, &QToolButton::click);
    connect(m_deadline, &LimitSlider::resetAsked, deadlineReset, &QToolButton::click);
    connect(memoryReset, &QToolButton::clicked, this, [this] {
        if (const ProblemPtr& problem = m_state.problem())
            setMemory(problem->wallBytes + (problem->keepAllPeakBytes - problem->wallBytes) / 2, tr("reset memory"), 0);
    });
    connect(deadlineReset, &QToolButton::clicked, this, [this] { setDeadline(std::nullopt, tr("reset deadline"), 0); });
    connect(m_memoryField, &QLineEdit::editingFinished, this, &ConstraintsPanel::takeMemoryText);
    connect(m_deadlineField, &QLineEdit::editingFinished, this, &ConstraintsPanel::takeDeadlineText);
    connect(m_memoryField, &QLineEdit::returnPressed, this, [this] { m_solver.solveNow(true); });
    connect(m_deadlineField, &QLineEdit::returnPressed, this, [this] { m_solver.solveNow(true); });
    connect(m_strategy, &QComboBox::activated, this, [this] {
        Controls controls = m_state.controls();
        controls.query.strategy = static_cast<Strategy>(m_strategy->currentData().toInt());
        m_state.editControls(controls, tr("strategy"));
    });
    connect(m_prove, &QPushButton::clicked, &m_solver, &SolveController::prove);
    connect(m_stop, &QPushButton::clicked, &m_solver, &SolveController::stop);
    connect(m_retry, &QPushButton::clicked, &m_solver, [this] { m_solver.solveNow(true); });
}

void ConstraintsPanel::refresh(DocumentState::Aspects aspects)
{
    setEnabled(m_state.problem() != nullptr);
    if (aspects & (DocumentState::ProblemAspect | DocumentState::CacheAspect | DocumentState::ControlsAspect))
        showRanges();
    if (aspects & (DocumentState::ProblemAspect | DocumentState::ControlsAspect))
        showControls();
    if (aspects & (DocumentState::ProblemAspect | DocumentState::ControlsAspect | DocumentState::PlanAspect | DocumentState::CacheAspect | DocumentState::SearchAspect))
        showStatus();
}

double ConstraintsPanel::deadlineMaximum() const
{
    const ProblemPtr& problem = m_state.problem();
    double longest = problem->keepAll->replay.seconds;
    for (const PlanPtr& plan : m_state.cache().plans(*problem))
        longest = std::max(longest, plan->replay.seconds);
    // Round up generously so that the range does not creep while plans arrive.
    return std::max(problem->keepAll->replay.seconds * 3, std::pow(2, std::ceil(std::log2(std::max(longest, 1e-12)))));
}

void ConstraintsPanel::showRanges()
{
    const ProblemPtr& problem = m_state.problem();
    if (!problem)
        return;
    const PlanQuery& query = m_state.controls().query;
    const PlanCache& cache = m_state.cache();
    const auto wall = static_cast<double>(problem->wallBytes);
    const auto peak = static_cast<double>(problem->keepAllPeakBytes);
    const double margin = std::max((peak - wall) * 0.08, peak * 0.01);
    if (!m_memory->isDragging()) {
        m_memory->setRange(std::max(1.0, wall - margin), peak + margin / 2);
        if (m_deadline && !m_deadline->isDragging())
            m_deadline->setRange(problem->shortestSeconds * 0.9, deadlineMaximum());
    }
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
    const auto knownSeconds = cache.smallestKnownSeconds(*problem, query);
    m_deadline->setBands(std::min(cache.largestInfeasibleSeconds(*problem, query), m_deadline->maximum()), knownSeconds.value_or(m_deadline->maximum()));
    m_deadline->setMarks({{problem->shortestSeconds, text::seconds(problem->shortestSeconds)}, {m_deadline->maximum(), tr("none")}});
}

void ConstraintsPanel::showControls()
{
    const ProblemPtr& problem = m_state.problem();
    if (!problem)
        return;
    const PlanQuery& query = m_state.controls().query;
    m_memory->setValue(static_cast<double>(query.memoryBytes));
    m_deadline->setValue(query.deadlineSeconds.value_or(m_deadline->maximum()));
    if (!m_memoryField->hasFocus() || !m_memoryField->isModified())
        m_memoryField->setText(text::bytes(query.memoryBytes));
    if (!m_deadlineField->hasFocus() || !m_deadlineField->isModified())
        m_deadlineField->setText(query.deadlineSeconds ? text::seconds(*query.deadlineSeconds) : QString());
    m_strategy->setCurrentIndex(m_strategy->findData(static_cast<int>(query.strategy)));
    m_gap->setCurrentIndex(std::max(0, m_gap->findData(m_state.controls().gap)));
    if (!m_limit->hasFocus())
        m_limit->setValue(static_cast<int>(m_state.controls().timeLimitSeconds));
    const std::int64_t resident = problem->residentBytes();
    m_memoryUnderstood->setText(resident > 0 ? tr("%1 resident + %2 planned").arg(text::bytes(resident), text::bytes(std::max<std::int64_t>(0, query.memoryBytes - resident)))
                                             : tr("%L1 bytes, nothing resident").arg(query.memoryBytes));
    m_deadlineUnderstood->setText(query.deadlineSeconds ? tr("per training step; keep-all takes %1").arg(text::seconds(problem->keepAll->replay.seconds))
                                                        : tr("no deadline; keep-all takes %1").arg(text::seconds(problem->keepAll->replay.seconds)));
}

void ConstraintsPanel::setMemory(std::int64_t bytes, const QString& what, int mergeKey)
{
    Controls controls = m_state.controls();
    controls.query.memoryBytes = std::max<std::int64_t>(1, bytes);
    m_state.editControls(controls, what, mergeKey);
}

void ConstraintsPanel::setDeadline(std::optional<double> seconds, const QString& what, int mergeKey)
{
    Controls controls = m_state.controls();
    controls.query.deadlineSeconds = seconds;
    m_state.editControls(controls, what, mergeKey);
}

void ConstraintsPanel::takeMemoryText()
{
    const ProblemPtr& problem = m_state.problem();
    if (!problem || !m_memoryField->isModified())
        return;
    const auto spec = parseMemory(text::to(m_memoryField->text().trimmed()));
    if (!spec) {
        m_memoryUnderstood->setText(text::from(spec.error().text()));
        return;
    }
    m_memoryField->setModified(false);
    setMemory(spec->bytes(problem->wallBytes, problem->keepAllPeakBytes), tr("memory"), 0);
    showControls();
}

void ConstraintsPanel::takeDeadlineText()
{
    const ProblemPtr& problem = m_state.problem();
    if (!problem || !m_deadlineField->isModified())
        return;
    const QString typed = m_deadlineField->text().trimmed();
    if (typed.isEmpty() || typed.compare(tr("none"), Qt::CaseInsensitive) == 0) {
        m_deadlineField->setModified(false);
        setDeadline(std::nullopt, tr("deadline"), 0);
        showControls();
        return;
    }
    // A whole job: "8 h / 5000" is the time of one of 5,000 steps.
    if (const qsizetype slash = typed.indexOf(u'/'); slash > 0) {
        bool isNumber = false;
        const double steps = QLocale::c().toDouble(QString(typed.mid(slash + 1)).remove(tr("steps")).trimmed(), &isNumber);
        const auto total = parseSeconds(text::to(typed.left(slash).trimmed()));
        if (!total || !isNumber || steps < 1) {
            m_deadlineUnderstood->setText(tr("\"%1\" is no job: write its time and its steps, such as 8 h / 5000.").arg(typed));
            return;
        }
        m_deadlineField->setModified(false);
        setDeadline(*total / steps, tr("deadline of a job"), 0);
        showControls();
        return;
    }
    const auto spec = parseDeadline(text::to(typed));
    if (!spec) {
        m_deadlineUnderstood->setText(text::from(spec.error().text()));
        return;
    }
    m_deadlineField->setModified(false);
    setDeadline(spec->seconds(problem->keepAll->replay.seconds), tr("deadline"), 0);
    showControls();
}

QString ConstraintsPanel::statusHeadline() const { return m_headline->text(); }

void ConstraintsPanel::showStatus()
{
    const StatusLine line = describeStatus(m_state);
    const bool isNews = line.headline != m_headline->text() && line.kind != StatusKind::Searching;
    m_mark->setText(line.mark);
    QPalette colors = palette();
    const auto meaning = line.kind == StatusKind::Infeasible || line.kind == StatusKind::Failed ? style::Meaning::OverBudget
                         : line.kind == StatusKind::Optimal                                     ? style::Meaning::PageIn
                                                                                                : style::Meaning::Forward;
    colors.setColor(QPalette::WindowText, style::color(meaning, palette()));
    m_mark->setPalette(colors);
    m_headline->setText(line.kind == StatusKind::None ? tr("Open a model to set its limits.") : line.headline);
    m_detail->setText(line.detail);
    m_detail->setVisible(!line.detail.isEmpty());
    m_prove->setVisible(line.canProve);
    m_stop->setVisible(line.canStop);
    m_retry->setVisible(line.canRetry);
    qDeleteAll(m_jumpButtons);
    m_jumpButtons.clear();
    for (const StatusJump& item : line.jumps) {
        auto* button = new QPushButton(item.label);
        connect(button, &QPushButton::clicked, this, [this, item] { jump(item); });
        m_jumps->addWidget(button);
        m_jumpButtons.append(button);
    }
    if (isNews && QAccessible::isActive()) {
        m_headline->setAccessibleName(line.headline);
        QAccessibleEvent alert(m_headline, QAccessible::Alert);
        QAccessible::updateAccessibility(&alert);
    }
}

void ConstraintsPanel::jump(const StatusJump& target)
{
    Controls controls = m_state.controls();
    if (target.memoryBytes)
        controls.query.memoryBytes = *target.memoryBytes;
    if (target.deadlineSeconds)
        controls.query.deadlineSeconds = std::isinf(*target.deadlineSeconds) ? std::nullopt : std::optional(*target.deadlineSeconds);
    m_state.editControls(controls, tr("go to a feasible limit"));
    m_solver.solveNow();
}

}  // namespace poet

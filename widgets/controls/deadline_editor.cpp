// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/deadline_editor.h"

#include "widgets/controls/limit_row.h"
#include "widgets/controls/limit_slider.h"
#include "widgets/style/text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>
#include <cmath>

namespace poet {

using namespace Qt::StringLiterals;

namespace {

constexpr int kFirstMergeKey = 1000000;  // apart from those of the memory slider

}  // namespace

DeadlineEditor::DeadlineEditor(DocumentState& state, QWidget* parent) : QWidget(parent), m_state(state)
{
    build();
    connect(&m_state, &DocumentState::changed, this, &DeadlineEditor::refresh);
    connect(slider(), &LimitSlider::moved, this, [this](double value, bool) {
        setDeadline(value >= slider()->maximum() ? std::nullopt : std::optional(value), tr("deadline"), kFirstMergeKey + m_dragKey);
    });
    connect(slider(), &LimitSlider::released, this, [this] {
        endDrag();
        Q_EMIT solveAsked(false);
    });
    connect(field(), &QLineEdit::editingFinished, this, &DeadlineEditor::takeText);
    connect(field(), &QLineEdit::returnPressed, this, [this] { Q_EMIT solveAsked(true); });
    connect(m_row, &LimitRow::resetAsked, this, [this] { setDeadline(std::nullopt, tr("reset deadline"), 0); });
    connect(m_scope, &QComboBox::activated, this, [this](int index) {
        setJob(index == 1 ? std::optional(Job{m_epochs->value(), m_steps->value()}) : std::nullopt, tr("deadline of a step or job"));
    });
    for (QSpinBox* box : {m_epochs, m_steps})
        connect(box, &QSpinBox::editingFinished, this, &DeadlineEditor::takeJob);
}

LimitSlider* DeadlineEditor::slider() const { return m_row->slider(); }

QLineEdit* DeadlineEditor::field() const { return m_row->field(); }

void DeadlineEditor::build()
{
    m_row = new LimitRow({u"deadline"_s, tr("&Deadline"), tr("Deadline of one training step"), tr("Deadline, typed"),
                          tr("One training step: 140 ms, 2.5 s, 120% of keep-all time; a whole job: 8 h / 5000 steps; empty for none"), tr("No deadline")});
    field()->setPlaceholderText(tr("none"));
    m_scope = new QComboBox;
    m_scope->setObjectName(u"deadlineScope"_s);
    m_scope->setAccessibleName(tr("What the deadline is for"));
    m_scope->addItems({tr("a step"), tr("the job")});
    m_scope->setToolTip(tr("A deadline for each training step, or for a whole job of epochs"));
    m_epochs = new QSpinBox;
    m_epochs->setRange(1, 1000000);
    m_epochs->setAccessibleName(tr("Epochs of the job"));
    m_steps = new QSpinBox;
    m_steps->setRange(1, 100000000);
    m_steps->setValue(1000);
    m_steps->setAccessibleName(tr("Training steps of an epoch"));
    m_jobRow = new QWidget;
    auto* job = new QHBoxLayout(m_jobRow);
    job->setContentsMargins(0, 0, 0, 0);
    job->addWidget(m_epochs);
    job->addWidget(new QLabel(tr("epochs of")));
    job->addWidget(m_steps);
    job->addWidget(new QLabel(tr("steps")));
    job->addStretch();
    m_jobRow->hide();
    m_row->addBesideField(m_scope);
    m_row->addBelowField(m_jobRow);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_row);
}

void DeadlineEditor::refresh(DocumentState::Aspects aspects)
{
    if (!m_state.problem())
        return;
    if (aspects & (DocumentState::ProblemAspect | DocumentState::CacheAspect | DocumentState::ControlsAspect))
        showRange();
    if (aspects & (DocumentState::ProblemAspect | DocumentState::ControlsAspect))
        showControls();
}

double DeadlineEditor::largest() const
{
    const ProblemPtr& problem = m_state.problem();
    double longest = problem->keepAll->replay.seconds;
    for (const PlanPtr& plan : m_state.cache().plans(*problem))
        longest = std::max(longest, plan->replay.seconds);
    // Round up generously so that the range does not creep while plans arrive.
    return std::max(problem->keepAll->replay.seconds * 3, std::pow(2, std::ceil(std::log2(std::max(longest, 1e-12)))));
}

void DeadlineEditor::showRange()
{
    const ProblemPtr& problem = m_state.problem();
    const PlanQuery& query = m_state.controls().query;
    const PlanCache& cache = m_state.cache();
    if (!slider()->isDragging())
        slider()->setRange(problem->shortestSeconds * 0.9, largest());
    const auto known = cache.smallestKnownSeconds(*problem, query);
    slider()->setBands(std::min(cache.largestInfeasibleSeconds(*problem, query), slider()->maximum()), known.value_or(slider()->maximum()));
    slider()->setMarks({{problem->shortestSeconds, text::seconds(problem->shortestSeconds)}, {slider()->maximum(), tr("none")}});
}

void DeadlineEditor::showControls()
{
    const Controls& controls = m_state.controls();
    const std::optional<double>& deadline = controls.query.deadlineSeconds;
    const QString keepAll = text::seconds(m_state.problem()->keepAll->replay.seconds);
    slider()->setValue(deadline.value_or(slider()->maximum()));
    m_scope->setCurrentIndex(controls.job ? 1 : 0);
    m_jobRow->setVisible(controls.job.has_value());
    if (controls.job) {
        const QSignalBlocker quietEpochs(m_epochs);
        const QSignalBlocker quietSteps(m_steps);
        m_epochs->setValue(controls.job->epochs);
        m_steps->setValue(controls.job->stepsPerEpoch);
    }
    const double steps = controls.job ? controls.job->steps() : 1;
    m_row->showValue(deadline ? text::seconds(*deadline * steps) : QString());
    if (m_row->isTyped() && m_row->hasProblem())
        return;
    if (!deadline)
        m_row->showUnderstood(controls.job ? tr("no deadline; keep-all takes %1 for the job, %2 a step").arg(text::seconds(m_state.problem()->keepAll->replay.seconds * steps), keepAll)
                                           : tr("no deadline; keep-all takes %1").arg(keepAll));
    else
        m_row->showUnderstood(controls.job ? tr("the job: %1 a training step; keep-all takes %2").arg(text::seconds(*deadline), keepAll)
                                           : tr("per training step; keep-all takes %1").arg(keepAll));
}

void DeadlineEditor::setDeadline(std::optional<double> seconds, const QString& what, int mergeKey)
{
    Controls controls = m_state.controls();
    controls.query.deadlineSeconds = seconds;
    m_state.editControls(controls, what, mergeKey);
}

/// The time of the whole job stays as typed when its length changes.
void DeadlineEditor::setJob(std::optional<Job> job, const QString& what)
{
    Controls controls = m_state.controls();
    if (controls.job && job && controls.query.deadlineSeconds)
        controls.query.deadlineSeconds = *controls.query.deadlineSeconds * controls.job->steps() / job->steps();
    controls.job = job;
    m_state.editControls(controls, what);
}

void DeadlineEditor::takeJob()
{
    if (m_state.controls().job)
        setJob(Job{m_epochs->value(), m_steps->value()}, tr("length of the job"));
}

void DeadlineEditor::takeText()
{
    const ProblemPtr& problem = m_state.problem();
    if (!problem || !m_row->isTyped())
        return;
    QString typed = field()->text().trimmed();
    std::optional<double> seconds;
    double steps = m_state.controls().job ? m_state.controls().job->steps() : 1;
    if (!typed.isEmpty() && typed.compare(tr("none"), Qt::CaseInsensitive) != 0) {
        // A whole job: "8 h / 5000" is the time of one of 5,000 steps.
        if (const qsizetype slash = typed.indexOf(u'/'); slash > 0) {
            bool isNumber = false;
            steps = QLocale().toDouble(QString(typed.mid(slash + 1)).remove(tr("steps")).trimmed(), &isNumber);
            if (!isNumber || !(steps >= 1)) {
                m_row->showProblem(tr("\"%1\" is no job: write its time and its steps, such as 8 h / 5000.").arg(typed));
                return;
            }
            typed = typed.left(slash).trimmed();
        }
        const auto spec = parseDeadline(text::typed(typed));
        if (!spec) {
            m_row->showProblem(text::from(spec.error().text()));
            return;
        }
        seconds = spec->seconds(problem->keepAll->replay.seconds * steps) / steps;
    }
    field()->setModified(false);
    setDeadline(seconds, tr("deadline"), 0);
    showControls();
}

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/status_panel.h"

#include "widgets/document/solve_controller.h"
#include "widgets/style/colors.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <cmath>

namespace poet {

using namespace Qt::StringLiterals;

StatusPanel::StatusPanel(DocumentState& state, SolveController& solver, QWidget* parent) : QWidget(parent), m_state(state), m_solver(solver)
{
    setObjectName(u"statusPanel"_s);
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
    m_retry->setToolTip(tr("Search again (F5)"));
    m_jumps = new QHBoxLayout;
    auto* status = new QHBoxLayout;
    status->setSpacing(6);
    status->addWidget(m_mark, 0, Qt::AlignTop);
    status->addWidget(m_headline, 1);
    for (QPushButton* button : {m_prove, m_retry, m_stop})  // beside the headline: the dock may be low
        status->addWidget(button, 0, Qt::AlignTop);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(3);
    column->addLayout(status);
    column->addWidget(m_detail);
    column->addLayout(m_jumps);
    connect(m_prove, &QPushButton::clicked, &m_solver, &SolveController::prove);
    connect(m_stop, &QPushButton::clicked, &m_solver, &SolveController::stop);
    connect(m_retry, &QPushButton::clicked, &m_solver, [this] { m_solver.solveNow(true); });
    connect(&m_state, &DocumentState::changed, this, [this](DocumentState::Aspects aspects) {
        if (aspects & (DocumentState::ProblemAspect | DocumentState::ControlsAspect | DocumentState::PlanAspect | DocumentState::CacheAspect | DocumentState::SearchAspect))
            showStatus();
    });
    showStatus();
}

QString StatusPanel::headline() const { return m_headline->text(); }

void StatusPanel::showStatus()
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
    m_headline->setToolTip(line.scope);
    m_detail->setText(line.detail);
    m_detail->setVisible(!line.detail.isEmpty());
    m_prove->setVisible(line.canProve);
    m_stop->setVisible(line.canStop);
    m_retry->setVisible(line.canRetry);
    qDeleteAll(m_jumpButtons);
    m_jumpButtons.clear();
    for (const StatusJump& item : line.jumps) {
        auto* button = new QPushButton(item.label);
        button->setToolTip(tr("Sets the limit that stands in the way"));
        button->setWhatsThis(button->toolTip());
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

void StatusPanel::jump(const StatusJump& target)
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

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/teaching/step_bar.h"

#include "widgets/teaching/step_text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QEvent>
#include <QIcon>
#include <QPainter>
#include <QPixmap>
#include <QStyle>
#include <QToolButton>

#include <utility>

namespace poet {

using namespace Qt::StringLiterals;

StepBar::StepBar(DocumentState& state, QWidget* parent) : QWidget(parent), m_state(state)
{
    setObjectName(u"stepBar"_s);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 2, 8, 2);
    row->setSpacing(2);
    row->addWidget(new QLabel(tr("Step")));
    const auto add = [&](QStyle::StandardPixmap icon, const QString& tip, auto work) {
        auto* button = new QToolButton;
        m_icons.emplace_back(button, icon);
        button->setToolTip(tip);
        button->setAccessibleName(tip);
        button->setAutoRaise(true);
        connect(button, &QToolButton::clicked, this, work);
        row->addWidget(button);
        return button;
    };
    add(QStyle::SP_MediaSkipBackward, tr("First event"), [this] { toEnd(false); });
    add(QStyle::SP_MediaSeekBackward, tr("Previous event ([)"), [this] { move(-1); });
    m_play = add(QStyle::SP_MediaPlay, tr("Play or pause (Ctrl+Space)"), [this] { playOrPause(); });
    add(QStyle::SP_MediaSeekForward, tr("Next event (])"), [this] { move(1); });
    add(QStyle::SP_MediaSkipForward, tr("Last event"), [this] { toEnd(true); });
    m_speed = new QComboBox;
    m_speed->setAccessibleName(tr("Speed of play"));
    for (int speed : {1, 2, 5})
        m_speed->addItem(tr("%n a second", nullptr, speed), speed);
    connect(m_speed, &QComboBox::activated, this, [this] { m_timer.setInterval(1000 / m_speed->currentData().toInt()); });
    row->addWidget(m_speed);
    m_position = new QLabel;
    row->addWidget(m_position);
    m_sentence = new QLabel;
    m_sentence->setObjectName(u"stepSentence"_s);
    m_sentence->setWordWrap(true);
    m_sentence->setMinimumWidth(120);
    row->addWidget(m_sentence, 1);
    add(QStyle::SP_DialogCloseButton, tr("Leave step mode"), [this] { leave(); });
    m_timer.setInterval(1000);
    connect(&m_timer, &QTimer::timeout, this, [this] { move(1); });
    connect(&m_state, &DocumentState::changed, this, [this](DocumentState::Aspects aspects) {
        if (aspects & (DocumentState::CursorAspect | DocumentState::PlanAspect | DocumentState::ProblemAspect))
            refresh();
    });
    refresh();
}

int StepBar::neighbour(int step, int direction) const
{
    const auto& steps = m_state.plan()->replay.schedule.steps;
    for (step += direction; step >= 0 && step < static_cast<int>(steps.size()); step += direction)
        if (steps[static_cast<std::size_t>(step)].kind != StepKind::Free)
            return step;
    return -1;
}

void StepBar::move(int direction)
{
    if (!m_state.plan())
        return;
    const int step = neighbour(m_state.cursorStep(), direction);
    if (step < 0) {
        m_timer.stop();
        refresh();
        return;
    }
    m_state.setCursorStep(step);
    m_state.select({m_state.plan()->replay.schedule.steps[static_cast<std::size_t>(step)].node, step, -1});
}

void StepBar::toEnd(bool isLast)
{
    if (!m_state.plan())
        return;
    m_state.setCursorStep(isLast ? static_cast<int>(m_state.plan()->replay.schedule.steps.size()) : -1);
    move(isLast ? -1 : 1);
}

void StepBar::playOrPause()
{
    if (m_timer.isActive())
        m_timer.stop();
    else if (m_state.plan()) {
        m_timer.setInterval(1000 / m_speed->currentData().toInt());
        m_timer.start();
        move(1);
    }
    refresh();
}

void StepBar::leave()
{
    m_timer.stop();
    m_state.setCursorStep(-1);
    refresh();
}

QString StepBar::sentence() const { return m_sentence->text(); }

void StepBar::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange) {
        m_iconsShown = {false, -1};
        showIcons();
    }
}

/// The style's icons are dark on any background: they take the colour of text.
void StepBar::showIcons()
{
    const auto tinted = [this](QStyle::StandardPixmap icon) {
        QPixmap pixmap = style()->standardIcon(icon).pixmap(QSize(16, 16), devicePixelRatio());
        QPainter painter(&pixmap);
        painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
        painter.fillRect(pixmap.rect(), palette().color(QPalette::ButtonText));
        return QIcon(pixmap);
    };
    const std::pair now(m_timer.isActive(), palette().cacheKey());
    if (std::exchange(m_iconsShown, now) == now)  // asked at every step
        return;
    for (const auto& [button, icon] : m_icons)
        button->setIcon(tinted(button == m_play && m_timer.isActive() ? QStyle::SP_MediaPause : icon));
}

void StepBar::refresh()
{
    showIcons();
    setEnabled(m_state.plan() != nullptr);
    if (!m_state.plan() || m_state.cursorStep() < 0) {
        m_position->clear();
        m_sentence->setText(m_state.plan() ? tr("Play to see what each event does, and where every tensor is meanwhile.") : QString());
        return;
    }
    const auto& steps = m_state.plan()->replay.schedule.steps;
    m_position->setText(tr("t = %1 of %2").arg(steps[static_cast<std::size_t>(m_state.cursorStep())].stage).arg(m_state.problem()->graph->size() - 1));
    m_sentence->setText(stepSentence(*m_state.problem(), *m_state.plan(), m_state.facts(), m_state.cursorStep()));
}

}  // namespace poet

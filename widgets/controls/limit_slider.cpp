// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/limit_slider.h"

#include "widgets/style/colors.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>

namespace poet {

namespace {

using style::Meaning;
constexpr double kTrackHeight = 12;

}  // namespace

LimitSlider::LimitSlider(QWidget* parent) : TrackSlider(parent) {}

QSize LimitSlider::sizeHint() const { return {220, 30 + fontMetrics().height()}; }

QSize LimitSlider::minimumSizeHint() const { return {120, 30 + fontMetrics().height()}; }

QRectF LimitSlider::track() const { return {kHandleWidth / 2 + 2, 8, width() - kHandleWidth - 4, kTrackHeight}; }

void LimitSlider::setBands(double infeasible, double known)
{
    m_infeasible = infeasible;
    m_known = known;
    update();
}

void LimitSlider::setMarks(std::vector<Mark> marks)
{
    m_marks = std::move(marks);
    update();
}

void LimitSlider::setStops(std::vector<double> stops) { m_stops = std::move(stops); }

void LimitSlider::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QPalette& p = palette();
    const QRectF t = track();
    const double infeasible = positionOf(m_infeasible);
    const double known = std::max(infeasible, positionOf(m_known));
    painter.setPen(Qt::NoPen);
    painter.setBrush(p.color(QPalette::Base));
    painter.drawRoundedRect(t, 3, 3);
    painter.setBrush(style::mix(p.color(QPalette::Base), style::color(Meaning::OverBudget, p), 0.18));
    painter.drawRect(QRectF(t.left(), t.top(), infeasible - t.left(), t.height()));
    painter.setBrush(style::hatch(Meaning::OverBudget, p));
    painter.drawRect(QRectF(t.left(), t.top(), infeasible - t.left(), t.height()));
    painter.setBrush(QBrush(style::mix(p.color(QPalette::Text), p.color(QPalette::Base), 0.45), Qt::Dense6Pattern));
    painter.drawRect(QRectF(infeasible, t.top(), known - infeasible, t.height()));
    painter.setBrush(style::mix(p.color(QPalette::Base), style::color(Meaning::Forward, p), 0.55));
    painter.drawRect(QRectF(known, t.top(), t.right() - known, t.height()));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(p.color(QPalette::Mid), 1));
    painter.drawRoundedRect(t, 3, 3);

    double lastRight = -1e9;
    for (const Mark& mark : m_marks) {
        const double x = positionOf(mark.value);
        painter.setPen(QPen(p.color(QPalette::Text), 1.4));
        painter.drawLine(QPointF(x, t.bottom()), QPointF(x, t.bottom() + 5));
        const double advance = fontMetrics().horizontalAdvance(mark.label) + 2;
        const double left = std::clamp(x - advance / 2, 0.0, std::max(0.0, width() - advance));
        if (left < lastRight + 6)
            continue;
        lastRight = left + advance;
        painter.drawText(QRectF(left, t.bottom() + 5, advance, fontMetrics().height()), Qt::AlignCenter, mark.label);
    }

    paintHandle(painter, t.top() - 5, t.height() + 10);
}

void LimitSlider::moveToStop(bool isForward)
{
    if (isForward) {
        const auto next = std::upper_bound(m_stops.begin(), m_stops.end(), value() * (1 + 1e-12));
        if (next != m_stops.end())
            moveTo(*next, false);
        return;
    }
    const auto next = std::lower_bound(m_stops.begin(), m_stops.end(), value() * (1 - 1e-12));
    if (next != m_stops.begin())
        moveTo(*std::prev(next), false);
}

void LimitSlider::keyPressEvent(QKeyEvent* event)
{
    const double step = (maximum() - minimum()) / kSteps;
    const bool isForward = event->key() == Qt::Key_Right || event->key() == Qt::Key_Up;
    switch (event->key()) {
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Left:
    case Qt::Key_Down:
        if (event->modifiers() & Qt::ControlModifier)
            moveToStop(isForward);
        else
            moveTo(value() + (isForward ? step : -step), false);
        return;
    case Qt::Key_PageUp: moveTo(value() + 10 * step, false); return;
    case Qt::Key_PageDown: moveTo(value() - 10 * step, false); return;
    case Qt::Key_Home: moveTo(minimum(), false); return;
    case Qt::Key_End: moveTo(maximum(), false); return;
    case Qt::Key_Return:
    case Qt::Key_Enter: Q_EMIT released(); return;
    default: QWidget::keyPressEvent(event);
    }
}

void LimitSlider::wheelEvent(QWheelEvent* event)
{
    if (!hasFocus()) {  // scrolling the panel must not change limits
        event->ignore();
        return;
    }
    moveTo(value() + (event->angleDelta().y() > 0 ? 1 : -1) * (maximum() - minimum()) / kSteps, false);
    event->accept();
}

}  // namespace poet

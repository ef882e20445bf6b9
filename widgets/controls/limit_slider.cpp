// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/limit_slider.h"

#include "widgets/style/colors.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace poet {

namespace {

using style::Meaning;
constexpr double kHandleWidth = 11;
constexpr double kTrackHeight = 12;
constexpr int kSteps = 200;  // arrow key: a 200th of the range

}  // namespace

LimitSlider::LimitSlider(QWidget* parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setCursor(Qt::PointingHandCursor);
}

QSize LimitSlider::sizeHint() const { return {220, 30 + fontMetrics().height()}; }

QSize LimitSlider::minimumSizeHint() const { return {120, 30 + fontMetrics().height()}; }

QRectF LimitSlider::track() const { return {kHandleWidth / 2 + 2, 8, width() - kHandleWidth - 4, kTrackHeight}; }

double LimitSlider::positionOf(double value) const
{
    const QRectF t = track();
    return t.left() + std::clamp((value - m_minimum) / (m_maximum - m_minimum), 0.0, 1.0) * t.width();
}

double LimitSlider::valueAt(double x) const
{
    const QRectF t = track();
    return m_minimum + std::clamp((x - t.left()) / t.width(), 0.0, 1.0) * (m_maximum - m_minimum);
}

void LimitSlider::setRange(double minimum, double maximum)
{
    m_minimum = minimum;
    m_maximum = maximum > minimum ? maximum : minimum + 1;
    update();
}

void LimitSlider::setValue(double value)
{
    if (value == m_value)
        return;
    m_value = value;
    update();
}

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

void LimitSlider::moveTo(double value, bool isDragging)
{
    value = std::clamp(value, m_minimum, m_maximum);
    if (value == m_value)
        return;
    m_value = value;
    update();
    Q_EMIT moved(value, isDragging);
}

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

    const QRectF handle(positionOf(m_value) - kHandleWidth / 2, t.top() - 5, kHandleWidth, t.height() + 10);
    painter.setPen(QPen(hasFocus() ? p.color(QPalette::Highlight) : p.color(QPalette::Text), hasFocus() ? 2.5 : 1.4));
    painter.setBrush(isEnabled() ? p.color(QPalette::Button) : p.color(QPalette::Window));
    painter.drawRoundedRect(handle, 3, 3);
}

void LimitSlider::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_isDragging = true;
    moveTo(valueAt(event->position().x()), true);
}

void LimitSlider::mouseMoveEvent(QMouseEvent* event)
{
    if (m_isDragging)
        moveTo(valueAt(event->position().x()), true);
}

void LimitSlider::mouseReleaseEvent(QMouseEvent*)
{
    if (!m_isDragging)
        return;
    m_isDragging = false;
    Q_EMIT released();
}

void LimitSlider::mouseDoubleClickEvent(QMouseEvent*)
{
    m_isDragging = false;
    Q_EMIT resetAsked();
}

void LimitSlider::keyPressEvent(QKeyEvent* event)
{
    const double step = (m_maximum - m_minimum) / kSteps;
    const bool isForward = event->key() == Qt::Key_Right || event->key() == Qt::Key_Up;
    switch (event->key()) {
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Left:
    case Qt::Key_Down:
        if (event->modifiers() & Qt::ControlModifier) {
            if (isForward) {
                const auto next = std::upper_bound(m_stops.begin(), m_stops.end(), m_value * (1 + 1e-12));
                if (next != m_stops.end())
                    moveTo(*next, false);
            } else {
                const auto next = std::lower_bound(m_stops.begin(), m_stops.end(), m_value * (1 - 1e-12));
                if (next != m_stops.begin())
                    moveTo(*std::prev(next), false);
            }
            return;
        }
        moveTo(m_value + (isForward ? step : -step), false);
        return;
    case Qt::Key_PageUp: moveTo(m_value + 10 * step, false); return;
    case Qt::Key_PageDown: moveTo(m_value - 10 * step, false); return;
    case Qt::Key_Home: moveTo(m_minimum, false); return;
    case Qt::Key_End: moveTo(m_maximum, false); return;
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
    moveTo(m_value + (event->angleDelta().y() > 0 ? 1 : -1) * (m_maximum - m_minimum) / kSteps, false);
    event->accept();
}

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/track_slider.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace poet {

TrackSlider::TrackSlider(QWidget* parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setCursor(Qt::PointingHandCursor);
}

void TrackSlider::setRange(double minimum, double maximum)
{
    m_minimum = minimum;
    m_maximum = maximum > minimum ? maximum : minimum + 1;
    update();
}

void TrackSlider::setValue(double value)
{
    if (value == m_value)
        return;
    m_value = value;
    update();
}

double TrackSlider::shareOf(double value) const { return (value - m_minimum) / (m_maximum - m_minimum); }

double TrackSlider::valueOf(double share) const { return m_minimum + share * (m_maximum - m_minimum); }

double TrackSlider::positionOf(double value) const
{
    const QRectF line = track();
    return line.left() + std::clamp(shareOf(value), 0.0, 1.0) * line.width();
}

double TrackSlider::valueAt(double x) const
{
    const QRectF line = track();
    return valueOf(std::clamp((x - line.left()) / line.width(), 0.0, 1.0));
}

void TrackSlider::moveTo(double value, bool isDragging)
{
    value = std::clamp(value, m_minimum, m_maximum);
    if (value == m_value)
        return;
    setValue(value);
    Q_EMIT moved(m_value, isDragging);
}

void TrackSlider::paintHandle(QPainter& painter, double top, double height) const
{
    const QPalette& colors = palette();
    painter.setPen(QPen(colors.color(hasFocus() ? QPalette::Highlight : QPalette::Text), hasFocus() ? 2.5 : 1.4));
    painter.setBrush(colors.color(isEnabled() ? QPalette::Button : QPalette::Window));
    painter.drawRoundedRect(QRectF(positionOf(m_value) - kHandleWidth / 2, top, kHandleWidth, height), 3, 3);
}

void TrackSlider::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_isDragging = true;
    moveTo(valueAt(event->position().x()), true);
}

void TrackSlider::mouseMoveEvent(QMouseEvent* event)
{
    if (m_isDragging)
        moveTo(valueAt(event->position().x()), true);
}

void TrackSlider::mouseReleaseEvent(QMouseEvent*)
{
    if (!m_isDragging)
        return;
    m_isDragging = false;
    Q_EMIT released();
}

void TrackSlider::mouseDoubleClickEvent(QMouseEvent*)
{
    m_isDragging = false;
    Q_EMIT resetAsked();
}

}  // namespace poet

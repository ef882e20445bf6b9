// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/device/flip_slider.h"

#include "widgets/style/colors.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace poet {

QString planLetter(int plan) { return QString(QChar(static_cast<char16_t>(u'A' + plan % 26))); }

FlipSlider::FlipSlider(QWidget* parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize FlipSlider::sizeHint() const { return {160, 26}; }

QRectF FlipSlider::track() const { return {8, 8, std::max(10.0, width() - 16.0), 10}; }

void FlipSlider::setOwnValue(double value)
{
    m_own = value > 0 ? value : 1;
    m_value = m_own;
    update();
}

void FlipSlider::setValue(double value)
{
    m_value = std::clamp(value, lowest(), highest());
    update();
}

void FlipSlider::setCurve(const SensitivityCurve& curve)
{
    m_curve = curve;
    update();
}

double FlipSlider::positionOf(double value) const
{
    const QRectF line = track();
    const double share = std::log(std::max(value, lowest()) / lowest()) / std::log(highest() / lowest());
    return line.left() + std::clamp(share, 0.0, 1.0) * line.width();
}

double FlipSlider::valueAt(double x) const
{
    const QRectF line = track();
    return lowest() * std::pow(highest() / lowest(), std::clamp((x - line.left()) / line.width(), 0.0, 1.0));
}

void FlipSlider::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    QFont small = font();
    small.setPixelSize(9);
    painter.setFont(small);
    const QRectF line = track();
    const QPalette& colors = palette();
    painter.fillRect(line, style::mix(colors.color(QPalette::Window), colors.color(QPalette::Mid), 0.5));
    for (const BestInterval& interval : m_curve.intervals) {
        const double from = positionOf(interval.low);
        const QRectF part(from, line.top(), positionOf(interval.high) - from, line.height());
        if (interval.best < 0)
            painter.fillRect(part, style::hatch(style::Meaning::OverBudget, colors));
        else
            painter.fillRect(part, style::category(interval.best, colors));
        if (interval.best >= 0 && part.width() > 14) {
            painter.setPen(style::textOn(style::category(interval.best, colors)));
            painter.drawText(part, Qt::AlignCenter, planLetter(interval.best));
        }
    }
    painter.setRenderHint(QPainter::Antialiasing);
    for (const double flip : m_curve.flips()) {  // colour alone must not tell: a notch stands at each flip
        const double x = positionOf(flip);
        painter.setPen(Qt::NoPen);
        painter.setBrush(colors.color(QPalette::WindowText));
        painter.drawPolygon(QPolygonF({QPointF(x - 4, 1), QPointF(x + 4, 1), QPointF(x, 7)}));
        painter.setPen(QPen(colors.color(QPalette::WindowText), 1));
        painter.drawLine(QPointF(x, 7), QPointF(x, line.bottom()));
    }
    painter.setPen(QPen(colors.color(QPalette::WindowText), 1, Qt::DotLine));
    const double own = positionOf(m_own);
    painter.drawLine(QPointF(own, line.top() - 2), QPointF(own, line.bottom() + 6));
    const double at = positionOf(m_value);
    painter.setPen(QPen(hasFocus() ? colors.color(QPalette::Highlight) : colors.color(QPalette::WindowText), hasFocus() ? 2 : 1.4));
    painter.setBrush(colors.color(QPalette::Base));
    painter.drawRoundedRect(QRectF(at - 5, 4, 10, 18), 3, 3);
}

void FlipSlider::moveTo(double value)
{
    value = std::clamp(value, lowest(), highest());
    if (value == m_value)
        return;
    setValue(value);
    Q_EMIT moved(m_value);
}

void FlipSlider::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        moveTo(valueAt(event->position().x()));
}

void FlipSlider::mouseMoveEvent(QMouseEvent* event)
{
    if (event->buttons() & Qt::LeftButton)
        moveTo(valueAt(event->position().x()));
}

void FlipSlider::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        Q_EMIT released();
}

void FlipSlider::mouseDoubleClickEvent(QMouseEvent*)
{
    moveTo(m_own);
    Q_EMIT released();
}

void FlipSlider::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Down: moveTo(m_value / 1.01); break;
    case Qt::Key_Right:
    case Qt::Key_Up: moveTo(m_value * 1.01); break;
    case Qt::Key_PageDown: moveTo(m_value / 1.1); break;
    case Qt::Key_PageUp: moveTo(m_value * 1.1); break;
    case Qt::Key_Home: moveTo(m_own); break;
    default: QWidget::keyPressEvent(event); return;
    }
    Q_EMIT released();
}

}  // namespace poet

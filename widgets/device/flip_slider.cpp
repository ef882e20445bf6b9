// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/device/flip_slider.h"

#include "widgets/style/colors.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace poet {

QString planLetter(int plan) { return QString(QChar(static_cast<char16_t>(u'A' + plan % 26))); }

FlipSlider::FlipSlider(QWidget* parent) : TrackSlider(parent)
{
    setOwnValue(1);
    connect(this, &TrackSlider::resetAsked, this, [this] {
        moveTo(m_own, false);
        Q_EMIT released();
    });
}

QSize FlipSlider::sizeHint() const { return {160, 26}; }

QRectF FlipSlider::track() const { return {8, 8, std::max(10.0, width() - 16.0), 10}; }

void FlipSlider::setOwnValue(double value)
{
    m_own = value > 0 ? value : 1;
    setRange(m_own / kReach, m_own * kReach);
    setValue(m_own);
}

void FlipSlider::setCurve(const SensitivityCurve& curve)
{
    m_curve = curve;
    update();
}

double FlipSlider::shareOf(double value) const { return std::log(std::max(value, minimum()) / minimum()) / std::log(maximum() / minimum()); }

double FlipSlider::valueOf(double share) const { return minimum() * std::pow(maximum() / minimum(), share); }

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
    paintHandle(painter, 4, 18);
}

void FlipSlider::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Down: moveTo(value() / 1.01, false); break;
    case Qt::Key_Right:
    case Qt::Key_Up: moveTo(value() * 1.01, false); break;
    case Qt::Key_PageDown: moveTo(value() / 1.1, false); break;
    case Qt::Key_PageUp: moveTo(value() * 1.1, false); break;
    case Qt::Key_Home: moveTo(m_own, false); break;
    default: QWidget::keyPressEvent(event); return;
    }
    Q_EMIT released();
}

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style/outlined_style.h"

#include "widgets/style/colors.h"

#include <QPainter>
#include <QStyleOption>

namespace poet::style {

OutlinedStyle::OutlinedStyle() : QProxyStyle(QStringLiteral("fusion")) {}

namespace {

void drawOutline(const QStyleOption& option, QPainter& painter)
{
    const bool hasFocus = option.state & QStyle::State_HasFocus;  // drawn by Fusion in the highlight colour
    if (hasFocus || !isDark(option.palette))
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(option.palette.color(option.state & QStyle::State_Enabled ? QPalette::Mid : QPalette::Midlight));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
    painter.restore();
}

}  // namespace

void OutlinedStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const
{
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    if (element == PE_FrameLineEdit)
        drawOutline(*option, *painter);
}

void OutlinedStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter, const QWidget* widget) const
{
    QProxyStyle::drawComplexControl(control, option, painter, widget);
    const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option);
    if (control == CC_ComboBox || (control == CC_SpinBox && spin && spin->frame))
        drawOutline(*option, *painter);
}

}  // namespace poet::style

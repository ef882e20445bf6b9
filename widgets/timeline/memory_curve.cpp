// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/memory_curve.h"

#include "widgets/style/colors.h"

#include <QPainter>

#include <algorithm>

namespace poet {

void paintMemoryCurve(QPainter& painter, const QRectF& plot, const TimelineModel& curve, const CurveScale& scale, const QPalette& palette)
{
    const auto y = [&](double bytes) { return plot.bottom() - bytes / (1.05 * static_cast<double>(scale.largestBytes)) * plot.height(); };
    const auto x = [&](double time) { return plot.left() + time / scale.longestSeconds * plot.width(); };
    const QColor fill = style::mix(palette.color(QPalette::Base), style::color(style::Meaning::Forward, palette), 0.35);
    const double budget = y(static_cast<double>(scale.budgetBytes));
    for (const MemorySample& sample : curve.memory) {
        const double top = y(static_cast<double>(sample.bytes + scale.residentBytes));
        const QRectF bar(x(sample.begin), top, std::max(1.0, x(sample.end) - x(sample.begin)), plot.bottom() - top);
        painter.fillRect(bar, fill);
        if (top < budget)
            painter.fillRect(QRectF(bar.left(), top, bar.width(), budget - top), style::hatch(style::Meaning::OverBudget, palette));
    }
    painter.setPen(QPen(style::color(style::Meaning::OverBudget, palette), 1.5, Qt::DashLine));
    painter.drawLine(QPointF(plot.left(), budget), QPointF(plot.right(), budget));
    painter.setPen(palette.color(QPalette::Mid));
    painter.drawLine(plot.bottomLeft(), plot.bottomRight());
}

}  // namespace poet

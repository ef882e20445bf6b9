// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/curve_pair.h"

#include "widgets/timeline/memory_curve.h"

#include <QPainter>

#include <algorithm>

namespace poet {

CurvePair::CurvePair(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("curvePair"));
    setAccessibleName(tr("Memory of A and B over one training step"));
    setWhatsThis(tr("Memory of A and B over one training step, on the same axes; the dashed line is the limit that is set."));
    setMinimumSize(140, 80);
}

void CurvePair::show(Side a, Side b, std::int64_t budgetBytes)
{
    m_budgetBytes = budgetBytes;
    Side sides[] = {std::move(a), std::move(b)};
    for (int i = 0; i < 2; ++i) {
        Drawn& drawn = m_sides[i];
        if (drawn.side.plan != sides[i].plan || !drawn.curve)
            drawn.curve = sides[i].plan ? std::make_shared<const TimelineModel>(makeTimelineModel(*sides[i].plan, TimelineUnit::Time)) : nullptr;
        drawn.side = std::move(sides[i]);
    }
    update();
}

void CurvePair::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    renderTo(painter, rect());
}

void CurvePair::renderTo(QPainter& painter, const QRect& room) const
{
    painter.fillRect(room, palette().color(QPalette::Base));
    CurveScale scale;
    scale.budgetBytes = m_budgetBytes;
    scale.largestBytes = std::max<std::int64_t>(1, m_budgetBytes);
    scale.longestSeconds = 1e-12;
    for (const Drawn& drawn : m_sides)
        if (drawn.curve) {
            scale.largestBytes = std::max(scale.largestBytes, drawn.curve->peakBytes + drawn.side.problem->residentBytes());
            scale.longestSeconds = std::max(scale.longestSeconds, drawn.curve->length);
        }
    const int line = fontMetrics().height();
    const double half = room.height() / 2.0;
    for (int i = 0; i < 2; ++i) {
        const Drawn& drawn = m_sides[i];
        const QRectF area = QRectF(room.left(), room.top() + i * half, room.width(), half).adjusted(8, 3, -8, -3);
        painter.setPen(palette().color(QPalette::Text));
        painter.drawText(QRectF(area.left(), area.top(), area.width(), line), Qt::AlignLeft, fontMetrics().elidedText(drawn.side.name, Qt::ElideRight, static_cast<int>(area.width())));
        const QRectF plot = area.adjusted(0, line + 2, 0, 0);
        if (!drawn.curve || plot.height() < 8)
            continue;
        scale.residentBytes = drawn.side.problem->residentBytes();
        paintMemoryCurve(painter, plot, *drawn.curve, scale, palette());
    }
}

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pareto/pareto_chart.h"
#include "widgets/style/colors.h"
#include "widgets/style/text.h"

#include <QChart>
#include <QChartView>
#include <QLineSeries>
#include <QPainter>
#include <QScatterSeries>
#include <QValueAxis>

#include <algorithm>

/// What lies above the chart: limits, the shown point, the one that the keyboard is on.
namespace poet {

namespace {

using style::Meaning;
}  // namespace

QRectF ParetoChart::plotRect() const
{
    const QRectF plot = m_chart->mapToScene(m_chart->plotArea()).boundingRect();
    return {QPointF(m_view->mapTo(this, m_view->mapFromScene(plot.topLeft()))), plot.size()};
}

void ParetoChart::paintMarks(QPainter& painter) const
{
    const ProblemPtr& problem = m_state.problem();
    if (!problem || m_curves.empty()) {
        painter.fillRect(rect(), palette().color(QPalette::Base));
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, tr("Known schedules appear here as points."));
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF area = plotRect();
    const double range = m_xAxis->max() - m_xAxis->min();
    const auto x = [&](double value) { return area.left() + (value / m_xUnit - m_xAxis->min()) / range * area.width(); };
    const QColor over = style::color(Meaning::OverBudget, palette());
    const double wall = x(wallValue());
    painter.setClipRect(area);
    painter.fillRect(QRectF(area.left(), area.top(), wall - area.left(), area.height()), style::hatch(Meaning::OverBudget, palette()));
    painter.setPen(QPen(over, 1.5));
    painter.drawLine(QPointF(wall, area.top()), QPointF(wall, area.bottom()));
    const PlanQuery& query = m_state.controls().query;
    if (m_model.axis() == ParetoAxis::Memory || query.deadlineSeconds) {
        const double limit = x(m_model.axis() == ParetoAxis::Memory ? static_cast<double>(query.memoryBytes) : *query.deadlineSeconds);
        painter.setPen(QPen(over, 1.5, Qt::DashLine));
        painter.drawLine(QPointF(limit, area.top()), QPointF(limit, area.bottom()));
    }
    painter.setPen(QPen(palette().color(QPalette::Mid), 1, Qt::DotLine));
    painter.drawLine(QPointF(x(keepAllValue()), area.top()), QPointF(x(keepAllValue()), area.bottom()));
    painter.setClipping(false);
    paintLabels(painter, area);
    for (const ParetoPoint& point : m_model.points()) {
        if (!point.isShown || (m_isLogarithmic && valueOf(point.energyJoules) <= 0))
            continue;
        const QPointF at = positionOf(point);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(palette().color(QPalette::Base), 4));
        painter.drawEllipse(at, 8, 8);
        painter.setPen(QPen(palette().color(QPalette::Text), 2));
        painter.drawEllipse(at, 8, 8);
    }
    if (m_hidden > 0) {
        painter.setPen(palette().color(QPalette::Text));
        painter.drawText(area.adjusted(4, 2, -4, -2), Qt::AlignRight | Qt::AlignTop, tr("points not shown on a log axis: %1").arg(m_hidden));
    }
}

/// The keyboard's point, and in words what the mouse would read in a tooltip.
void ParetoChart::paintCurrent(QPainter& painter) const
{
    if (!hasFocus())
        return;
    const QRectF area = plotRect();
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(palette().color(QPalette::Highlight), 1));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
    const std::optional<ParetoPoint> point = currentPoint();
    if (!point)
        return;
    const QPointF at = positionOf(*point);
    painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
    painter.drawRect(QRectF(at.x() - 11, at.y() - 11, 22, 22));
    const QString words = describe(*point);
    QRectF box = QRectF(painter.fontMetrics().boundingRect(rect(), Qt::AlignLeft, words)).adjusted(-5, -3, 5, 3);
    box.moveTopLeft(at + QPointF(14, 14));
    box.moveRight(std::min(box.right(), area.right()));
    box.moveBottom(std::min(box.bottom(), area.bottom()));
    painter.setBrush(palette().color(QPalette::ToolTipBase));
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawRect(box);
    painter.setPen(palette().color(QPalette::ToolTipText));
    painter.drawText(box.adjusted(5, 3, -5, -3), Qt::AlignLeft, words);
}

/// Names of wall, keep-all and knee, each where it does not cover the other.
void ParetoChart::paintLabels(QPainter& painter, const QRectF& area) const
{
    QFont small = font();
    small.setPointSizeF(font().pointSizeF() * 0.85);
    painter.setFont(small);
    const QFontMetricsF metrics(small);
    const double range = m_xAxis->max() - m_xAxis->min();
    const auto x = [&](double value) { return area.left() + (value / m_xUnit - m_xAxis->min()) / range * area.width(); };
    QColor plate = palette().color(QPalette::Base);
    plate.setAlpha(215);
    std::vector<QRectF> taken;
    const auto label = [&](const QString& name, double left, double top) {
        QRectF box(std::clamp(left, area.left(), std::max(area.left(), area.right() - metrics.horizontalAdvance(name) - 4)), top, metrics.horizontalAdvance(name) + 4, metrics.height());
        for (const QRectF& other : taken)
            if (box.intersects(other))
                box.moveTop(other.bottom() + 1);
        taken.push_back(box);
        painter.fillRect(box, plate);
        painter.setPen(palette().color(QPalette::Text));
        painter.drawText(box, Qt::AlignCenter, name);
    };
    label(tr("wall"), x(wallValue()) + 2, area.top() + 1);
    const QString keepAll = tr("keep-all");
    label(keepAll, x(keepAllValue()) - metrics.horizontalAdvance(keepAll) - 6, area.top() + 1);
    for (const ParetoPoint& point : m_model.points()) {
        if (!point.isKnee || (m_isLogarithmic && valueOf(point.energyJoules) <= 0))
            continue;
        const QPointF at = positionOf(point);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(palette().color(QPalette::Text), 1.2));
        painter.drawPolygon(QPolygonF({at + QPointF(0, -11), at + QPointF(11, 0), at + QPointF(0, 11), at + QPointF(-11, 0)}));
        label(tr("knee"), at.x() + 12, at.y() - metrics.height() - 2);
    }
    painter.setFont(font());
}

QPointF ParetoChart::positionOf(const ParetoPoint& point) const
{
    if (m_curves.empty())
        return {};
    QAbstractSeries* series = m_curves.begin()->second.points;
    const QPointF inScene = m_chart->mapToScene(m_chart->mapToPosition(place(point), series));
    return m_view->mapTo(this, m_view->mapFromScene(inScene));
}

}  // namespace poet

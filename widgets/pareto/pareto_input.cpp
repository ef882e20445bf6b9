// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pareto/pareto_chart.h"
#include "widgets/style/text.h"

#include <QChartView>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>

/// Mouse and keyboard of ParetoChart.
namespace poet {

namespace {
constexpr double kPickPixels = 12;
}  // namespace

QString ParetoChart::describe(const ParetoPoint& point) const
{
    return tr("%1\n%2, %3 (%4 over keep-all)\n%5 a step; click to show")
        .arg(text::strategy(point.strategy), text::bytes(point.memoryBytes), text::joules(point.energyJoules), text::percent(point.overheadPercent),
             text::seconds(point.seconds));
}

bool ParetoChart::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_view->viewport())
        return QWidget::eventFilter(watched, event);
    if (event->type() == QEvent::MouseMove) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        const QPoint at = m_view->viewport()->mapTo(this, mouse->position().toPoint());
        if (const auto point = pointAt(at)) {
            QToolTip::showText(mouse->globalPosition().toPoint(), describe(*point), this);
            m_view->viewport()->setCursor(Qt::PointingHandCursor);
        } else {
            QToolTip::hideText();
            m_view->viewport()->unsetCursor();
        }
    } else if (event->type() == QEvent::MouseButtonPress) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        if (const auto point = pointAt(m_view->viewport()->mapTo(this, mouse->position().toPoint())))
            Q_EMIT pointPicked(*point);
    }
    return QWidget::eventFilter(watched, event);
}

std::optional<ParetoPoint> ParetoChart::pointAt(const QPoint& at) const
{
    std::optional<ParetoPoint> best;
    double nearest = kPickPixels;
    for (const ParetoPoint& point : m_model.points()) {
        const double distance = QLineF(positionOf(point), at).length();
        if (distance <= nearest) {
            nearest = distance;
            best = point;
        }
    }
    return best;
}

std::optional<ParetoPoint> ParetoChart::currentPoint() const
{
    const auto& points = m_model.points();
    if (points.empty())
        return std::nullopt;
    const auto at = std::find_if(points.begin(), points.end(), [this](const ParetoPoint& point) { return point.plan == m_current; });
    if (at != points.end())
        return *at;
    const auto shown = std::find_if(points.begin(), points.end(), [](const ParetoPoint& point) { return point.isShown; });
    return shown != points.end() ? *shown : points.front();
}

/// Left and right walk along the axis, up and down to the neighbours in energy; Enter shows the plan.
void ParetoChart::keyPressEvent(QKeyEvent* event)
{
    const std::optional<ParetoPoint> current = currentPoint();
    std::vector<ParetoPoint> points = m_model.points();
    const bool isUpDown = event->key() == Qt::Key_Up || event->key() == Qt::Key_Down;
    if (isUpDown)
        std::stable_sort(points.begin(), points.end(), [](const ParetoPoint& a, const ParetoPoint& b) { return a.energyJoules < b.energyJoules; });
    const auto at = std::find_if(points.begin(), points.end(), [&](const ParetoPoint& point) { return current && point.plan == current->plan; });
    const auto last = static_cast<std::ptrdiff_t>(points.size()) - 1;
    std::ptrdiff_t to = at - points.begin();
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Down: --to; break;
    case Qt::Key_Right:
    case Qt::Key_Up: ++to; break;
    case Qt::Key_Home: to = 0; break;
    case Qt::Key_End: to = last; break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (current)
            Q_EMIT pointPicked(*current);
        return;
    default: QWidget::keyPressEvent(event); return;
    }
    if (last >= 0) {
        m_current = points[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(to, 0, last))].plan;
        setAccessibleDescription(describe(*currentPoint()));
    }
    m_overlay->update();
}

void ParetoChart::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    m_overlay->update();
}

void ParetoChart::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    m_overlay->update();
}

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/teaching/break_even_view.h"

#include "widgets/style/colors.h"
#include "widgets/style/text.h"

#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace poet {

namespace {

using style::Meaning;

double costOf(const Cost& cost, bool isTime) { return isTime ? cost.seconds : cost.joules; }

/// Own run, plus the runs of inputs that the plan dropped and would have to bring back the same way.
double chainCost(const Problem& problem, const PlanFacts& facts, NodeId node, bool isTime, int depth)
{
    const CostNode& item = problem.graph->nodes[static_cast<std::size_t>(node)];
    double cost = costOf(item.compute, isTime);
    if (depth > 20 || facts.fates.empty())
        return cost;
    for (NodeId input : item.inputs)
        if (facts.fates[static_cast<std::size_t>(input)] == Fate::Recomputed)
            cost += chainCost(problem, facts, input, isTime, depth + 1);
    return cost;
}

}  // namespace

TransferLine fitTransferLine(const CostGraph& graph, bool isTime)
{
    double n = 0;
    double sx = 0;
    double sy = 0;
    double sxx = 0;
    double sxy = 0;
    for (const CostNode& node : graph.nodes) {
        if (!node.pageable || node.bytes <= 0)
            continue;
        const double x = static_cast<double>(node.bytes);
        const double y = costOf(node.pageIn, isTime) + costOf(node.pageOut, isTime);
        n += 1;
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    TransferLine line;
    const double determinant = n * sxx - sx * sx;
    if (n >= 2 && determinant > 0) {
        line.perByte = std::max(0.0, (n * sxy - sx * sy) / determinant);
        line.fixed = std::max(0.0, (sy - line.perByte * sx) / n);
    } else if (n > 0 && sx > 0) {
        line.perByte = sy / sx;
    }
    return line;
}

BreakEvenView::BreakEvenView(DocumentState& state, QWidget* parent) : QWidget(parent), m_state(state)
{
    setObjectName(QStringLiteral("breakEvenView"));
    setAccessibleName(tr("Recompute or page: the break-even line"));
    setAccessibleDescription(tr("Each tensor by its size and by what computing it again costs; the table of plans and the why card give the same as text."));
    setWhatsThis(tr("Above the line it is cheaper to page a tensor, below it to compute it again. Slow cores lift the points, slow stores lift the line."));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    connect(&m_state, &DocumentState::changed, this, [this](DocumentState::Aspects aspects) {
        if (aspects & (DocumentState::ProblemAspect | DocumentState::PlanAspect)) {
            m_isStale = true;
            if (isVisible())
                catchUp();
        }
        if (aspects & DocumentState::SelectionAspect)
            update();
    });
}

void BreakEvenView::setTime(bool isTime)
{
    m_isTime = isTime;
    m_isStale = true;
    catchUp();
}

void BreakEvenView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    catchUp();
}

void BreakEvenView::catchUp()
{
    if (std::exchange(m_isStale, false))
        rebuild();
}

void BreakEvenView::rebuild()
{
    m_points.clear();
    update();
    const ProblemPtr& problem = m_state.problem();
    if (!problem)
        return;
    m_line = fitTransferLine(*problem->graph, m_isTime);
    double minX = std::numeric_limits<double>::infinity();
    double maxX = 0;
    double minY = minX;
    double maxY = 0;
    for (NodeId i = 0; i < problem->graph->size(); ++i) {
        const CostNode& node = problem->graph->nodes[static_cast<std::size_t>(i)];
        if (!problem->graph->mayRecompute(i, problem->graph->device.transfer) || node.bytes <= 0)
            continue;
        Point point{i, static_cast<double>(node.bytes), chainCost(*problem, m_state.facts(), i, m_isTime, 0),
                    m_state.facts().fates.empty() ? Fate::Kept : m_state.facts().fates[static_cast<std::size_t>(i)]};
        if (point.cost <= 0)
            continue;
        minX = std::min(minX, point.bytes);
        maxX = std::max(maxX, point.bytes);
        minY = std::min(minY, point.cost);
        maxY = std::max(maxY, point.cost);
        m_points.push_back(point);
    }
    if (m_points.empty())
        return;
    for (double bytes : {minX, maxX})
        if (m_line.at(bytes) > 0) {
            minY = std::min(minY, m_line.at(bytes));
            maxY = std::max(maxY, m_line.at(bytes));
        }
    m_minX = std::log10(minX) - 0.2;
    m_maxX = std::log10(maxX) + 0.2;
    m_minY = std::log10(minY) - 0.3;
    m_maxY = std::log10(maxY) + 0.3;
}

QRectF BreakEvenView::plot() const
{
    const double left = fontMetrics().horizontalAdvance(QStringLiteral("888 mJ")) + 16;
    return QRectF(rect()).adjusted(left, 8, -12, -fontMetrics().height() - 10);
}

QPointF BreakEvenView::place(double bytes, double cost) const
{
    const QRectF area = plot();
    return {area.left() + (std::log10(bytes) - m_minX) / (m_maxX - m_minX) * area.width(),
            area.bottom() - (std::log10(cost) - m_minY) / (m_maxY - m_minY) * area.height()};
}

QPointF BreakEvenView::positionOf(const Point& point) const { return place(point.bytes, point.cost); }

void BreakEvenView::paintAxes(QPainter& painter) const
{
    const QRectF area = plot();
    const QPalette& p = palette();
    painter.setPen(p.color(QPalette::Midlight));
    for (int d = static_cast<int>(std::ceil(m_minY)); d <= m_maxY; ++d) {
        const double y = place(std::pow(10, m_minX), std::pow(10, d)).y();
        painter.setPen(p.color(QPalette::Midlight));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        painter.setPen(p.color(QPalette::Text));
        painter.drawText(QRectF(0, y - 10, area.left() - 6, 20), Qt::AlignRight | Qt::AlignVCenter,
                         m_isTime ? text::seconds(std::pow(10, d)) : text::joules(std::pow(10, d)));
    }
    const int first = static_cast<int>(std::ceil(m_minX / std::log10(4.0)));
    for (int d = first; d * std::log10(4.0) <= m_maxX; ++d) {
        const double bytes = std::pow(4, d);
        const double x = place(bytes, std::pow(10, m_minY)).x();
        painter.setPen(p.color(QPalette::Midlight));
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
        painter.setPen(p.color(QPalette::Text));
        painter.drawText(QRectF(x - 40, area.bottom() + 3, 80, fontMetrics().height()), Qt::AlignHCenter | Qt::AlignTop, text::bytes(static_cast<std::int64_t>(bytes)));
    }
    painter.setPen(p.color(QPalette::Mid));
    painter.drawRect(area);
}

void BreakEvenView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (m_points.empty()) {
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap,
                         m_state.problem() ? tr("No tensor of this model may be computed again.") : tr("Open a model to see which tensors are better paged and which recomputed."));
        return;
    }
    paintAll(painter);
}

void BreakEvenView::renderTo(QPainter& painter, const QRect& area)
{
    catchUp();
    painter.save();
    painter.translate(area.topLeft());
    paintAll(painter);
    painter.restore();
}

void BreakEvenView::paintAll(QPainter& painter) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(font());
    paintAxes(painter);
    const QRectF area = plot();
    painter.setClipRect(area);
    paintLine(painter, area);
    for (const Point& point : m_points)
        paintPoint(painter, point);
    painter.setClipping(false);
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(area.adjusted(8, 4, -8, -4), Qt::AlignLeft | Qt::AlignTop, tr("cost of computing again"));
    painter.drawText(area.adjusted(8, 4, -8, -4), Qt::AlignRight | Qt::AlignBottom,
                     QStringLiteral("\u25CF %1   \u25A0 %2   \u25B2 %3").arg(text::fate(Fate::Kept), text::fate(Fate::Paged), text::fate(Fate::Recomputed)));
}

/// The break-even line and what lies on its sides.
void BreakEvenView::paintLine(QPainter& painter, const QRectF& area) const
{
    painter.setPen(QPen(palette().color(QPalette::Text), 2));
    if (m_line.at(std::pow(10, m_minX)) <= 0) {
        painter.drawText(area, Qt::AlignCenter, m_isTime ? tr("Transfers take no time in this model.") : tr("Transfers cost nothing in this model."));
        return;
    }
    QPolygonF line;
    for (int i = 0; i <= 60; ++i) {
        const double bytes = std::pow(10, m_minX + (m_maxX - m_minX) * i / 60);
        line.append(place(bytes, m_line.at(bytes)));
    }
    painter.drawPolyline(line);
    // A third of the way along, or further where the line leaves more room for both.
    const double room = 2.0 * fontMetrics().height() + 6;
    const auto isRoomy = [&](const QPointF& at) { return at.y() - room > area.top() && at.y() + room < area.bottom(); };
    const auto wide = std::find_if(line.begin() + 20, line.begin() + 48, isRoomy);
    const QPointF middle = isRoomy(*wide) ? *wide : line[20];
    // The line rises: the text above it keeps clear of its end, the one below of its beginning.
    const QString above = tr("above: paging is cheaper");
    const double textEnd = middle.x() + 6 + fontMetrics().horizontalAdvance(above);
    const auto after = std::find_if(line.begin(), line.end(), [&](const QPointF& at) { return at.x() >= textEnd; });
    const double highest = after == line.end() ? line.back().y() : after->y();
    painter.drawText(QPointF(middle.x() + 6, std::max(highest - 5, area.top() + fontMetrics().ascent())), above);
    painter.drawText(QPointF(middle.x() + 6, std::min(middle.y() + 24, area.bottom() - fontMetrics().descent())), tr("below: recomputing is cheaper"));
}

void BreakEvenView::paintPoint(QPainter& painter, const Point& point) const
{
    const QPalette& p = palette();
    const QPointF at = positionOf(point);
    const bool isSelected = point.node == m_state.selection().node;
    painter.setPen(QPen(isSelected ? p.color(QPalette::Highlight) : p.color(QPalette::Text), isSelected ? 2.5 : 0.8));
    const double r = isSelected ? 6 : 4;
    if (point.fate == Fate::Paged) {  // shape says what colour says
        painter.setBrush(style::color(Meaning::PageOut, p));
        painter.drawRect(QRectF(at.x() - r, at.y() - r, 2 * r, 2 * r));
    } else if (point.fate == Fate::Kept) {
        painter.setBrush(style::color(Meaning::Forward, p));
        painter.drawEllipse(at, r - 1, r - 1);
    } else {
        painter.setBrush(style::color(Meaning::Recompute, p));
        painter.drawPolygon(QPolygonF({at + QPointF(0, -r - 1), at + QPointF(r + 1, r), at + QPointF(-r - 1, r)}));
    }
}

const BreakEvenView::Point* BreakEvenView::pointAt(const QPointF& at) const
{
    const Point* best = nullptr;
    double nearest = 10;
    for (const Point& point : m_points) {
        const double distance = QLineF(positionOf(point), at).length();
        if (distance < nearest) {
            nearest = distance;
            best = &point;
        }
    }
    return best;
}

void BreakEvenView::mousePressEvent(QMouseEvent* event)
{
    if (const Point* point = pointAt(event->position()))
        m_state.selectNode(point->node);
}

/// Left and right walk by size, up and down by cost; the selection goes along.
void BreakEvenView::keyPressEvent(QKeyEvent* event)
{
    const bool isUpDown = event->key() == Qt::Key_Up || event->key() == Qt::Key_Down;
    if (m_points.empty() || (!isUpDown && event->key() != Qt::Key_Left && event->key() != Qt::Key_Right)) {
        QWidget::keyPressEvent(event);
        return;
    }
    std::vector<Point> order = m_points;
    std::stable_sort(order.begin(), order.end(), [&](const Point& a, const Point& b) { return isUpDown ? a.cost < b.cost : a.bytes < b.bytes; });
    const auto at = std::find_if(order.begin(), order.end(), [this](const Point& point) { return point.node == m_state.selection().node; });
    const auto last = static_cast<std::ptrdiff_t>(order.size()) - 1;
    const std::ptrdiff_t by = event->key() == Qt::Key_Right || event->key() == Qt::Key_Up ? 1 : -1;
    const std::ptrdiff_t to = at == order.end() ? 0 : std::clamp<std::ptrdiff_t>(at - order.begin() + by, 0, last);
    m_state.selectNode(order[static_cast<std::size_t>(to)].node);
}

void BreakEvenView::mouseMoveEvent(QMouseEvent* event)
{
    const Point* point = pointAt(event->position());
    m_state.hoverNode(point ? point->node : -1);
    if (!point) {
        QToolTip::hideText();
        return;
    }
    const double page = m_line.at(point->bytes);
    const auto format = [this](double value) { return m_isTime ? text::seconds(value) : text::joules(value); };
    QToolTip::showText(event->globalPosition().toPoint(),
                       tr("%1, %2\ncompute again: %3\npage out and in: %4")
                           .arg(m_state.problem()->facts[static_cast<std::size_t>(point->node)].name, text::bytes(static_cast<std::int64_t>(point->bytes)), format(point->cost), format(page)),
                       this);
}

}  // namespace poet

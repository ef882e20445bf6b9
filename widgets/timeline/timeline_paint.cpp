// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style/colors.h"
#include "widgets/style/text.h"
#include "widgets/timeline/timeline_view.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

/// The drawing half of TimelineView.
namespace poet {

using namespace Qt::StringLiterals;
using style::Meaning;

void TimelineView::paintAll(QPainter& painter)
{
    painter.setRenderHint(QPainter::Antialiasing, false);
    const LaneContext lanes = laneContext();
    paintHeaders(painter);
    const MemoryContext memory{lanes, m_state.facts(), memoryScale(), m_form, m_detail, m_state.problem()->residentBytes(),
                               m_state.controls().query.memoryBytes, m_ghost.get(), &m_memoryCache};
    const QRectF area = memoryRect();
    paintMemory(painter, area, memory);
    painter.save();
    painter.setClipRect(QRectF(m_axis.left, 0, m_axis.width + 1, viewport()->height()));
    for (const auto& lane : m_lanes)
        if (isShown(*lane))
            lane->paint(painter, laneRect(lane->kind()), lanes);
    paintArrows(painter);
    paintMarks(painter);
    painter.restore();
    paintRuler(painter);
    if (!m_state.planFits()) {
        QColor veil = palette().color(QPalette::Base);
        veil.setAlpha(120);
        painter.fillRect(viewport()->rect(), veil);
        const QString label = tr("Does not fit: showing the plan for %1").arg(text::bytes(m_state.plan()->memoryBytes));
        QRectF box(0, 0, fontMetrics().horizontalAdvance(label) + 20, fontMetrics().height() + 8);
        box.moveCenter(QPointF(area.center().x(), area.top() + 16));
        painter.fillRect(box, palette().color(QPalette::Base));
        painter.setPen(style::color(Meaning::OverBudget, palette()));
        painter.drawRect(box);
        painter.setPen(palette().color(QPalette::Text));
        painter.drawText(box, Qt::AlignCenter, label);
    }
}

void TimelineView::paintHeaders(QPainter& painter)
{
    const QPalette& p = palette();
    for (const auto& lane : m_lanes) {
        if (!isShown(*lane))
            continue;
        const QRectF rect = laneRect(lane->kind());
        painter.fillRect(rect, p.color(QPalette::AlternateBase));
        painter.setPen(p.color(QPalette::Text));
        painter.drawText(QRectF(0, rect.top(), m_axis.left - 8, rect.height()), Qt::AlignRight | Qt::AlignVCenter, lane->isPinned ? u"\u2022 "_s + lane->title() : lane->title());
    }
    const QRectF area = memoryRect();
    const MemoryScale scale = memoryScale();
    // Ruler of bytes: budget, peak and zero, where they do not collide.
    const std::int64_t resident = m_state.problem()->residentBytes();
    const std::int64_t budget = m_state.controls().query.memoryBytes;
    struct Label {
        double y;
        QString text;
        QColor color;
    };
    std::vector<Label> labels{{scale.mapBytesToY(static_cast<double>(budget)), text::bytes(budget), style::color(Meaning::OverBudget, p)},
                              {scale.mapBytesToY(static_cast<double>(scale.minimumBytes)), scale.minimumBytes > 0 ? text::bytes(scale.minimumBytes) : u"0"_s, p.color(QPalette::Text)},
                              {scale.mapBytesToY(static_cast<double>(m_model.peakBytes + resident)), text::bytes(m_model.peakBytes + resident),
                               p.color(QPalette::Text)},
                              {(area.top() + area.bottom()) / 2, tr("Memory"), p.color(QPalette::Text)}};
    std::vector<double> used;
    for (const Label& label : labels) {
        const double half = fontMetrics().height() / 2.0;
        if (std::any_of(used.begin(), used.end(), [&](double y) { return std::abs(y - label.y) < 2 * half; }))
            continue;
        used.push_back(label.y);
        // Numbers are text: text colour; the budget's line carries the colour.
        painter.setPen(p.color(QPalette::Text));
        painter.drawText(QRectF(0, label.y - half, m_axis.left - 8, 2 * half), Qt::AlignRight | Qt::AlignVCenter, label.text);
        painter.setPen(QPen(label.color, 1));
        painter.drawLine(QPointF(m_axis.left - 5, label.y), QPointF(m_axis.left, label.y));
    }
    painter.setPen(p.color(QPalette::Mid));
    painter.drawRect(area.adjusted(0, 0, -1, 0));
}

void TimelineView::paintRuler(QPainter& painter)
{
    const double y = memoryRect().bottom();
    painter.setPen(palette().color(QPalette::Text));
    const std::vector<double> ticks = m_axis.ticks(90);
    for (double tick : ticks) {
        const double x = m_axis.mapTimeToX(tick);
        painter.drawLine(QPointF(x, y), QPointF(x, y + 4));
        const QString label = m_model.unit == TimelineUnit::Time ? (tick == 0 ? u"0"_s : text::seconds(tick)) : QString::number(tick, 'f', 0);
        const double width = fontMetrics().horizontalAdvance(label) + 4;
        const double left = std::clamp(x - width / 2, m_axis.left - 8, viewport()->width() - width);
        painter.drawText(QRectF(left, y + 4, width, fontMetrics().height()), Qt::AlignHCenter | Qt::AlignTop, label);
    }
}

/// The first run of a reader of `node` after `step`, or -1: what the tensor was brought back for.
int TimelineView::useAfter(NodeId node, int step) const
{
    const auto& steps = m_state.plan()->replay.schedule.steps;
    int first = -1;
    for (const NodeId reader : m_state.problem()->consumers[static_cast<std::size_t>(node)])
        for (const int s : m_state.facts().stepsOf[static_cast<std::size_t>(reader)]) {
            const StepKind kind = steps[static_cast<std::size_t>(s)].kind;
            if (s > step && (kind == StepKind::Compute || kind == StepKind::Recompute)) {
                first = first < 0 ? s : std::min(first, s);
                break;
            }
        }
    return first;
}

void TimelineView::paintArrow(QPainter& painter, int from, int to, Qt::PenStyle pattern) const
{
    const auto& steps = m_state.plan()->replay.schedule.steps;
    const LaneKind fromLane = laneOf(steps[static_cast<std::size_t>(from)].kind);
    const LaneKind toLane = laneOf(steps[static_cast<std::size_t>(to)].kind);
    if (!isLaneShown(fromLane) || !isLaneShown(toLane))
        return;
    const QPointF start(m_axis.mapTimeToX(m_model.endOf[static_cast<std::size_t>(from)]), laneRect(fromLane).center().y());
    const QPointF tip(m_axis.mapTimeToX(m_model.beginOf[static_cast<std::size_t>(to)]), laneRect(toLane).center().y());
    QPainterPath path(start);
    const double reach = std::max(12.0, (tip.x() - start.x()) / 3);
    path.cubicTo(start + QPointF(reach, 0), tip - QPointF(reach, 0), tip);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(palette().color(QPalette::Text), 1.4, pattern));
    painter.drawPath(path);
    painter.setPen(QPen(palette().color(QPalette::Text), 1));
    painter.setBrush(palette().color(QPalette::Text));
    painter.drawPolygon(QPolygonF({tip, tip + QPointF(-7, -3.5), tip + QPointF(-7, 3.5)}));
}

/// Of the selected tensor only, all at once would be a carpet: page-out to page-in, the first run to each further one
/// (dashed), and from what brought it back to its use (dotted).
void TimelineView::paintArrows(QPainter& painter)
{
    const NodeId node = m_state.selection().node;
    if (node < 0 || !m_state.plan())
        return;
    int origin = -1;
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (const int s : m_state.facts().stepsOf[static_cast<std::size_t>(node)]) {
        const StepKind kind = m_state.plan()->replay.schedule.steps[static_cast<std::size_t>(s)].kind;
        if (kind == StepKind::Free)
            continue;
        if (origin >= 0 && kind != StepKind::PageOut)
            paintArrow(painter, origin, s, kind == StepKind::Recompute ? Qt::DashLine : Qt::SolidLine);
        if (kind == StepKind::PageIn || kind == StepKind::Recompute)
            if (const int use = useAfter(node, s); use >= 0)
                paintArrow(painter, s, use, Qt::DotLine);
        if (kind == StepKind::PageOut || kind == StepKind::Compute)
            origin = s;
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

/// The measured range, with what it holds written into it: the eye is there, not at the tool row.
void TimelineView::paintRange(QPainter& painter)
{
    const QRectF area = memoryRect();
    const QPalette& p = palette();
    const double left = m_axis.mapTimeToX(m_range->first);
    const double right = m_axis.mapTimeToX(m_range->second);
    QColor fill = p.color(QPalette::Highlight);
    fill.setAlpha(45);
    painter.fillRect(QRectF(left, 0, right - left, area.bottom()), fill);
    painter.setPen(QPen(p.color(QPalette::Highlight), 1));
    painter.drawLine(QPointF(left, 0), QPointF(left, area.bottom()));
    painter.drawLine(QPointF(right, 0), QPointF(right, area.bottom()));
    const QString label = rangeText();
    const double width = fontMetrics().horizontalAdvance(label) + 12;
    const double x = std::clamp((left + right - width) / 2, area.left(), std::max(area.left(), area.right() - width));
    const QRectF box(x, area.bottom() - fontMetrics().height() - 8, width, fontMetrics().height() + 4);
    painter.fillRect(box, p.color(QPalette::Base));
    painter.drawRect(box);
    painter.setPen(p.color(QPalette::Text));
    painter.drawText(box, Qt::AlignCenter, label);
}

void TimelineView::paintMarks(QPainter& painter)
{
    const QRectF area = memoryRect();
    const QPalette& p = palette();
    if (m_range)
        paintRange(painter);
    const auto& deadline = m_state.controls().query.deadlineSeconds;
    if (deadline && m_model.unit == TimelineUnit::Time) {
        const double x = m_axis.mapTimeToX(*deadline);
        painter.setPen(QPen(style::color(Meaning::OverBudget, p), 2, Qt::DashLine));
        painter.drawLine(QPointF(x, 0), QPointF(x, area.bottom()));
    }
    // The peak, named.
    if (m_model.peakStep >= 0 && static_cast<std::size_t>(m_model.peakStep) < m_model.beginOf.size()) {
        const double x = m_axis.mapTimeToX((m_model.beginOf[static_cast<std::size_t>(m_model.peakStep)] +
                                            m_model.endOf[static_cast<std::size_t>(m_model.peakStep)]) / 2);
        const double y = memoryScale().mapBytesToY(static_cast<double>(m_model.peakBytes + m_state.problem()->residentBytes()));
        painter.setPen(QPen(p.color(QPalette::Text), 1));
        painter.setBrush(p.color(QPalette::Text));
        painter.drawPolygon(QPolygonF({QPointF(x, y - 1), QPointF(x - 4, y - 8), QPointF(x + 4, y - 8)}));
    }
    const int step = m_state.cursorStep();
    if (step >= 0 && static_cast<std::size_t>(step) < m_model.beginOf.size()) {
        const double x = m_axis.mapTimeToX((m_model.beginOf[static_cast<std::size_t>(step)] + m_model.endOf[static_cast<std::size_t>(step)]) / 2);
        painter.setPen(QPen(p.color(QPalette::Highlight), 2));
        painter.drawLine(QPointF(x, 0), QPointF(x, area.bottom()));
    }
    if (m_cursorX >= m_axis.left) {
        painter.setPen(QPen(p.color(QPalette::Mid), 1, Qt::DotLine));
        painter.drawLine(QPointF(m_cursorX, 0), QPointF(m_cursorX, area.bottom()));
    }
}

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style/text.h"
#include "widgets/timeline/timeline_view.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <cmath>

/// Mouse, keyboard and tooltips of TimelineView.
namespace poet {

namespace {

constexpr double kSnapPixels = 8;
constexpr int kDragThreshold = 4;

}  // namespace

void TimelineView::wheelEvent(QWheelEvent* event)
{
    const QPoint delta = event->angleDelta();
    const bool isAcross = std::abs(delta.x()) > std::abs(delta.y()) || event->modifiers() & Qt::ShiftModifier;
    const bool zooms = event->modifiers() & Qt::ControlModifier || (m_wheelZooms && !isAcross);
    if (!zooms)
        m_axis.pan(-(std::abs(delta.x()) > std::abs(delta.y()) ? delta.x() : delta.y()));
    else
        m_axis.zoom(std::pow(1.0015, delta.y()), event->position().x());
    updateScrollBar();
    viewport()->update();
    event->accept();
}

const TimelineEvent* TimelineView::eventAtPoint(const QPointF& at) const
{
    if (at.x() < m_axis.left)
        return nullptr;
    for (const auto& lane : m_lanes) {
        if (!isShown(*lane) || !laneRect(lane->kind()).contains(at))
            continue;
        const double time = m_axis.mapXToTime(at.x());
        if (const TimelineEvent* event = m_model.eventAt(lane->kind(), time))
            return event;
        // A bar is at least a pixel wide: forgive two pixels.
        return m_model.eventAt(lane->kind(), time - 2 * m_axis.unitsPerPixel());
    }
    return nullptr;
}

void TimelineView::selectStep(int step)
{
    if (!m_state.plan() || step < 0)
        return;
    m_state.select({m_state.plan()->replay.schedule.steps[static_cast<std::size_t>(step)].node, step, -1});
}

void TimelineView::mousePressEvent(QMouseEvent* event)
{
    m_lastMouse = event->position().toPoint();
    if (event->button() == Qt::MiddleButton) {
        m_isPanning = true;
        return;
    }
    if (event->button() == Qt::BackButton)
        m_state.goBack();
    if (event->button() == Qt::ForwardButton)
        m_state.goForward();
    if (event->button() != Qt::LeftButton || event->position().x() < m_axis.left)
        return;
    m_dragFrom = m_axis.snap(event->position().x(), m_model.edges, kSnapPixels);
    m_isDragging = true;
}

void TimelineView::mouseMoveEvent(QMouseEvent* event)
{
    const QPoint at = event->position().toPoint();
    m_cursorX = at.x();
    if (m_isPanning) {
        m_axis.pan(m_lastMouse.x() - at.x());
        m_lastMouse = at;
        updateScrollBar();
        viewport()->update();
        return;
    }
    if (m_isDragging && std::abs(at.x() - m_lastMouse.x()) >= kDragThreshold) {
        setRange(m_dragFrom, m_axis.snap(at.x(), m_model.edges, kSnapPixels));
        return;
    }
    const TimelineEvent* hovered = eventAtPoint(event->position());
    m_state.hoverNode(hovered ? hovered->node : -1);
    viewport()->update();
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event)
{
    m_isPanning = false;
    if (!m_isDragging)
        return;
    m_isDragging = false;
    const QPointF at = event->position();
    if (std::abs(at.toPoint().x() - m_lastMouse.x()) >= kDragThreshold)
        return;
    if (const TimelineEvent* hit = eventAtPoint(at)) {
        selectStep(hit->step);
        return;
    }
    if (memoryRect().contains(at)) {
        const int step = m_model.stepAt(m_axis.mapXToTime(at.x()));
        if (step >= 0)
            Q_EMIT instantPicked(step);
        return;
    }
    clearRange();
    m_state.select({});
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (const TimelineEvent* hit = eventAtPoint(event->position())) {
        m_axis.showRange(hit->begin, std::max(hit->end, hit->begin + 1e-12));
        updateScrollBar();
        viewport()->update();
    }
}

void TimelineView::leaveEvent(QEvent* event)
{
    m_cursorX = -1;
    m_state.hoverNode(-1);
    viewport()->update();
    QAbstractScrollArea::leaveEvent(event);
}

void TimelineView::keyPressEvent(QKeyEvent* event)
{
    const bool isShift = event->modifiers() & Qt::ShiftModifier;
    switch (event->key()) {
    case Qt::Key_W:
    case Qt::Key_Plus: zoomBy(1.3); return;
    case Qt::Key_S:
    case Qt::Key_Minus: zoomBy(1 / 1.3); return;
    case Qt::Key_A: m_axis.pan(-80); break;
    case Qt::Key_D: m_axis.pan(80); break;
    case Qt::Key_Left:
    case Qt::Key_Right:
        if (isShift) {
            m_axis.pan(event->key() == Qt::Key_Left ? -80 : 80);
            break;
        }
        stepEvent(event->key() == Qt::Key_Left ? -1 : 1);
        return;
    case Qt::Key_Up: stepLane(-1); return;
    case Qt::Key_Down: stepLane(1); return;
    case Qt::Key_Comma: stepEvent(-1); return;
    case Qt::Key_Period: stepEvent(1); return;
    case Qt::Key_F:
    case Qt::Key_Home: fitAll(); return;
    case Qt::Key_R: rangeFromSelection(); return;
    case Qt::Key_Escape:
        clearRange();
        m_state.select({});
        return;
    default: QAbstractScrollArea::keyPressEvent(event); return;
    }
    updateScrollBar();
    viewport()->update();
}

bool TimelineView::viewportEvent(QEvent* event)
{
    catchUp();  // before anything under the mouse is looked up
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString tip = tooltipAt(help->pos());
        if (tip.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), tip, viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

QString TimelineView::tooltipAt(const QPointF& at) const
{
    if (!m_state.plan())
        return {};
    if (const TimelineEvent* event = eventAtPoint(at)) {
        const CostNode& node = m_state.problem()->graph->nodes[static_cast<std::size_t>(event->node)];
        const Step& step = m_state.plan()->replay.schedule.steps[static_cast<std::size_t>(event->step)];
        return tr("%1 %2\n%3, %4 to %5\n%6 in RAM after it")
            .arg(text::stepKind(event->kind), text::from(node.name), text::bytes(node.bytes), text::seconds(step.startSeconds),
                 text::seconds(step.endSeconds), text::bytes(step.ramBytes + m_state.problem()->residentBytes()));
    }
    if (memoryRect().contains(at)) {
        const std::int64_t bytes = m_model.bytesAt(m_axis.mapXToTime(at.x()));
        return tr("%1 = %2 planned + %3 resident\nClick to list what is in RAM then.")
            .arg(text::bytes(bytes + m_state.problem()->residentBytes()), text::bytes(bytes), text::bytes(m_state.problem()->residentBytes()));
    }
    return {};
}

void TimelineView::contextMenuEvent(QContextMenuEvent* event)
{
    QMenu menu;
    TimelineLane* under = nullptr;
    for (const auto& lane : m_lanes) {
        QAction* shown = menu.addAction(tr("Show lane %1").arg(lane->title()));
        shown->setCheckable(true);
        shown->setChecked(!lane->isHidden);
        connect(shown, &QAction::toggled, this, [this, kind = lane->kind()](bool isShown) { setLaneHidden(kind, !isShown); });
        const QRectF rect = laneRect(lane->kind());
        if (isShown(*lane) && event->pos().y() >= rect.top() && event->pos().y() <= rect.bottom())
            under = lane.get();
    }
    if (under) {
        menu.addSeparator();
        QAction* pinned = menu.addAction(tr("Pin lane %1").arg(under->title()));
        pinned->setCheckable(true);
        pinned->setChecked(under->isPinned);
        connect(pinned, &QAction::toggled, this, [this, kind = under->kind()](bool isPinned) { setLanePinned(kind, isPinned); });
        connect(menu.addAction(tr("Move lane up")), &QAction::triggered, this, [this, kind = under->kind()] { moveLane(kind, -1); });
        connect(menu.addAction(tr("Move lane down")), &QAction::triggered, this, [this, kind = under->kind()] { moveLane(kind, 1); });
    }
    menu.exec(event->globalPos());
}

}  // namespace poet

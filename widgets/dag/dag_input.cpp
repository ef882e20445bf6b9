// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/dag/dag_view.h"
#include "widgets/dag/minimap.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

/// Mouse and keyboard of DagView.
namespace poet {

void DagView::wheelEvent(QWheelEvent* event)
{
    const QPoint pixels = event->angleDelta();
    if (m_wheelZooms || event->modifiers() & Qt::ControlModifier) {
        if (pixels.y() == 0)
            return;
        const double factor = std::pow(1.0015, pixels.y());
        const double target = std::clamp(transform().m11() * factor, kSmallestScale, kLargestScale);
        const QPointF under = mapToScene(event->position().toPoint());
        setTransform(QTransform::fromScale(target, target));
        const QPoint now = mapFromScene(under);
        const QPoint delta = now - event->position().toPoint();
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() + delta.x());
        verticalScrollBar()->setValue(verticalScrollBar()->value() + delta.y());
        m_minimap->follow();
        event->accept();
        return;
    }
    // A gesture stays on the axis on which it is larger.
    QScrollBar* bar = std::abs(pixels.x()) > std::abs(pixels.y()) || event->modifiers() & Qt::ShiftModifier ? horizontalScrollBar()
                                                                                                           : verticalScrollBar();
    const int delta = std::abs(pixels.x()) > std::abs(pixels.y()) ? pixels.x() : pixels.y();
    bar->setValue(bar->value() - delta);
    event->accept();
}

void DagView::mousePressEvent(QMouseEvent* event)
{
    m_lastMouse = event->position().toPoint();
    if (event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && m_isSpaceDown)) {
        m_isPanning = true;
        viewport()->setCursor(Qt::ClosedHandCursor);
        return;
    }
    if (event->button() == Qt::BackButton) {
        m_state.goBack();
        return;
    }
    if (event->button() == Qt::ForwardButton) {
        m_state.goForward();
        return;
    }
    if (event->button() != Qt::LeftButton)
        return;
    if (event->modifiers() & Qt::AltModifier && m_edgesItem) {
        m_aloneEdge = m_edgesItem->edgeAt(mapToScene(m_lastMouse), 6 / transform().m11());
        updateLooks();
        return;
    }
    if (BoxItem* item = boxAt(m_lastMouse)) {
        m_state.selectNode(item->box().members.front());
        m_showsLineage = event->modifiers() & Qt::ShiftModifier;
    } else {
        m_state.select({});
        m_isPanning = true;  // dragging the empty canvas moves it
        viewport()->setCursor(Qt::ClosedHandCursor);
    }
}

void DagView::mouseMoveEvent(QMouseEvent* event)
{
    const QPoint at = event->position().toPoint();
    if (m_isPanning) {
        const QPoint delta = at - m_lastMouse;
        m_lastMouse = at;
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() - delta.x());
        verticalScrollBar()->setValue(verticalScrollBar()->value() - delta.y());
        return;
    }
    BoxItem* item = boxAt(at);
    m_state.hoverNode(item ? item->box().members.front() : -1);
    viewport()->setToolTip(item ? item->box().title + QStringLiteral("\n") + item->box().subtitle : QString());
}

void DagView::mouseReleaseEvent(QMouseEvent*)
{
    m_isPanning = false;
    viewport()->unsetCursor();
}

void DagView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (BoxItem* item = boxAt(event->position().toPoint()))
        toggleBlock(item->box().block);
}

void DagView::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Space: m_isSpaceDown = true; return;
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right: moveSelection(event->key()); return;
    case Qt::Key_F: zoomToSelection(); return;
    case Qt::Key_Home: fitAll(); return;
    case Qt::Key_Escape: m_state.select({}); return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (event->modifiers() & Qt::ShiftModifier)
            if (BoxItem* item = itemOf(m_state.selection().node)) {
                toggleBlock(item->box().block);
                return;
            }
        break;
    default: break;
    }
    QGraphicsView::keyPressEvent(event);
}

void DagView::keyReleaseEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Space && !event->isAutoRepeat())
        m_isSpaceDown = false;
    QGraphicsView::keyReleaseEvent(event);
}

void DagView::moveSelection(int key)
{
    if (m_items.empty())
        return;
    BoxItem* from = itemOf(m_state.selection().node);
    if (!from) {
        m_state.selectNode(m_items.front()->box().members.front());
        return;
    }
    // The nearest box in that direction; sideways distance counts twice.
    BoxItem* best = nullptr;
    double bestCost = 1e18;
    for (BoxItem* item : m_items) {
        const QPointF delta = item->pos() - from->pos();
        const double along = key == Qt::Key_Up ? -delta.y() : key == Qt::Key_Down ? delta.y() : key == Qt::Key_Left ? -delta.x() : delta.x();
        const double across = std::abs(key == Qt::Key_Up || key == Qt::Key_Down ? delta.x() : delta.y());
        if (item == from || along < 1)
            continue;
        const double cost = along + 2 * across;
        if (cost < bestCost) {
            bestCost = cost;
            best = item;
        }
    }
    if (best) {
        m_state.selectNode(best->box().members.front());
        ensureVisible(best, 60, 60);
    }
}

BoxItem* DagView::boxAt(const QPoint& at) const { return qgraphicsitem_cast<BoxItem*>(itemAt(at)); }

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/dag/minimap.h"

#include <QMouseEvent>
#include <QPainter>

namespace poet {

Minimap::Minimap(QGraphicsView& main) : QGraphicsView(main.scene(), &main), m_main(main)
{
    setObjectName(QStringLiteral("minimap"));
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setInteractive(false);
    setFocusPolicy(Qt::NoFocus);
    setCursor(Qt::PointingHandCursor);
    setFrameShape(QFrame::StyledPanel);
    setAccessibleName(tr("Minimap"));
    setToolTip(tr("The whole graph; click or drag to move the view"));
}

void Minimap::follow()
{
    const QRectF shown = m_main.mapToScene(m_main.viewport()->rect()).boundingRect();
    setVisible(!m_content.isEmpty() && !shown.contains(m_content.adjusted(10, 10, -10, -10)));
    if (!isVisible())
        return;
    fitInView(m_content, Qt::KeepAspectRatio);
    viewport()->update();
}

void Minimap::drawForeground(QPainter* painter, const QRectF&)
{
    const QRectF shown = m_main.mapToScene(m_main.viewport()->rect()).boundingRect();
    QPen pen(palette().color(QPalette::Highlight), 2);
    pen.setCosmetic(true);
    painter->setPen(pen);
    QColor fill = palette().color(QPalette::Highlight);
    fill.setAlpha(40);
    painter->setBrush(fill);
    painter->drawRect(shown & m_content.adjusted(-20, -20, 20, 20));
}

void Minimap::mousePressEvent(QMouseEvent* event) { m_main.centerOn(mapToScene(event->position().toPoint())); }

void Minimap::mouseMoveEvent(QMouseEvent* event)
{
    if (event->buttons() & Qt::LeftButton)
        m_main.centerOn(mapToScene(event->position().toPoint()));
}

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/dag/edges_item.h"

#include "widgets/dag/box_item.h"
#include "widgets/style/colors.h"

#include <QPainter>
#include <QPainterPathStroker>
#include <QStyleOptionGraphicsItem>
#include <QWidget>

#include <algorithm>
#include <cmath>

namespace poet {

namespace {

using style::Meaning;

void drawHead(QPainter& painter, const QPointF& from, const QPointF& tip, double size, bool isOpen)
{
    const QLineF back(tip, from);
    if (back.length() < 1e-6)
        return;
    const QPointF along = (back.p2() - back.p1()) / back.length();
    const QPointF across(-along.y(), along.x());
    const QPointF left = tip + along * size + across * size * 0.45;
    const QPointF right = tip + along * size - across * size * 0.45;
    if (isOpen)
        painter.drawPolyline(QPolygonF({left, tip, right}));
    else
        painter.drawPolygon(QPolygonF({left, tip, right}));
}

}  // namespace

EdgesItem::EdgesItem(const DagModel& model, const Layout& layout)
{
    setFlag(ItemUsesExtendedStyleOption);
    setAcceptedMouseButtons(Qt::NoButton);
    setZValue(0);
    double largest = 1;
    for (const DagEdge& edge : model.edges)
        largest = std::max(largest, static_cast<double>(edge.bytes));
    for (std::size_t e = 0; e < model.edges.size(); ++e) {
        const std::vector<LayoutPoint>& points = layout.edges[e];
        const auto at = [&](std::size_t i) { return QPointF(points[i].x, points[i].y); };
        Edge edge;
        edge.path.moveTo(at(0));
        if (points.size() == 2)
            edge.path.lineTo(at(1));
        for (std::size_t i = 1; i + 2 < points.size(); i += 3)
            edge.path.cubicTo(at(i), at(i + 1), at(i + 2));
        edge.line = {at(0), at(points.size() - 1)};
        edge.before = at(points.size() - 2);
        edge.width = 1 + 2.5 * std::sqrt(static_cast<double>(model.edges[e].bytes) / largest);
        const LayoutColumn from = model.boxes[static_cast<std::size_t>(model.edges[e].from)].place.column;
        const LayoutColumn to = model.boxes[static_cast<std::size_t>(model.edges[e].to)].place.column;
        edge.isSaved = (from == LayoutColumn::Forward || from == LayoutColumn::Side) && (to == LayoutColumn::Backward || to == LayoutColumn::Accumulate);
        edge.bounds = edge.path.boundingRect().adjusted(-8, -8, 8, 8);
        m_bounds |= edge.bounds;
        m_edges.push_back(std::move(edge));
    }
    m_looks.resize(m_edges.size());
}

void EdgesItem::setLooks(std::vector<EdgeLook> looks, bool fadeOthers)
{
    if (looks == m_looks && fadeOthers == m_fadeOthers)
        return;
    m_looks = std::move(looks);
    m_fadeOthers = fadeOthers;
    update();
}

void EdgesItem::paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget)
{
    const QPalette palette = widget ? widget->palette() : option->palette;
    const double scale = QStyleOptionGraphicsItem::levelOfDetailFromTransform(painter->worldTransform());
    const QRectF exposed = option->exposedRect;
    if (scale < kSomeDetail) {
        painter->setRenderHint(QPainter::Antialiasing, false);
        QPen pen(style::mix(palette.color(QPalette::Text), palette.color(QPalette::Base), 0.72), 0);
        pen.setCosmetic(true);
        QVector<QLineF> lines;
        lines.reserve(static_cast<qsizetype>(m_edges.size()));
        for (const Edge& edge : m_edges)
            if (edge.bounds.intersects(exposed))
                lines.append(edge.line);
        painter->setPen(pen);
        painter->drawLines(lines);
    }
    painter->setRenderHint(QPainter::Antialiasing, scale >= kFullDetail);
    for (int pass = 0; pass < 2; ++pass)
        for (std::size_t e = 0; e < m_edges.size(); ++e) {
            const EdgeLook& look = m_looks[e];
            const bool isSpecial = look.isInput || look.isOutput || look.isAlone;
            if (isSpecial != (pass == 1) || (!isSpecial && scale < kSomeDetail) || !m_edges[e].bounds.intersects(exposed))
                continue;
            paintEdge(*painter, palette, e, scale);
        }
}

void EdgesItem::paintEdge(QPainter& painter, const QPalette& palette, std::size_t index, double scale) const
{
    const Edge& edge = m_edges[index];
    const EdgeLook& look = m_looks[index];
    const bool isSpecial = look.isInput || look.isOutput || look.isAlone;
    QColor color = style::mix(palette.color(QPalette::Text), palette.color(QPalette::Base), m_fadeOthers ? 0.82 : 0.55);
    double width = edge.width;
    Qt::PenStyle pattern = Qt::SolidLine;
    if (edge.isSaved && look.fate == Fate::Paged) {
        color = m_fadeOthers ? style::mix(style::color(Meaning::PageOut, palette), palette.color(QPalette::Base), 0.5)
                             : style::color(Meaning::PageOut, palette);
        pattern = Qt::DotLine;
        width += 1;
    } else if (edge.isSaved && look.fate != Fate::Kept) {
        color = m_fadeOthers ? style::mix(style::color(Meaning::Recompute, palette), palette.color(QPalette::Base), 0.5)
                             : style::color(Meaning::Recompute, palette);
        pattern = Qt::DashLine;
    }
    if (look.isInput)
        color = style::color(Meaning::Forward, palette);
    if (look.isOutput)
        color = style::color(Meaning::PageIn, palette);
    if (isSpecial)
        width = std::max(width, 2.4);
    QPen pen(color, scale < kFullDetail ? (isSpecial ? 2 : 1) : width, pattern);
    pen.setCosmetic(scale < kFullDetail);
    if (pattern == Qt::DotLine)
        pen.setDashPattern({1.2, 1.2});
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    if (scale < kFullDetail) {
        painter.drawLine(edge.line);
        return;
    }
    painter.drawPath(edge.path);
    painter.setPen(QPen(color, look.isOutput ? 1.8 : 1));
    painter.setBrush(color);
    drawHead(painter, edge.before, edge.line.p2(), 7 + edge.width, look.isOutput);
}

int EdgesItem::edgeAt(const QPointF& point, double tolerance) const
{
    QPainterPathStroker stroker;
    stroker.setWidth(2 * tolerance);
    for (std::size_t e = 0; e < m_edges.size(); ++e)
        if (m_edges[e].bounds.contains(point) && stroker.createStroke(m_edges[e].path).contains(point))
            return static_cast<int>(e);
    return -1;
}

}  // namespace poet

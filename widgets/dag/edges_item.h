// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/dag/dag_model.h"
#include "widgets/dag/dag_paint.h"

#include <QGraphicsItem>
#include <QPainterPath>

#include <vector>

namespace poet {

/// All arrows in one item: 3,000 of them cost one paint call, and below 0.35 one drawLines. Widths follow bytes, the
/// pattern of a saved tensor follows its fate; arrows of the selection get their own colour and head.
class EdgesItem : public QGraphicsItem {
public:
    EdgesItem(const DagModel& model, const Layout& layout);

    struct EdgeLook {
        Fate fate = Fate::Kept;
        bool isInput = false;   ///< into the selection
        bool isOutput = false;  ///< out of the selection
        bool isAlone = false;   ///< the only one shown in full strength
        bool operator==(const EdgeLook&) const = default;
    };
    void setLooks(std::vector<EdgeLook> looks, bool fadeOthers);

    [[nodiscard]] QRectF boundingRect() const override { return m_bounds; }
    [[nodiscard]] QPainterPath shape() const override { return {}; }
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;
    /// The edge within `tolerance` scene units of a point, -1 if none.
    [[nodiscard]] int edgeAt(const QPointF& point, double tolerance) const;
    [[nodiscard]] QRectF edgeBounds(int edge) const { return m_edges[static_cast<std::size_t>(edge)].bounds; }

private:
    struct Edge {
        QPainterPath path;
        QRectF bounds;
        QLineF line;     ///< first to last point
        QPointF before;  ///< direction of the head: from here to line.p2
        double width = 1;
        bool isSaved = false;  ///< from forward to backward
    };
    void paintEdge(QPainter& painter, const QPalette& palette, std::size_t index, double scale) const;

    std::vector<Edge> m_edges;
    std::vector<EdgeLook> m_looks;
    bool m_fadeOthers = false;
    QRectF m_bounds;
};

}  // namespace poet

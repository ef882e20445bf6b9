// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document_state.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace poet {

/// A straight cost of transfers: fixed + perByte x bytes, fitted to the graph's own page costs (out and in together).
struct TransferLine {
    double fixed = 0;
    double perByte = 0;
    [[nodiscard]] double at(double bytes) const { return fixed + perByte * bytes; }
};

/// Least-squares line through (bytes, page-out + page-in) of all pageable tensors; joules or seconds.
[[nodiscard]] TransferLine fitTransferLine(const CostGraph& graph, bool isTime);

/// The break-even line, log-log: x = bytes of a tensor, y = what computing it again costs. Above the line paging is
/// cheaper, below it recomputing is. Each tensor that may be recomputed is a point, drawn by its fate in the plan.
class BreakEvenView : public QWidget {
    Q_OBJECT
public:
    explicit BreakEvenView(DocumentState& state, QWidget* parent = nullptr);
    void setTime(bool isTime);
    /// Makes points() and line() those of the present plan; done by itself only while the view is seen.
    void catchUp();

    struct Point {
        NodeId node = 0;
        double bytes = 0;
        double cost = 0;   ///< own run, and runs of inputs that the plan has dropped
        Fate fate = Fate::Kept;
    };
    [[nodiscard]] const std::vector<Point>& points() const { return m_points; }
    [[nodiscard]] const TransferLine& line() const { return m_line; }
    [[nodiscard]] QPointF positionOf(const Point& point) const;
    void renderTo(QPainter& painter, const QRect& area);

protected:
    void showEvent(QShowEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void rebuild();
    [[nodiscard]] const Point* pointAt(const QPointF& at) const;
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] QPointF place(double bytes, double cost) const;
    void paintAll(QPainter& painter) const;
    void paintAxes(QPainter& painter) const;
    void paintLine(QPainter& painter, const QRectF& area) const;
    void paintPoint(QPainter& painter, const Point& point) const;

    DocumentState& m_state;
    bool m_isTime = false;
    bool m_isStale = true;
    std::vector<Point> m_points;
    TransferLine m_line;
    double m_minX = 0;  ///< log10
    double m_maxX = 1;
    double m_minY = 0;
    double m_maxY = 1;
};

}  // namespace poet

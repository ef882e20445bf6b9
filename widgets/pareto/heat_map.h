// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document_state.h"
#include "widgets/pareto/heat_grid.h"

#include <QWidget>

#include <optional>

namespace poet {

/// Energy over memory and deadline, a cell a question: darker is dearer, hatched is proven infeasible, dotted is unknown.
/// A click (or arrows and Enter) sets both limits and so shows the cell's plan.
class HeatMap : public QWidget {
    Q_OBJECT
public:
    static constexpr int kSize = 8;

    explicit HeatMap(DocumentState& state, QWidget* parent = nullptr);

    /// Makes grid() that of what is known now; done by itself only while the map is seen.
    void catchUp() { rebuild(); }
    [[nodiscard]] const HeatGrid& grid() const { return m_grid; }
    [[nodiscard]] QRectF cellRect(int column, int row) const;
    /// Column and row under a position.
    [[nodiscard]] std::optional<std::pair<int, int>> cellAt(const QPointF& at) const;
    void renderTo(QPainter& painter, const QRect& area);

Q_SIGNALS:
    /// The limits of a cell were chosen.
    void limitsPicked(qint64 memoryBytes, double deadlineSeconds);

protected:
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    void rebuild();
    void paintAll(QPainter& painter, const QRectF& area) const;
    void paintCell(QPainter& painter, const QRectF& box, const HeatCell& cell) const;
    void paintScale(QPainter& painter, const QRectF& area) const;
    [[nodiscard]] QRectF plotRect(const QRectF& area) const;
    [[nodiscard]] QRectF cellRect(const QRectF& area, int column, int row) const;
    [[nodiscard]] QColor heat(double overheadPercent) const;
    [[nodiscard]] QString describe(int column, int row) const;
    void pick(int column, int row);

    DocumentState& m_state;
    HeatGrid m_grid;
    PlanQuery m_shownQuery;
    int m_column = 0;
    int m_row = 0;
    bool m_isStale = true;
};

}  // namespace poet

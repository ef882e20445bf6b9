// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/dag/dag_model.h"
#include "widgets/dag/dag_paint.h"

#include <QWidget>

namespace poet {

/// What one mark of the graph means.
struct LegendEntry {
    enum class Mark { Phase, Fate, State, Fill, Ramp } mark = Mark::Phase;
    int value = 0;   ///< Phase: Meaning; Fate: Fate; State: TensorState
    QColor color;    ///< Fill: of boxes; Ramp: of the largest box
    QString text;
    bool operator==(const LegendEntry&) const = default;
};

/// The legend's rows for what is drawn: decisions or places, and below them what the fill of boxes stands for.
[[nodiscard]] QList<QList<LegendEntry>> legendRows(const DagModel& model, const DocumentState& state, DagColoring coloring, const QPalette& palette);

/// What colours, patterns and badges mean, always visible in a corner of the graph.
class DagLegend : public QWidget {
    Q_OBJECT
public:
    explicit DagLegend(QWidget* parent);
    void show(const QList<QList<LegendEntry>>& rows);
    [[nodiscard]] const QList<QList<LegendEntry>>& rows() const { return m_rows; }
    /// Rows that are longer than this go on in the next line; what is longer still ends in dots.
    void setRoom(int width);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    /// An entry and where its mark begins; lines from the top.
    struct Placed {
        const LegendEntry* entry;
        int x;
        int line;
        int textWidth;
    };
    [[nodiscard]] QList<Placed> placed() const;
    [[nodiscard]] int rowHeight() const;
    void paintMark(QPainter& painter, const QRectF& where, const LegendEntry& entry) const;

    QList<QList<LegendEntry>> m_rows;
    int m_room = 10000;
};

}  // namespace poet

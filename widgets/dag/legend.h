// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/dag/dag_paint.h"

#include <QWidget>

namespace poet {

/// What colours, patterns and badges mean, always visible in a corner of the graph.
class DagLegend : public QWidget {
    Q_OBJECT
public:
    explicit DagLegend(QWidget* parent);
    void show(DagColoring coloring, bool isStepping);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Entry {
        enum class Mark { Box, Line, State } mark = Mark::Box;
        int value = 0;
        QString text;
    };
    [[nodiscard]] QList<Entry> entries() const;
    void paintMark(QPainter& painter, const QRectF& where, const Entry& entry) const;

    DagColoring m_coloring = DagColoring::Decision;
    bool m_isStepping = false;
};

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/problem.h"
#include "widgets/timeline/timeline_model.h"

#include <QWidget>

#include <memory>

namespace poet {

/// The memory of two plans over one training step, one above the other on the same axes.
class CurvePair : public QWidget {
    Q_OBJECT
public:
    explicit CurvePair(QWidget* parent = nullptr);

    struct Side {
        QString name;       ///< "A: 14.2 MiB"
        ProblemPtr problem; ///< null: there is nothing on this side
        PlanPtr plan;
    };
    void show(Side a, Side b, std::int64_t budgetBytes);
    void renderTo(QPainter& painter, const QRect& room) const;
    [[nodiscard]] QSize sizeHint() const override { return {260, 150}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Drawn {
        Side side;
        std::shared_ptr<const TimelineModel> curve;
    };

    Drawn m_sides[2];
    std::int64_t m_budgetBytes = 0;
};

}  // namespace poet

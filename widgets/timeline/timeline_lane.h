// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/timeline/time_axis.h"
#include "widgets/timeline/timeline_model.h"

#include <QPalette>
#include <QRectF>
#include <QString>

class QPainter;

namespace poet {

/// What a lane needs to draw.
struct LaneContext {
    const CostGraph& graph;
    const TimelineModel& model;
    const TimeAxis& axis;
    QPalette palette;
    NodeId selectedNode = -1;
    NodeId hoveredNode = -1;
    int selectedStep = -1;
};

/// One kind of lane: bars of one kind of step. Events on the same pixel are drawn once.
class TimelineLane {
public:
    virtual ~TimelineLane() = default;
    [[nodiscard]] virtual LaneKind kind() const = 0;
    [[nodiscard]] virtual QString title() const = 0;
    void paint(QPainter& painter, const QRectF& area, const LaneContext& context) const;

    bool isHidden = false;
    bool isPinned = false;

protected:
    /// One bar; `label` is the node's short name, empty when there is no room.
    virtual void paintEvent(QPainter& painter, const QRectF& bar, const TimelineEvent& event, const QString& label,
                            const LaneContext& context) const = 0;
};

[[nodiscard]] std::unique_ptr<TimelineLane> makeComputeLane();
[[nodiscard]] std::unique_ptr<TimelineLane> makeRecomputeLane();
[[nodiscard]] std::unique_ptr<TimelineLane> makePageInLane();
[[nodiscard]] std::unique_ptr<TimelineLane> makePageOutLane();

}  // namespace poet

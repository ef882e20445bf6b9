// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/plan_facts.h"

#include <vector>

namespace poet {

enum class TimelineUnit { Time, Steps };
enum class LaneKind { Compute, Recompute, PageIn, PageOut };

/// One bar: a step on its lane.
struct TimelineEvent {
    int step = 0;  ///< index into the schedule
    NodeId node = 0;
    StepKind kind = StepKind::Compute;
    double begin = 0;
    double end = 0;
};

/// RAM during [begin, end), without resident bytes.
struct MemorySample {
    double begin = 0;
    double end = 0;
    std::int64_t bytes = 0;
};

/// A plan as bars and a memory curve over one axis. Immutable value. Cost: O(steps log steps).
struct TimelineModel {
    TimelineUnit unit = TimelineUnit::Time;
    double length = 1;                               ///< seconds or steps
    std::vector<TimelineEvent> lanes[4];             ///< by LaneKind, ascending begin
    std::vector<MemorySample> memory;                ///< ascending begin, gap-free, may contain zero-length samples
    std::vector<double> edges;                       ///< all begins and ends, ascending, unique: snapping
    std::vector<double> beginOf;                     ///< per step of the schedule
    std::vector<double> endOf;
    std::int64_t peakBytes = 0;
    int peakStep = -1;

    [[nodiscard]] const std::vector<TimelineEvent>& lane(LaneKind kind) const { return lanes[static_cast<int>(kind)]; }
    /// The event of a lane at a time, or null. Cost: O(log n).
    [[nodiscard]] const TimelineEvent* eventAt(LaneKind kind, double time) const;
    /// The step (never Free) that runs at a time, -1 outside.
    [[nodiscard]] int stepAt(double time) const;
    /// RAM at a time.
    [[nodiscard]] std::int64_t bytesAt(double time) const;
};

/// `unit` Time falls back to Steps when the plan takes no time at all.
[[nodiscard]] TimelineModel makeTimelineModel(const Plan& plan, TimelineUnit unit);

[[nodiscard]] LaneKind laneOf(StepKind kind);

}  // namespace poet

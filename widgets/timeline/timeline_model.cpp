// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timeline_model.h"

#include <algorithm>

namespace poet {

namespace {

/// Begin and end of every step in equal-width units; transfers beside a main node share its unit.
void placeInSteps(const Schedule& schedule, TimelineModel& model)
{
    const std::size_t n = schedule.steps.size();
    double at = 0;
    for (std::size_t s = 0; s < n; ++s) {
        const Step& step = schedule.steps[s];
        model.beginOf[s] = at;
        if (step.kind == StepKind::Free) {
            model.endOf[s] = at;
            continue;
        }
        model.endOf[s] = at + 1;
        const bool isBeside = (step.kind == StepKind::PageIn || step.kind == StepKind::PageOut) && step.mode != TransferMode::Blocking &&
                              s + 1 < n && schedule.steps[s + 1].stage == step.stage &&
                              schedule.steps[s + 1].kind != StepKind::Free;
        // Two transfers beside one node share the channel, not the unit.
        const bool isNextSameLane = isBeside && schedule.steps[s + 1].kind == step.kind;
        if (!isBeside || isNextSameLane)
            at += 1;
    }
    model.length = std::max(at, 1.0);
}

void buildMemory(const Plan& plan, TimelineModel& model)
{
    const ReplayReport& report = plan.replay;
    double at = 0;
    for (std::size_t s = 0; s < report.schedule.steps.size(); ++s) {
        const std::int64_t during = s < report.duringBytes.size() ? report.duringBytes[s] : report.schedule.steps[s].ramBytes;
        if (report.schedule.steps[s].kind == StepKind::Free) {
            if (!model.memory.empty() && model.memory.back().end < model.endOf[s])
                model.memory.back().end = model.endOf[s];
            continue;
        }
        const double begin = std::max(at, model.beginOf[s]);
        if (begin > at && !model.memory.empty())
            model.memory.back().end = begin;
        const double end = std::max(begin, model.endOf[s]);
        model.memory.push_back({begin, end, during});
        // A transfer beside the node that follows: the node's own sample covers the same time with at least as much.
        const bool overlaps = s + 1 < report.schedule.steps.size() && model.beginOf[s + 1] < model.endOf[s];
        if (overlaps)
            model.memory.back().end = std::max(begin, std::min(end, model.beginOf[s + 1]));
        at = model.memory.back().end;
    }
}

}  // namespace

LaneKind laneOf(StepKind kind)
{
    switch (kind) {
    case StepKind::Recompute: return LaneKind::Recompute;
    case StepKind::PageIn: return LaneKind::PageIn;
    case StepKind::PageOut: return LaneKind::PageOut;
    default: return LaneKind::Compute;
    }
}

TimelineModel makeTimelineModel(const Plan& plan, TimelineUnit unit)
{
    TimelineModel model;
    const Schedule& schedule = plan.replay.schedule;
    model.unit = plan.replay.seconds > 0 ? unit : TimelineUnit::Steps;
    model.beginOf.resize(schedule.steps.size());
    model.endOf.resize(schedule.steps.size());
    if (model.unit == TimelineUnit::Time) {
        for (std::size_t s = 0; s < schedule.steps.size(); ++s) {
            model.beginOf[s] = schedule.steps[s].startSeconds;
            model.endOf[s] = schedule.steps[s].endSeconds;
        }
        model.length = plan.replay.seconds;
    } else {
        placeInSteps(schedule, model);
    }
    for (std::size_t s = 0; s < schedule.steps.size(); ++s) {
        const Step& step = schedule.steps[s];
        if (step.kind == StepKind::Free)
            continue;
        model.lanes[static_cast<int>(laneOf(step.kind))].push_back(
            {static_cast<int>(s), step.node, step.kind, model.beginOf[s], model.endOf[s]});
        model.edges.push_back(model.beginOf[s]);
        model.edges.push_back(model.endOf[s]);
    }
    for (auto& lane : model.lanes)
        std::stable_sort(lane.begin(), lane.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
    std::sort(model.edges.begin(), model.edges.end());
    model.edges.erase(std::unique(model.edges.begin(), model.edges.end()), model.edges.end());
    buildMemory(plan, model);
    model.peakBytes = plan.replay.peakBytes;
    model.peakStep = plan.replay.peakStep;
    return model;
}

const TimelineEvent* TimelineModel::eventAt(LaneKind kind, double time) const
{
    const auto& events = lane(kind);
    auto after = std::upper_bound(events.begin(), events.end(), time, [](double t, const TimelineEvent& e) { return t < e.begin; });
    if (after == events.begin())
        return nullptr;
    const TimelineEvent& event = *std::prev(after);
    return time <= event.end ? &event : nullptr;
}

int TimelineModel::stepAt(double time) const
{
    for (LaneKind kind : {LaneKind::Compute, LaneKind::Recompute, LaneKind::PageIn, LaneKind::PageOut})
        if (const TimelineEvent* event = eventAt(kind, time); event && time < event->end)
            return event->step;
    return -1;
}

std::int64_t TimelineModel::bytesAt(double time) const
{
    auto after = std::upper_bound(memory.begin(), memory.end(), time, [](double t, const MemorySample& m) { return t < m.begin; });
    return after == memory.begin() ? 0 : std::prev(after)->bytes;
}

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timeline_view.h"

#include <algorithm>

/// Where the lanes of TimelineView are: order, hidden, pinned, and what happens when there is little room.
namespace poet {

using namespace Qt::StringLiterals;

namespace {

constexpr double kLeastMemoryHeight = 36;  // below that the curve says nothing

struct LaneName {
    LaneKind kind;
    const char* name;
};
constexpr LaneName kLaneNames[] = {{LaneKind::Compute, "compute"}, {LaneKind::Recompute, "recompute"}, {LaneKind::PageIn, "page-in"}, {LaneKind::PageOut, "page-out"}};

}  // namespace

double TimelineView::laneHeight() const { return fontMetrics().height() + 10; }

/// Pinned lanes always; the others while the memory curve keeps a readable height.
bool TimelineView::isShown(const TimelineLane& lane) const
{
    if (lane.isHidden)
        return false;
    const double room = viewport()->height() - fontMetrics().height() - 20 - kLeastMemoryHeight;
    int above = 0;
    for (const auto& other : m_lanes) {
        if (other.get() == &lane)
            break;
        above += !other->isHidden;
    }
    return lane.isPinned || (above + 1) * (laneHeight() + 2) <= room;
}

bool TimelineView::isLaneShown(LaneKind kind) const
{
    return std::any_of(m_lanes.begin(), m_lanes.end(), [&](const auto& lane) { return lane->kind() == kind && isShown(*lane); });
}

QRectF TimelineView::laneRect(LaneKind kind) const
{
    double y = 4;
    for (const auto& lane : m_lanes) {
        if (!isShown(*lane))
            continue;
        if (lane->kind() == kind)
            return {m_axis.left, y, m_axis.width, laneHeight()};
        y += laneHeight() + 2;
    }
    return {};
}

QRectF TimelineView::memoryRect() const
{
    double top = 8;
    for (const auto& lane : m_lanes)
        if (isShown(*lane))
            top = std::max(top, laneRect(lane->kind()).bottom() + 8);
    const double bottom = viewport()->height() - fontMetrics().height() - 8;
    return {m_axis.left, top, m_axis.width, std::max(10.0, bottom - top)};
}

void TimelineView::stepLane(int direction)
{
    if (!m_state.plan())
        return;
    catchUp();
    const int step = m_state.selection().step;
    const bool isOnEvent = step >= 0 && static_cast<std::size_t>(step) < m_model.beginOf.size();
    const double time = isOnEvent ? (m_model.beginOf[static_cast<std::size_t>(step)] + m_model.endOf[static_cast<std::size_t>(step)]) / 2
                                  : (m_axis.begin + m_axis.end) / 2;
    std::vector<LaneKind> lanes;
    int at = -1;
    for (const auto& lane : m_lanes) {
        if (!isShown(*lane) || m_model.lane(lane->kind()).empty())
            continue;
        if (isOnEvent && lane->kind() == laneOf(m_state.plan()->replay.schedule.steps[static_cast<std::size_t>(step)].kind))
            at = static_cast<int>(lanes.size());
        lanes.push_back(lane->kind());
    }
    const int next = at >= 0 ? at + direction : direction > 0 ? 0 : static_cast<int>(lanes.size()) - 1;
    if (next < 0 || next >= static_cast<int>(lanes.size()))
        return;
    const auto& events = m_model.lane(lanes[static_cast<std::size_t>(next)]);
    const auto distance = [&](const TimelineEvent& event) { return std::max({event.begin - time, time - event.end, 0.0}); };
    selectStep(std::min_element(events.begin(), events.end(), [&](const auto& a, const auto& b) { return distance(a) < distance(b); })->step);
}

void TimelineView::setLaneHidden(LaneKind kind, bool isHidden)
{
    for (auto& lane : m_lanes)
        if (lane->kind() == kind)
            lane->isHidden = isHidden;
    viewport()->update();
    Q_EMIT lanesChanged();
}

void TimelineView::setLanePinned(LaneKind kind, bool isPinned)
{
    for (auto& lane : m_lanes)
        if (lane->kind() == kind) {
            lane->isPinned = isPinned;
            lane->isHidden = lane->isHidden && !isPinned;
        }
    sortPinnedFirst();
    viewport()->update();
    Q_EMIT lanesChanged();
}

void TimelineView::sortPinnedFirst()
{
    std::stable_partition(m_lanes.begin(), m_lanes.end(), [](const auto& lane) { return lane->isPinned; });
}

void TimelineView::moveLane(LaneKind kind, int direction)
{
    for (std::size_t i = 0; i < m_lanes.size(); ++i) {
        if (m_lanes[i]->kind() != kind)
            continue;
        const std::size_t other = direction < 0 ? i - 1 : i + 1;
        if (other < m_lanes.size())
            std::swap(m_lanes[i], m_lanes[other]);
        break;
    }
    sortPinnedFirst();
    viewport()->update();
    Q_EMIT lanesChanged();
}

QString TimelineView::laneSettings() const
{
    QStringList parts;
    for (const auto& lane : m_lanes)
        for (const LaneName& entry : kLaneNames)
            if (entry.kind == lane->kind())
                parts << QString::fromLatin1(entry.name) + (lane->isPinned ? u"*"_s : lane->isHidden ? u"-"_s : QString());
    return parts.join(u' ');
}

void TimelineView::applyLaneSettings(const QString& settings)
{
    const QStringList parts = settings.split(u' ', Qt::SkipEmptyParts);
    std::size_t place = 0;
    for (const QString& part : parts)
        for (const LaneName& entry : kLaneNames) {
            QString name = part;
            const bool isPinned = name.endsWith(u'*');
            const bool isHidden = name.endsWith(u'-');
            if (isPinned || isHidden)
                name.chop(1);
            if (name != QLatin1String(entry.name))
                continue;
            const auto lane = std::find_if(m_lanes.begin(), m_lanes.end(), [&](const auto& other) { return other->kind() == entry.kind; });
            (*lane)->isPinned = isPinned;
            (*lane)->isHidden = isHidden;
            if (place < m_lanes.size())
                std::iter_swap(m_lanes.begin() + static_cast<std::ptrdiff_t>(place++), lane);
        }
    sortPinnedFirst();
    viewport()->update();
}

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/sweep_file.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace poet {

namespace {

constexpr double kLeastBend = 1e-3;  ///< of the scaled axes; what bends less is straight

double deadlineOf(const SweepPoint& point) { return point.deadlineSeconds.value_or(kNoDeadline); }

/// One curve: x ascending, y the energy; indices into the points.
struct Curve {
    std::vector<std::pair<double, std::size_t>> x;
    /// Distance of the point below the chord, both axes scaled to 1; the largest one wins, the smaller x among equals.
    void markKnee(std::vector<SweepPoint>& points)
    {
        std::ranges::sort(x);
        const double width = x.back().first - x.front().first;
        const double first = *points[x.front().second].energyJoules;
        const double last = *points[x.back().second].energyJoules;
        if (!(width > 0) || !(first > last))
            return;
        double best = kLeastBend;
        std::size_t knee = points.size();
        for (const auto& [value, index] : x) {
            const double across = (value - x.front().first) / width;
            const double down = (first - *points[index].energyJoules) / (first - last);
            if (down - across > best) {
                best = down - across;
                knee = index;
            }
        }
        if (knee < points.size())
            points[knee].isKnee = true;
    }
};

/// The curves of points that share strategy and one limit; `x` gives the other limit. Those with three points or more.
template <class Key, class Value>
std::vector<Curve> curvesOf(const std::vector<SweepPoint>& points, Key key, Value value)
{
    std::map<std::pair<Strategy, double>, Curve> groups;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (points[i].energyJoules && value(points[i]) < kNoDeadline)
            groups[{points[i].strategy, key(points[i])}].x.emplace_back(value(points[i]), i);
    std::vector<Curve> curves;
    for (auto& [unused, curve] : groups)
        if (curve.x.size() >= 3)
            curves.push_back(std::move(curve));
    return curves;
}

}  // namespace

void sortPoints(std::vector<SweepPoint>& points)
{
    std::ranges::stable_sort(points, [](const SweepPoint& a, const SweepPoint& b) {
        return std::tuple(a.strategy, -deadlineOf(a), -a.memoryBytes) < std::tuple(b.strategy, -deadlineOf(b), -b.memoryBytes);
    });
}

void markKnees(std::vector<SweepPoint>& points)
{
    for (SweepPoint& point : points)
        point.isKnee = false;
    const auto memory = [](const SweepPoint& point) { return static_cast<double>(point.memoryBytes); };
    auto curves = curvesOf(points, deadlineOf, memory);
    if (curves.empty())
        curves = curvesOf(points, memory, deadlineOf);
    for (Curve& curve : curves)
        curve.markKnee(points);
}

}  // namespace poet

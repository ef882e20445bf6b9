// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/time_axis.h"

#include <algorithm>
#include <cmath>

namespace poet {

namespace {
constexpr double kClosest = 1e-6;  // of the full range
}

void TimeAxis::setFull(double from, double to)
{
    fullBegin = from;
    fullEnd = to > from ? to : from + 1;
    fit();
}

void TimeAxis::fit()
{
    begin = fullBegin;
    end = fullEnd;
}

void TimeAxis::clampVisible()
{
    const double full = fullEnd - fullBegin;
    const double span = std::clamp(end - begin, full * kClosest, full);
    begin = std::clamp(begin, fullBegin, fullEnd - span);
    end = begin + span;
}

void TimeAxis::zoom(double factor, double x)
{
    const double full = fullEnd - fullBegin;
    const double anchor = mapXToTime(x);
    const double share = (x - left) / width;
    const double span = std::clamp((end - begin) / factor, full * kClosest, full);
    begin = anchor - share * span;
    end = begin + span;
    clampVisible();
}

void TimeAxis::pan(double pixels)
{
    const double delta = pixels * unitsPerPixel();
    begin += delta;
    end += delta;
    clampVisible();
}

void TimeAxis::showRange(double from, double to)
{
    const double margin = (to - from) / 20;
    begin = from - margin;
    end = to + margin;
    clampVisible();
}

void TimeAxis::ensureVisible(double time)
{
    const double span = end - begin;
    if (time < begin)
        begin = time - span / 10;
    else if (time > end)
        begin = time - span * 9 / 10;
    else
        return;
    end = begin + span;
    clampVisible();
}

double TimeAxis::snap(double x, const std::vector<double>& edges, double tolerance) const
{
    const double time = mapXToTime(x);
    const auto next = std::lower_bound(edges.begin(), edges.end(), time);
    double best = time;
    double distance = tolerance;
    const auto consider = [&](double edge) {
        const double d = std::abs(mapTimeToX(edge) - x);
        if (d <= distance) {
            distance = d;
            best = edge;
        }
    };
    if (next != edges.end())
        consider(*next);
    if (next != edges.begin())
        consider(*std::prev(next));
    return best;
}

std::vector<double> TimeAxis::ticks(double minimumPixels) const
{
    const double raw = minimumPixels * unitsPerPixel();
    if (!(raw > 0) || !std::isfinite(raw))
        return {};
    const double power = std::pow(10, std::floor(std::log10(raw)));
    double step = power * 10;
    for (double factor : {1.0, 2.0, 5.0})
        if (power * factor >= raw) {
            step = power * factor;
            break;
        }
    std::vector<double> result;
    for (double i = std::ceil(begin / step - 1e-9); i * step <= end + step * 1e-9; ++i)
        result.push_back(i * step);
    return result;
}

}  // namespace poet

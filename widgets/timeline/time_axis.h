// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace poet {

/// The one mapping between time and pixels that lanes, memory curve and ruler share. A value; units of time are the
/// caller's (seconds, or steps).
struct TimeAxis {
    double fullBegin = 0;  ///< of the whole schedule
    double fullEnd = 1;    ///< > fullBegin
    double begin = 0;      ///< visible part, inside the full range
    double end = 1;        ///< > begin
    double left = 0;       ///< pixel of `begin`
    double width = 100;    ///< pixels of the visible part, > 0

    [[nodiscard]] double unitsPerPixel() const { return (end - begin) / width; }
    [[nodiscard]] double mapTimeToX(double time) const { return left + (time - begin) / (end - begin) * width; }
    [[nodiscard]] double mapXToTime(double x) const { return begin + (x - left) / width * (end - begin); }

    /// Sets the full range and shows all of it.
    void setFull(double from, double to);
    void fit();
    /// Zooms by `factor` (> 1 = closer) and keeps the time under pixel `x` where it is; stays in the full range;
    /// never closer than a 1e6-th of it.
    void zoom(double factor, double x);
    /// Moves by pixels, stays in the full range.
    void pan(double pixels);
    /// Shows [from, to], widened by a twentieth on both sides.
    void showRange(double from, double to);
    /// Moves, without zooming, so that `time` is visible.
    void ensureVisible(double time);
    /// The entry of `edges` (ascending) nearest to pixel `x` if it is within `tolerance` pixels, else the time at `x`.
    [[nodiscard]] double snap(double x, const std::vector<double>& edges, double tolerance) const;
    /// Round ruler positions, at least `minimumPixels` apart.
    [[nodiscard]] std::vector<double> ticks(double minimumPixels) const;

private:
    void clampVisible();
};

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>

namespace poet::planning {

/// Seconds since any fixed moment, never running backwards; tests put their own in its place.
using Now = std::function<double()>;

/// The time of one search, from its construction to its limit, all steps included. What a step may take is asked here
/// before it begins, and `isOver` while it runs; some time is held back for the steps that nobody can interrupt: the
/// last replay and the end of a solving process.
class SearchClock {
public:
    explicit SearchClock(double limitSeconds, Now now = steadySeconds) : m_now(std::move(now)), m_limit(limitSeconds), m_begin(m_now()) {}

    [[nodiscard]] double elapsed() const { return m_now() - m_begin; }
    /// Time that a step may still take; never negative.
    [[nodiscard]] double left() const { return std::max(m_limit - reserve() - elapsed(), 0.0); }
    /// So much of the limit, or what is left if that is less.
    [[nodiscard]] double share(double part) const { return std::min(part * m_limit, left()); }
    /// True when no further step is worth beginning.
    [[nodiscard]] bool isOver() const { return left() <= 0; }
    /// True when a running step must end at once; a little later than isOver, so that a solver that keeps its own time
    /// can still hand over what it has.
    [[nodiscard]] bool mustEnd() const { return m_limit - elapsed() <= m_longestStep + kLastPart * base(); }
    /// A step that cannot be interrupted took so long; another of its kind must still fit.
    void noteStep(double seconds) { m_longestStep = std::max(m_longestStep, seconds); }

    [[nodiscard]] static double steadySeconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

private:
    [[nodiscard]] double base() const { return std::min(kReserveShare * m_limit, kLongestReserve); }
    [[nodiscard]] double reserve() const { return base() + m_longestStep; }

    static constexpr double kReserveShare = 0.02;  ///< of the limit
    static constexpr double kLongestReserve = 0.4; ///< seconds
    static constexpr double kLastPart = 0.2;       ///< of that reserve

    Now m_now;
    double m_limit;
    double m_begin;
    double m_longestStep = 0;
};

}  // namespace poet::planning

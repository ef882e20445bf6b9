// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/problem.h"

#include <algorithm>
#include <cmath>

/// Where a sweep puts its points; the same places as `poet sweep`, so that both ask the same questions.
namespace poet {

/// The i-th of `count` memories, evenly from the keep-all peak (0) down to the wall.
[[nodiscard]] inline std::int64_t sweepMemory(const Problem& problem, int i, int count)
{
    const std::int64_t high = std::max(problem.wallBytes, problem.keepAllPeakBytes);
    return count < 2 ? high : high - (high - problem.wallBytes) * i / (count - 1);
}

/// The i-th of `count` deadlines in seconds, in even ratios from three times the keep-all time (0) down to it.
[[nodiscard]] inline double sweepDeadline(const Problem& problem, int i, int count)
{
    const double share = count < 2 ? 0 : static_cast<double>(i) / (count - 1);
    return problem.keepAll->replay.seconds * std::pow(3.0, 1 - share);
}

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planning/decisions.h"
#include "core/planning/problem.h"

#include <functional>

namespace poet::planning {

/// In `dma`, moves transfers behind main nodes where RAM has room for that: page-ins on demand become prefetches, immediate
/// page-outs go on in the background. All of them are moved at first; where the replay is over budget, the transfer that
/// frees enough goes back, until it fits. In other transfer models, and where that does not lead to a plan, the decisions
/// come back as they are. Cost: a replay for each round; rounds are at most as many as transfers, and few where they do not
/// crowd. Ends with the decisions as they were when `wantsStop` (may be empty) says so.
[[nodiscard]] Decisions overlapTransfers(const Problem& problem, const Decisions& decisions, const std::function<bool()>& wantsStop = {});

/// The problem with time in its energies: each second of computing costs so many joules more, each of a transfer on demand,
/// too; in `dma`, where most of it can be hidden, a fifth of that. A plan of little energy there takes little time.
[[nodiscard]] Problem weighTime(const Problem& problem, double joulesPerSecond);

}  // namespace poet::planning

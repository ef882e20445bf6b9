// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/graph/cost_graph.h"
#include "core/schedule/schedule.h"

#include <cstdint>
#include <vector>

namespace poet {

/// What a schedule really does, found by executing it. All bytes are without resident bytes.
struct ReplayReport {
    Schedule schedule;              ///< the same steps with start, end and ramBytes filled in
    std::int64_t peakBytes = 0;     ///< largest RAM in use at any instant
    int peakStep = 0;               ///< step during which the peak occurs
    double energyJoules = 0;        ///< active energy + idle power x seconds (no idle in `paper`)
    double seconds = 0;             ///< length of the training step
    std::int64_t pagedOutBytes = 0; ///< tensor bytes written to the store
    std::int64_t pagedInBytes = 0;
    std::int64_t storeBytes = 0;    ///< store space used, rounded to blocks
    std::int64_t writtenBytes = 0;  ///< bytes written, rounded to blocks (wear)
    int recomputedNodes = 0;        ///< runs beyond the first
    std::vector<std::int64_t> duringBytes;  ///< per step: RAM while it runs (output, workspace, all not yet freed)
};

/// Executes `schedule` on `graph` under the transfer model `model` and reports what happens; the judge of every
/// plan. Errors: InvalidSchedule with the first broken rule (step, node, reason): an input not in RAM, a backward node
/// run twice or never, a page-in before the end of the page-out, a tensor written twice, a second copy in RAM, ...
/// Limits (budget, deadline, store) are not judged here; compare with the report.
/// Threads: pure. Cost: O(steps + edges). Source: planning.md, section 1.
[[nodiscard]] Expected<ReplayReport> replay(const CostGraph& graph, TransferModel model, const Schedule& schedule);

/// The schedule that keeps every tensor until its last use: the energy and time reference.
[[nodiscard]] Schedule keepAllSchedule(const CostGraph& graph);

}  // namespace poet

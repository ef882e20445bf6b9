// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/schedule/alternatives.h"
#include "core/schedule/plan.h"

#include <optional>
#include <string>
#include <vector>

/// Why a plan keeps, pages or recomputes a tensor, and what would change that.
namespace poet {

/// What stands between one alternative and the plan. Everything else stays as in the plan: thresholds are exact for
/// these two schedules, and another plan may win earlier.
struct Verdict {
    double extraJoules = 0;              ///< over the plan; negative: cheaper
    std::int64_t missingBytes = 0;       ///< over the memory; 0 when it fits
    double lateSeconds = 0;              ///< over the deadline; 0 when in time
    bool isStoreOver = false;            ///< the page store's capacity or write limit does not allow it
    std::optional<double> runJoules;        ///< wins when the active energy of one run passes this
    std::optional<double> roundTripJoules;  ///< wins when page-out plus page-in, scaled together, pass this
    [[nodiscard]] bool fits() const { return missingBytes == 0 && lateSeconds == 0 && !isStoreOver; }
};

/// One tensor of a plan. Steps are a half-open interval of the schedule's list.
struct Why {
    NodeId node = 0;
    Fate fate = Fate::Kept;
    int beginStep = 0;             ///< its main run
    int endStep = 0;               ///< after its last free or use
    double beginSeconds = 0;
    double endSeconds = 0;
    double ramSeconds = 0;         ///< of these, in RAM
    int uses = 0;                  ///< runs that read it
    bool isAtPeak = false;         ///< in RAM during the step of the plan's peak
    std::vector<Alternative> alternatives;  ///< keep, page, recompute
    std::vector<Verdict> verdicts;          ///< one an alternative
};

/// The limits that a plan must keep; sizes with resident bytes.
struct PlanLimits {
    std::int64_t memoryBytes = 0;
    std::optional<double> deadlineSeconds;
};
[[nodiscard]] PlanLimits limitsOf(const Plan& plan);

/// Explains `node`. The plan must have a schedule. Threads: pure. Cost: three replays.
[[nodiscard]] Why explainTensor(const CostGraph& graph, const Plan& plan, const PlanLimits& limits, NodeId node);

/// What is worth a line without being asked for: every dropped tensor, and the `mostKept` kept ones that occupy most
/// byte-seconds of RAM. In node order.
[[nodiscard]] std::vector<NodeId> tensorsOfInterest(const CostGraph& graph, const Plan& plan, std::size_t mostKept);

/// Tensors in RAM while step `step` runs (its output included), largest first, ties by node. Without resident bytes.
[[nodiscard]] std::vector<NodeId> tensorsInRam(const Schedule& schedule, const CostGraph& graph, int step);

}  // namespace poet

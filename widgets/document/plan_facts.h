// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/alternatives.h"
#include "widgets/document/problem.h"

#include <vector>

namespace poet {

/// A stay of one tensor in RAM: steps [beginStep, endStep) and the same in seconds.
struct Residency {
    NodeId node = 0;
    int beginStep = 0;  ///< the step that brings the tensor into RAM
    int endStep = 0;    ///< the Free step that ends it, or the number of steps
    double beginSeconds = 0;
    double endSeconds = 0;
    std::int64_t bytes = 0;
    std::optional<std::int64_t> offset;  ///< arena offset, when placed
};

/// Where a tensor is at an instant (gui.md section 10).
enum class TensorState { NotYet, InRam, InRamWithCopy, Flash, MovingOut, MovingIn, Nowhere, Dead };

/// A replayed plan turned around: per tensor instead of per step. Immutable once built. Cost: O(steps + edges).
struct PlanFacts {
    std::vector<std::vector<int>> stepsOf;     ///< per node: its steps, in order, without Free
    std::vector<Fate> fates;                   ///< per node
    std::vector<Residency> residencies;        ///< by beginStep
    std::vector<std::vector<int>> residenciesOf;  ///< per node: indices into residencies
    std::vector<int> lastUseStep;              ///< per node: last step that reads or makes it

    /// State of a tensor while step `step` runs.
    [[nodiscard]] TensorState stateAt(const Schedule& schedule, NodeId node, int step) const;
    /// Tensors in RAM while step `step` runs, largest first; ties by node.
    [[nodiscard]] std::vector<NodeId> residentAt(const CostGraph& graph, int step) const;
};

[[nodiscard]] PlanFacts makePlanFacts(const CostGraph& graph, const Plan& plan);

}  // namespace poet

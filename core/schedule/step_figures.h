// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/graph/cost_graph.h"

#include <cstdint>
#include <string>

namespace poet {

/// What a training step needs whatever the plan: bytes, seconds, joules. Sizes of RAM include resident bytes.
struct StepFigures {
    std::int64_t keepAllPeakBytes = 0;
    std::int64_t wallBytes = 0;             ///< findWall
    NodeId wallNode = -1;
    std::int64_t residentBytes = 0;
    std::int64_t savedActivationBytes = 0;  ///< kept for backward; 0 for a cost graph
    double keepAllSeconds = 0;              ///< 0 without a device
    double keepAllJoules = 0;
    bool operator==(const StepFigures&) const = default;
};

/// Errors: those of the replay of the keep-all schedule. Cost: that of the replay and of findWall.
[[nodiscard]] Expected<StepFigures> stepFigures(const CostGraph& costs, TransferModel transfer, std::int64_t savedActivationBytes = 0);

/// What freezing saves of each figure against training everything.
struct FreezeSavings {
    StepFigures frozen;  ///< as asked for
    StepFigures whole;   ///< with nothing frozen and the same settings otherwise
    bool operator==(const FreezeSavings&) const = default;
    /// "12.3 MiB (25 %) of the keep-all peak, ..., 3.1 mJ (30 %) of its energy"; what stays the same is left out.
    [[nodiscard]] std::string text() const;
};

}  // namespace poet

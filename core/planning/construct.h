// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planning/candidates.h"
#include "core/planning/decisions.h"

#include <functional>
#include <optional>

namespace poet::planning {

/// How the construction weighs what to drop first.
struct ConstructStyle {
    double distanceExponent = 1;  ///< of the number of stages until the next use
    double bytesExponent = 1;
    bool prefersPaging = false;   ///< page whatever can be paged, whatever it costs
};

/// Builds a plan by walking through the stages once: what the stage needs is acquired in the cheapest way, and while
/// RAM is short the tensor is dropped that frees most bytes for the longest time at the least cost of getting it back
/// (the offline form of the eviction rule of Dynamic Tensor Rematerialization, Kirisame et al. 2021: next uses are
/// known). Deadlines and store limits are not looked at; the replay decides whether the plan fits.
/// Returns nothing when some stage cannot be made to fit, or when `wantsStop` (may be empty) says so on the way.
/// Cost: about O(n x live tensors).
[[nodiscard]] std::optional<Decisions> construct(const Problem& problem, const Choices& choices, const ConstructStyle& style,
                                                 const std::function<bool()>& wantsStop = {});

}  // namespace poet::planning

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/graph/cost_graph.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace poet {

/// What one step of a schedule does. Free takes no time.
enum class StepKind { Compute, Recompute, PageOut, PageIn, Free };
[[nodiscard]] std::string_view name(StepKind kind);
[[nodiscard]] std::optional<StepKind> stepKindFromName(std::string_view text);

/// How a transfer relates to compute.
/// Blocking: alone, at its place in the list. Background (page-out) and Prefetch (page-in): while the main node of
/// the same stage runs; listed just before that node's Compute step, destination or source occupied until it ends.
/// In the `paper` model page-ins (Prefetch) stand at the start of the stage that uses them, page-outs (Background)
/// at the end of the stage after the one that computed the tensor, and neither takes time.
enum class TransferMode { Blocking, Background, Prefetch };
[[nodiscard]] std::string_view name(TransferMode mode);
[[nodiscard]] std::optional<TransferMode> transferModeFromName(std::string_view text);

/// One step. A schedule without times is complete: start, end and ramBytes are what the replay found.
struct Step {
    int stage = 0;                             ///< stage t ends with the main run of node t
    StepKind kind = StepKind::Compute;
    TransferMode mode = TransferMode::Blocking;  ///< of transfers only
    NodeId node = 0;
    double startSeconds = 0;
    double endSeconds = 0;
    std::int64_t ramBytes = 0;                 ///< planned RAM just after the step, without resident bytes
    std::optional<std::int64_t> offset = {};   ///< arena offset where the step places a tensor
    bool operator==(const Step&) const = default;
};

/// One of several memories that the offsets of a schedule count through, one behind the other.
struct ArenaRegion {
    std::string name;
    std::int64_t bytes = 0;
    bool hasDma = true;  ///< transfers reach it without the processor
    bool operator==(const ArenaRegion&) const = default;
};

/// A training step as a list of operations in issue order (planning.md, section 1).
struct Schedule {
    std::vector<Step> steps;
    std::vector<ArenaRegion> regions = {};  ///< of the offsets, once they are known and lie in several memories
    bool operator==(const Schedule&) const = default;
};

}  // namespace poet

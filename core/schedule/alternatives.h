// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/schedule/replay.h"

#include <string>
#include <string_view>
#include <vector>

/// What could be done with one tensor of a schedule instead, found by changing that one decision and replaying.
namespace poet {

/// What a schedule does with a tensor over the whole step.
enum class Fate { Kept, Paged, Recomputed, PagedAndRecomputed };
[[nodiscard]] std::string_view name(Fate fate);
/// One per node. Cost: O(steps).
[[nodiscard]] std::vector<Fate> fatesOf(const CostGraph& graph, const Schedule& schedule);

/// What could be done with one tensor, everything else as in the schedule.
enum class Choice { Keep, Page, Recompute };
[[nodiscard]] std::string_view name(Choice choice);

/// Why a choice is not possible.
enum class Obstacle {
    None,
    UsedAtOnce,       ///< there is no gap between two uses
    InputGone,        ///< an input of a recompute is neither in RAM nor in the store, and cannot be computed again
    NotPageable,
    Gradient,         ///< backward nodes run once
    NotRecomputable,
    BreaksSchedule    ///< the replay refuses the change, such as a page-in before its page-out is done
};

struct Alternative {
    Choice choice = Choice::Keep;
    bool isPossible = false;
    Obstacle obstacle = Obstacle::None;
    NodeId obstacleNode = -1;            ///< of InputGone
    bool isChosen = false;               ///< what the schedule does
    ReplayReport replay;                 ///< of the whole step; only when possible
    std::vector<NodeId> alsoRecomputed;  ///< inputs that had to come back too
};

/// Keep, page and recompute for one tensor, in this order; a dropped tensor is away over its longest gap between two
/// uses. Limits are not judged. Threads: pure. Cost: three replays.
[[nodiscard]] std::vector<Alternative> alternativesFor(const CostGraph& graph, TransferModel model, const Schedule& schedule, NodeId node);

/// "its input 'conv1' is gone by then"; empty without an obstacle.
[[nodiscard]] std::string obstacleText(const CostGraph& graph, const Alternative& alternative);

}  // namespace poet

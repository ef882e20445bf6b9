// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/plan_facts.h"

#include <QString>

#include <vector>

namespace poet {

/// What could be done with one tensor instead, everything else as in the plan.
enum class Choice { Keep, Page, Recompute };

struct Alternative {
    Choice choice = Choice::Keep;
    bool isPossible = false;
    QString obstacle;              ///< why not, if it is not possible
    bool isChosen = false;         ///< what the plan does
    double energyJoules = 0;       ///< of the whole step, replayed
    double seconds = 0;
    std::int64_t peakBytes = 0;    ///< with resident bytes
    std::vector<NodeId> alsoRecomputed;  ///< inputs that had to come back too
};

/// Keep, page and recompute for one tensor: each made by changing that one decision in the plan's schedule and replaying
/// it, not by guessing. Cost: three replays.
[[nodiscard]] std::vector<Alternative> alternativesFor(const Problem& problem, const Plan& plan, NodeId node);

/// The same as sentences, against a memory and deadline: "keep: 0 mJ, but 119.5 KiB at t 18, 23.5 KiB over budget".
[[nodiscard]] QString whyHtml(const Problem& problem, const Plan& plan, NodeId node, std::int64_t memoryBytes,
                              std::optional<double> deadlineSeconds, bool isProven);

}  // namespace poet

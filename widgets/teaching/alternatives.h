// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/alternatives.h"
#include "widgets/document/plan_facts.h"

#include <QString>

namespace poet {

/// Keep, page and recompute of one tensor as sentences, against a memory and deadline: "keep: 0 mJ, but 119.5 KiB at
/// t 18, 23.5 KiB over budget". Cost: three replays.
[[nodiscard]] QString whyHtml(const Problem& problem, const Plan& plan, NodeId node, std::int64_t memoryBytes,
                              std::optional<double> deadlineSeconds, bool isProven);

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/plan_facts.h"

#include <QString>

namespace poet {

/// One sentence that says what a step does and why: "t 9: relu1 (24 KiB) is written to flash: not needed for 21 steps;
/// frees 24 KiB for conv2."
[[nodiscard]] QString stepSentence(const Problem& problem, const Plan& plan, const PlanFacts& facts, int step);

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/problem.h"

#include <QHash>
#include <QString>

namespace poet {

/// Which blocks are alike: those with the same operators, phases, tensor sizes and inner wiring, in the same order, have
/// the same number; numbers count up in order of first appearance. Cost: O(V + E).
[[nodiscard]] QHash<QString, int> blockClasses(const Problem& problem);

}  // namespace poet

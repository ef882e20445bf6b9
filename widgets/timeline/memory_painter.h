// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/timeline/timeline_lane.h"

#include <cstdint>

namespace poet {

enum class MemoryForm { Total, Stacked, Blocks };

/// Bytes to pixels of the memory part: 0 (of all RAM, resident included) at the bottom.
struct MemoryScale {
    double top = 0;              ///< pixel of `maximumBytes`
    double bottom = 100;         ///< pixel of 0 bytes
    std::int64_t maximumBytes = 1;
    [[nodiscard]] double mapBytesToY(double bytes) const { return bottom - bytes / static_cast<double>(maximumBytes) * (bottom - top); }
    [[nodiscard]] double mapYToBytes(double y) const { return (bottom - y) / (bottom - top) * static_cast<double>(maximumBytes); }
};

struct MemoryContext {
    const LaneContext& lanes;
    const PlanFacts& facts;
    MemoryScale scale;
    MemoryForm form = MemoryForm::Total;
    int detail = 20;                      ///< Stacked, Blocks: this many largest tensors by name
    std::int64_t residentBytes = 0;
    std::int64_t budgetBytes = 0;         ///< all RAM
    const TimelineModel* ghost = nullptr; ///< the compared plan
};

/// Draws the memory curve, the resident base, the budget line and what exceeds it, on the lanes' own axis.
void paintMemory(QPainter& painter, const QRectF& area, const MemoryContext& context);

}  // namespace poet

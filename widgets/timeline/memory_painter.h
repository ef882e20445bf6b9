// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/timeline/timeline_lane.h"

#include <cstdint>
#include <vector>

namespace poet {

enum class MemoryForm { Total, Stacked, Blocks };

/// Bytes to pixels of the memory part, resident bytes included. The bottom is 0, or, when resident bytes would fill most
/// of the height, a break: only their top is drawn.
struct MemoryScale {
    double top = 0;              ///< pixel of `maximumBytes`
    double bottom = 100;         ///< pixel of 0 bytes
    std::int64_t minimumBytes = 0;  ///< at the bottom; > 0: the axis is broken
    std::int64_t maximumBytes = 1;
    [[nodiscard]] double span() const { return static_cast<double>(maximumBytes - minimumBytes); }
    [[nodiscard]] double mapBytesToY(double bytes) const { return bottom - (bytes - static_cast<double>(minimumBytes)) / span() * (bottom - top); }
    [[nodiscard]] double mapYToBytes(double y) const { return (bottom - y) / (bottom - top) * span() + static_cast<double>(minimumBytes); }
};

/// What drawing needs of a plan beside its curve, found when first asked for and kept until the plan changes.
struct MemoryCache {
    std::vector<std::int64_t> places;  ///< per residency: where it lies, bytes; see paintMemory()
    std::vector<int> ranks;            ///< per node: 0 = most byte-seconds; -1 beyond `detail`
    int detail = -1;                   ///< for which `ranks` holds
    void clear() { *this = {}; }
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
    MemoryCache* cache = nullptr;         ///< of this plan; must be set
};

/// Draws blocks only while so many are in sight; zoomed out further, the total curve.
inline constexpr int kMostBlocks = 2000;

/// Draws the memory curve, the resident base, the budget line and what exceeds it, on the lanes' own axis.
void paintMemory(QPainter& painter, const QRectF& area, const MemoryContext& context);

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/timeline/timeline_model.h"

class QPainter;
class QPalette;
class QRectF;

namespace poet {

/// The common scale of small memory curves that are compared.
struct CurveScale {
    std::int64_t residentBytes = 0;  ///< below every sample
    std::int64_t budgetBytes = 0;    ///< the dashed line
    std::int64_t largestBytes = 1;   ///< of the whole height, nearly
    double longestSeconds = 1;       ///< of the whole width
};

/// RAM over one training step with the budget; what is over it is hatched.
void paintMemoryCurve(QPainter& painter, const QRectF& plot, const TimelineModel& curve, const CurveScale& scale, const QPalette& palette);

}  // namespace poet

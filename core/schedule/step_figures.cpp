// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/step_figures.h"

#include "core/base/units.h"
#include "core/schedule/replay.h"
#include "core/schedule/stage_bytes.h"

namespace poet {

Expected<StepFigures> stepFigures(const CostGraph& costs, TransferModel transfer, std::int64_t savedActivationBytes)
{
    POET_TRY(keepAll, replay(costs, transfer, keepAllSchedule(costs)));
    const Wall wall = findWall(costs, transfer);
    StepFigures figures;
    figures.residentBytes = costs.device.residentBytes;
    figures.keepAllPeakBytes = keepAll.peakBytes + figures.residentBytes;
    figures.wallBytes = wall.bytes + figures.residentBytes;
    figures.wallNode = wall.node;
    figures.savedActivationBytes = savedActivationBytes;
    figures.keepAllSeconds = keepAll.seconds;
    figures.keepAllJoules = keepAll.energyJoules;
    return figures;
}

std::string FreezeSavings::text() const
{
    std::string text;
    const auto add = [&text](double all, double now, const std::string& amount, const char* of) {
        if (all > now)
            text += (text.empty() ? "" : ", ") + amount + " (" + formatPercent(100 * (all - now) / all) + ") of " + of;
    };
    const auto addBytes = [&](std::int64_t all, std::int64_t now, const char* of) {
        add(static_cast<double>(all), static_cast<double>(now), formatBytes(all - now), of);
    };
    addBytes(whole.keepAllPeakBytes, frozen.keepAllPeakBytes, "the keep-all peak");
    addBytes(whole.wallBytes, frozen.wallBytes, "the smallest memory");
    addBytes(whole.savedActivationBytes, frozen.savedActivationBytes, "what backward keeps");
    addBytes(whole.residentBytes, frozen.residentBytes, "what stays in RAM");
    add(whole.keepAllSeconds, frozen.keepAllSeconds, formatSeconds(whole.keepAllSeconds - frozen.keepAllSeconds), "the time of a step");
    add(whole.keepAllJoules, frozen.keepAllJoules, formatJoules(whole.keepAllJoules - frozen.keepAllJoules), "its energy");
    return text.empty() ? "nothing" : text;
}

}  // namespace poet

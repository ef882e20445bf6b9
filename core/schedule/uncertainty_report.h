// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/schedule/sensitivity.h"
#include "core/schedule/uncertainty.h"

#include <string>
#include <vector>

namespace poet {

/// Flip points of one number, as asked with `poet sensitivity --number`.
struct SensitivityAnswer {
    Uncertainty uncertainty;                  ///< of the first schedule
    Cost median;                              ///< its energy and time with every number at its median
    UncertaintyOptions sampling;
    std::vector<std::string> schedules;       ///< names, in the order of `BestInterval::best`
    std::vector<SensitivityCurve> curves;     ///< one a number that was asked for
};

/// Bands, the numbers by their share of the variance with origin and verified mark, the note, flip points.
[[nodiscard]] std::string sensitivityText(const SensitivityAnswer& answer, const DeviceProfile& profile);
/// The same as JSON, format `poet-sensitivity`, version 1; SI units.
[[nodiscard]] std::string sensitivityJson(const SensitivityAnswer& answer);

}  // namespace poet

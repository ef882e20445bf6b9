// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/poet/export_firmware.h"
#include "core/export/firmware/model.h"

namespace poet {

/// Lowers the plan for its device: page store and wear, alignment, and its memories where the arena does not fit into one.
/// When no offsets fit, it is planned again with less memory, which stderr and `report` say; `file` then holds the new plan.
/// `model`: null without bound kernels. Errors: those of lowering; BadUsage for a store that must not hold pages.
[[nodiscard]] Expected<firmware::Program> lowerForDevice(const FirmwareExport& request, PlanFile& file, const firmware::BoundModel* model, std::string& report);

}  // namespace poet

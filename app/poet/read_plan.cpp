// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "app/poet/read_plan.h"

#include "core/base/files.h"

namespace poet {

Expected<PlanFile> readPlan(const std::string& path)
{
    POET_TRY(text, readFile(path));
    POET_TRY(file, parsePlanFile(text, path));
    if (!file.plan.hasSchedule())
        return fail(ErrorCode::BadUsage, "'" + path + "' holds no schedule (status " + std::string(name(file.plan.status)) + ").",
                    "Solve with a larger memory or deadline.");
    return std::move(file);
}

}  // namespace poet

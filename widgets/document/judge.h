// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/solver_backend.h"

/// What workers claim becomes knowledge only here: every schedule is replayed before it enters the cache. GUI thread.
namespace poet {

/// A schedule on the way as a plan of its request. Errors: InvalidSchedule, in words for the user.
[[nodiscard]] Expected<PlanPtr> judgeSchedule(const SolveRequest& request, const Schedule& schedule);
/// The last answer of a worker, as one to the request's question. Errors: InvalidSchedule when its plan does not replay
/// or when its numbers are not those of the replay.
[[nodiscard]] Expected<PlanPtr> judgeAnswer(const SolveRequest& request, const Plan& claimed);
/// A bound on the way. In the paper model what is proven on the way may be of the restricted program alone; the final
/// answer says which. True when it adds anything.
bool keepBound(PlanCache& cache, const SolveRequest& request, double joules);

}  // namespace poet

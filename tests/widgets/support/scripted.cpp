// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/support/scripted.h"

#include "tests/widgets/support/hand_made.h"

namespace poet::test {

void ScriptedBackend::answer(const SolveRequest& request)
{
    const PlanPtr plan = scriptedAnswer(*request.problem, request.query.memoryBytes);
    if (plan) {
        WorkerEvent incumbent;
        incumbent.kind = WorkerEvent::Kind::Incumbent;
        incumbent.schedule = plan->replay.schedule;
        say(request, incumbent);
    }
    WorkerEvent done;
    done.kind = WorkerEvent::Kind::Done;
    done.elapsedSeconds = 1;
    auto result = std::make_shared<Plan>(plan ? *plan : Plan{});
    result->status = plan ? SolveStatus::Optimal : SolveStatus::Stopped;
    result->boundJoules = plan ? plan->replay.energyJoules : 0;
    done.plan = result;
    m_isRunning = false;
    say(request, done);
}

}  // namespace poet::test

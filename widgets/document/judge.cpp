// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/judge.h"

#include "widgets/style/text.h"

#include <QCoreApplication>

#include <cmath>

namespace poet {

namespace {

struct JudgeText {
    Q_DECLARE_TR_FUNCTIONS(poet::Judge)
};

std::unexpected<Error> doesNotWork(const Error& error)
{
    return fail(ErrorCode::InvalidSchedule,
                text::to(JudgeText::tr("The solver sent a plan that does not work: %1").arg(text::from(error.text()))));
}

}  // namespace

Expected<PlanPtr> judgeSchedule(const SolveRequest& request, const Schedule& schedule)
{
    const Problem& problem = *request.problem;
    auto report = replay(*problem.graph, problem.graph->device.transfer, schedule);
    if (!report)
        return doesNotWork(report.error());
    auto plan = std::make_shared<Plan>();
    plan->status = SolveStatus::Feasible;
    plan->strategy = request.query.strategy;
    plan->transfer = problem.graph->device.transfer;
    plan->memoryBytes = request.query.memoryBytes;
    plan->deadlineSeconds = request.query.deadlineSeconds;
    plan->keepAllEnergyJoules = problem.keepAll->replay.energyJoules;
    plan->keepAllSeconds = problem.keepAll->replay.seconds;
    plan->keepAllPeakBytes = problem.keepAllPeakBytes;
    plan->largestWorkingSetBytes = problem.wallBytes;
    plan->replay = std::move(*report);
    return plan;
}

Expected<PlanPtr> judgeAnswer(const SolveRequest& request, const Plan& claimed)
{
    const Problem& problem = *request.problem;
    auto plan = std::make_shared<Plan>(claimed);
    if (claimed.hasSchedule()) {
        auto report = replay(*problem.graph, problem.graph->device.transfer, claimed.replay.schedule);
        if (!report)
            return doesNotWork(report.error());
        if (std::abs(report->energyJoules - claimed.replay.energyJoules) > 1e-6 * std::abs(report->energyJoules) ||
            report->peakBytes != claimed.replay.peakBytes)
            return fail(ErrorCode::InvalidSchedule,
                        text::to(JudgeText::tr("The solver's numbers do not agree with the replay of its plan.")));
        plan->replay = std::move(*report);
    }
    plan->memoryBytes = request.query.memoryBytes;
    plan->deadlineSeconds = request.query.deadlineSeconds;
    plan->strategy = request.query.strategy;
    return plan;
}

bool keepBound(PlanCache& cache, const SolveRequest& request, double joules)
{
    if (!std::isfinite(joules))
        return false;
    if (request.problem->graph->device.transfer == TransferModel::Paper && request.query.strategy == Strategy::Integrated)
        return cache.insertRestrictedBound(*request.problem, request.query, joules);
    return cache.insertBound(*request.problem, request.query, joules);
}

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/device/sensitivity_job.h"

#include "core/schedule/replay.h"
#include "widgets/document/beside.h"

#include <utility>

namespace poet {

SensitivityOutput analyseSensitivity(const SensitivityInput& input)
{
    SensitivityOutput output;
    const auto costs = buildCostGraph(*input.training, input.profile, input.options);
    if (!costs) {
        output.error = costs.error().text();
        return output;
    }
    std::vector<Schedule> schedules;
    for (const PlanPtr& plan : input.plans)
        schedules.push_back(plan->replay.schedule);
    for (const Schedule& schedule : schedules) {
        const auto report = replay(*costs, costs->device.transfer, schedule);
        if (!report) {
            output.error = report.error().text();
            return output;
        }
        PlanStanding standing{report->energyJoules, report->seconds, !input.deadlineSeconds || report->seconds <= *input.deadlineSeconds * (1 + 1e-9)};
        const bool isBest = standing.isInTime && (output.best < 0 || standing.joules < output.standings[static_cast<std::size_t>(output.best)].joules);
        if (isBest)
            output.best = static_cast<int>(output.standings.size());
        output.standings.push_back(standing);
    }
    for (std::size_t i = 0; i < input.paths.size(); ++i)
        if (auto curve = sensitivity(*input.training, input.profile, input.options, schedules, {input.paths[i], input.lows[i], input.highs[i], input.deadlineSeconds}))
            output.curves.push_back(std::move(*curve));
    return output;
}

SensitivityJob::SensitivityJob(QObject* parent) : QObject(parent) {}

void SensitivityJob::ask(SensitivityInput input)
{
    if (m_isRunning) {
        // Flips that were asked for and not yet answered stay asked for.
        if (m_waiting && input.paths.empty()) {
            input.paths = m_waiting->paths;
            input.lows = m_waiting->lows;
            input.highs = m_waiting->highs;
        }
        m_waiting = std::move(input);
        return;
    }
    start(std::move(input));
}

void SensitivityJob::start(SensitivityInput input)
{
    m_isRunning = true;
    runBeside(this, [input = std::move(input)] { return analyseSensitivity(input); },
              [this](const SensitivityOutput& output) {
                  m_isRunning = false;
                  Q_EMIT answered(output);
                  if (auto waiting = std::exchange(m_waiting, std::nullopt))
                      start(std::move(*waiting));
              });
}

}  // namespace poet

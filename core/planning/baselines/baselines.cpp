// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/planning/baselines/baselines.h"

#include "core/schedule/replay.h"

#include <tuple>

namespace poet::planning {

Expected<bool> BestSchedule::offer(const Schedule& schedule)
{
    auto report = replay(m_graph, m_model, schedule);
    if (!report)
        return fail(ErrorCode::Internal, "A comparison strategy made a schedule that does not run: " + report.error().message,
                    "Please report this with the graph.");
    const bool fits = report->peakBytes <= m_budgetBytes;
    const auto rank = [&](const ReplayReport& r) {
        const bool isOver = r.peakBytes > m_budgetBytes;
        return std::tuple(isOver, isOver ? static_cast<double>(r.peakBytes) : r.energyJoules, r.seconds);
    };
    if (!m_best || rank(*report) < rank(*m_best))
        m_best = std::move(*report);
    return fits;
}

Expected<Schedule> BestSchedule::take() const
{
    if (!m_best)
        return fail(ErrorCode::Internal, "A comparison strategy made no schedule at all.");
    return m_best->schedule;
}

bool isBaseline(Strategy strategy)
{
    return strategy != Strategy::Integrated && strategy != Strategy::Paging && strategy != Strategy::Recompute;
}

Expected<Schedule> baselineSchedule(Strategy strategy, const CostGraph& graph, TransferModel model, std::int64_t budgetBytes,
                                    const std::function<bool()>& wantsStop)
{
    switch (strategy) {
    case Strategy::KeepAll: return keepAllSchedule(graph);
    case Strategy::PageAll: return pageAllSchedule(graph, model, budgetBytes);
    case Strategy::Sqrt: return sqrtSchedule(graph, model, budgetBytes);
    case Strategy::Revolve: return revolveSchedule(graph, model, budgetBytes);
    case Strategy::Greedy: return greedySchedule(graph, model, budgetBytes, wantsStop);
    case Strategy::Capuchin: return capuchinSchedule(graph, model, budgetBytes, wantsStop);
    case Strategy::Dtr: return dtrSchedule(graph, model, budgetBytes);
    case Strategy::Integrated:
    case Strategy::Paging:
    case Strategy::Recompute: break;
    }
    return fail(ErrorCode::BadUsage, "The strategy " + std::string(name(strategy)) + " needs the integer program.");
}

}  // namespace poet::planning

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/planning/operating_points.h"

#include "core/planning/search_clock.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

namespace poet::planning {
namespace {

/// Passes on what is news over all points, and ends a search that cannot win any more.
class PointSink : public ProgressSink {
public:
    PointSink(ProgressSink& outer, double best, double winBelow) : m_outer(outer), m_best(best), m_winBelow(winBelow) {}
    void incumbent(const ReplayReport& report) override
    {
        if (report.energyJoules < m_best)
            m_outer.incumbent(report);
        m_best = std::min(m_best, report.energyJoules);
    }
    void bound(double joules) override { m_isHopeless = m_isHopeless || joules >= m_winBelow; }
    bool wantsStop() override { return m_isHopeless || m_outer.wantsStop(); }
    [[nodiscard]] bool isHopeless() const { return m_isHopeless; }

private:
    ProgressSink& m_outer;
    double m_best;
    double m_winBelow;
    bool m_isHopeless = false;
};

/// The weighing of all points, one after the other.
class Weighing {
public:
    Weighing(const std::vector<PointProblem>& points, const SolveParams& params, ProgressSink& sink) : m_points(points), m_params(params), m_sink(sink) {}

    Expected<PointsAnswer> run()
    {
        for (const PointProblem& point : m_points) {
            POET_TRY(facts, findFacts(*point.problem.graph, point.problem.transfer));
            m_keepAll.push_back(facts.keepAll.energyJoules);
        }
        m_order.resize(m_points.size());
        std::iota(m_order.begin(), m_order.end(), std::size_t{0});
        std::ranges::stable_sort(m_order, [&](std::size_t a, std::size_t b) { return m_keepAll[a] < m_keepAll[b]; });
        for (const std::size_t index : m_order)
            m_outcomes.push_back({m_points[index].name, SolveStatus::Stopped, false, false, {}, m_keepAll[index], {}});
        std::vector<std::size_t> places(m_order.size());
        std::iota(places.begin(), places.end(), std::size_t{0});
        POET_CHECK(weighAll(places));
        std::erase_if(places, [&](std::size_t place) { return !isOpen(place); });
        if (!m_clock.isOver() && !m_sink.wantsStop())
            POET_CHECK(weighAll(places));
        return conclude();
    }

private:
    double best() const { return m_best && m_best->hasSchedule() ? m_best->replay.energyJoules : std::numeric_limits<double>::infinity(); }
    double winBelow() const { return best() * (1 - m_params.gap); }

    /// Could still turn out to be the best, or what the bound of all hangs on.
    bool isOpen(std::size_t place) const
    {
        const PointOutcome& outcome = m_outcomes[place];
        const bool isAnswered = outcome.status == SolveStatus::Optimal || outcome.status == SolveStatus::Infeasible || outcome.isCutOff;
        return !isAnswered && outcome.boundJoules < winBelow();
    }

    Expected<void> weighAll(const std::vector<std::size_t>& places)
    {
        for (std::size_t i = 0; i < places.size(); ++i)
            POET_CHECK(weigh(places[i], m_clock.left() / static_cast<double>(places.size() - i)));
        return {};
    }

    Expected<void> weigh(std::size_t place, double seconds)
    {
        const std::size_t index = m_order[place];
        PointOutcome& outcome = m_outcomes[place];
        if (outcome.boundJoules >= winBelow()) {
            outcome.isCutOff = true;
            return {};
        }
        SolveParams params = m_params;
        params.timeLimitSeconds = seconds;
        if (m_best && m_best->hasSchedule())
            params.start = m_best->replay.schedule;
        PointSink sink(m_sink, best(), winBelow());
        POET_TRY(plan, solve(m_points[index].problem, params, sink));
        outcome.status = plan.status;
        outcome.isCutOff = sink.isHopeless();
        outcome.boundJoules = std::max(outcome.boundJoules, plan.boundJoules);
        if (plan.hasSchedule() && plan.replay.energyJoules < outcome.energyJoules.value_or(std::numeric_limits<double>::infinity())) {
            outcome.energyJoules = plan.replay.energyJoules;
            outcome.seconds = plan.replay.seconds;
        }
        m_coversEvery = m_coversEvery && plan.coversEverySchedule;
        m_isRestricted = m_isRestricted || (plan.isRestrictedProof && plan.status != SolveStatus::Infeasible);
        m_solveSeconds += plan.solveSeconds;
        if (isBetter(plan)) {
            m_best = std::move(plan);
            m_chosen = index;
        }
        return {};
    }

    /// A schedule before none, then less energy; of two that are infeasible, the one that asks for the shorter deadline.
    bool isBetter(const Plan& next) const
    {
        if (!m_best || next.hasSchedule() != m_best->hasSchedule())
            return !m_best || next.hasSchedule();
        if (next.hasSchedule())
            return next.replay.energyJoules < m_best->replay.energyJoules;
        const auto deadline = [](const Plan& plan) {
            return plan.infeasible && plan.infeasible->smallestDeadlineSeconds ? *plan.infeasible->smallestDeadlineSeconds : std::numeric_limits<double>::infinity();
        };
        return next.status == m_best->status && deadline(next) < deadline(*m_best);
    }

    Expected<PointsAnswer> conclude()
    {
        double bound = std::numeric_limits<double>::infinity();
        bool isInfeasible = true;
        for (std::size_t place = 0; place < m_outcomes.size(); ++place) {
            PointOutcome& outcome = m_outcomes[place];
            outcome.isChosen = m_best->hasSchedule() && m_order[place] == m_chosen;
            if (outcome.status == SolveStatus::Infeasible)
                continue;
            isInfeasible = false;
            bound = std::min(bound, outcome.boundJoules);
        }
        Plan plan = std::move(*m_best);
        if (plan.hasSchedule()) {
            plan.boundJoules = std::min(bound, plan.replay.energyJoules);
            plan.status = plan.gapPercent() <= 100 * m_params.gap * (1 + 1e-6) ? SolveStatus::Optimal : SolveStatus::Feasible;
        } else if (!isInfeasible) {
            plan.status = SolveStatus::Stopped;
            plan.infeasible.reset();
        }
        plan.isRestrictedProof = m_isRestricted;
        plan.coversEverySchedule = m_coversEvery;
        plan.solveSeconds = m_solveSeconds;
        plan.points = std::move(m_outcomes);
        return PointsAnswer{std::move(plan), m_chosen};
    }

    const std::vector<PointProblem>& m_points;
    const SolveParams& m_params;
    ProgressSink& m_sink;
    SearchClock m_clock{m_params.timeLimitSeconds};
    std::vector<double> m_keepAll;       ///< energy of keeping everything: no plan of the point needs less
    std::vector<std::size_t> m_order;    ///< of the points, by that energy
    std::vector<PointOutcome> m_outcomes;  ///< in that order
    std::optional<Plan> m_best;
    std::size_t m_chosen = 0;
    double m_solveSeconds = 0;
    bool m_coversEvery = true;    ///< each point's bound is of every schedule
    bool m_isRestricted = false;  ///< some point's bound is of the restricted program
};

}  // namespace

Expected<PointsAnswer> solveBestPoint(const std::vector<PointProblem>& points, const SolveParams& params, ProgressSink& sink)
{
    if (points.empty())
        return fail(ErrorCode::BadUsage, "There are no operating points to weigh.", "Name one in the device's profile.");
    return Weighing(points, params, sink).run();
}

}  // namespace poet::planning

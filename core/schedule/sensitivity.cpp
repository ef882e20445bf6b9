// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/sensitivity.h"

#include "core/device/device_columns.h"
#include "core/schedule/replay.h"

#include <algorithm>
#include <cmath>

namespace poet {
namespace {

constexpr double kTie = 1e-12;        // relative; closer plans count as equal
constexpr double kLinear = 1e-11;     // relative deviation of a straight line
constexpr int kDeepest = 34;          // halvings: kinks are found to 1e-10 of the range

bool entersAsReciprocal(Dimension dimension)
{
    return dimension == Dimension::Bandwidth || dimension == Dimension::FlopRate || dimension == Dimension::FlopPerJoule
           || dimension == Dimension::Frequency;
}

/// Energy and time of every schedule at one parameter u (the number or its reciprocal).
struct Sample {
    double u = 0;
    std::vector<Cost> costs;
};

/// Finds the pieces on which everything is linear, then the lower envelope on each.
class Envelope {
public:
    Envelope(const TrainingGraph& graph, const DeviceProfile& profile, const CostOptions& options, const std::vector<Schedule>& schedules,
             const SensitivityQuestion& question, bool isReciprocal)
        : m_graph(graph), m_profile(profile), m_options(options), m_schedules(schedules), m_question(question), m_isReciprocal(isReciprocal)
    {
    }

    Expected<std::vector<BestInterval>> run()
    {
        POET_TRY(first, sampleAt(toParameter(m_question.low)));
        POET_TRY(last, sampleAt(toParameter(m_question.high)));
        if (m_isReciprocal)
            POET_CHECK(addPieces(last, first, 0));
        else
            POET_CHECK(addPieces(first, last, 0));
        for (std::size_t i = 0; i + 1 < m_samples.size(); ++i)
            addPiece(m_samples[i], m_samples[i + 1]);
        return intervals();
    }

private:
    const TrainingGraph& m_graph;
    const DeviceProfile& m_profile;
    const CostOptions& m_options;
    const std::vector<Schedule>& m_schedules;
    const SensitivityQuestion& m_question;
    bool m_isReciprocal;
    std::vector<Sample> m_samples;         ///< ends of linear pieces, ascending in u
    std::vector<BestInterval> m_byU;       ///< in u, ascending

    [[nodiscard]] double toParameter(double value) const { return m_isReciprocal ? 1 / value : value; }

    Expected<Sample> sampleAt(double u) const
    {
        DeviceProfile changed = m_profile;
        changeQuantities(changed, [&](const std::string& path, Dimension, Quantity& quantity) {
            if (path == m_question.path)
                quantity.value = toParameter(u);
        });
        repairPowers(changed);
        POET_TRY(graph, buildCostGraph(m_graph, changed, m_options));
        Sample sample{u, {}};
        for (const Schedule& schedule : m_schedules) {
            POET_TRY(report, replay(graph, graph.device.transfer, schedule));
            sample.costs.push_back({report.energyJoules, report.seconds});
        }
        return sample;
    }

    /// True when `middle` lies on the straight lines between `left` and `right`.
    static bool isStraight(const Sample& left, const Sample& middle, const Sample& right)
    {
        const double part = (middle.u - left.u) / (right.u - left.u);
        const auto fits = [&](double a, double b, double c) {
            return std::abs(a + part * (c - a) - b) <= kLinear * std::max({std::abs(a), std::abs(b), std::abs(c)});
        };
        for (std::size_t k = 0; k < left.costs.size(); ++k)
            if (!fits(left.costs[k].joules, middle.costs[k].joules, right.costs[k].joules)
                || !fits(left.costs[k].seconds, middle.costs[k].seconds, right.costs[k].seconds))
                return false;
        return true;
    }

    /// Appends the ends of the linear pieces from `left` to `right` to `m_samples`.
    Expected<void> addPieces(const Sample& left, const Sample& right, int depth)
    {
        if (m_samples.empty())
            m_samples.push_back(left);
        // Two inner points, not symmetric, so that a kink in the middle does not hide.
        POET_TRY(middle, sampleAt(left.u + 0.5 * (right.u - left.u)));
        POET_TRY(other, sampleAt(left.u + 0.2929 * (right.u - left.u)));
        if (depth == kDeepest || (isStraight(left, middle, right) && isStraight(left, other, right))) {
            m_samples.push_back(right);
            return {};
        }
        POET_CHECK(addPieces(left, middle, depth + 1));
        return addPieces(middle, right, depth + 1);
    }

    static Cost between(const Sample& left, const Sample& right, std::size_t k, double u)
    {
        const double part = (u - left.u) / (right.u - left.u);
        return {left.costs[k].joules + part * (right.costs[k].joules - left.costs[k].joules),
                left.costs[k].seconds + part * (right.costs[k].seconds - left.costs[k].seconds)};
    }

    /// The best schedule at u on a linear piece; the previous best stays when it is as good.
    [[nodiscard]] int bestAt(const Sample& left, const Sample& right, double u, int previous) const
    {
        int best = -1;
        double bestJoules = 0;
        const auto consider = [&](int k) {
            const Cost cost = between(left, right, static_cast<std::size_t>(k), u);
            if (m_question.deadlineSeconds && cost.seconds > *m_question.deadlineSeconds * (1 + kTie))
                return;
            if (best < 0 || cost.joules < bestJoules * (1 - kTie)) {
                best = k;
                bestJoules = cost.joules;
            }
        };
        if (previous >= 0)
            consider(previous);
        for (int k = 0; k < static_cast<int>(m_schedules.size()); ++k)
            consider(k);
        return best;
    }

    /// Adds where the line from `a` to `b` over the piece crosses zero.
    static void addCrossing(std::vector<double>& cuts, double left, double right, double a, double b)
    {
        if ((a < 0) != (b < 0))
            cuts.push_back(left + (right - left) * a / (a - b));
    }

    void addPiece(const Sample& left, const Sample& right)
    {
        std::vector<double> cuts{left.u, right.u};
        for (std::size_t i = 0; i < left.costs.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j)
                addCrossing(cuts, left.u, right.u, left.costs[i].joules - left.costs[j].joules, right.costs[i].joules - right.costs[j].joules);
            if (m_question.deadlineSeconds)
                addCrossing(cuts, left.u, right.u, left.costs[i].seconds - *m_question.deadlineSeconds, right.costs[i].seconds - *m_question.deadlineSeconds);
        }
        std::ranges::sort(cuts);
        for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
            if (!(cuts[i + 1] > cuts[i]))
                continue;
            const int previous = m_byU.empty() ? -1 : m_byU.back().best;
            const int best = bestAt(left, right, 0.5 * (cuts[i] + cuts[i + 1]), previous);
            if (!m_byU.empty() && m_byU.back().best == best)
                m_byU.back().high = cuts[i + 1];
            else
                m_byU.push_back({cuts[i], cuts[i + 1], best});
        }
    }

    [[nodiscard]] std::vector<BestInterval> intervals() const
    {
        std::vector<BestInterval> result = m_byU;
        if (m_isReciprocal) {
            std::ranges::reverse(result);
            for (BestInterval& interval : result)
                interval = {1 / interval.high, 1 / interval.low, interval.best};
        }
        // Rounding of reciprocals must not move the ends.
        if (!result.empty()) {
            result.front().low = m_question.low;
            result.back().high = m_question.high;
        }
        return result;
    }
};

}  // namespace

const BestInterval& SensitivityCurve::current() const
{
    const auto found = std::ranges::find_if(intervals, [this](const BestInterval& interval) { return now <= interval.high; });
    return found == intervals.end() ? intervals.back() : *found;
}

std::vector<double> SensitivityCurve::flips() const
{
    std::vector<double> values;
    for (std::size_t i = 0; i + 1 < intervals.size(); ++i)
        values.push_back(intervals[i].high);
    return values;
}

Expected<SensitivityCurve> sensitivity(const TrainingGraph& graph, const DeviceProfile& profile, const CostOptions& options,
                                       const std::vector<Schedule>& schedules, const SensitivityQuestion& question)
{
    const auto all = quantities(profile);
    const auto named = std::ranges::find(all, question.path, &NamedQuantity::path);
    if (named == all.end())
        return fail(ErrorCode::BadUsage, "Device " + profile.id + " has no number \"" + question.path + "\".", "'poet device' lists them.");
    const bool isReciprocal = entersAsReciprocal(named->dimension);
    if (!(question.high > question.low) || question.low < 0 || (isReciprocal && !(question.low > 0)) || !std::isfinite(question.high))
        return fail(ErrorCode::BadUsage, "The range of " + question.path + " is empty or not positive.");
    if (schedules.empty())
        return fail(ErrorCode::BadUsage, "There is no schedule to compare.", "Solve first.");
    POET_TRY(intervals, Envelope(graph, profile, options, schedules, question, isReciprocal).run());
    return SensitivityCurve{question.path, named->quantity->value, std::move(intervals)};
}

std::string stabilityText(const SensitivityCurve& curve, const DeviceProfile& profile)
{
    const auto all = quantities(profile);
    const auto named = std::ranges::find(all, curve.path, &NamedQuantity::path);
    const std::string_view unit = named == all.end() ? std::string_view() : siUnit(named->dimension);
    const auto number = [&](double value) { return siNumber(value, unit); };
    if (curve.intervals.size() <= 1)
        return "stays optimal among the known plans for every " + curve.path + " from " + number(curve.intervals.front().low) + " to "
               + number(curve.intervals.front().high) + " (now " + number(curve.now) + ")";
    const BestInterval& interval = curve.current();
    if (&interval == &curve.intervals.front())
        return "stays optimal among the known plans while " + curve.path + " is below " + number(interval.high) + " (now " + number(curve.now) + ")";
    if (&interval == &curve.intervals.back())
        return "stays optimal among the known plans while " + curve.path + " is above " + number(interval.low) + " (now " + number(curve.now) + ")";
    return "stays optimal among the known plans while " + curve.path + " is between " + number(interval.low) + " and " + number(interval.high) + " (now "
           + number(curve.now) + ")";
}

}  // namespace poet

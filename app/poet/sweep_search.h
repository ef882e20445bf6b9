// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/export/sweep_file.h"
#include "core/planning/planner.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace poet {

/// A sweep file of no points yet, which says what it is of; `device` is the id or path that was given.
[[nodiscard]] SweepFile emptySweep(const CostGraph& graph, const planning::ProblemFacts& facts, TransferModel transfer, const std::string& device);

/// What a sweep varies, and how finely.
struct SweepRequest {
    std::string over = "memory";  ///< "memory", "deadline" or "grid"
    int points = 12;              ///< on each axis, unless exact
    bool isExact = false;
    int jobs = 2;                 ///< points solved at the same time
    int mostSolves = 1000;        ///< of an exact sweep and strategy; it can be continued
};

/// Solves the points of one curve or grid, leaving out those that the known points answer. An exact curve is walked: the
/// next memory is one step under the peak of the last plan, the next deadline just under its time; with several jobs the
/// range is cut into as many parts that are walked side by side. An exact grid walks memory at one deadline after the
/// other: the next deadline is just under the longest plan of the last, since for all between the same plans hold.
class SweepSearch {
public:
    /// `known` grows as points arrive; `arrived` is called after each.
    SweepSearch(const SweepRequest& request, const planning::ProblemFacts& facts, const planning::SolveParams& params, std::vector<SweepPoint>& known,
                std::function<void(const Plan&)> arrived);

    /// All points of a problem whose swept limits are free. Errors: those of solving. Returns early when interrupted.
    [[nodiscard]] Expected<void> run(const planning::Problem& base);
    /// True when an exact sweep reached its most solves before its end.
    [[nodiscard]] bool isCutShort() const { return m_isCutShort; }

private:
    /// A walk over one limit, from large to small.
    struct Walker {
        planning::Problem problem;
        bool isOverMemory = true;
        double lowest = 0;  ///< last value of the limit that is looked at
        bool isDone = false;
    };
    struct KnownPlan {
        Strategy strategy;
        std::int64_t peakBytes;
        double seconds;
        double energyJoules;
        Schedule schedule;
    };

    /// The time of a step that no deadline hurries, at the smallest memory of the sweep: longer deadlines change nothing.
    [[nodiscard]] Expected<double> longestStep(const planning::Problem& base);
    [[nodiscard]] std::vector<planning::Problem> gridOf(const planning::Problem& base, double longest) const;
    [[nodiscard]] Expected<void> walkMemory(const planning::Problem& base);
    [[nodiscard]] Expected<void> walkDeadline(const planning::Problem& base);
    [[nodiscard]] Expected<void> walkBoth(const planning::Problem& base);
    [[nodiscard]] Expected<void> walk(std::vector<Walker> walkers);
    [[nodiscard]] Expected<void> solveAll(const std::vector<planning::Problem>& problems);
    [[nodiscard]] const SweepPoint* at(const planning::Problem& problem) const;
    [[nodiscard]] const SweepPoint* answerTo(const planning::Problem& problem) const;
    [[nodiscard]] planning::SolveParams paramsFor(const planning::Problem& problem) const;
    void advance(Walker& walker, const SweepPoint& point) const;

    const SweepRequest& m_request;
    const planning::ProblemFacts& m_facts;
    const planning::SolveParams& m_params;
    std::vector<SweepPoint>& m_known;
    std::function<void(const Plan&)> m_arrived;
    std::vector<KnownPlan> m_plans;  ///< of this run: starts for others
    std::int64_t m_step = 1;         ///< peaks differ by multiples of it
    int m_solves = 0;
    bool m_isCutShort = false;
};

}  // namespace poet

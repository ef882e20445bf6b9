// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/problem.h"

#include <compare>
#include <map>
#include <optional>
#include <vector>

namespace poet {

/// What the controls ask for.
struct PlanQuery {
    std::int64_t memoryBytes = 0;            ///< all RAM, resident bytes included
    std::optional<double> deadlineSeconds;   ///< one training step; absent = none
    Strategy strategy = Strategy::Integrated;
    auto operator<=>(const PlanQuery&) const = default;
};

/// True when a schedule of `narrow` is also one of `wide`: a bound for `wide` holds for `narrow`.
[[nodiscard]] bool includes(Strategy wide, Strategy narrow);
/// True when the plan uses only what the strategy allows (pages, recomputes), whoever made it.
[[nodiscard]] bool isAllowed(const Plan& plan, Strategy strategy);

/// Every schedule, bound and proof of infeasibility known in this session, per problem (gui.md section 5, rules 5-7).
/// Only replayed plans may be inserted. Not thread-safe: lives in the GUI thread. Look-ups are linear in known plans.
class PlanCache {
public:
    /// A change that views must hear of: true when the plan or its proof adds anything.
    bool insert(const Problem& problem, PlanPtr plan);
    /// A bound that a running search has proven for its question.
    bool insertBound(const Problem& problem, const PlanQuery& query, double boundJoules);
    /// A bound that holds only among the plans of a restricted program.
    bool insertRestrictedBound(const Problem& problem, const PlanQuery& query, double boundJoules);

    /// The cheapest known plan that the strategy allows and that fits both limits; ties: lower peak. Null if none.
    [[nodiscard]] PlanPtr best(const Problem& problem, const PlanQuery& query) const;
    /// The largest proven lower bound in joules that holds for the question; 0 when nothing is proven.
    [[nodiscard]] double bound(const Problem& problem, const PlanQuery& query) const;
    /// The same for proofs of a restricted program (planning.md, section 3): it holds only among the plans of that
    /// program, for the strategy that was asked. 0 when there is none.
    [[nodiscard]] double restrictedBound(const Problem& problem, const PlanQuery& query) const;
    /// The proof that the question has no answer, if there is one.
    [[nodiscard]] std::optional<InfeasibleReason> infeasible(const Problem& problem, const PlanQuery& query) const;
    /// True when best() is proven within `gap` (0.0001 = 0.01 %) by bound(): no search is needed.
    [[nodiscard]] bool isSettled(const Problem& problem, const PlanQuery& query, double gap) const;

    /// All schedules known for the problem, in order of arrival; includes keep-all.
    [[nodiscard]] const std::vector<PlanPtr>& plans(const Problem& problem) const;
    /// Smallest memory with a known plan, and largest memory proven infeasible (0 if none), at this deadline and strategy.
    [[nodiscard]] std::optional<std::int64_t> smallestKnownMemory(const Problem& problem, const PlanQuery& query) const;
    [[nodiscard]] std::int64_t largestInfeasibleMemory(const Problem& problem, const PlanQuery& query) const;
    /// The same for the deadline at this memory and strategy, in seconds.
    [[nodiscard]] std::optional<double> smallestKnownSeconds(const Problem& problem, const PlanQuery& query) const;
    [[nodiscard]] double largestInfeasibleSeconds(const Problem& problem, const PlanQuery& query) const;

    /// What is known for one problem alone: plans are shared, so that it is cheap to take along to another thread.
    [[nodiscard]] PlanCache only(const Problem& problem) const;

    void clear() { m_known.clear(); }

private:
    struct Proof {
        PlanQuery query;
        double boundJoules = 0;
        std::optional<InfeasibleReason> infeasible;
    };
    struct Known {
        std::vector<PlanPtr> plans;
        std::vector<Proof> proofs;
        std::vector<Proof> restrictedProofs;
    };
    [[nodiscard]] const Known* known(const Problem& problem) const;

    std::map<QByteArray, Known> m_known;
};

/// The plan with what is proven of its own limits by now: one that was found on the way knows nothing of the proof that
/// came later. `gap`: at which it counts as optimal. The same plan when nothing more is known.
[[nodiscard]] PlanPtr withProof(const PlanCache& cache, const Problem& problem, const PlanPtr& plan, double gap);

}  // namespace poet

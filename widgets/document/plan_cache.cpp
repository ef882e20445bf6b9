// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/plan_cache.h"

#include <algorithm>
#include <limits>

namespace poet {

namespace {

bool pages(Strategy strategy)
{
    switch (strategy) {
    case Strategy::Recompute:
    case Strategy::KeepAll:
    case Strategy::Sqrt:
    case Strategy::Revolve:
    case Strategy::Dtr: return false;
    default: return true;
    }
}

bool recomputes(Strategy strategy)
{
    return strategy != Strategy::Paging && strategy != Strategy::KeepAll && strategy != Strategy::PageAll;
}

/// True when the first deadline is at most as generous as the second; absent = no limit.
bool isTighter(const std::optional<double>& a, const std::optional<double>& b)
{
    return !b || (a && *a <= *b);
}

bool covers(const PlanQuery& proven, const PlanQuery& asked)
{
    return asked.memoryBytes <= proven.memoryBytes && isTighter(asked.deadlineSeconds, proven.deadlineSeconds) &&
           includes(proven.strategy, asked.strategy);
}

bool fits(const Problem& problem, const Plan& plan, const PlanQuery& query)
{
    // A deadline typed from a shown time may differ in the last digit. What all steps have to be read for comes last.
    return isAllowed(plan, query.strategy) && (!query.deadlineSeconds || plan.replay.seconds <= *query.deadlineSeconds * (1 + 1e-9)) &&
           plan.replay.peakBytes + problem.residentBytes() <= query.memoryBytes && memoryNeed(*problem.graph, plan) <= query.memoryBytes;
}

}  // namespace

bool includes(Strategy wide, Strategy narrow)
{
    if (wide == narrow || wide == Strategy::Integrated)
        return true;
    if (wide == Strategy::Paging || wide == Strategy::Recompute)
        return pages(wide) >= pages(narrow) && recomputes(wide) >= recomputes(narrow);
    return false;
}

bool isAllowed(const Plan& plan, Strategy strategy)
{
    const ReplayReport& report = plan.replay;
    switch (strategy) {
    case Strategy::Integrated:
    case Strategy::Paging:
    case Strategy::Recompute:
    case Strategy::KeepAll:
        return (pages(strategy) || (report.pagedOutBytes == 0 && report.pagedInBytes == 0)) &&
               (recomputes(strategy) || report.recomputedNodes == 0);
    default: return plan.strategy == strategy;
    }
}

const PlanCache::Known* PlanCache::known(const Problem& problem) const
{
    const auto found = m_known.find(problem.hash);
    return found == m_known.end() ? nullptr : &found->second;
}

bool PlanCache::insert(const Problem& problem, PlanPtr plan)
{
    Known& known = m_known[problem.hash];
    bool isNew = false;
    const PlanQuery query{plan->memoryBytes, plan->deadlineSeconds, plan->strategy};
    if (plan->isRestrictedProof) {
        // That a restricted program has no solution says nothing about the question.
        if (plan->status != SolveStatus::Infeasible)
            isNew = insertRestrictedBound(problem, query, plan->boundJoules);
    } else if (plan->status == SolveStatus::Infeasible && plan->infeasible) {
        known.proofs.push_back({query, std::numeric_limits<double>::infinity(), plan->infeasible});
        isNew = true;
    } else if (plan->boundJoules > 0 && plan->strategy <= Strategy::KeepAll) {
        isNew = insertBound(problem, query, plan->boundJoules);
    }
    if (plan->hasSchedule()) {
        const bool isKnown = std::any_of(known.plans.begin(), known.plans.end(), [&](const PlanPtr& other) {
            return other->strategy == plan->strategy && other->replay.schedule == plan->replay.schedule;
        });
        if (!isKnown) {
            known.plans.push_back(std::move(plan));
            isNew = true;
        }
    }
    return isNew;
}

bool PlanCache::insertBound(const Problem& problem, const PlanQuery& query, double boundJoules)
{
    std::vector<Proof>& proofs = m_known[problem.hash].proofs;
    for (const Proof& proof : proofs)
        if (covers(proof.query, query) && proof.boundJoules >= boundJoules)
            return false;
    std::erase_if(proofs, [&](const Proof& proof) { return !proof.infeasible && covers(query, proof.query) && proof.boundJoules <= boundJoules; });
    proofs.push_back({query, boundJoules, std::nullopt});
    return true;
}

bool PlanCache::insertRestrictedBound(const Problem& problem, const PlanQuery& query, double boundJoules)
{
    if (boundJoules <= restrictedBound(problem, query))
        return false;
    std::vector<Proof>& proofs = m_known[problem.hash].restrictedProofs;
    std::erase_if(proofs, [&](const Proof& proof) {
        return proof.query.strategy == query.strategy && covers(query, proof.query) && proof.boundJoules <= boundJoules;
    });
    proofs.push_back({query, boundJoules, std::nullopt});
    return true;
}

PlanPtr PlanCache::best(const Problem& problem, const PlanQuery& query) const
{
    PlanPtr best;
    const auto consider = [&](const PlanPtr& plan) {
        if (!plan)
            return;
        const bool isBetter = !best || plan->replay.energyJoules < best->replay.energyJoules ||
                              (plan->replay.energyJoules == best->replay.energyJoules && plan->replay.peakBytes < best->replay.peakBytes);
        if (isBetter && fits(problem, *plan, query))
            best = plan;
    };
    consider(problem.keepAll);
    if (const Known* found = known(problem))
        for (const PlanPtr& plan : found->plans)
            consider(plan);
    return best;
}

double PlanCache::bound(const Problem& problem, const PlanQuery& query) const
{
    // Keep-all runs everything once and moves nothing: no schedule needs less.
    double bound = problem.keepAll ? problem.keepAll->replay.energyJoules : 0;
    if (const Known* found = known(problem))
        for (const Proof& proof : found->proofs)
            if (!proof.infeasible && covers(proof.query, query))
                bound = std::max(bound, proof.boundJoules);
    return bound;
}

double PlanCache::restrictedBound(const Problem& problem, const PlanQuery& query) const
{
    double bound = 0;
    if (const Known* found = known(problem))
        for (const Proof& proof : found->restrictedProofs)
            if (proof.query.strategy == query.strategy && covers(proof.query, query))
                bound = std::max(bound, proof.boundJoules);
    return bound;
}

std::optional<InfeasibleReason> PlanCache::infeasible(const Problem& problem, const PlanQuery& query) const
{
    if (const Known* found = known(problem))
        for (const Proof& proof : found->proofs)
            if (proof.infeasible && covers(proof.query, query))
                return proof.infeasible;
    return std::nullopt;
}

bool PlanCache::isSettled(const Problem& problem, const PlanQuery& query, double gap) const
{
    const PlanPtr plan = best(problem, query);
    if (!plan)
        return infeasible(problem, query).has_value();
    return plan->replay.energyJoules - bound(problem, query) <= gap * plan->replay.energyJoules;
}

const std::vector<PlanPtr>& PlanCache::plans(const Problem& problem) const
{
    static const std::vector<PlanPtr> none;
    const Known* found = known(problem);
    return found ? found->plans : none;
}

std::optional<std::int64_t> PlanCache::smallestKnownMemory(const Problem& problem, const PlanQuery& query) const
{
    std::optional<std::int64_t> smallest;
    PlanQuery open = query;
    open.memoryBytes = std::numeric_limits<std::int64_t>::max();
    const auto consider = [&](const PlanPtr& plan) {
        if (plan && fits(problem, *plan, open)) {
            const std::int64_t need = memoryNeed(*problem.graph, *plan);
            smallest = smallest ? std::min(*smallest, need) : need;
        }
    };
    consider(problem.keepAll);
    for (const PlanPtr& plan : plans(problem))
        consider(plan);
    return smallest;
}

std::int64_t PlanCache::largestInfeasibleMemory(const Problem& problem, const PlanQuery& query) const
{
    std::int64_t largest = problem.wallBytes - 1;
    if (const Known* found = known(problem))
        for (const Proof& proof : found->proofs)
            if (proof.infeasible && isTighter(query.deadlineSeconds, proof.query.deadlineSeconds) &&
                includes(proof.query.strategy, query.strategy))
                largest = std::max(largest, proof.query.memoryBytes);
    return largest;
}

std::optional<double> PlanCache::smallestKnownSeconds(const Problem& problem, const PlanQuery& query) const
{
    std::optional<double> smallest;
    PlanQuery open = query;
    open.deadlineSeconds.reset();
    const auto consider = [&](const PlanPtr& plan) {
        if (plan && fits(problem, *plan, open))
            smallest = smallest ? std::min(*smallest, plan->replay.seconds) : plan->replay.seconds;
    };
    consider(problem.keepAll);
    for (const PlanPtr& plan : plans(problem))
        consider(plan);
    return smallest;
}

double PlanCache::largestInfeasibleSeconds(const Problem& problem, const PlanQuery& query) const
{
    double largest = problem.shortestSeconds;
    if (const Known* found = known(problem))
        for (const Proof& proof : found->proofs) {
            if (!proof.infeasible || query.memoryBytes > proof.query.memoryBytes || !includes(proof.query.strategy, query.strategy))
                continue;
            largest = std::max(largest, proof.query.deadlineSeconds.value_or(std::numeric_limits<double>::infinity()));
        }
    return largest;
}

PlanCache PlanCache::only(const Problem& problem) const
{
    PlanCache cache;
    if (const Known* found = known(problem))
        cache.m_known.emplace(problem.hash, *found);
    return cache;
}

PlanPtr withProof(const PlanCache& cache, const Problem& problem, const PlanPtr& plan, double gap)
{
    const double bound = cache.bound(problem, {plan->memoryBytes, plan->deadlineSeconds, plan->strategy});
    if (plan->strategy > Strategy::KeepAll || !plan->hasSchedule() || (bound <= plan->boundJoules && !plan->isRestrictedProof))
        return plan;
    auto proven = std::make_shared<Plan>(*plan);
    const bool isOptimal = plan->replay.energyJoules - bound <= gap * plan->replay.energyJoules;
    if (plan->isRestrictedProof && !isOptimal)
        return plan;  // its own claim says more
    proven->isRestrictedProof = false;
    proven->boundJoules = std::min(bound, plan->replay.energyJoules);
    proven->status = isOptimal ? SolveStatus::Optimal : SolveStatus::Feasible;
    return proven;
}

}  // namespace poet

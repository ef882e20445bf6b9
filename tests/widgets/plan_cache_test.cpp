// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/support/hand_made.h"
#include "tests/widgets/support/test_main.h"
#include "widgets/document/plan_cache.h"

#include <limits>

using namespace poet;
using namespace poet::test;

class PlanCacheTest : public QObject {
    Q_OBJECT

private:
    ProblemPtr m_problem = chainProblem(10);

    PlanPtr paged(std::set<NodeId> nodes) const { return planOf(*m_problem, pagedSchedule(*m_problem->graph, nodes)); }

private Q_SLOTS:
    void keepAllIsKnownFromTheStart()
    {
        PlanCache cache;
        QCOMPARE(cache.best(*m_problem, {m_problem->keepAllPeakBytes, {}, Strategy::Integrated}), m_problem->keepAll);
        QVERIFY(!cache.best(*m_problem, {m_problem->keepAllPeakBytes - 1, {}, Strategy::Integrated}));
    }

    void previewIsTheCheapestThatFits()
    {
        PlanCache cache;
        const PlanPtr few = paged({3});
        const PlanPtr many = paged({2, 3, 4, 5});
        QVERIFY(cache.insert(*m_problem, many));
        QVERIFY(cache.insert(*m_problem, few));
        QVERIFY(!cache.insert(*m_problem, few));  // known already
        QVERIFY(memoryNeed(*m_problem->graph, *many) < memoryNeed(*m_problem->graph, *few));
        QCOMPARE(cache.best(*m_problem, {memoryNeed(*m_problem->graph, *few), {}, Strategy::Integrated}), few);
        QCOMPARE(cache.best(*m_problem, {memoryNeed(*m_problem->graph, *few) - 1, {}, Strategy::Integrated}), many);
        QVERIFY(!cache.best(*m_problem, {memoryNeed(*m_problem->graph, *many) - 1, {}, Strategy::Integrated}));
        // The deadline counts too.
        QVERIFY(!cache.best(*m_problem, {memoryNeed(*m_problem->graph, *many), many->replay.seconds * 0.99, Strategy::Integrated}));
    }

    void strategyLimitsWhatMayBeShown()
    {
        PlanCache cache;
        const PlanPtr plan = paged({3});
        cache.insert(*m_problem, plan);
        const std::int64_t memory = memoryNeed(*m_problem->graph, *plan);
        QCOMPARE(cache.best(*m_problem, {memory, {}, Strategy::Paging}), plan);
        QVERIFY(!cache.best(*m_problem, {memory, {}, Strategy::Recompute}));
        QVERIFY(!cache.best(*m_problem, {memory, {}, Strategy::KeepAll}));
    }

    void boundsHoldForTighterQuestionsOnly()
    {
        PlanCache cache;
        const PlanQuery asked{20000, 0.5, Strategy::Integrated};
        const double bound = m_problem->keepAll->replay.energyJoules * 1.5;
        QVERIFY(cache.insertBound(*m_problem, asked, bound));
        QCOMPARE(cache.bound(*m_problem, {20000, 0.5, Strategy::Integrated}), bound);
        QCOMPARE(cache.bound(*m_problem, {15000, 0.4, Strategy::Paging}), bound);
        QVERIFY(cache.bound(*m_problem, {20001, 0.5, Strategy::Integrated}) < bound);
        QVERIFY(cache.bound(*m_problem, {20000, {}, Strategy::Integrated}) < bound);
        QVERIFY(!cache.insertBound(*m_problem, {19000, 0.5, Strategy::Paging}, bound * 0.9));  // known better
    }

    void narrowBoundsSayNothingAboutWiderStrategies()
    {
        PlanCache cache;
        const double bound = m_problem->keepAll->replay.energyJoules * 1.5;
        cache.insertBound(*m_problem, {20000, {}, Strategy::Paging}, bound);
        QVERIFY(cache.bound(*m_problem, {20000, {}, Strategy::Integrated}) < bound);
        QVERIFY(cache.bound(*m_problem, {20000, {}, Strategy::Recompute}) < bound);
        QCOMPARE(cache.bound(*m_problem, {20000, {}, Strategy::KeepAll}), bound);
    }

    void optimumIsSettledBetweenItsPeakAndItsBudget()
    {
        PlanCache cache;
        auto plan = std::make_shared<Plan>(*paged({3, 4}));
        plan->status = SolveStatus::Optimal;
        plan->boundJoules = plan->replay.energyJoules;
        plan->memoryBytes = memoryNeed(*m_problem->graph, *plan) + 5000;
        cache.insert(*m_problem, plan);
        const std::int64_t peak = memoryNeed(*m_problem->graph, *plan);
        QVERIFY(cache.isSettled(*m_problem, {peak, {}, Strategy::Integrated}, 1e-4));
        QVERIFY(cache.isSettled(*m_problem, {peak + 5000, {}, Strategy::Integrated}, 1e-4));
        QVERIFY(!cache.isSettled(*m_problem, {peak + 5001, {}, Strategy::Integrated}, 1e-4));
        QVERIFY(!cache.isSettled(*m_problem, {peak - 1, {}, Strategy::Integrated}, 1e-4));
    }

    void infeasibleHoldsForTighterQuestions()
    {
        PlanCache cache;
        auto plan = std::make_shared<Plan>();
        plan->status = SolveStatus::Infeasible;
        plan->strategy = Strategy::Integrated;
        plan->memoryBytes = m_problem->wallBytes + 100;
        plan->deadlineSeconds = 0.5;
        plan->infeasible = InfeasibleReason{"too tight", "", {}, {}};
        cache.insert(*m_problem, plan);
        QVERIFY(cache.infeasible(*m_problem, {m_problem->wallBytes + 50, 0.4, Strategy::Paging}));
        QVERIFY(!cache.infeasible(*m_problem, {m_problem->wallBytes + 50, {}, Strategy::Integrated}));
        QVERIFY(!cache.infeasible(*m_problem, {m_problem->wallBytes + 101, 0.5, Strategy::Integrated}));
        QCOMPARE(cache.largestInfeasibleMemory(*m_problem, {0, 0.5, Strategy::Integrated}), m_problem->wallBytes + 100);
        QCOMPARE(cache.largestInfeasibleMemory(*m_problem, {0, {}, Strategy::Integrated}), m_problem->wallBytes - 1);
    }

    void restrictedProofsAreNoBounds()
    {
        PlanCache cache;
        auto plan = std::make_shared<Plan>(*paged({3}));
        plan->status = SolveStatus::Optimal;
        plan->isRestrictedProof = true;
        plan->boundJoules = plan->replay.energyJoules;
        cache.insert(*m_problem, plan);
        QVERIFY(cache.bound(*m_problem, {plan->memoryBytes, {}, Strategy::Integrated}) < plan->boundJoules);
    }

    void otherProblemsShareNothing()
    {
        PlanCache cache;
        cache.insert(*m_problem, paged({3}));
        const ProblemPtr other = chainProblem(11);
        QVERIFY(other->hash != m_problem->hash);
        QVERIFY(cache.plans(*other).empty());
    }
};

POET_QTEST_MAIN(PlanCacheTest)
#include "plan_cache_test.moc"

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/support/hand_made.h"
#include "tests/widgets/support/scripted.h"
#include "tests/widgets/support/test_main.h"
#include "widgets/controls/status_text.h"
#include "widgets/document/solve_controller.h"
#include "widgets/document/sweep_controller.h"

using namespace poet;
using namespace poet::test;

class SolveControllerTest : public QObject {
    Q_OBJECT

private:
    struct Bench {
        DocumentState state;
        ScriptedBackend backend;
        ManualTimer timer;
        SolveController solver{state, backend, timer};
        explicit Bench(int length = 12) { state.setProblem(chainProblem(length)); }
        void setMemory(std::int64_t bytes, int mergeKey = 0)
        {
            Controls controls = state.controls();
            controls.query.memoryBytes = bytes;
            state.editControls(controls, QStringLiteral("memory"), mergeKey);
        }
        StatusLine status() const { return describeStatus(state); }
    };

private Q_SLOTS:
    void waitsForQuietThenStartsOnce()
    {
        Bench b;
        QCOMPARE(b.timer.milliseconds(), 200);
        QVERIFY(b.timer.isActive());
        QCOMPARE(b.backend.starts(), 0);
        for (int i = 0; i < 10; ++i)
            b.setMemory(b.state.controls().query.memoryBytes - 10);
        QCOMPARE(b.backend.starts(), 0);
        b.timer.fire();
        QCOMPARE(b.backend.starts(), 1);
        QCOMPARE(b.backend.requests().last().query, b.state.controls().query);
        QCOMPARE(b.status().kind, StatusKind::Searching);
    }

    void changeKillsTheWorkerAtOnce()
    {
        Bench b;
        b.timer.fire();
        b.setMemory(b.state.controls().query.memoryBytes - 100);
        QVERIFY(!b.backend.isRunning());
        QCOMPARE(b.backend.kills(), 1);
    }

    void sameRequestDoesNotRestart()
    {
        Bench b;
        b.timer.fire();
        b.solver.solveNow();
        b.solver.solveNow(true);
        QCOMPARE(b.backend.starts(), 1);
        QCOMPARE(b.backend.kills(), 0);
    }

    void answerBecomesOptimalAndIsShown()
    {
        Bench b;
        b.timer.fire();
        b.backend.answer(b.backend.requests().last());
        QVERIFY(b.state.planFits());
        QCOMPARE(b.status().kind, StatusKind::Optimal);
        QVERIFY(memoryNeed(*b.state.problem()->graph, *b.state.plan()) <= b.state.controls().query.memoryBytes);
    }

    void settledQuestionStartsNoWorker()
    {
        Bench b;
        b.timer.fire();
        b.backend.answer(b.backend.requests().last());
        const std::int64_t peak = memoryNeed(*b.state.problem()->graph, *b.state.plan());
        b.setMemory((peak + b.state.controls().query.memoryBytes) / 2);
        QVERIFY(!b.timer.isActive());
        b.timer.fire();
        QCOMPARE(b.backend.starts(), 1);
        QCOMPARE(b.status().kind, StatusKind::Optimal);
    }

    void belowTheWallNamesTheNodeAndOffersAWayOut()
    {
        Bench b;
        b.setMemory(b.state.problem()->wallBytes - 1);
        QVERIFY(!b.timer.isActive());
        const StatusLine line = b.status();
        QCOMPARE(line.kind, StatusKind::Infeasible);
        QVERIFY(line.detail.contains(QString::fromStdString(b.state.problem()->graph->nodes[static_cast<std::size_t>(b.state.problem()->wallNode)].name)));
        QCOMPARE(line.jumps.size(), 1);
        QCOMPARE(*line.jumps.first().memoryBytes, b.state.problem()->wallBytes);
    }

    void deadlineBelowComputeTimeIsInfeasible()
    {
        Bench b;
        Controls controls = b.state.controls();
        controls.query.deadlineSeconds = b.state.problem()->shortestSeconds * 0.5;
        b.state.editControls(controls, QStringLiteral("deadline"));
        QCOMPARE(b.status().kind, StatusKind::Infeasible);
        QVERIFY(!b.timer.isActive());
    }

    void brokenScheduleIsAnErrorNeverAResult()
    {
        Bench b;
        b.timer.fire();
        WorkerEvent event;
        event.kind = WorkerEvent::Kind::Incumbent;
        event.schedule = Schedule{{{.stage = 0, .kind = StepKind::Compute, .node = 3}}};
        b.backend.say(b.backend.requests().last(), event);
        QCOMPARE(b.status().kind, StatusKind::Failed);
        QVERIFY(b.state.cache().plans(*b.state.problem()).empty());
    }

    void wrongNumbersAreAnError()
    {
        Bench b;
        b.timer.fire();
        auto plan = std::make_shared<Plan>(*scriptedAnswer(*b.state.problem(), b.state.controls().query.memoryBytes));
        plan->replay.energyJoules *= 0.9;
        WorkerEvent event;
        event.kind = WorkerEvent::Kind::Done;
        event.plan = plan;
        b.backend.say(b.backend.requests().last(), event);
        QCOMPARE(b.status().kind, StatusKind::Failed);
    }

    void timeLimitIsNeverCalledOptimal()
    {
        Bench b;
        b.timer.fire();
        auto plan = std::make_shared<Plan>(*scriptedAnswer(*b.state.problem(), b.state.controls().query.memoryBytes));
        plan->status = SolveStatus::Feasible;
        plan->boundJoules = plan->replay.energyJoules * 0.97;
        WorkerEvent event;
        event.kind = WorkerEvent::Kind::Done;
        event.plan = plan;
        b.backend.finish();
        b.backend.say(b.backend.requests().last(), event);
        QCOMPARE(b.status().kind, StatusKind::Gap);
        QVERIFY(!b.status().headline.contains(QStringLiteral("ptimal")));
    }

    void stopKeepsTheBestFound()
    {
        Bench b;
        b.timer.fire();
        WorkerEvent event;
        event.kind = WorkerEvent::Kind::Incumbent;
        event.schedule = scriptedAnswer(*b.state.problem(), b.state.controls().query.memoryBytes)->replay.schedule;
        b.backend.say(b.backend.requests().last(), event);
        b.solver.stop();
        QVERIFY(b.state.planFits());
        QCOMPARE(b.status().kind, StatusKind::Gap);
        QVERIFY(!b.backend.isRunning());
    }

    void lateAnswersOfOldGenerationsDoNotTouchTheSearch()
    {
        Bench b;
        b.timer.fire();
        const SolveRequest old = b.backend.requests().last();
        b.setMemory(b.state.controls().query.memoryBytes - 100);
        b.timer.fire();
        WorkerEvent failed;
        failed.kind = WorkerEvent::Kind::Failed;
        failed.message = QStringLiteral("late");
        b.backend.say(old, failed);
        QCOMPARE(b.status().kind, StatusKind::Searching);
        b.backend.answer(old);
        QCOMPARE(b.state.search().phase, SearchState::Phase::Running);
    }

    void oneDragIsOneUndoStepAndUndoRestoresWithoutSolving()
    {
        Bench b;
        b.timer.fire();
        b.backend.answer(b.backend.requests().last());
        const PlanPtr before = b.state.plan();
        const std::int64_t memory = b.state.controls().query.memoryBytes;
        const int starts = b.backend.starts();
        for (int i = 1; i <= 20; ++i)
            b.setMemory(memory - 50 * i, 7);
        QCOMPARE(b.state.undoStack().count(), 1);
        b.state.undoStack().undo();
        QCOMPARE(b.state.controls().query.memoryBytes, memory);
        QCOMPARE(b.state.plan(), before);
        b.timer.fire();
        QCOMPARE(b.backend.starts(), starts);
    }

    void sweepSkipsWhatIsSettledAndFillsTheCurve()
    {
        DocumentState state;
        ScriptedBackend backend;
        SweepController sweep(state, backend);
        state.setProblem(chainProblem(14));
        QCoreApplication::processEvents();
        sweep.start(SweepAxes::Memory, 8);
        int rounds = 0;
        while (backend.isRunning() && ++rounds < 20)
            backend.answer(backend.requests().last());
        QVERIFY(!sweep.isRunning());
        QVERIFY(backend.starts() < 8);  // keep-all at least is known
        QVERIFY(state.cache().plans(*state.problem()).size() >= 2);
    }

    /// 1,000 seeded random moves against a worker that answers late, twice, out of order, cut, or never.
    void fuzz_data()
    {
        QTest::addColumn<unsigned>("seed");
        for (unsigned seed : {1U, 2U, 3U})
            QTest::newRow(qPrintable(QStringLiteral("seed %1").arg(seed))) << seed;
    }
    void fuzz()
    {
        QFETCH(unsigned, seed);
        qInfo("seed %u", seed);
        std::mt19937 random(seed);
        Bench b(10);
        const Problem& problem = *b.state.problem();
        const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
        for (int i = 0; i < 1000; ++i) {
            switch (pick(10)) {
            case 0:
            case 1:
            case 2: b.setMemory(problem.wallBytes - 500 + pick(static_cast<int>(problem.keepAllPeakBytes - problem.wallBytes) + 1000), pick(3)); break;
            case 3: {
                Controls controls = b.state.controls();
                controls.query.strategy = static_cast<Strategy>(pick(4));
                b.state.editControls(controls, QStringLiteral("strategy"));
                break;
            }
            case 4: {
                Controls controls = b.state.controls();
                controls.query.deadlineSeconds = pick(3) == 0 ? std::nullopt : std::optional(problem.shortestSeconds * (0.8 + 0.1 * pick(20)));
                b.state.editControls(controls, QStringLiteral("deadline"));
                break;
            }
            case 5: pick(2) ? b.state.undoStack().undo() : b.state.undoStack().redo(); break;
            case 6: b.timer.fire(); break;
            case 7: pick(3) == 0 ? b.solver.stop() : b.solver.solveNow(pick(2) == 0); break;
            case 8:
                if (!b.backend.requests().isEmpty())  // any request, also an old one, perhaps twice
                    b.backend.answer(b.backend.requests()[pick(static_cast<int>(b.backend.requests().size()))]);
                break;
            case 9:
                if (!b.backend.requests().isEmpty()) {
                    WorkerEvent event;
                    event.kind = pick(2) ? WorkerEvent::Kind::Heartbeat : WorkerEvent::Kind::Failed;
                    b.backend.say(b.backend.requests()[pick(static_cast<int>(b.backend.requests().size()))], event);
                }
                break;
            }
            if (pick(20) == 0)
                QCoreApplication::processEvents();
            checkTruth(b);
        }
        b.timer.fire();
        if (b.backend.isRunning())
            QCOMPARE(b.backend.requests().last().query, b.state.controls().query);
        b.solver.stop();
        QVERIFY(!b.backend.isRunning());
        QCOMPARE(b.backend.liveWorkers(), 0);
        checkTruth(b);
    }

private:
    static void checkTruth(Bench& b)
    {
        const Problem& problem = *b.state.problem();
        const PlanQuery& query = b.state.controls().query;
        QVERIFY(b.state.plan());
        const bool fits = memoryNeed(*problem.graph, *b.state.plan()) <= query.memoryBytes && isAllowed(*b.state.plan(), query.strategy) &&
                          (!query.deadlineSeconds || b.state.plan()->replay.seconds <= *query.deadlineSeconds * (1 + 1e-9));
        if (b.state.planFits())
            QVERIFY(fits);
        const StatusLine line = b.status();
        if (line.kind == StatusKind::Optimal) {
            QVERIFY(fits);
            const double bound = b.state.cache().bound(problem, query);
            QVERIFY(b.state.plan()->replay.energyJoules - bound <= 1.01e-4 * b.state.plan()->replay.energyJoules);
        }
        if (line.kind == StatusKind::Searching)
            QVERIFY(b.backend.isRunning() || b.state.search().phase == SearchState::Phase::Running);
    }
};

POET_QTEST_MAIN(SolveControllerTest)
#include "solve_controller_test.moc"

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/support/window_fixture.h"
#include "widgets/document/sweep_controller.h"
#include "widgets/document/sweep_grid.h"
#include "widgets/pareto/heat_map.h"

#include <QSignalSpy>

using namespace poet;
using namespace poet::test;
using namespace Qt::StringLiterals;

/// Energy against memory and deadline, the heat map, and the sweeps that fill them.
class ParetoTest : public WindowFixture {
    Q_OBJECT

    DocumentState& state() { return m_window->state(); }

    void open(int length = 14)
    {
        m_window->showProblem(chainProblem(length), nullptr);
        settle();
    }

    void learn(const std::set<NodeId>& paged)
    {
        state().cache().insert(*state().problem(), planOf(*state().problem(), pagedSchedule(*state().problem()->graph, paged)));
        state().cacheGrew();
        settle();
    }

private Q_SLOTS:
    void kneeIsFarthestBelowTheChord()
    {
        QCOMPARE(findKnee({{0, 10}, {1, 2}, {5, 1}, {10, 0}}).value_or(99), 1U);
        QVERIFY(!findKnee({{0, 10}, {5, 5}, {10, 0}}));  // a straight line has none
        QVERIFY(!findKnee({{0, 10}, {10, 0}}));
        QVERIFY(!findKnee({{0, 10}, {5, 9}, {10, 0}}));  // bent the other way
        QCOMPARE(findKnee({{1000, 2e-3}, {1500, 1.1e-3}, {2000, 1e-3}, {9000, 0.9e-3}}).value_or(99), 2U);
    }

    void theKeyboardWalksThePointsAndShowsThem()
    {
        open();
        learn({2, 3, 4, 5, 6, 7});
        learn({7});
        ParetoChart& chart = m_window->paretoChart();
        chart.setFocus();
        const auto& points = m_window->paretoModel().points();
        QVERIFY(points.size() >= 3);
        QTest::keyClick(&chart, Qt::Key_Home);
        QCOMPARE(chart.currentPoint()->plan, points.front().plan);
        QTest::keyClick(&chart, Qt::Key_Right);
        QCOMPARE(chart.currentPoint()->plan, points[1].plan);
        QTest::keyClick(&chart, Qt::Key_Left);
        QTest::keyClick(&chart, Qt::Key_Left);  // no further than the first
        QCOMPARE(chart.currentPoint()->plan, points.front().plan);
        const std::int64_t wanted = points.front().memoryBytes;
        const double cheap = points.front().energyJoules;
        QTest::keyClick(&chart, Qt::Key_Return);
        QCOMPARE(state().controls().query.memoryBytes, wanted);
        QTest::keyClick(&chart, Qt::Key_Down);
        QVERIFY(chart.currentPoint()->energyJoules <= cheap);
        QVERIFY(chart.accessibleDescription().contains(text::joules(chart.currentPoint()->energyJoules)));
    }

    void deadlineAxisShowsWhatFitsTheMemory()
    {
        open();
        learn({2, 3, 4, 5, 6, 7});
        learn({7});
        ParetoModel& model = m_window->paretoModel();
        m_window->actions().action(u"pareto.deadline"_s)->trigger();
        Controls controls = state().controls();
        controls.query.memoryBytes = state().problem()->keepAllPeakBytes - 1;
        state().setControlsDirectly(controls);
        settle();
        QCOMPARE(model.axis(), ParetoAxis::Deadline);
        QVERIFY(!model.points().empty());
        double last = 0;
        for (const ParetoPoint& point : model.points()) {
            QVERIFY(point.memoryBytes <= controls.query.memoryBytes);
            QVERIFY(point.seconds >= last);
            last = point.seconds;
        }
        const std::size_t fitting = model.points().size();
        controls.query.memoryBytes = state().problem()->keepAllPeakBytes;
        state().setControlsDirectly(controls);
        settle();
        QCOMPARE(model.points().size(), fitting + 1);  // keep-all
        QVERIFY(differentColors(picture(m_window->paretoChart(), u"pareto-deadline"_s)) > 5);
    }

    void heatMapLooksUpEveryCell()
    {
        open();
        const HeatGrid empty = makeHeatGrid(*state().problem(), state().cache(), Strategy::Integrated, 5);
        QCOMPARE(empty.cells.size(), 25U);
        // Only keep-all is known: the last column, whatever the deadline.
        for (int row = 0; row < 5; ++row)
            for (int column = 0; column < 5; ++column)
                QCOMPARE(empty.at(column, row).state, column == 4 ? HeatCell::State::Known : HeatCell::State::Unknown);
        learn({2, 3, 4, 5, 6, 7, 8, 9});
        auto proof = std::make_shared<Plan>();
        proof->status = SolveStatus::Infeasible;
        proof->memoryBytes = empty.memories[1];
        proof->deadlineSeconds = empty.deadlines[4];
        proof->infeasible = InfeasibleReason{"none", "", {}, {}};
        state().cache().insert(*state().problem(), proof);
        const HeatGrid grid = makeHeatGrid(*state().problem(), state().cache(), Strategy::Integrated, 5);
        QCOMPARE(grid.at(0, 4).state, HeatCell::State::Infeasible);
        QCOMPARE(grid.at(1, 4).state, HeatCell::State::Infeasible);
        QVERIFY(grid.at(2, 4).state != HeatCell::State::Infeasible);
        for (int row = 0; row < 5; ++row)  // more memory and more time never cost more
            for (int column = 1; column < 5; ++column)
                if (grid.at(column - 1, row).plan)
                    QVERIFY(grid.at(column, row).overheadPercent <= grid.at(column - 1, row).overheadPercent);
        const auto cell = grid.cellOf({grid.memories[2] + 1, grid.deadlines[3], Strategy::Integrated});
        QCOMPARE(cell, std::pair(2, 3));
    }

    void clickOnACellSetsBothLimits()
    {
        open();
        m_window->actions().action(u"pareto.both"_s)->trigger();
        settle();
        HeatMap& map = m_window->heatMap();
        QVERIFY(map.isVisible());
        const QPoint at = map.cellRect(6, 2).center().toPoint();
        QTest::mouseClick(&map, Qt::LeftButton, {}, at);
        QCOMPARE(state().controls().query.memoryBytes, map.grid().memories[6]);
        QCOMPARE(*state().controls().query.deadlineSeconds, map.grid().deadlines[2]);
        settle();
        map.setFocus();
        QTest::keyClick(&map, Qt::Key_Right);
        QTest::keyClick(&map, Qt::Key_Up);
        QTest::keyClick(&map, Qt::Key_Return);
        QCOMPARE(state().controls().query.memoryBytes, map.grid().memories[7]);
        QCOMPARE(*state().controls().query.deadlineSeconds, map.grid().deadlines[1]);
        state().undoStack().undo();
        QCOMPARE(state().controls().query.memoryBytes, map.grid().memories[6]);
        settle();
        QVERIFY(differentColors(picture(map, u"heat-map"_s)) > 8);
    }

    void aCancelledSweepGoesOnWhereItStopped()
    {
        open();
        SweepController& sweep = m_window->sweep();
        auto* backend = m_window->findChildren<ScriptedBackend*>().at(m_window->findChildren<ScriptedBackend*>().indexOf(m_backend) == 0 ? 1 : 0);
        QSignalSpy progress(&sweep, &SweepController::progressed);
        sweep.start(SweepAxes::Memory, 6);
        const int first = backend->starts();
        QCOMPARE(first, 1);
        backend->answer(backend->requests().last());
        const int done = sweep.done();
        QVERIFY(done >= 1 && sweep.isRunning());
        const PlanQuery waiting = backend->requests().last().query;
        sweep.cancel();
        QVERIFY(!sweep.isRunning() && sweep.canResume());
        auto* button = m_window->findChild<QToolButton*>(u"sweepButton"_s);
        QCOMPARE(button->text(), u"Resume"_s);
        const int before = backend->starts();
        button->click();
        QVERIFY(sweep.isRunning());
        QCOMPARE(button->text(), u"Cancel"_s);
        QCOMPARE(backend->starts(), before + 1);
        QCOMPARE(backend->requests().last().query, waiting);
        for (int i = 0; i < 20 && sweep.isRunning(); ++i)
            backend->answer(backend->requests().last());
        QVERIFY(!sweep.isRunning() && !sweep.canResume());
        QCOMPARE(sweep.done(), 6);
        QCOMPARE(button->text(), u"Sweep"_s);
        // Another problem leaves nothing to resume.
        sweep.start(SweepAxes::Memory, 6);
        sweep.cancel();
        open(9);
        QVERIFY(!sweep.canResume());
    }

    void aGridAsksWhatTheCommandAsks()
    {
        open();
        const Problem& problem = *state().problem();
        QCOMPARE(sweepMemory(problem, 0, 8), problem.keepAllPeakBytes);
        QCOMPARE(sweepMemory(problem, 7, 8), problem.wallBytes);
        QVERIFY(std::abs(sweepDeadline(problem, 0, 8) - 3 * problem.keepAll->replay.seconds) < 1e-12);
        QVERIFY(std::abs(sweepDeadline(problem, 7, 8) - problem.keepAll->replay.seconds) < 1e-12);
        auto* backend = m_window->findChildren<ScriptedBackend*>().at(m_window->findChildren<ScriptedBackend*>().indexOf(m_backend) == 0 ? 1 : 0);
        m_window->sweep().start(SweepAxes::Grid, 4);
        QCOMPARE(m_window->sweep().total(), 16);
        QVERIFY(backend->requests().last().query.deadlineSeconds);
        m_window->sweep().cancel();
    }
};

POET_QTEST_MAIN(ParetoTest)
#include "pareto_test.moc"

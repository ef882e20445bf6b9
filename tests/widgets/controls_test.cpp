// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/support/window_fixture.h"
#include "widgets/controls/status_text.h"
#include "widgets/document/autosave.h"
#include "widgets/document/solve_controller.h"
#include "widgets/document/worker_protocol.h"

#include <QComboBox>
#include <QSignalSpy>
#include <QSpinBox>
#include <QWheelEvent>

using namespace poet;
using namespace poet::test;
using namespace Qt::StringLiterals;

/// Limits, their undo, and the words that say what is known about them.
class ControlsTest : public WindowFixture {
    Q_OBJECT

    DocumentState& state() { return m_window->state(); }

    void open(int length = 14, TransferModel transfer = TransferModel::Blocking, bool hasBlocks = false)
    {
        m_window->showProblem(chainProblem(length, transfer, hasBlocks), nullptr);
        settle();
    }

private Q_SLOTS:
    void aJobsDeadlineIsThatOfItsSteps()
    {
        open();
        DeadlineEditor& editor = *m_window->constraints().deadlineEditor();
        editor.scopeBox()->setCurrentIndex(1);
        Q_EMIT editor.scopeBox()->activated(1);
        QVERIFY(state().controls().job.has_value());
        editor.epochsBox()->setValue(10);
        editor.stepsBox()->setValue(3600);
        Q_EMIT editor.stepsBox()->editingFinished();
        settle();
        editor.field()->setFocus();
        editor.field()->selectAll();
        QTest::keyClicks(editor.field(), u"1 h"_s);
        QTest::keyClick(editor.field(), Qt::Key_Return);
        settle();
        QVERIFY(std::abs(*state().controls().query.deadlineSeconds - 0.1) < 1e-12);
        QCOMPARE(editor.field()->text(), text::seconds(3600));
        // The job's time stays when it gets longer.
        editor.epochsBox()->setValue(20);
        Q_EMIT editor.epochsBox()->editingFinished();
        QVERIFY(std::abs(*state().controls().query.deadlineSeconds - 0.05) < 1e-12);
        state().undoStack().undo();
        QVERIFY(std::abs(*state().controls().query.deadlineSeconds - 0.1) < 1e-12);
        settle();
        QCOMPARE(editor.epochsBox()->value(), 10);
    }

    void aPlanThatIsLargerThanTheDeviceIsNotPraised()
    {
        const auto headlineOn = [this](std::int64_t ramBytes) {
            auto problem = std::make_shared<Problem>(*chainProblem(14, TransferModel::Blocking, false));
            problem->deviceName = u"Tiny"_s;
            problem->deviceRamBytes = ramBytes;
            m_window->showProblem(problem, nullptr);
            Controls controls = state().controls();
            controls.query.memoryBytes = problem->keepAll->keepAllPeakBytes;
            state().setControlsDirectly(controls);
            settle();
            return describeStatus(state());
        };
        const StatusLine large = headlineOn(1);
        QVERIFY2(large.headline.contains("does not fit the device"_L1), qPrintable(large.headline));
        QVERIFY2(large.detail.contains("Tiny has 1 B"_L1), qPrintable(large.detail));
        QVERIFY(!headlineOn(1 << 30).headline.contains("does not fit the device"_L1));
    }

    void theWheelScrollsThePanelAndChangesNoSetting()
    {
        QComboBox box;
        box.addItems({u"a"_s, u"b"_s, u"c"_s});
        box.setCurrentIndex(1);
        box.show();
        QVERIFY(QTest::qWaitForWindowExposed(&box));
        const auto turn = [&box] {
            QWheelEvent event(box.rect().center(), box.mapToGlobal(box.rect().center()), {}, {0, -120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(&box, &event);
        };
        box.clearFocus();
        turn();
        QCOMPARE(box.currentIndex(), 1);
        QCOMPARE(box.focusPolicy(), Qt::StrongFocus);
        box.setFocus();
        QTRY_VERIFY(box.hasFocus());
        turn();
        QCOMPARE(box.currentIndex(), 2);
    }

    void settingsThatNamePartsOfAFileStayWithIt()
    {
        ModelSetup setup;
        setup.device = u"rpi4b"_s;
        setup.optimizer = u"adam"_s;
        setup.dims = QStringList{u"batch=8"_s};
        setup.data = QStringList{u"x"_s};
        setup.freeze = QStringList{u"conv1.*"_s};
        setup.loss = u"logits=mse"_s;
        const ModelSetup next = setup.forAnotherModel();
        QCOMPARE(next.device, setup.device);
        QCOMPARE(next.optimizer, setup.optimizer);
        QVERIFY(next.dims.isEmpty() && next.data.isEmpty() && next.freeze.isEmpty());
        QCOMPARE(next.loss, ModelSetup().loss);
    }

    void percentagesOfAJobAreOfItsKeepAllTime()
    {
        open();
        Controls controls = state().controls();
        controls.job = Job{5, 200};
        state().setControlsDirectly(controls);
        settle();
        QLineEdit* field = m_window->constraints().deadlineField();
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, u"150%"_s);
        QTest::keyClick(field, Qt::Key_Return);
        const double keepAll = state().problem()->keepAll->replay.seconds;
        QVERIFY(std::abs(*state().controls().query.deadlineSeconds - 1.5 * keepAll) < 1e-9 * keepAll);
    }

    void gapAndTimeLimitReachTheWorkerAndAreUndone()
    {
        open();
        SearchSettings& search = *m_window->constraints().searchSettings();
        search.gapBox()->setCurrentIndex(search.gapBox()->findData(1e-2));
        Q_EMIT search.gapBox()->activated(search.gapBox()->currentIndex());
        search.limitBox()->setValue(7);
        Q_EMIT search.limitBox()->editingFinished();
        m_window->solver().solveNow(true);
        QCOMPARE(m_backend->requests().last().gap, 1e-2);
        QCOMPARE(m_backend->requests().last().timeLimitSeconds, 7.0);
        QVERIFY(!workerArguments(m_backend->requests().last()).contains(u"--threads"_s));
        search.threadsBox()->setValue(2);
        m_window->solver().solveNow(true);
        QVERIFY(workerArguments(m_backend->requests().last()).join(u' ').contains(u"--threads 2"_s));
        QCOMPARE(m_window->workspaceMaker()().controls.threads, 2);
        state().undoStack().undo();
        state().undoStack().undo();
        state().undoStack().undo();
        settle();
        QCOMPARE(state().controls().gap, 1e-4);
        QCOMPARE(search.limitBox()->value(), 60);
        QCOMPARE(search.threadsBox()->value(), 1);
        QCOMPARE(search.gapBox()->currentData().toDouble(), 1e-4);
    }

    void coloursAndBlocksAreUndone()
    {
        open(14, TransferModel::Blocking, true);
        QComboBox* coloring = nullptr;
        for (QComboBox* box : m_window->findChildren<QComboBox*>())
            if (box->accessibleName() == u"Colour of the graph's nodes"_s)
                coloring = box;
        QVERIFY(coloring);
        coloring->setCurrentIndex(2);
        Q_EMIT coloring->activated(2);
        m_window->dagView().toggleBlock(u"block1"_s);
        QCOMPARE(m_window->dagView().coloring(), DagColoring::Bytes);
        QVERIFY(m_window->dagView().collapsedBlocks().contains(u"block1"_s));
        state().undoStack().undo();
        QVERIFY(m_window->dagView().collapsedBlocks().isEmpty());
        state().undoStack().undo();
        QCOMPARE(m_window->dagView().coloring(), DagColoring::Decision);
        QCOMPARE(coloring->currentIndex(), 0);
        state().undoStack().redo();
        QCOMPARE(m_window->dagView().coloring(), DagColoring::Bytes);
    }

    void aProofOfTheRestrictedProgramIsNotCalledOptimal()
    {
        open();
        Controls controls = state().controls();
        controls.query.memoryBytes = state().problem()->wallBytes + 9000;
        state().editControls(controls, u"memory"_s);
        m_timer->fire();
        QVERIFY(m_backend->isRunning());
        const SolveRequest request = m_backend->requests().last();
        const PlanPtr plan = scriptedAnswer(*request.problem, request.query.memoryBytes);
        QVERIFY(plan && plan->replay.energyJoules > state().problem()->keepAll->replay.energyJoules);
        WorkerEvent done;
        done.kind = WorkerEvent::Kind::Done;
        auto result = std::make_shared<Plan>(*plan);
        result->status = SolveStatus::Optimal;
        result->isRestrictedProof = true;
        result->boundJoules = plan->replay.energyJoules;
        done.plan = result;
        m_backend->finish();
        m_backend->say(request, done);
        settle();
        const StatusLine line = describeStatus(state());
        QCOMPARE(line.kind, StatusKind::Gap);
        QVERIFY2(line.headline.contains(u"restricted"_s), qPrintable(line.headline));
        QVERIFY(line.canProve);
        QVERIFY(shownGapPercent(state()) > 1);
        QVERIFY(!state().cache().isSettled(*state().problem(), state().controls().query, 1e-4));
        // The same proof of the whole program is an optimum.
        auto whole = std::make_shared<Plan>(*result);
        whole->isRestrictedProof = false;
        whole->memoryBytes = state().controls().query.memoryBytes;
        state().cache().insert(*state().problem(), whole);
        state().cacheGrew();
        settle();
        QCOMPARE(describeStatus(state()).kind, StatusKind::Optimal);
        QVERIFY(describeStatus(state()).scope.contains("small graph"_L1));
    }

    void boundsOnTheWayMayBeOfTheRestrictedProgram_data()
    {
        QTest::addColumn<int>("transfer");
        QTest::addColumn<int>("strategy");
        QTest::addColumn<bool>("counts");
        QTest::newRow("paper, both") << static_cast<int>(TransferModel::Paper) << static_cast<int>(Strategy::Integrated) << false;
        QTest::newRow("paper, paging") << static_cast<int>(TransferModel::Paper) << static_cast<int>(Strategy::Paging) << true;
        QTest::newRow("blocking, both") << static_cast<int>(TransferModel::Blocking) << static_cast<int>(Strategy::Integrated) << true;
    }

    void boundsOnTheWayMayBeOfTheRestrictedProgram()
    {
        QFETCH(int, transfer);
        QFETCH(int, strategy);
        QFETCH(bool, counts);
        open(14, static_cast<TransferModel>(transfer));
        Controls controls = state().controls();
        controls.query.memoryBytes = state().problem()->wallBytes + 9000;
        controls.query.strategy = static_cast<Strategy>(strategy);
        state().editControls(controls, u"memory"_s);
        m_timer->fire();
        QVERIFY(m_backend->isRunning());
        const double keepAll = state().problem()->keepAll->replay.energyJoules;
        WorkerEvent bound;
        bound.kind = WorkerEvent::Kind::Bound;
        bound.boundJoules = 2 * keepAll;
        m_backend->say(m_backend->requests().last(), bound);
        QCOMPARE(state().cache().bound(*state().problem(), controls.query), counts ? 2 * keepAll : keepAll);
        QCOMPARE(state().cache().restrictedBound(*state().problem(), controls.query), counts ? 0.0 : 2 * keepAll);
    }

    void aRestrictedProgramWithoutSolutionProvesNothing()
    {
        open(14, TransferModel::Paper);
        const PlanQuery query{state().problem()->wallBytes + 10, std::nullopt, Strategy::Integrated};
        auto claim = std::make_shared<Plan>();
        claim->status = SolveStatus::Infeasible;
        claim->isRestrictedProof = true;
        claim->memoryBytes = query.memoryBytes;
        claim->infeasible = InfeasibleReason{"none", "", {}, {}};
        state().cache().insert(*state().problem(), claim);
        QVERIFY(!state().cache().infeasible(*state().problem(), query));
    }

    void lanesArePinnedAndStayWhenThereIsNoRoom()
    {
        open();
        TimelineView view(state());
        view.resize(600, 300);
        view.show();
        settle();
        QVERIFY(view.isLaneShown(LaneKind::PageOut));
        view.setLanePinned(LaneKind::PageOut, true);
        QVERIFY(view.laneRect(LaneKind::PageOut).top() < view.laneRect(LaneKind::Compute).top());
        view.moveLane(LaneKind::Compute, -1);
        QVERIFY(view.laneRect(LaneKind::PageOut).top() < view.laneRect(LaneKind::Compute).top());
        view.resize(600, 110);
        settle();
        QVERIFY(view.isLaneShown(LaneKind::PageOut));
        QVERIFY(!view.isLaneShown(LaneKind::Recompute));
        QVERIFY(view.memoryRect().height() > 20);
        const QString settings = view.laneSettings();
        TimelineView other(state());
        other.applyLaneSettings(settings);
        QCOMPARE(other.laneSettings(), settings);
        other.applyLaneSettings(u"nonsense page-in- compute"_s);
        QVERIFY(!other.isLaneShown(LaneKind::PageIn));
    }

    void upAndDownGoToTheNeighbouringLane()
    {
        m_window->showProblem(chainProblem(14), nullptr);
        settle();
        m_window->state().cache().insert(*m_window->state().problem(), planOf(*m_window->state().problem(), pagedSchedule(*m_window->state().problem()->graph, {2, 3, 4, 5})));
        m_window->state().cacheGrew();
        solveAt(m_window->state().problem()->keepAllPeakBytes - 1);
        TimelineView& view = m_window->timelineView();
        QVERIFY(!view.model().lane(LaneKind::PageOut).empty());
        view.setFocus();
        const TimelineEvent& event = view.model().lane(LaneKind::Compute)[3];
        m_window->state().select({event.node, event.step, -1});
        QTest::keyClick(&view, Qt::Key_Down);
        const auto& steps = m_window->state().plan()->replay.schedule.steps;
        const int below = m_window->state().selection().step;
        QVERIFY(below >= 0 && steps[static_cast<std::size_t>(below)].kind == StepKind::PageIn);
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(steps[static_cast<std::size_t>(m_window->state().selection().step)].kind, StepKind::PageOut);
        QTest::keyClick(&view, Qt::Key_Down);  // there is none below
        QCOMPARE(steps[static_cast<std::size_t>(m_window->state().selection().step)].kind, StepKind::PageOut);
        QTest::keyClick(&view, Qt::Key_Up);
        QTest::keyClick(&view, Qt::Key_Up);
        QCOMPARE(steps[static_cast<std::size_t>(m_window->state().selection().step)].kind, StepKind::Compute);
    }

    void theWheelPansWhereItDoesNotZoom()
    {
        m_window->showProblem(chainProblem(14), nullptr);
        settle();
        TimelineView& view = m_window->timelineView();
        view.zoomBy(4);
        const auto turn = [&](Qt::KeyboardModifiers modifiers) {
            const QPointF at(view.viewport()->width() / 2.0, 20);
            QWheelEvent event(at, view.viewport()->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
            QApplication::sendEvent(view.viewport(), &event);
            return view.axis().end - view.axis().begin;
        };
        const double span = view.axis().end - view.axis().begin;
        view.setWheelZooms(false);
        QVERIFY(std::abs(turn({}) - span) < 1e-9 * span);
        const double closer = turn(Qt::ControlModifier);
        QVERIFY(closer < span * 0.95);
        view.setWheelZooms(true);
        QVERIFY(turn({}) < closer * 0.95);
    }

    void aCrashLeavesWhatWasOpenAndAnOrderlyEndDoesNot()
    {
        QTemporaryDir folder;
        Workspace workspace;
        workspace.modelPath = folder.filePath(u"model.onnx"_s);
        workspace.controls.query.memoryBytes = 4711;
        QString left;
        {
            Autosave session(folder.path());
            session.schedule([&] { return WorkspaceMaker([workspace] { return workspace; }); });
            session.flush();
            left = session.path();
            QTRY_VERIFY(QFileInfo::exists(left));
            // Another living session's file is not a leftover.
            Autosave other(folder.path());
            QVERIFY(other.leftovers().isEmpty());
            QVERIFY(QFile::copy(left, folder.filePath(u"session-0.poet.json"_s)));  // as a crash would leave it
            QCOMPARE(other.leftovers(), QStringList{folder.filePath(u"session-0.poet.json"_s)});
        }
        QVERIFY(!QFileInfo::exists(left));
        Autosave next(folder.path());
        const QStringList found = next.leftovers();
        QCOMPARE(found.size(), 1);
        const auto again = readWorkspace(found.first());
        QVERIFY(again);
        QCOMPARE(again->controls.query.memoryBytes, 4711);
        Autosave::discard(found);
        QVERIFY(next.leftovers().isEmpty());
    }

    void theNextStartOffersTheCrashedSession()
    {
        QTemporaryDir folder;
        const QString model = folder.filePath(u"chain.json"_s);
        QFile file(model);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(toJson(chainGraph(9))));
        file.close();
        Workspace workspace;
        workspace.modelPath = model;
        workspace.controls.query = {20000, 0.5, Strategy::Paging};
        QVERIFY(writeWorkspace(folder.filePath(u"session-1.poet.json"_s), workspace));
        WindowServices services;
        services.interactive = new ScriptedBackend;
        services.sweep = new ScriptedBackend;
        services.timer = new ManualTimer;
        services.autosaveFolder = folder.path();
        MainWindow window(std::move(services));
        window.show();
        window.offerRestore();
        QVERIFY(window.messageBar().text().contains(u"chain.json"_s));
        for (QPushButton* button : window.messageBar().findChildren<QPushButton*>())
            if (button->text() == u"Restore"_s)
                button->click();
        QTRY_VERIFY(window.state().problem());
        QCOMPARE(window.state().controls().query.memoryBytes, 20000);
        QCOMPARE(window.state().controls().query.strategy, Strategy::Paging);
        QVERIFY(!QFileInfo::exists(folder.filePath(u"session-1.poet.json"_s)));
    }
};

POET_QTEST_MAIN(ControlsTest)
#include "controls_test.moc"

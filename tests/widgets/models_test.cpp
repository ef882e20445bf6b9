// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/units.h"
#include "tests/widgets/support/hand_made.h"
#include "tests/widgets/support/test_main.h"
#include "widgets/dag/dag_model.h"
#include "widgets/dag/block_class.h"
#include "widgets/dag/legend.h"
#include "widgets/document/workspace.h"
#include "widgets/style/colors.h"
#include "widgets/document/worker_protocol.h"
#include "widgets/inspector/events_model.h"
#include "widgets/inspector/node_search.h"
#include "widgets/pareto/pareto_model.h"
#include "widgets/teaching/alternatives.h"
#include "widgets/teaching/break_even_view.h"
#include "widgets/teaching/lesson.h"
#include "widgets/teaching/step_text.h"
#include "widgets/timeline/timeline_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>

using namespace poet;
using namespace poet::test;

class ModelsTest : public QObject {
    Q_OBJECT

private:
    static void settle() { QCoreApplication::processEvents(); }

private Q_SLOTS:
    void tableModelsKeepTheContract()
    {
        DocumentState state;
        ParetoModel pareto(state);
        EventsModel events(state);
        QAbstractItemModelTester first(&pareto, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QAbstractItemModelTester second(&events, QAbstractItemModelTester::FailureReportingMode::QtTest);
        settle();
        state.setProblem(chainProblem(10));
        settle();
        QCOMPARE(pareto.rowCount(), 1);
        state.cache().insert(*state.problem(), planOf(*state.problem(), pagedSchedule(*state.problem()->graph, {3})));
        state.cacheGrew();
        settle();
        QCOMPARE(pareto.rowCount(), 2);
        QCOMPARE(events.rowCount(), static_cast<int>(state.plan()->replay.schedule.steps.size()));
        state.setProblem(nullptr);
        settle();
        QCOMPARE(events.rowCount(), 0);
        QCOMPARE(pareto.rowCount(), 0);
    }

    void timelineAgreesWithTheReplay_data()
    {
        QTest::addColumn<int>("unit");
        QTest::addColumn<bool>("isPaged");
        for (int unit : {0, 1})
            for (bool isPaged : {false, true})
                QTest::newRow(qPrintable(QLatin1String(unit ? "steps" : "time") + QLatin1String(isPaged ? " paged" : " keep-all"))) << unit << isPaged;
    }
    void timelineAgreesWithTheReplay()
    {
        QFETCH(int, unit);
        QFETCH(bool, isPaged);
        const ProblemPtr problem = chainProblem(12);
        const PlanPtr plan = isPaged ? planOf(*problem, pagedSchedule(*problem->graph, {2, 4, 5})) : problem->keepAll;
        const TimelineModel model = makeTimelineModel(*plan, unit ? TimelineUnit::Steps : TimelineUnit::Time);
        std::int64_t peak = 0;
        double last = 0;
        for (const MemorySample& sample : model.memory) {
            peak = std::max(peak, sample.bytes);
            QVERIFY(sample.begin >= last - 1e-12);
            QVERIFY(sample.end >= sample.begin);
            last = sample.begin;
        }
        QCOMPARE(peak, plan->replay.peakBytes);
        if (!unit)
            QCOMPARE(model.length, plan->replay.seconds);
        QCOMPARE(model.lane(LaneKind::Compute).size(), problem->graph->nodes.size());
        QCOMPARE(model.lane(LaneKind::PageIn).size(), isPaged ? 3U : 0U);
        for (const auto& lane : model.lanes)
            for (const TimelineEvent& event : lane) {
                const TimelineEvent* found = model.eventAt(laneOf(event.kind), (event.begin + event.end) / 2);
                QVERIFY(found);
                QCOMPARE(found->step, event.step);
            }
    }

    void factsKnowEveryFateAndState()
    {
        const ProblemPtr problem = chainProblem(10);
        const PlanPtr plan = planOf(*problem, pagedSchedule(*problem->graph, {3}));
        const PlanFacts facts = makePlanFacts(*problem->graph, *plan);
        QCOMPARE(facts.fates[3], Fate::Paged);
        QCOMPARE(facts.fates[4], Fate::Kept);
        const auto& steps = plan->replay.schedule.steps;
        int out = -1;
        int in = -1;
        int free = -1;
        for (int s = 0; s < static_cast<int>(steps.size()); ++s)
            if (steps[static_cast<std::size_t>(s)].node == 3) {
                const StepKind kind = steps[static_cast<std::size_t>(s)].kind;
                out = kind == StepKind::PageOut ? s : out;
                in = kind == StepKind::PageIn ? s : in;
                free = kind == StepKind::Free && free < 0 ? s : free;
            }
        QVERIFY(out > 0 && free > out && in > free);
        QCOMPARE(facts.stateAt(plan->replay.schedule, 3, 0), TensorState::NotYet);
        QCOMPARE(facts.stateAt(plan->replay.schedule, 3, out), TensorState::MovingOut);
        QCOMPARE(facts.stateAt(plan->replay.schedule, 3, free + 1), TensorState::Flash);
        QCOMPARE(facts.stateAt(plan->replay.schedule, 3, in), TensorState::MovingIn);
        QCOMPARE(facts.stateAt(plan->replay.schedule, 3, in + 1), TensorState::InRamWithCopy);
        QCOMPARE(facts.stateAt(plan->replay.schedule, 3, static_cast<int>(steps.size()) - 1), TensorState::Dead);
        // What is listed as resident at the peak is what the replay counted.
        std::int64_t sum = 0;
        for (NodeId node : facts.residentAt(*problem->graph, plan->replay.peakStep))
            sum += problem->graph->nodes[static_cast<std::size_t>(node)].bytes;
        QCOMPARE(sum, plan->replay.peakBytes);
    }

    void alternativesAreReplayedAndTheChosenOneIsThePlan()
    {
        const ProblemPtr problem = chainProblem(12);
        const PlanPtr plan = planOf(*problem, pagedSchedule(*problem->graph, {3}));
        const auto items = alternativesFor(*problem->graph, problem->graph->device.transfer, plan->replay.schedule, 3);
        QCOMPARE(items.size(), 3U);
        QVERIFY(items[1].isChosen);
        QCOMPARE(items[1].replay.energyJoules, plan->replay.energyJoules);
        QVERIFY(items[0].isPossible);
        QVERIFY(qFuzzyCompare(items[0].replay.energyJoules, problem->keepAll->replay.energyJoules));
        QCOMPARE(items[0].replay.peakBytes + problem->residentBytes(), problem->keepAllPeakBytes);
        QVERIFY(items[2].isPossible);
        // One recompute of 1 mJ instead of two transfers of 0.5 mJ.
        QVERIFY(std::abs(items[2].replay.energyJoules - plan->replay.energyJoules) < 1e-9);
        for (NodeId node = 1; node < 11; ++node)
            for (const Alternative& item : alternativesFor(*problem->graph, problem->graph->device.transfer, plan->replay.schedule, node))
                QVERIFY2(item.isPossible || !obstacleText(*problem->graph, item).empty(), qPrintable(QString::number(node)));
        QVERIFY(whyHtml(*problem, *plan, 3, plan->memoryBytes, {}, false).contains(QStringLiteral("chosen")));
    }

    void everyStepHasASentence()
    {
        const ProblemPtr problem = chainProblem(12);
        const PlanPtr plan = planOf(*problem, pagedSchedule(*problem->graph, {3, 5}));
        const PlanFacts facts = makePlanFacts(*problem->graph, *plan);
        for (int s = 0; s < static_cast<int>(plan->replay.schedule.steps.size()); ++s) {
            const QString sentence = stepSentence(*problem, *plan, facts, s);
            QVERIFY(sentence.startsWith(QStringLiteral("t ")));
            QVERIFY(sentence.endsWith(QLatin1Char('.')));
            QVERIFY(!sentence.contains(QLatin1Char('%')));
        }
    }

    void searchFiltersCombine_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<int>("count");
        QTest::newRow("word") << "op11" << 2;
        QTest::newRow("phase") << "phase:backward" << 11;
        QTest::newRow("size") << "size>7K" << 2;
        QTest::newRow("size and phase") << "size>7K phase:forward" << 1;
        QTest::newRow("decision") << "decision:paged" << 2;
        QTest::newRow("nothing") << "type:Conv" << 0;
    }
    void searchFiltersCombine()
    {
        QFETCH(QString, typed);
        QFETCH(int, count);
        DocumentState state;
        state.setProblem(chainProblem(12));
        const PlanPtr plan = planOf(*state.problem(), pagedSchedule(*state.problem()->graph, {3, 5}));
        state.cache().insert(*state.problem(), plan);
        Controls controls = state.controls();
        controls.query.memoryBytes = plan->memoryBytes;
        state.setControlsDirectly(controls);
        state.cacheGrew();
        QCOMPARE(static_cast<int>(findNodes(state, parseNodeQuery(typed)).size()), count);
    }

    void collapsingKeepsPairsAndLosesNoNode()
    {
        const ProblemPtr problem = chainProblem(12, TransferModel::Blocking, true);
        const QFontMetricsF metrics{QFont()};
        const DagModel whole = makeDagModel(*problem, {}, {}, metrics);
        QCOMPARE(whole.boxes.size(), problem->graph->nodes.size());
        const DagModel folded = makeDagModel(*problem, {QStringLiteral("block1")}, {}, metrics);
        QCOMPARE(folded.boxes.size(), whole.boxes.size() - 4);
        std::size_t members = 0;
        for (const DagBox& box : folded.boxes)
            members += box.members.size();
        QCOMPARE(members, problem->graph->nodes.size());
        for (const DagBox& box : folded.boxes)
            if (box.isBlock && box.place.column == LayoutColumn::Backward)
                QVERIFY(folded.boxes[static_cast<std::size_t>(box.place.forward)].isBlock);
        const DagModel isolated = makeDagModel(*problem, {}, {5}, metrics);
        QVERIFY(isolated.boxes.size() < whole.boxes.size());
        QVERIFY(isolated.boxOf[5] >= 0);
    }

    void blocksThatAreAlikeShareANumber()
    {
        const ProblemPtr problem = chainProblem(14, TransferModel::Blocking, true);
        Problem alike = *problem;
        CostGraph graph = *problem->graph;
        for (CostNode& node : graph.nodes)
            node.bytes = 1024;
        alike.graph = std::make_shared<const CostGraph>(graph);
        for (NodeFacts& fact : alike.facts)
            fact.op = QStringLiteral("conv");
        const QHash<QString, int> same = blockClasses(alike);
        QCOMPARE(same.value(QStringLiteral("block1")), same.value(QStringLiteral("block2")));
        graph.nodes[4].bytes = 2048;  // of block1
        alike.graph = std::make_shared<const CostGraph>(graph);
        const QHash<QString, int> different = blockClasses(alike);
        QVERIFY(different.value(QStringLiteral("block1")) != different.value(QStringLiteral("block2")));
        const DagModel model = makeDagModel(alike, {}, {}, QFontMetricsF(QFont()));
        QCOMPARE(blockFill(model, QStringLiteral("block2"), style::lightPalette()) == blockFill(model, QStringLiteral("block1"), style::lightPalette()), false);
    }

    void theLegendNamesWhatColoursMean()
    {
        DocumentState state;
        state.setProblem(chainProblem(14, TransferModel::Blocking, true));
        const DagModel model = makeDagModel(*state.problem(), {}, {}, QFontMetricsF(QFont()));
        const QPalette palette = style::lightPalette();
        QCOMPARE(legendRows(model, state, DagColoring::Decision, palette).size(), 1);
        for (const DagColoring coloring : {DagColoring::Operator, DagColoring::Bytes, DagColoring::Energy, DagColoring::Block}) {
            const auto rows = legendRows(model, state, coloring, palette);
            QCOMPARE(rows.size(), 2);
            for (const LegendEntry& entry : rows[1])
                QVERIFY(!entry.text.isEmpty());
        }
        state.setCursorStep(1);
        QCOMPARE(legendRows(model, state, DagColoring::Energy, palette).first().first().mark, LegendEntry::Mark::State);
    }

    void workspaceRoundTripsAndRefusesAnotherModel()
    {
        QTemporaryDir folder;
        DocumentState state;
        state.setProblem(chainProblem(12));
        const PlanPtr plan = planOf(*state.problem(), pagedSchedule(*state.problem()->graph, {3}));
        Workspace workspace;
        workspace.modelPath = folder.filePath(QStringLiteral("chain.json"));
        workspace.problemHash = state.problem()->hash;
        workspace.setup.dims = QStringList{QStringLiteral("batch=8")};
        workspace.controls.query = {12345, 0.25, Strategy::Paging};
        workspace.plans = {plan};
        workspace.view = {QStringList{QStringLiteral("block1")}, 3, true, true, 2, 1, QStringLiteral("page-out* compute"), QByteArray("\x00\xff", 2)};
        const QString path = folder.filePath(QStringLiteral("a.poet.json"));
        QVERIFY(writeWorkspace(path, workspace));
        const auto read = readWorkspace(path);
        QVERIFY2(read.has_value(), read ? "" : read.error().text().c_str());
        QCOMPARE(read->controls, workspace.controls);
        QCOMPARE(read->setup, workspace.setup);
        QCOMPARE(read->modelPath, workspace.modelPath);
        QVERIFY(read->view == workspace.view);
        const std::vector<PlanPtr> replayed = replayPlans(*read, *state.problem());
        QCOMPARE(replayed.size(), 1U);
        QCOMPARE(replayed.front()->replay.energyJoules, plan->replay.energyJoules);
        QVERIFY(replayPlans(*read, *chainProblem(13)).empty());
        QVERIFY(!readWorkspace(folder.filePath(QStringLiteral("none.poet.json"))));
    }

    void workerLinesAreReadStrictly_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<bool>("isGood");
        QTest::newRow("hello") << QByteArray("{\"event\":\"hello\",\"elapsed\":0,\"version\":\"0.1\"}") << true;
        QTest::newRow("bound") << QByteArray("{\"event\":\"bound\",\"elapsed\":0.5,\"bound_joules\":1.5}") << true;
        QTest::newRow("cut") << QByteArray("{\"event\":\"bound\",\"elapsed\":0.5,\"bou") << false;
        QTest::newRow("unknown") << QByteArray("{\"event\":\"dance\"}") << false;
        QTest::newRow("array") << QByteArray("[1]") << false;
        QTest::newRow("done without result") << QByteArray("{\"event\":\"done\",\"elapsed\":1}") << false;
    }
    void workerLinesAreReadStrictly()
    {
        QFETCH(QByteArray, line);
        QFETCH(bool, isGood);
        QCOMPARE(parseWorkerLine(line).has_value(), isGood);
    }

    void lessonsShipAndAreWellFormed()
    {
        QCOMPARE(shippedLessons().size(), 4U);
        for (const Lesson& lesson : shippedLessons())
            for (const LessonStep& step : lesson.steps) {
                QVERIFY(!step.text.isEmpty());
                QVERIFY(step.memory.isEmpty() || parseMemory(step.memory.toStdString()));
                QVERIFY(step.strategy.isEmpty() || strategyFromName(step.strategy.toStdString()));
                QVERIFY(step.transfer.isEmpty() || transferModelFromName(step.transfer.toStdString()));
                QVERIFY(step.deadline.isEmpty() || step.deadline == QStringLiteral("none") || parseDeadline(step.deadline.toStdString()));
            }
        QVERIFY(!parseLesson("{}", QStringLiteral("x")));
    }

    void transferLineIsFittedExactly()
    {
        const ProblemPtr problem = chainProblem(12);
        const TransferLine line = fitTransferLine(*problem->graph, false);
        QVERIFY(std::abs(line.at(1024) - 1e-3) < 1e-12);  // 0.5 mJ each way, whatever the size
        QVERIFY(std::abs(line.at(8192) - 1e-3) < 1e-12);
        const TransferLine time = fitTransferLine(*problem->graph, true);
        QVERIFY(std::abs(time.at(4096) - 4e-3) < 1e-12);
    }

    void stateTellsOnceATurn()
    {
        DocumentState state;
        QSignalSpy spy(&state, &DocumentState::changed);
        state.setProblem(chainProblem(6));
        state.selectNode(2);
        state.selectNode(3);
        state.hoverNode(1);
        settle();
        QCOMPARE(spy.count(), 1);
        state.goBack();
        settle();
        QCOMPARE(state.selection().node, 2);
        state.goForward();
        QCOMPARE(state.selection().node, 3);
    }
};

POET_QTEST_MAIN(ModelsTest)
#include "models_test.moc"

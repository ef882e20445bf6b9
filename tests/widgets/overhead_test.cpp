// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/plan_file.h"
#include "tests/widgets/support/waiting.h"
#include "tests/widgets/support/window_fixture.h"
#include "widgets/controls/limit_row.h"
#include "widgets/controls/overhead_finder.h"
#include "widgets/controls/status_text.h"
#include "widgets/document/solve_controller.h"
#include "widgets/document/worker_protocol.h"

#include <QDoubleSpinBox>
#include <QFile>
#include <QTemporaryDir>

#include <algorithm>

using namespace poet;
using namespace poet::test;
using namespace Qt::StringLiterals;

/// The smallest memory for an overhead, and what limits and their fields say.
class OverheadTest : public WindowFixture {
    Q_OBJECT

    DocumentState& state() { return m_window->state(); }
    OverheadFinder& finder() { return *m_window->constraints().overheadFinder(); }

    void open()
    {
        m_window->showProblem(chainProblem(14), nullptr);
        settle();
    }

    SolveRequest ask(double percent)
    {
        finder().percentBox()->setValue(percent);
        finder().button()->click();
        settle();
        return m_overhead->requests().last();
    }

    void sayRange(const SolveRequest& request, std::int64_t best, std::int64_t bound)
    {
        WorkerEvent range;
        range.kind = WorkerEvent::Kind::Range;
        range.elapsedSeconds = 3.2;
        range.memoryBytes = best;
        range.memoryBoundBytes = bound;
        m_overhead->say(request, range);
        settle();
    }

    /// The answer of a worker: a plan that fits `memory`, with that bound.
    PlanPtr sayDone(const SolveRequest& request, std::int64_t memory, std::int64_t bound)
    {
        auto plan = std::make_shared<Plan>(*scriptedAnswer(*request.problem, memory));
        plan->memoryBytes = memoryNeed(*request.problem->graph, *plan);
        plan->status = SolveStatus::Optimal;
        plan->boundJoules = plan->replay.energyJoules;
        plan->overheadLimit = OverheadLimit{*request.overheadPercent, bound > 0 ? bound : plan->memoryBytes};
        WorkerEvent done;
        done.kind = WorkerEvent::Kind::Done;
        done.plan = plan;
        m_overhead->finish();
        m_overhead->say(request, done);
        settle();
        return plan;
    }

private Q_SLOTS:
    void theWorkerIsAskedForAnOverheadInsteadOfAMemory()
    {
        open();
        const SolveRequest request = ask(5);
        QCOMPARE(request.overheadPercent, std::optional(5.0));
        const QStringList arguments = workerArguments(request);
        QVERIFY(!arguments.contains(u"--memory"_s));
        QCOMPARE(arguments[arguments.indexOf(u"--overhead-at-most"_s) + 1], u"5%"_s);
        const auto range = parseWorkerLine(R"({"event":"range","elapsed":1.5,"memory_bytes":4096,"memory_bound_bytes":1024})");
        QVERIFY(range);
        QCOMPARE(range->kind, WorkerEvent::Kind::Range);
        QCOMPARE(range->memoryBytes, 4096);
        QCOMPARE(range->memoryBoundBytes, 1024);
    }

    void theKeyboardAloneIsEnough()
    {
        open();
        m_window->actions().action(u"schedule.overhead"_s)->trigger();
        QTest::keyClicks(finder().percentBox(), u"7.5"_s);
        QTest::keyClick(finder().percentBox(), Qt::Key_Return);
        QVERIFY(m_overhead->isRunning());
        QCOMPARE(m_overhead->requests().last().overheadPercent, std::optional(7.5));
    }

    void aProvenAnswerSetsTheMemoryAndCanBeUndone()
    {
        open();
        const std::int64_t before = state().controls().query.memoryBytes;
        const SolveRequest request = ask(200);
        sayRange(request, 40000, 9000);
        QVERIFY2(finder().message().startsWith(u"between"_s) && finder().message().contains(u"3 s"_s), qPrintable(finder().message()));
        QCOMPARE(finder().button()->text(), u"Cancel"_s);
        const PlanPtr plan = sayDone(request, request.problem->wallBytes + 9000, 0);
        QCOMPARE(state().controls().query.memoryBytes, plan->memoryBytes);
        QVERIFY2(finder().message().contains(u"proven"_s), qPrintable(finder().message()));
        QVERIFY(state().planFits());
        QCOMPARE(state().plan()->replay.peakBytes, plan->replay.peakBytes);
        QVERIFY(!m_backend->isRunning());  // what the search proved needs no second search
        state().undoStack().undo();
        QCOMPARE(state().controls().query.memoryBytes, before);
    }

    void anOpenAnswerSaysBothEnds()
    {
        open();
        const SolveRequest request = ask(200);
        const PlanPtr plan = sayDone(request, request.problem->wallBytes + 9000, request.problem->wallBytes + 1);
        QCOMPARE(state().controls().query.memoryBytes, plan->memoryBytes);
        QVERIFY2(finder().message().contains(u"less than"_s) && finder().message().contains(text::bytes(plan->memoryBytes)), qPrintable(finder().message()));
    }

    void cancelKeepsWhatWasFoundAndLateAnswersAreVoid()
    {
        open();
        const std::int64_t before = state().controls().query.memoryBytes;
        const SolveRequest request = ask(5);
        sayRange(request, 33000, 12000);
        finder().button()->click();
        settle();
        QVERIFY(!m_overhead->isRunning());
        QVERIFY2(finder().message().startsWith(u"Stopped"_s), qPrintable(finder().message()));
        QCOMPARE(state().controls().query.memoryBytes, before);
        sayDone(request, request.problem->keepAllPeakBytes, 0);
        QCOMPARE(state().controls().query.memoryBytes, before);
        // The link takes what was found.
        Q_EMIT finder().findChild<QLabel*>(u"overheadMessage"_s)->linkActivated(u"#use"_s);
        QCOMPARE(state().controls().query.memoryBytes, 33000);
    }

    void anotherQuestionEndsTheSearch()
    {
        open();
        ask(5);
        Controls controls = state().controls();
        controls.query.memoryBytes -= 1;
        state().editControls(controls, u"memory"_s);
        QVERIFY(m_overhead->isRunning());  // the memory is what is looked for
        controls.query.deadlineSeconds = 1.0;
        state().editControls(controls, u"deadline"_s);
        settle();
        QVERIFY(!m_overhead->isRunning());
        QVERIFY(finder().message().isEmpty());
        controls.query.strategy = Strategy::Sqrt;
        state().editControls(controls, u"strategy"_s);
        settle();
        QVERIFY(!finder().button()->isEnabled());
        QVERIFY(finder().button()->toolTip().contains(u"proven"_s));
    }

    void aPlanThatDoesNotReplayIsAFailure()
    {
        open();
        const SolveRequest request = ask(5);
        WorkerEvent incumbent;
        incumbent.kind = WorkerEvent::Kind::Incumbent;
        incumbent.schedule = Schedule{};
        m_overhead->say(request, incumbent);
        settle();
        QVERIFY(!m_overhead->isRunning());
        QVERIFY2(finder().message().startsWith(u'!'), qPrintable(finder().message()));
    }

    void anExportedPlanCarriesItsProof()
    {
        open();
        solveAt(state().problem()->wallBytes + 9000);
        QCOMPARE(describeStatus(state()).kind, StatusKind::Optimal);
        QTemporaryDir folder;
        const QString path = folder.filePath(u"plan.json"_s);
        QVERIFY(waitFor([&](const WhenWritten& then) { m_window->writeSchedule(path, then); }));
        QFile written(path);
        QVERIFY(written.open(QIODevice::ReadOnly));
        const auto file = parsePlanFile(written.readAll().toStdString(), "plan");
        QVERIFY(file);
        QCOMPARE(file->plan.status, SolveStatus::Optimal);
        QVERIFY(file->plan.boundJoules >= (1 - 1e-4) * file->plan.replay.energyJoules);
        // So do the plans of a project.
        const Workspace workspace = m_window->workspaceMaker()();
        const bool hasProven = std::any_of(workspace.plans.begin(), workspace.plans.end(), [](const PlanPtr& plan) { return plan->status == SolveStatus::Optimal && plan->boundJoules > 0; });
        QVERIFY(hasProven);
        // What nobody proved is not called optimal.
        const PlanPtr other = planOf(*state().problem(), pagedSchedule(*state().problem()->graph, {2}));
        QCOMPARE(withProof(PlanCache(), *state().problem(), other, 1e-4)->status, other->status);
    }

    void theStatusNamesTheLimitOfThisSearchAndKeepsIt()
    {
        open();
        Controls controls = state().controls();
        controls.query.memoryBytes = state().problem()->wallBytes + 9000;
        controls.timeLimitSeconds = 20;
        state().editControls(controls, u"memory"_s);
        m_timer->fire();
        QVERIFY(m_backend->isRunning());
        WorkerEvent beat;
        beat.elapsedSeconds = 7.9;
        m_backend->say(m_backend->requests().last(), beat);
        settle();
        QVERIFY2(describeStatus(state()).headline.contains(u"7 s of 20 s"_s), qPrintable(describeStatus(state()).headline));
        // A worker that overruns its limit is ended.
        beat.elapsedSeconds = 20 + SolveController::kGraceSeconds + 1;
        m_backend->say(m_backend->requests().last(), beat);
        settle();
        QVERIFY(!m_backend->isRunning());
        QCOMPARE(state().search().phase, SearchState::Phase::TimedOut);
    }

    void aNewTimeLimitOrGapIsANewSearch()
    {
        open();
        Controls controls = state().controls();
        controls.query.memoryBytes = state().problem()->wallBytes + 9000;
        state().editControls(controls, u"memory"_s);
        m_timer->fire();
        const SolveRequest first = m_backend->requests().last();
        WorkerEvent beat;
        beat.elapsedSeconds = 50;
        m_backend->say(first, beat);
        controls.timeLimitSeconds = 300;
        state().editControls(controls, u"time limit"_s);
        QVERIFY(!m_backend->isRunning());
        m_timer->fire();
        QCOMPARE(m_backend->requests().last().timeLimitSeconds, 300.0);
        QCOMPARE(state().search().elapsedSeconds, 0.0);  // of the new search
        m_backend->say(first, beat);                     // the old worker's last words
        QCOMPARE(state().search().elapsedSeconds, 0.0);
    }

    void neighbouringValuesLookDifferent()
    {
        QCOMPARE(text::bytesApart(9637888, {}), text::bytes(9637888));
        QCOMPARE(text::bytesApart(9637888, {9637888}), text::bytes(9637888));
        const QString shown = text::bytesApart(9637888, {9637888 + 3000});
        QVERIFY2(shown.size() > text::bytes(9637888).size(), qPrintable(shown));
        QVERIFY(shown != text::bytesApart(9637888 + 3000, {9637888}));
        QCOMPARE(text::bytesApart(512, {513}), u"512 B"_s);
        open();
        LimitSlider& slider = *m_window->constraints().memorySlider();
        QStringList texts;
        slider.setFocus();
        for (int i = 0; i < 5; ++i) {
            QTest::keyClick(&slider, Qt::Key_Left);
            settle();
            const QString now = m_window->constraints().memoryField()->text();
            QVERIFY2(!texts.contains(now), qPrintable(now));
            texts << now;
        }
    }

    void whatIsWrongWithAFieldIsRedAndStaysUntilItIsRight()
    {
        open();
        QLineEdit* field = m_window->constraints().memoryField();
        auto* row = qobject_cast<LimitRow*>(field->parentWidget());
        QVERIFY(row);
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, u"12 apples"_s);
        QTest::keyClick(field, Qt::Key_Return);
        settle();
        QVERIFY(row->hasProblem());
        auto* message = row->findChild<QLabel*>(u"memoryUnderstood"_s);
        QVERIFY(message->text().contains(u"apples"_s));
        const QColor ink = message->palette().color(QPalette::WindowText);
        QVERIFY(style::contrast(ink, message->palette().color(QPalette::Window)) >= 4.5);
        QVERIFY(ink.red() > ink.green() + 60);
        state().cacheGrew();
        settle();
        QVERIFY(row->hasProblem());
        field->selectAll();
        QTest::keyClicks(field, u"50%"_s);
        QTest::keyClick(field, Qt::Key_Return);
        settle();
        QVERIFY(!row->hasProblem());
        QVERIFY(!message->text().contains(u"apples"_s));
    }
};

POET_QTEST_MAIN(OverheadTest)
#include "overhead_test.moc"

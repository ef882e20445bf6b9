// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explorer/model_readers.h"
#include "tests/widgets/support/window_fixture.h"
#include "widgets/document/solve_controller.h"

using namespace poet;
using namespace poet::test;
using namespace Qt::StringLiterals;

/// What a lesson borrows it gives back; what a project stored it shows again. With the real readers.
class LessonTest : public WindowFixture {
    Q_OBJECT

    std::unique_ptr<MainWindow> m_real;
    ScriptedBackend* m_worker = nullptr;
    QTemporaryDir m_folder;

    DocumentState& state() { return m_real->state(); }
    LessonPanel& panel() { return *m_real->findChild<LessonPanel*>(); }
    static QString example(const char* name) { return QStringLiteral(POET_SOURCE_DIR "/examples/") + QLatin1String(name); }
    bool shows(const QString& title) { return QTest::qWaitFor([&] { return state().problem() && state().problem()->title == title; }, 20000); }

    void open(const char* name, const QString& device)
    {
        m_real->openFile(example(name), device);
        QVERIFY(shows(QLatin1String(name)));
        settle();
    }

    /// Until models are read; plans do not matter here, so searches are stopped.
    bool waitForAll()
    {
        return QTest::qWaitFor(
            [this] {
                if (m_worker->isRunning())
                    m_real->solver().stop();
                return m_real->isSettled();
            },
            20000);
    }

    void startLesson(int number)
    {
        m_real->actions().action(u"lesson.%1"_s.arg(number))->trigger();
        QVERIFY(waitForAll());
        settle();
    }

    void press(const QString& text)
    {
        for (QPushButton* button : panel().findChildren<QPushButton*>())
            if (button->text() == text) {
                QTest::mouseClick(button, Qt::LeftButton);
                break;
            }
        QVERIFY(waitForAll());
        settle();
    }

private Q_SLOTS:
    void init()
    {
        WindowServices services;
        services.readers = makeModelReaders();
        m_worker = new ScriptedBackend;
        services.interactive = m_worker;
        services.sweep = new ScriptedBackend;
        services.timer = new ManualTimer;
        services.examples = {{u"LeNet"_s, u"A lesson"_s, example("lenet5.onnx"), u"paper-m0"_s}};
        m_real = std::make_unique<MainWindow>(std::move(services));
        m_real->solver().setAutomatic(false);
        m_real->resize(1280, 800);
        m_real->show();
        settle();
    }
    void cleanup() { m_real.reset(); }

    void theEndPutsModelDeviceLimitsAndDocksBack()
    {
        open("residual.graph.json", {});
        open("dscnn_kws.onnx", u"rpi4b"_s);
        Controls mine = state().controls();
        mine.query = {state().problem()->wallBytes + 4321, 2 * state().problem()->keepAll->replay.seconds, Strategy::Recompute};
        state().editControls(mine, u"memory"_s);
        state().selectNode(5);
        auto* table = m_real->findChild<QDockWidget*>(u"tableDock"_s);
        table->hide();
        settle();
        const DocumentSnapshot before = state().snapshot();
        startLesson(2);
        QCOMPARE(state().problem()->title, u"lenet5.onnx"_s);
        QCOMPARE(m_real->modelPanel().device(), u"paper-m0"_s);
        QVERIFY(!state().controls().query.deadlineSeconds);  // mine is of another model
        press(u"Next"_s);
        press(u"Next"_s);
        QCOMPARE(state().controls().query.strategy, Strategy::Paging);
        table->show();
        press(u"End lesson"_s);
        QVERIFY(state().snapshot() == before);
        QCOMPARE(m_real->modelPanel().device(), u"rpi4b"_s);
        QVERIFY(table->isHidden());
        QVERIFY(m_real->findChild<QDockWidget*>(u"lessonDock"_s)->isHidden());
        QVERIFY(!panel().isRunning());
        // The lesson's pages can be taken back like anything else, and what was done before it too.
        state().undoStack().undo();
        QCOMPARE(state().controls().query.strategy, Strategy::Paging);
        QCOMPARE(state().problem()->title, u"lenet5.onnx"_s);
        while (state().problem()->title != u"dscnn_kws.onnx"_s)
            state().undoStack().undo();
        QCOMPARE(state().controls(), mine);
        state().undoStack().undo();
        QVERIFY(state().controls() != mine);
        while (state().undoStack().canRedo())
            state().undoStack().redo();
        QVERIFY(state().snapshot() == before);
    }

    void everyLessonEndsByItsLastPage()
    {
        m_real->modelPanel().setDevice(u"stm32h743"_s);
        for (int number = 1; number <= 4; ++number) {
            startLesson(number);
            for (int page = 0; page < 10 && panel().isRunning(); ++page) {
                QCOMPARE(panel().page(), page);
                QVERIFY(state().problem());
                press(panel().findChildren<QPushButton*>().at(1)->text());
            }
            QVERIFY(!panel().isRunning());
            QVERIFY(!state().problem());  // none was open before
            QCOMPARE(m_real->modelPanel().device(), u"stm32h743"_s);
        }
    }

    void anotherFileOpensWithTheReadersOwnDevice()
    {
        open("lenet5.onnx", u"paper-a72"_s);
        startLesson(4);
        QCOMPARE(state().problem()->setup.device, u"nrf52840"_s);
        m_real->openFile(example("mobilenet_v2.onnx"));
        QVERIFY(shows(u"mobilenet_v2.onnx"_s));
        QCOMPARE(state().problem()->setup.device, u"paper-a72"_s);
        QVERIFY(!state().problem()->setup.transfer);
        QVERIFY(!panel().isRunning());
    }

    void closingTheDockEndsTheLesson()
    {
        open("lenet5.onnx", u"paper-a72"_s);
        const DocumentSnapshot before = state().snapshot();
        startLesson(3);
        QVERIFY(!(state().snapshot() == before));
        m_real->findChild<QDockWidget*>(u"lessonDock"_s)->close();
        settle();
        QVERIFY(state().snapshot() == before);
    }

    void aProjectShowsTheWindowAsItWas()
    {
        open("resnet18.onnx", u"rpi4b"_s);
        QTRY_VERIFY(m_real->isGraphShown());
        m_real->dagView().collapseAll(true);
        const QSet<QString> collapsed = m_real->dagView().collapsedBlocks();
        QVERIFY(!collapsed.isEmpty());
        auto* table = m_real->findChild<QDockWidget*>(u"tableDock"_s);
        table->hide();
        m_real->timelineView().setLaneHidden(LaneKind::PageIn, true);
        WorkspaceView view = m_real->workspaceMaker()().view;
        view.isInSteps = true;
        view.memoryForm = 2;
        view.paretoAxis = 1;
        Workspace workspace = m_real->workspaceMaker()();
        workspace.view = view;
        const QString path = m_folder.filePath(u"mine.poet.json"_s);
        QVERIFY(writeWorkspace(path, workspace));
        m_real->actions().action(u"view.reset"_s)->trigger();
        open("lenet5.onnx", u"paper-m0"_s);
        QVERIFY(m_real->dagView().collapsedBlocks().isEmpty());
        m_real->openFile(path);
        QVERIFY(shows(u"resnet18.onnx"_s));
        QTRY_VERIFY(m_real->isGraphShown());
        settle();
        QCOMPARE(m_real->dagView().collapsedBlocks(), collapsed);
        QVERIFY(table->isHidden());
        QCOMPARE(m_real->timelineView().unit(), TimelineUnit::Steps);
        QVERIFY(m_real->workspaceMaker()().view == view);
        QCOMPARE(m_real->modelPanel().device(), u"rpi4b"_s);
    }

    void aDeviceChangeLeavesTheGraphWhereItIs()
    {
        open("resnet18.onnx", u"rpi4b"_s);
        QTRY_VERIFY(m_real->isGraphShown());
        DagView& graph = m_real->dagView();
        graph.collapseAll(true);
        QVERIFY(waitForAll());
        settle();
        const QSet<QString> collapsed = graph.collapsedBlocks();
        graph.zoomTo(0.8);
        const QTransform before = graph.transform();
        m_real->modelPanel().setDevice(u"paper-a72"_s);
        Q_EMIT m_real->modelPanel().setupEdited(m_real->modelPanel().setup());
        QTRY_COMPARE(state().problem()->setup.device, u"paper-a72"_s);
        QVERIFY(waitForAll());
        settle();
        QCOMPARE(graph.collapsedBlocks(), collapsed);
        QCOMPARE(graph.transform(), before);
    }
};

POET_QTEST_MAIN(LessonTest)
#include "lesson_test.moc"

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/support/real_services.h"
#include "tests/widgets/support/stall_monitor.h"
#include "tests/widgets/support/test_main.h"
#include "widgets/controls/constraints_panel.h"
#include "widgets/controls/limit_slider.h"
#include "widgets/controls/model_panel.h"
#include "widgets/dag/dag_view.h"
#include "widgets/device/device_editor.h"
#include "widgets/device/flip_slider.h"
#include "widgets/device/sensitivity_panel.h"
#include "widgets/document/process_backend.h"
#include "widgets/document/solve_controller.h"
#include "widgets/document/sweep_controller.h"
#include "widgets/export/view_exporter.h"
#include "widgets/inspector/compare_panel.h"
#include "widgets/inspector/search_field.h"
#include "widgets/pareto/heat_map.h"
#include "widgets/teaching/lesson_panel.h"
#include "widgets/teaching/step_bar.h"
#include "widgets/timeline/timeline_view.h"
#include "widgets/window/action_registry.h"
#include "widgets/window/main_window.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QFileInfo>
#include <QMessageBox>
#include <QTemporaryDir>

#include <csignal>
#include <cstdio>
#include <random>

using namespace poet;
using namespace poet::test;
using namespace Qt::StringLiterals;

/// The test library ends a function after five minutes; read when it starts.
[[maybe_unused]] const bool kIsPatient = qputenv("QTEST_FUNCTION_TIMEOUT", "1200000");

/// Random use of the real window with real workers, some of them killed. POET_RANDOM_SECONDS (default 12; 600 for the
/// long run) and POET_RANDOM_SEED set it. Stalls and memory are printed, and checked from 300 seconds on.
class RandomUseTest : public QObject {
    Q_OBJECT

    std::unique_ptr<MainWindow> m_window;
    ProcessBackend* m_solver = nullptr;
    ProcessBackend* m_sweep = nullptr;
    QTemporaryDir m_folder;
    std::mt19937 m_random;
    QTimer m_answers;
    std::vector<std::pair<const char*, std::function<void()>>> m_actions;

    int upTo(int count) { return std::uniform_int_distribution<int>(0, count - 1)(m_random); }
    DocumentState& state() { return m_window->state(); }

    static double residentMegabytes()
    {
        QFile file(u"/proc/self/statm"_s);
        return file.open(QIODevice::ReadOnly) ? static_cast<double>(file.readAll().split(' ').value(1).toLongLong()) * 4096 / 1e6 : 0;
    }

    void drag(QWidget* slider)
    {
        QTest::mousePress(slider, Qt::LeftButton, {}, QPoint(upTo(slider->width()), 12));
        for (int i = upTo(8); i >= 0; --i) {
            QTest::mouseMove(slider, QPoint(upTo(slider->width()), 12));
            QCoreApplication::processEvents();
        }
        QTest::mouseRelease(slider, Qt::LeftButton, {}, QPoint(upTo(slider->width()), 12));
    }

    void trigger(const char* id)
    {
        if (QAction* action = m_window->actions().action(QString::fromLatin1(id)))
            action->trigger();
    }

    void openSomething()
    {
        static const std::pair<const char*, const char*> files[] = {{"lenet5.onnx", "paper-m0"}, {"resnet18.onnx", "rpi4b"}, {"dscnn_kws.onnx", "nrf52840"},
                                                                    {"mobilenet_v2.onnx", "paper-a72"}, {"residual.graph.json", ""}, {"resnet50.onnx", "paper-a72"}};
        const auto& [file, device] = files[upTo(6)];
        m_window->openFile(QStringLiteral(POET_SOURCE_DIR "/examples/") + QString::fromLatin1(file), QString::fromLatin1(device));
    }

    void openBroken()
    {
        QFile file(m_folder.filePath(u"broken.json"_s));
        if (file.open(QIODevice::WriteOnly))
            file.write(QByteArray("{\"format\":\"poet-graph\",\"version\":1,\"nodes\":[").left(upTo(46)));
        file.close();
        m_window->openFile(file.fileName());
    }

    void saveAndOpen()
    {
        const QString path = m_folder.filePath(u"plan.json"_s);
        const bool opens = upTo(3) == 0;
        m_window->writeSchedule(path, [this, path, opens](const Expected<void>& done) {
            if (done && opens)
                m_window->openFile(path);
        });
    }

    void killWorker()
    {
        ProcessBackend* backend = upTo(2) == 0 ? m_solver : m_sweep;
        if (const qint64 pid = backend->processId(); pid > 0)
            ::kill(static_cast<pid_t>(pid), SIGKILL);
    }

    void raiseDock()
    {
        const QList<QDockWidget*> docks = m_window->findChildren<QDockWidget*>();
        QDockWidget* dock = docks[upTo(static_cast<int>(docks.size()))];
        dock->setVisible(upTo(6) != 0);
        dock->raise();
    }

    void changeDevice()
    {
        static const char* const devices[] = {"paper-m0", "paper-m4", "paper-a72", "rpi4b", "nrf52840", "stm32h743"};
        if (!state().problem() || !state().problem()->hasTraining)
            return;
        m_window->modelPanel().setDevice(QString::fromLatin1(devices[upTo(6)]));
        Q_EMIT m_window->modelPanel().setupEdited(m_window->modelPanel().setup());
    }

    /// Dialogs that wait for an answer are answered after a while, from inside their own loop.
    void answerDialogs()
    {
        m_answers.setInterval(400);
        connect(&m_answers, &QTimer::timeout, this, [this] {
            QWidget* modal = QApplication::activeModalWidget();
            if (auto* box = qobject_cast<QMessageBox*>(modal); box && !box->buttons().isEmpty())
                box->buttons().at(upTo(static_cast<int>(box->buttons().size())))->click();
            else if (auto* dialog = qobject_cast<QDialog*>(modal))
                dialog->reject();
        });
        m_answers.start();
    }

    void useDeviceEditor()
    {
        trigger("device.edit");
        DeviceEditor* editor = m_window->deviceEditor();
        if (!editor || !editor->isVisible())
            return;
        if (upTo(4) == 0)
            editor->close();
        else if (SensitivityPanel& panel = editor->sensitivity(); panel.sliderCount() > 0)
            QTest::keyClick(panel.slider(upTo(panel.sliderCount())), upTo(2) == 0 ? Qt::Key_PageUp : Qt::Key_PageDown);
    }

    void useLesson()
    {
        auto* lesson = m_window->findChild<LessonPanel*>();
        if (!lesson->isRunning())
            trigger(qPrintable(u"lesson.%1"_s.arg(1 + upTo(4))));
        else if (upTo(4) == 0)
            Q_EMIT lesson->ended();
        else
            lesson->move(upTo(3) == 0 ? -1 : 1);
    }

    void compareDevice()
    {
        static const char* const devices[] = {"paper-m0", "rpi4b", "nrf52840"};
        m_window->findChild<ComparePanel*>()->compareWithDevice(QString::fromLatin1(devices[upTo(3)]));
    }

    void exportView()
    {
        static const char* const endings[] = {"png", "svg", "pdf", "csv"};
        ViewExporter::writeBeside(m_window.get(), m_window->picture(static_cast<std::size_t>(upTo(10))), m_folder.filePath(u"view."_s + QLatin1String(endings[upTo(4)])), [](const auto&) {});
    }

    void useProject()
    {
        const QString path = m_folder.filePath(u"mine.poet.json"_s);
        if (upTo(2) == 0 && state().problem())
            m_window->writeProject(path, [](const auto&) {});
        else if (QFileInfo::exists(path))
            m_window->openFile(path);
    }

    void search()
    {
        static const char* const words[] = {"conv", "type:Conv size>64K", "decision:paged", "phase:backward relu", "shape:1x", "size>fish"};
        m_window->searchField().clear();
        QTest::keyClicks(&m_window->searchField(), QString::fromLatin1(words[upTo(6)]));
        QTest::keyClick(&m_window->searchField(), Qt::Key_Return);
    }

    void addRareActions()
    {
        const auto add = [this](int weight, const char* name, std::function<void()> work) {
            for (int i = 0; i < weight; ++i)
                m_actions.emplace_back(name, work);
        };
        add(5, "device editor", [this] { useDeviceEditor(); });
        add(5, "lesson", [this] { useLesson(); });
        add(2, "compare with a device", [this] { compareDevice(); });
        add(2, "export of a view", [this] { exportView(); });
        add(2, "project", [this] { useProject(); });
        add(3, "search", [this] { search(); });
        add(1, "report", [this] { m_window->writeReport(m_folder.filePath(u"report.pdf"_s), [](const auto&) {}); });
        for (const char* id : {"file.export", "help.palette", "help.keys", "edit.preferences"})
            add(1, id, [this, id] { trigger(id); });
    }

    void buildActions()
    {
        const auto add = [this](int weight, const char* name, std::function<void()> work) {
            for (int i = 0; i < weight; ++i)
                m_actions.emplace_back(name, work);
        };
        add(30, "memory slider", [this] { drag(m_window->constraints().memorySlider()); });
        add(12, "deadline slider", [this] { drag(m_window->constraints().deadlineSlider()); });
        add(6, "strategy", [this] {
            QComboBox* box = m_window->constraints().strategyBox();
            box->setCurrentIndex(upTo(box->count()));
            Q_EMIT box->activated(box->currentIndex());
        });
        add(3, "open", [this] { openSomething(); });
        add(1, "open a broken file", [this] { openBroken(); });
        add(2, "save and open a plan", [this] { saveAndOpen(); });
        add(6, "kill -9 of a worker", [this] { killWorker(); });
        add(8, "dock", [this] { raiseDock(); });
        add(2, "device", [this] { changeDevice(); });
        for (const char* id : {"edit.undo", "edit.undo", "edit.redo", "schedule.solve", "schedule.stop", "schedule.sweep", "pareto.memory", "pareto.deadline", "pareto.both",
                               "graph.collapse", "graph.expand", "graph.rotate", "graph.isolate", "graph.zoomIn", "graph.zoomOut", "view.fit", "view.reset", "timeline.zoomIn",
                               "timeline.zoomOut", "timeline.next", "timeline.fit", "step.next", "step.play", "step.leave", "go.back", "go.forward", "compare.pin",
                               "compare.clear", "view.themeDark", "view.themeLight", "view.german", "view.english", "schedule.prove"})
            add(2, id, [this, id] { trigger(id); });
        add(10, "select", [this] {
            if (state().problem())
                state().selectNode(upTo(state().problem()->graph->size()));
        });
        add(4, "memory form", [this] { m_window->timelineView().setMemoryForm(static_cast<MemoryForm>(upTo(3))); });
        add(4, "x axis", [this] { m_window->timelineView().setUnit(static_cast<TimelineUnit>(upTo(2))); });
        add(4, "colours", [this] { m_window->dagView().setColoring(static_cast<DagColoring>(upTo(5))); });
        add(6, "zoom", [this] { m_window->dagView().zoomBy(upTo(2) == 0 ? 1.5 : 0.6); });
    }

private Q_SLOTS:
    void initTestCase()
    {
        if (!QFileInfo(QStringLiteral(POET_COMMAND)).isExecutable())
            QSKIP("the command poet is not built");
        WindowServices services = realServices();
        m_solver = static_cast<ProcessBackend*>(services.interactive);
        m_sweep = static_cast<ProcessBackend*>(services.sweep);
        services.autosaveFolder = m_folder.path();
        services.examples = {{u"LeNet"_s, {}, QStringLiteral(POET_SOURCE_DIR "/examples/lenet5.onnx"), u"paper-m0"_s}};  // lessons look beside it
        m_window = std::make_unique<MainWindow>(std::move(services));
        m_window->show();
        buildActions();
        addRareActions();
        answerDialogs();
    }

    void randomUseNeitherStallsNorGrowsNorCrashes()
    {
        const int seconds = std::max(1, qEnvironmentVariableIntValue("POET_RANDOM_SECONDS") > 0 ? qEnvironmentVariableIntValue("POET_RANDOM_SECONDS") : 12);
        const auto seed = qEnvironmentVariableIsSet("POET_RANDOM_SEED") ? static_cast<unsigned>(qEnvironmentVariableIntValue("POET_RANDOM_SEED")) : std::random_device{}();
        std::printf("seed %u, %d s\n", seed, seconds);
        std::fflush(stdout);
        m_random.seed(seed);
        StallMonitor monitor;
        openSomething();
        QElapsedTimer clock;
        clock.start();
        int done = 0;
        double early = 0;
        double largest = 0;
        while (clock.elapsed() < seconds * 1000LL) {
            const auto& [name, work] = m_actions[static_cast<std::size_t>(upTo(static_cast<int>(m_actions.size())))];
            monitor.setWhat(name);
            work();
            QTest::qWait(upTo(10) == 0 ? 400 : 15 + upTo(60));
            ++done;
            largest = std::max(largest, residentMegabytes());
            if (early == 0 && clock.elapsed() > seconds * 500LL)
                early = residentMegabytes();
        }
        monitor.stop();
        const double late = residentMegabytes();
        std::printf("FIGURE %d actions; longest stall %.0f ms by the clock, %.0f ms on the processor; over 100 ms: %d by the clock, %d on the processor\n", done,
                    monitor.longestWallMilliseconds(), monitor.longestProcessorMilliseconds(), monitor.wallStalls(), monitor.processorStalls());
        for (const QString& line : monitor.report())
            std::printf("  %s\n", qPrintable(line));
        std::printf("FIGURE memory at half time %.0f MB, at the end %.0f MB, largest %.0f MB\n", early, late, largest);
        std::fflush(stdout);
        if (seconds >= 300) {
            QCOMPARE(monitor.processorStalls(), 0);
            QVERIFY(late < early * 1.3 + 50);
        }
    }

    void noWorkerIsLeft()
    {
        m_window->solver().setAutomatic(false);
        m_window->sweep().cancel();
        m_window->solver().stop();
        QTRY_COMPARE_WITH_TIMEOUT(m_solver->liveWorkers() + m_sweep->liveWorkers(), 0, 10000);
        m_window.reset();
        QVERIFY(QDir(m_folder.path()).entryList({u"session-*"_s}, QDir::Files).isEmpty());
    }
};

POET_QTEST_MAIN(RandomUseTest)
#include "random_use_test.moc"

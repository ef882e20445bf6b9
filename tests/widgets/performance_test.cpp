// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/support/hand_made.h"
#include "tests/widgets/support/real_services.h"
#include "tests/widgets/support/test_main.h"
#include "widgets/controls/constraints_panel.h"
#include "widgets/controls/limit_slider.h"
#include "widgets/dag/dag_view.h"
#include "widgets/document/process_backend.h"
#include "widgets/document/solve_controller.h"
#include "widgets/teaching/alternatives.h"
#include "widgets/timeline/timeline_view.h"
#include "widgets/window/main_window.h"
#include "widgets/window/message_bar.h"

#include <QElapsedTimer>
#include <QFileInfo>

#include <algorithm>
#include <csignal>
#include <ctime>
#include <cstdio>

using namespace poet;
using namespace poet::test;
using namespace Qt::StringLiterals;

/// The figures that the window promises (gui.md section 13), with the real worker; printed, and checked with room for a
/// loaded machine.
class PerformanceTest : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<MainWindow> m_window;
    ProcessBackend* m_backend = nullptr;

    static void figure(const char* what, double value, const char* unit)
    {
        std::printf("FIGURE %-60s %10.2f %s\n", what, value, unit);
        std::fflush(stdout);
    }

    /// Time on the processor of this process: what a machine shared with others cannot spoil.
    static double processorMilliseconds() { return 1000.0 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

    static bool isAlive(qint64 pid)
    {
        // A zombie is gone for the machine, not for kill(0).
        QFile status(u"/proc/%1/stat"_s.arg(pid));
        return status.open(QIODevice::ReadOnly) && !status.readAll().contains(") Z ");
    }

    bool open(const QString& example, const QString& device)
    {
        const QString path = QStringLiteral(POET_SOURCE_DIR "/examples/") + example;
        m_window->openFile(path, device);
        return QTest::qWaitFor([&] { return m_window->isGraphShown() && m_window->state().problem() && m_window->state().problem()->path == QFileInfo(path).absoluteFilePath(); }, 30000);
    }

private Q_SLOTS:
    void initTestCase()
    {
        if (!QFileInfo(QStringLiteral(POET_COMMAND)).isExecutable())
            QSKIP("the command poet is not built");
    }

    void init()
    {
        WindowServices services = realServices();
        m_backend = static_cast<ProcessBackend*>(services.interactive);
        m_window = std::make_unique<MainWindow>(std::move(services));
        m_window->resize(1440, 900);
        m_window->show();
        QCoreApplication::processEvents();
    }
    void cleanup() { m_window.reset(); }

    void resnet50OpensAndIsDrawn()
    {
        QElapsedTimer clock;
        clock.start();
        const double before = processorMilliseconds();
        QVERIFY(open(u"resnet50.onnx"_s, u"paper-a72"_s));
        m_window->dagView().viewport()->grab();
        figure("open ResNet-50 and draw its graph", static_cast<double>(clock.elapsed()), "ms (2000 promised)");
        figure("  of it on the processor", processorMilliseconds() - before, "ms");
        QVERIFY(processorMilliseconds() - before < 2000);
        QVERIFY(m_window->state().problem()->graph->size() > 300);
    }

    void previewComesBeforeTheNextFrame()
    {
        QVERIFY(open(u"resnet50.onnx"_s, u"paper-a72"_s));
        QVERIFY(QTest::qWaitFor([&] { return m_window->state().planFits(); }, 60000));
        m_window->solver().setAutomatic(false);
        LimitSlider* slider = m_window->constraints().memorySlider();
        std::vector<double> spent;
        const double before = processorMilliseconds();
        for (int i = 0; i < 60; ++i) {
            const double share = 0.3 + 0.6 * ((i * 37) % 60) / 60.0;
            const QPoint at(static_cast<int>(slider->width() * share), 14);
            QElapsedTimer clock;
            clock.start();
            if (i == 0)
                QTest::mousePress(slider, Qt::LeftButton, {}, at);
            else
                QTest::mouseMove(slider, at);
            QCoreApplication::processEvents();  // merged refresh and repaint
            QCoreApplication::processEvents();
            spent.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
        }
        QTest::mouseRelease(slider, Qt::LeftButton);
        std::sort(spent.begin(), spent.end());
        figure("slider tick to preview painted, median", spent[spent.size() / 2], "ms");
        figure("slider tick to preview painted, worst of 60", spent.back(), "ms (50 promised)");
        figure("  on the processor, mean", (processorMilliseconds() - before) / 60, "ms");
        QVERIFY((processorMilliseconds() - before) / 60 < 50);
    }

    void oldWorkerIsGoneAtOnce()
    {
        QVERIFY(open(u"resnet50.onnx"_s, u"rpi4b"_s));
        double worst = 0;
        int measured = 0;
        for (int i = 0; i < 5; ++i) {
            Controls controls = m_window->state().controls();
            const Problem& problem = *m_window->state().problem();
            controls.query.memoryBytes = problem.wallBytes + (problem.keepAllPeakBytes - problem.wallBytes) * (10 + 7 * i) / 100;
            m_window->state().editControls(controls, u"memory"_s);
            m_window->solver().solveNow(true);
            if (!QTest::qWaitFor([&] { return m_backend->processId() > 0; }, 5000))
                continue;
            QTest::qWait(300);
            const qint64 pid = m_backend->processId();
            if (pid == 0 || !isAlive(pid))
                continue;
            QElapsedTimer clock;
            clock.start();
            controls.query.memoryBytes += 1000 + i;
            m_window->state().editControls(controls, u"memory"_s);
            while (isAlive(pid) && clock.elapsed() < 2000)
                QCoreApplication::processEvents();
            worst = std::max(worst, static_cast<double>(clock.nsecsElapsed()) / 1e6);
            ++measured;
            QVERIFY(!isAlive(pid));
        }
        if (measured == 0)
            QSKIP("every search ended before it could be killed");
        figure("slider move to old worker gone, worst", worst, "ms (100 promised)");
        QVERIFY(worst < 500);
        m_window->solver().stop();
        QTRY_COMPARE(m_backend->liveWorkers(), 0);
    }

    void killedWorkerLeavesTheWindowAlive()
    {
        QVERIFY(open(u"resnet50.onnx"_s, u"rpi4b"_s));
        Controls controls = m_window->state().controls();
        controls.query.memoryBytes = m_window->state().problem()->wallBytes * 11 / 10;
        m_window->state().editControls(controls, u"memory"_s);
        m_window->solver().solveNow(true);
        QVERIFY(QTest::qWaitFor([&] { return m_backend->processId() > 0; }, 5000));
        QTest::qWait(200);
        const qint64 pid = m_backend->processId();
        if (pid == 0)
            QSKIP("the search ended before it could be killed");
        ::kill(static_cast<pid_t>(pid), SIGKILL);
        QTRY_COMPARE(m_window->state().search().phase, SearchState::Phase::Failed);
        QCOMPARE(describeStatus(m_window->state()).kind, StatusKind::Failed);
        QVERIFY(describeStatus(m_window->state()).canRetry);
    }

    void windowNeverBlocks()
    {
        double worst = 0;
        QElapsedTimer beat;
        QTimer timer;
        timer.setTimerType(Qt::PreciseTimer);
        connect(&timer, &QTimer::timeout, this, [&] {
            if (beat.isValid())
                worst = std::max(worst, static_cast<double>(beat.nsecsElapsed()) / 1e6);
            beat.start();
        });
        QVERIFY(open(u"resnet18.onnx"_s, u"paper-a72"_s));
        timer.start(5);
        for (int i = 0; i < 20; ++i) {
            Controls controls = m_window->state().controls();
            const Problem& problem = *m_window->state().problem();
            controls.query.memoryBytes = problem.wallBytes + (problem.keepAllPeakBytes - problem.wallBytes) * ((i * 37) % 100) / 100;
            m_window->state().editControls(controls, u"memory"_s);
            QTest::qWait(150);
        }
        figure("longest time without an event, 20 slider moves", worst, "ms (100 promised)");
        QVERIFY(worst < 400);
    }

    void framesOfLargeViews()
    {
        m_window->showProblem(chainProblem(1000), nullptr);
        QVERIFY(QTest::qWaitFor([&] { return m_window->isGraphShown(); }, 20000));
        DagView& view = m_window->dagView();
        for (double scale : {1.0, 0.4, 0.1}) {
            view.zoomTo(scale);
            QImage canvas(view.viewport()->size(), QImage::Format_ARGB32_Premultiplied);
            const double start = processorMilliseconds();
            for (int i = 0; i < 10; ++i)
                view.viewport()->render(&canvas);
            figure(qPrintable(u"graph frame, %1 boxes at scale %2, on the processor"_s.arg(view.model().boxes.size()).arg(scale)),
                   (processorMilliseconds() - start) / 10, "ms (16 promised)");
        }
        TimelineView& timeline = m_window->timelineView();
        QImage canvas(timeline.viewport()->size(), QImage::Format_ARGB32_Premultiplied);
        double before = processorMilliseconds();
        for (int i = 0; i < 10; ++i)
            timeline.viewport()->render(&canvas);
        figure("timeline frame, on the processor", (processorMilliseconds() - before) / 10, "ms (16 promised)");
        before = processorMilliseconds();
        QCOMPARE(whyHtml(*m_window->state().problem(), *m_window->state().plan(), 100, 0, {}, false).isEmpty(), false);
        figure("why card, 1,999 nodes, on the processor", processorMilliseconds() - before, "ms (50 promised)");
    }
};

POET_QTEST_MAIN(PerformanceTest)
#include "performance_test.moc"

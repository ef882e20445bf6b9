// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/support/real_services.h"
#include "tests/widgets/support/test_main.h"
#include "tests/widgets/support/waiting.h"
#include "widgets/controls/constraints_panel.h"
#include "widgets/controls/limit_slider.h"
#include "widgets/controls/overhead_finder.h"
#include "widgets/dag/dag_view.h"
#include "widgets/document/process_backend.h"
#include "widgets/document/sweep_controller.h"
#include "widgets/inspector/search_field.h"
#include "widgets/pareto/pareto_chart.h"
#include "widgets/teaching/step_bar.h"
#include "widgets/timeline/timeline_view.h"
#include "widgets/window/main_window.h"
#include "widgets/window/message_bar.h"

#include <QCommandLinkButton>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QGraphicsView>
#include <QLineEdit>

using namespace poet;
using namespace poet::test;
using namespace Qt::StringLiterals;

/// The main job in a real window, by mouse and keyboard: open an example, set limits, read the answer, look around,
/// write the plan. Saves the pictures that the README shows.
class MainJobTest : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<MainWindow> m_window;

    void picture(const QString& name)
    {
        QTest::qWait(250);
        QDir().mkpath(QStringLiteral(POET_PICTURE_DIR));
        QVERIFY(m_window->grab().save(QStringLiteral(POET_PICTURE_DIR "/") + name + u".png"_s));
    }

    void typeInto(QLineEdit* field, const QString& text)
    {
        QTest::mouseClick(field, Qt::LeftButton);
        field->selectAll();
        QTest::keyClicks(field, text);
        QTest::keyClick(field, Qt::Key_Return);
    }

private Q_SLOTS:
    void initTestCase()
    {
        if (!QFileInfo(QStringLiteral(POET_COMMAND)).isExecutable() || !QFileInfo::exists(QStringLiteral(POET_SOURCE_DIR "/examples/resnet18.onnx")))
            QSKIP("the command poet or the examples are not built");
        WindowServices services = realServices();
        services.overhead = new ProcessBackend(QStringLiteral(POET_COMMAND));
        services.examples = {{u"ResNet-18 on a Raspberry Pi"_s, u"Recomputing and paging together"_s, QStringLiteral(POET_SOURCE_DIR "/examples/resnet18.onnx"), u"paper-a72"_s}};
        m_window = std::make_unique<MainWindow>(std::move(services));
        m_window->resize(1440, 900);
        m_window->show();
        QTest::qWait(200);
    }
    void cleanupTestCase() { m_window.reset(); }

    void opensAnExampleByMouse()
    {
        picture(u"start-page"_s);
        auto* link = m_window->findChild<QCommandLinkButton*>();
        QVERIFY(link);
        QTest::mouseClick(link, Qt::LeftButton);
        QVERIFY(QTest::qWaitFor([&] { return m_window->isGraphShown(); }, 20000));
        QVERIFY(m_window->state().problem()->graph->size() > 100);
    }

    void findsAPlanForTypedLimits()
    {
        typeInto(m_window->constraints().memoryField(), u"50%span"_s);
        QVERIFY(QTest::qWaitFor([&] { return describeStatus(m_window->state()).kind == StatusKind::Optimal; }, 60000));
        QVERIFY(m_window->state().planFits());
        picture(u"main-window"_s);
    }

    void findsTheSmallestMemoryForAnOverhead()
    {
        OverheadFinder* finder = m_window->constraints().overheadFinder();
        const std::int64_t before = m_window->state().controls().query.memoryBytes;
        finder->percentBox()->setValue(5);
        QTest::mouseClick(finder->button(), Qt::LeftButton);
        QVERIFY(!m_window->isSettled());
        QVERIFY(QTest::qWaitFor([&] { return m_window->isSettled(); }, 150000));  // this search, then the one for its memory
        QTest::qWait(100);
        const Problem& problem = *m_window->state().problem();
        QVERIFY2(m_window->state().planFits(), qPrintable(finder->message()));
        QVERIFY2(m_window->state().plan()->replay.energyJoules <= 1.05 * problem.keepAll->replay.energyJoules * (1 + 1e-9), qPrintable(finder->message()));
        QVERIFY(m_window->state().controls().query.memoryBytes < problem.keepAllPeakBytes);
        picture(u"smallest-memory"_s);
        m_window->state().undoStack().undo();
        QCOMPARE(m_window->state().controls().query.memoryBytes, before);
        QTest::qWait(100);
    }

    void saysWhyALimitIsTooTight()
    {
        typeInto(m_window->constraints().memoryField(), u"1 MiB"_s);
        QTRY_COMPARE(describeStatus(m_window->state()).kind, StatusKind::Infeasible);
        picture(u"infeasible"_s);
        for (QPushButton* button : m_window->constraints().findChildren<QPushButton*>())
            if (button->isVisible() && button->text().startsWith(u"Go to"_s)) {
                QTest::mouseClick(button, Qt::LeftButton);
                break;
            }
        QCOMPARE(m_window->state().controls().query.memoryBytes, m_window->state().problem()->wallBytes);
        m_window->state().undoStack().undo();
        m_window->state().undoStack().undo();
        QTRY_COMPARE(describeStatus(m_window->state()).kind, StatusKind::Optimal);
    }

    void dragsTheMemorySlider()
    {
        QTest::qWait(100);  // the slider follows the undo of the step before
        LimitSlider* slider = m_window->constraints().memorySlider();
        const std::int64_t before = m_window->state().controls().query.memoryBytes;
        const QPoint from(static_cast<int>(slider->positionOf(slider->value())), 14);
        QTest::mousePress(slider, Qt::LeftButton, {}, from);
        for (int i = 1; i <= 10; ++i)
            QTest::mouseMove(slider, from - QPoint(5 * i, 0), 10);
        QTest::mouseRelease(slider, Qt::LeftButton, {}, from - QPoint(50, 0));
        QVERIFY(m_window->state().controls().query.memoryBytes < before);
        // On a slow machine the search may end at its time limit: an honest gap, and a plan that fits.
        QVERIFY(QTest::qWaitFor([&] { return m_window->isSettled(); }, 90000));
        QVERIFY2(m_window->state().planFits(), qPrintable(describeStatus(m_window->state()).headline + describeStatus(m_window->state()).detail));
        const StatusKind kind = describeStatus(m_window->state()).kind;
        QVERIFY(kind == StatusKind::Optimal || kind == StatusKind::Gap);
    }

    void sweepsTheCurve()
    {
        m_window->sweep().start(SweepAxes::Memory, 8);
        QVERIFY(QTest::qWaitFor([&] { return !m_window->sweep().isRunning(); }, 240000));
        QVERIFY(m_window->paretoModel().points().size() >= 4);
        picture(u"pareto"_s);
        // A click on a point shows its plan.
        const ParetoPoint point = m_window->paretoModel().points()[1];
        const QPoint at = m_window->paretoChart().positionOf(point).toPoint();
        auto* chart = m_window->paretoChart().findChild<QGraphicsView*>();
        QVERIFY(chart);
        QWidget* target = chart->viewport();
        QTest::mouseClick(target, Qt::LeftButton, {}, target->mapFrom(&m_window->paretoChart(), at));
        QTest::qWait(100);
        QVERIFY(memoryNeed(*m_window->state().problem()->graph, *m_window->state().plan()) <= point.memoryBytes);
    }

    void looksAroundByKeyboard()
    {
        QTest::keyClick(m_window.get(), Qt::Key_F, Qt::ControlModifier);
        SearchField& field = m_window->searchField();
        field.setFocus();
        QTest::keyClicks(&field, u"layer2 relu"_s);
        QTest::keyClick(&field, Qt::Key_Return);
        QVERIFY(m_window->state().selection().node >= 0);
        QTest::keyClick(&field, Qt::Key_Escape);
        const NodeId found = m_window->state().selection().node;
        m_window->dagView().setFocus();
        QTest::keyClick(&m_window->dagView(), Qt::Key_Down);
        QVERIFY(m_window->state().selection().node != found);
        m_window->timelineView().setFocus();
        QTest::keyClick(&m_window->timelineView(), Qt::Key_Right);
        QVERIFY(m_window->state().selection().step >= 0);
        m_window->stepBar().move(1);
        for (int i = 0; i < 60; ++i)
            m_window->stepBar().move(1);
        picture(u"step-mode"_s);
        m_window->stepBar().leave();
    }

    void writesThePlan()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"plan.json"_s);
        const auto written = waitFor([&](const WhenWritten& then) { m_window->writeSchedule(path, then); });
        QVERIFY2(written.has_value(), written ? "" : written.error().text().c_str());
        QProcess verify;
        verify.start(QStringLiteral(POET_COMMAND), {u"verify"_s, path});
        QVERIFY(verify.waitForFinished(30000));
        QCOMPARE(verify.exitCode(), 0);
    }

    void refusesABrokenFileAndGoesOn()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"broken.onnx"_s);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("this is no model");
        file.close();
        const ProblemPtr before = m_window->state().problem();
        m_window->openFile(path);
        QTRY_VERIFY(!m_window->messageBar().text().isEmpty());
        QCOMPARE(m_window->state().problem(), before);
        picture(u"bad-file"_s);
    }

    void darkAppearance()
    {
        QApplication::setPalette(style::darkPalette());
        m_window->messageBar().dismiss();
        picture(u"dark"_s);
        QApplication::setPalette(style::lightPalette());
    }
};

POET_QTEST_MAIN(MainJobTest)
#include "main_job_test.moc"

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/support/waiting.h"
#include "tests/widgets/support/window_fixture.h"
#include "widgets/style/outlined_style.h"
#include "widgets/style/text.h"

using namespace poet;
using namespace poet::test;
using namespace Qt::StringLiterals;

class WindowTest : public WindowFixture {
    Q_OBJECT

private Q_SLOTS:
    void sliderMovesNeverLayOut()
    {
        m_window->showProblem(chainProblem(14), nullptr);
        settle();
        const int layouts = m_window->layouts().layoutsRun();
        const QTransform before = m_window->dagView().transform();
        for (int i = 0; i < 20; ++i)
            solveAt(m_window->state().problem()->wallBytes + 500 * i);
        QCOMPARE(m_window->layouts().layoutsRun(), layouts);
        QCOMPARE(m_window->dagView().transform(), before);
    }

    void selectionIsOneEverywhere()
    {
        m_window->showProblem(chainProblem(14), nullptr);
        settle();
        DagView& view = m_window->dagView();
        view.fitAll();
        const QPoint at = view.mapFromScene(view.itemOf(4)->pos());
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, at);
        settle();
        QCOMPARE(m_window->state().selection().node, 4);
        QVERIFY(view.itemOf(4)->look().isSelected);
        QVERIFY(view.itemOf(3)->look().isInput);
        TimelineView& timeline = m_window->timelineView();
        const TimelineEvent& event = timeline.model().lane(LaneKind::Compute)[6];
        QTest::mouseClick(timeline.viewport(), Qt::LeftButton, {},
                          QPoint(static_cast<int>(timeline.axis().mapTimeToX((event.begin + event.end) / 2)), static_cast<int>(timeline.laneRect(LaneKind::Compute).center().y())));
        settle();
        QCOMPARE(m_window->state().selection().node, event.node);
        QVERIFY(view.itemOf(event.node)->look().isSelected);
        m_window->actions().action(u"go.back"_s)->trigger();
        settle();
        QCOMPARE(m_window->state().selection().node, 4);
    }

    void typedLimitsAreUnderstoodOrRefusedInPlace()
    {
        m_window->showProblem(chainProblem(14), nullptr);
        settle();
        QLineEdit* field = m_window->constraints().memoryField();
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, u"20 KiB"_s);
        QTest::keyClick(field, Qt::Key_Return);
        settle();
        QCOMPARE(m_window->state().controls().query.memoryBytes, 20480);
        for (const QString& typed : {u"21"_s, u"21,0"_s, u"21 KiB"_s}) {  // a bare number means the unit that is shown
            field->selectAll();
            QTest::keyClicks(field, typed);
            QTest::keyClick(field, Qt::Key_Return);
            QCOMPARE(m_window->state().controls().query.memoryBytes, 21504);
        }
        field->selectAll();
        QTest::keyClicks(field, text::bytes(m_window->state().problem()->wallBytes));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(m_window->state().controls().query.memoryBytes, m_window->state().problem()->wallBytes);
        field->selectAll();
        QTest::keyClicks(field, u"20 KiB"_s);
        QTest::keyClick(field, Qt::Key_Return);
        settle();
        field->selectAll();
        QTest::keyClicks(field, u"fish"_s);
        QTest::keyClick(field, Qt::Key_Return);
        settle();
        QCOMPARE(m_window->state().controls().query.memoryBytes, 20480);
        bool isSaid = false;
        for (QLabel* label : m_window->constraints().findChildren<QLabel*>())
            isSaid = isSaid || label->text().contains(u"fish"_s);
        QVERIFY(isSaid);
        field->selectAll();
        QTest::keyClicks(field, u"50%span"_s);
        QTest::keyClick(field, Qt::Key_Return);
        const Problem& problem = *m_window->state().problem();
        QCOMPARE(m_window->state().controls().query.memoryBytes, MemorySpec({MemorySpec::Kind::PercentOfSpan, 50}).bytes(problem.wallBytes, problem.keepAllPeakBytes));
    }

    void sliderWorksByKeyboardAndUndo()
    {
        m_window->showProblem(chainProblem(14), nullptr);
        settle();
        LimitSlider* slider = m_window->constraints().memorySlider();
        const std::int64_t before = m_window->state().controls().query.memoryBytes;
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_Left);
        const std::int64_t after = m_window->state().controls().query.memoryBytes;
        QVERIFY(after < before);
        QTest::keyClick(slider, Qt::Key_PageDown);
        QVERIFY(m_window->state().controls().query.memoryBytes < after - 5 * (before - after));
        m_window->actions().action(u"edit.undo"_s)->trigger();
        QCOMPARE(m_window->state().controls().query.memoryBytes, before);
        settle();
        QVERIFY(std::abs(slider->value() - static_cast<double>(before)) < 1);
    }

    void badFileLeavesTheOldDocument()
    {
        m_window->showProblem(chainProblem(14), nullptr);
        settle();
        const ProblemPtr before = m_window->state().problem();
        QTemporaryDir folder;
        const QString path = folder.filePath(u"broken.json"_s);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"format\":\"poet-graph\",\"version\":1,");
        file.close();
        for (const QString& bad : {path, folder.filePath(u"missing.json"_s), folder.filePath(u"missing.onnx"_s)}) {
            m_window->openFile(bad);
            QTRY_VERIFY(!m_window->messageBar().text().isEmpty());
            QVERIFY(m_window->messageBar().text().contains(QFileInfo(bad).fileName()));
            QCOMPARE(m_window->state().problem(), before);
        }
    }

    void graphFilesOpenFromDisk()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"chain.json"_s);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        const std::string json = toJson(chainGraph(9));
        file.write(json.data(), static_cast<qint64>(json.size()));
        file.close();
        m_window->openFile(path);
        QTRY_VERIFY(m_window->state().problem());
        settle();
        QCOMPARE(m_window->dagView().model().boxes.size(), 17U);
        const QString out = folder.filePath(u"plan.json"_s);
        QVERIFY(waitFor([&](const WhenWritten& then) { m_window->writeSchedule(out, then); }));
        m_window->openFile(out);
        QTRY_COMPARE(m_window->state().problem()->title, u"plan.json"_s);
    }

    void aSlowLayoutCanBeCancelled()
    {
        QTemporaryDir folder;
        QFile script(folder.filePath(u"poet"_s));
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write("#!/bin/sh\nexec sleep 60\n");
        script.close();
        script.setPermissions(QFile::ReadOwner | QFile::ExeOwner);
        WindowServices services;
        services.interactive = new ScriptedBackend;
        services.sweep = new ScriptedBackend;
        services.timer = new ManualTimer;
        services.layoutProgram = script.fileName();
        MainWindow window(std::move(services));
        window.show();
        const auto press = [&](const QString& name) {
            for (QPushButton* button : window.messageBar().findChildren<QPushButton*>())
                if (button->text() == name && button->isVisible()) {
                    button->click();
                    return true;
                }
            return false;
        };
        // Nothing is drawn yet: the simple layout comes at once.
        window.showProblem(chainProblem(12, TransferModel::Paper, true), nullptr);
        QTRY_VERIFY_WITH_TIMEOUT(window.messageBar().text().startsWith(u"Laying out"_s), 5000);
        QVERIFY(press(u"Cancel"_s));
        QTRY_VERIFY(window.isGraphShown());
        QVERIFY(!window.layouts().isRunning() && window.messageBar().text().isEmpty());
        // Something is drawn: it stays, and so does what is collapsed.
        const std::size_t boxes = window.dagView().model().boxes.size();
        window.dagView().collapseAll(true);
        QVERIFY(!window.dagView().collapsedBlocks().isEmpty());
        QTRY_VERIFY_WITH_TIMEOUT(window.messageBar().text().startsWith(u"Laying out"_s), 5000);
        QVERIFY(press(u"Cancel"_s));
        QVERIFY(!window.layouts().isRunning());
        QCOMPARE(window.dagView().model().boxes.size(), boxes);
        QVERIFY(window.dagView().collapsedBlocks().isEmpty());
        // Or the simple one is taken.
        window.dagView().collapseAll(true);
        QTRY_VERIFY_WITH_TIMEOUT(window.messageBar().text().startsWith(u"Laying out"_s), 5000);
        QVERIFY(press(u"Use simple layout"_s));
        QTRY_VERIFY(window.dagView().model().boxes.size() < boxes);
    }

    void deviceProfilesAreOpenedByKeyOrDrop()
    {
        QAction* action = m_window->actions().action(u"file.openDevice"_s);
        QVERIFY(action && action->shortcut() == QKeySequence(u"Ctrl+Shift+O"_s));
        QTemporaryDir folder;
        const QString path = folder.filePath(u"mine.json"_s);
        QVERIFY(QFile::copy(QStringLiteral(POET_SOURCE_DIR "/resources/devices/paper-m0.json"), path));
        m_window->openFile(path);
        QCOMPARE(m_window->modelPanel().device(), path);
        QVERIFY2(m_window->messageBar().text().contains(u"next model"_s), qPrintable(m_window->messageBar().text()));
        QFile broken(folder.filePath(u"broken.json"_s));
        QVERIFY(broken.open(QIODevice::WriteOnly));
        broken.write("{\"format\": \"poet-device\", \"version\": 1}");
        broken.close();
        m_window->openFile(broken.fileName());
        QCOMPARE(m_window->modelPanel().device(), path);
        QVERIFY(!m_window->messageBar().text().isEmpty());
    }

    void darkFieldsHaveAnOutline()
    {
        QApplication::setPalette(style::darkPalette());
        const style::OutlinedStyle outlined;
        QSpinBox spin;
        QComboBox combo;
        QLineEdit line;
        for (QWidget* field : {static_cast<QWidget*>(&spin), static_cast<QWidget*>(&combo), static_cast<QWidget*>(&line)}) {
            field->setStyle(const_cast<style::OutlinedStyle*>(&outlined));
            field->resize(120, 28);
            const QImage image = field->grab().toImage();
            const QColor edge = image.pixelColor(image.width() / 2, 0);
            const QColor ground = style::darkPalette().color(QPalette::Window);
            QVERIFY2(style::contrast(edge, ground) > 1.5, qPrintable(QString::fromLatin1(field->metaObject()->className()) + u' ' + edge.name()));
        }
    }

    void actionsAreCompleteAndDoNotClash()
    {
        const ActionRegistry& actions = m_window->actions();
        QCOMPARE(actions.clashes(), QStringList());
        QSet<QString> names;
        for (const ActionRegistry::Entry& entry : actions.entries()) {
            QVERIFY(!entry.action->text().isEmpty());
            QVERIFY2(!names.contains(entry.action->objectName()), qPrintable(entry.action->objectName()));
            names.insert(entry.action->objectName());
        }
        CommandPalette palette(actions, m_window.get());
        QVERIFY(palette.shownCount() > 20);
        palette.findChild<QLineEdit*>()->setText(u"sweep"_s);
        QVERIFY(palette.shownCount() <= 2);
        ShortcutSheet sheet(actions, m_window.get());
        QVERIFY(!m_window->menuBar()->actions().isEmpty());
    }

    void everythingHasAnAccessibleName()
    {
        m_window->showProblem(chainProblem(9), nullptr);
        settle();
        for (QWidget* widget : m_window->findChildren<QWidget*>()) {
            if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisible() || qobject_cast<QLabel*>(widget))
                continue;
            const auto* button = qobject_cast<QAbstractButton*>(widget);
            const bool isOwn = widget->metaObject()->className() == QByteArray("poet::LimitSlider") || qobject_cast<QComboBox*>(widget) || qobject_cast<QLineEdit*>(widget) ||
                               qobject_cast<QAbstractScrollArea*>(widget);
            if (button)
                QVERIFY2(!button->text().isEmpty() || !button->accessibleName().isEmpty(), widget->metaObject()->className());
            else if (isOwn && !widget->objectName().startsWith(u"qt_"_s) && !qobject_cast<QComboBox*>(widget->parentWidget()) && qstrcmp(widget->metaObject()->className(), "QScrollArea") != 0)
                QVERIFY2(!widget->accessibleName().isEmpty(), qPrintable(QString::fromLatin1(widget->metaObject()->className()) + u' ' + widget->objectName()));
        }
    }

    void searchSelectsWhatItFinds()
    {
        m_window->showProblem(chainProblem(12), nullptr);
        settle();
        SearchField& field = m_window->searchField();
        field.setFocus();
        QTest::keyClicks(&field, u"op7 phase:backward"_s);
        QCOMPARE(field.results().size(), 1U);
        QTest::keyClick(&field, Qt::Key_Return);
        QCOMPARE(m_window->state().selection().node, field.results().front());
    }

    void stepModeExplainsEveryEvent()
    {
        m_window->showProblem(chainProblem(8), nullptr);
        settle();
        StepBar& bar = m_window->stepBar();
        bar.move(1);
        settle();
        QCOMPARE(m_window->state().cursorStep(), 0);
        QVERIFY(bar.sentence().contains(u"op0"_s));
        QVERIFY(m_window->dagView().itemOf(5)->look().hasState);
        QCOMPARE(m_window->dagView().itemOf(5)->look().state, TensorState::NotYet);
        for (int i = 0; i < 40; ++i)
            bar.move(1);
        settle();
        QVERIFY(!bar.isPlaying());
        bar.leave();
        settle();
        QCOMPARE(m_window->state().cursorStep(), -1);
        QVERIFY(!m_window->dagView().itemOf(5)->look().hasState);
    }

    void reportIsWritten()
    {
        QTemporaryDir folder;
        m_window->showProblem(chainProblem(14), nullptr);
        settle();
        const QString path = folder.filePath(u"report.pdf"_s);
        QVERIFY(waitFor([&](const WhenWritten& then) { m_window->writeReport(path, then); }));
        QVERIFY(QFileInfo(path).size() > 5000);
    }

    void jobDeadlinesBecomeTimesOfOneStep()
    {
        m_window->showProblem(chainProblem(14), nullptr);
        settle();
        QLineEdit* field = m_window->constraints().deadlineField();
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, u"1 h / 36000 steps"_s);
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(m_window->state().controls().query.deadlineSeconds);
        QVERIFY(std::abs(*m_window->state().controls().query.deadlineSeconds - 0.1) < 1e-12);
    }

    void lessonsDriveTheWindow()
    {
        m_window->showProblem(chainProblem(14), nullptr);
        settle();
        LessonStep step;
        step.memory = u"25%span"_s;
        step.strategy = u"paging"_s;
        step.text = u"x"_s;
        Lesson lesson{u"t"_s, {step, step}};
        m_window->findChild<LessonPanel*>()->start(lesson);
        settle();
        QCOMPARE(m_window->state().controls().query.strategy, Strategy::Paging);
        QVERIFY(m_window->state().controls().query.memoryBytes < m_window->state().problem()->keepAllPeakBytes);
    }

    void theWindowOpensNoWiderThanAsked()
    {
        MainWindow& window = *m_window;
        QVERIFY2(window.width() <= 1440, qPrintable(QString::number(window.width())));
        QVERIFY(window.minimumSizeHint().width() <= 1200);
        // What is known stays in sight.
        window.showProblem(chainProblem(14), nullptr);
        settle();
        const auto* headline = window.findChild<QLabel*>(u"statusHeadline"_s);
        QVERIFY(headline && !headline->visibleRegion().isEmpty());
    }

    void docksHideAndComeBack()
    {
        const auto docks = m_window->findChildren<QDockWidget*>();
        QVERIFY(docks.size() >= 7);
        for (QDockWidget* dock : docks)
            dock->hide();
        m_window->actions().action(u"view.reset"_s)->trigger();
        settle();
        for (QDockWidget* dock : docks)
            QVERIFY2(!dock->isHidden() || dock->objectName() == u"lessonDock"_s, qPrintable(dock->objectName()));
    }
};

POET_QTEST_MAIN(WindowTest)
#include "window_test.moc"

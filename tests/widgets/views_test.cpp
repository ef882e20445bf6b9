// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/support/hand_made.h"
#include "tests/widgets/support/scripted.h"
#include "tests/widgets/support/test_main.h"
#include "widgets/controls/constraints_panel.h"
#include "widgets/controls/limit_slider.h"
#include "widgets/controls/model_panel.h"
#include "widgets/dag/dag_view.h"
#include "widgets/export/view_exporter.h"
#include "widgets/inspector/search_field.h"
#include "widgets/pareto/pareto_chart.h"
#include "widgets/style/text.h"
#include "widgets/teaching/lesson_panel.h"
#include "widgets/teaching/step_bar.h"
#include "widgets/timeline/timeline_view.h"
#include "widgets/window/action_registry.h"
#include "widgets/window/command_palette.h"
#include "widgets/window/main_window.h"
#include "widgets/window/message_bar.h"

#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QSet>
#include <QToolButton>

using namespace poet;
using namespace poet::test;
using namespace Qt::StringLiterals;

class ViewsTest : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<MainWindow> m_window;
    ScriptedBackend* m_backend = nullptr;
    ManualTimer* m_timer = nullptr;

    static void settle()
    {
        for (int i = 0; i < 5; ++i)
            QCoreApplication::processEvents();
    }

    void makeWindow()
    {
        WindowServices services;
        m_backend = new ScriptedBackend;
        m_timer = new ManualTimer;
        services.interactive = m_backend;
        services.sweep = new ScriptedBackend;
        services.timer = m_timer;
        services.examples = {{u"Example"_s, u"A lesson"_s, u"/nowhere.onnx"_s, u"paper-a72"_s}};
        m_window = std::make_unique<MainWindow>(std::move(services));
        m_window->resize(1440, 900);
        m_window->show();
        settle();
    }

    void solveAt(std::int64_t memory)
    {
        Controls controls = m_window->state().controls();
        controls.query.memoryBytes = memory;
        m_window->state().editControls(controls, u"memory"_s);
        m_timer->fire();
        if (m_backend->isRunning())
            m_backend->answer(m_backend->requests().last());
        settle();
    }

    static QImage picture(QWidget& widget, const QString& name)
    {
        const QImage image = widget.grab().toImage().convertToFormat(QImage::Format_RGB32);
        QDir().mkpath(QStringLiteral(POET_PICTURE_DIR));
        image.save(QStringLiteral(POET_PICTURE_DIR "/") + name + u".png"_s);
        return image;
    }

    static int differentColors(const QImage& image)
    {
        QSet<QRgb> colors;
        for (int y = 0; y < image.height(); y += 2)
            for (int x = 0; x < image.width(); x += 2)
                colors.insert(image.pixel(x, y));
        return static_cast<int>(colors.size());
    }

    static bool isNear(const QColor& a, const QColor& b, int tolerance = 24)
    {
        return std::abs(a.red() - b.red()) <= tolerance && std::abs(a.green() - b.green()) <= tolerance && std::abs(a.blue() - b.blue()) <= tolerance;
    }

private Q_SLOTS:
    void init()
    {
        QApplication::setPalette(style::lightPalette());
        makeWindow();
    }
    void cleanup() { m_window.reset(); }

    void startPageIsShownWithoutAModel()
    {
        QVERIFY(m_window->findChild<StartPage*>()->isVisible());
        QVERIFY(!m_window->dagView().isVisible());
        QVERIFY(differentColors(picture(*m_window, u"start"_s)) > 20);
    }

    void everyPaneFillsInBothPalettes_data()
    {
        QTest::addColumn<bool>("isDark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void everyPaneFillsInBothPalettes()
    {
        QFETCH(bool, isDark);
        QApplication::setPalette(isDark ? style::darkPalette() : style::lightPalette());
        m_window->showProblem(chainProblem(14), nullptr);
        settle();
        solveAt(m_window->state().problem()->wallBytes + 9000);
        m_window->state().selectNode(5);
        settle();
        const QImage all = picture(*m_window, isDark ? u"window-dark"_s : u"window-light"_s);
        QVERIFY(differentColors(all) > 60);
        for (QWidget* view : {static_cast<QWidget*>(&m_window->dagView()), static_cast<QWidget*>(&m_window->timelineView()), static_cast<QWidget*>(&m_window->paretoChart())}) {
            const QImage image = view->grab().toImage();
            QVERIFY2(differentColors(image) > 5, qPrintable(view->objectName()));
            // The corner pixel is background, not the other theme's.
            QCOMPARE(QColor(image.pixel(2, 2)).lightness() < 128, isDark);
        }
    }

    void budgetLineLiesOnItsComputedRow()
    {
        m_window->showProblem(chainProblem(14), nullptr);
        settle();
        solveAt(m_window->state().problem()->wallBytes + 9000);
        TimelineView& timeline = m_window->timelineView();
        const QImage image = timeline.viewport()->grab().toImage();
        const MemoryScale scale = timeline.memoryScale();
        const int row = static_cast<int>(std::round(scale.mapBytesToY(static_cast<double>(m_window->state().controls().query.memoryBytes))));
        const QColor wanted = style::color(style::Meaning::OverBudget, style::lightPalette());
        int hits = 0;
        const QRectF area = timeline.memoryRect();
        for (int x = static_cast<int>(area.left()) + 5; x < static_cast<int>(area.right()) - 5; ++x)
            for (int dy = -1; dy <= 1; ++dy)
                if (isNear(QColor(image.pixel(x, row + dy)), wanted)) {
                    ++hits;
                    break;
                }
        QVERIFY2(hits > area.width() / 3, qPrintable(QString::number(hits)));
    }

    void lanesAreWhereTheAxisPutsThem()
    {
        m_window->showProblem(chainProblem(14), nullptr);
        settle();
        solveAt(m_window->state().problem()->wallBytes + 9000);
        TimelineView& timeline = m_window->timelineView();
        const QImage image = timeline.viewport()->grab().toImage();
        QVERIFY(!timeline.model().lane(LaneKind::PageOut).empty());
        const QColor wanted[] = {style::color(style::Meaning::Forward, style::lightPalette()), QColor(), style::color(style::Meaning::PageIn, style::lightPalette()),
                                 style::color(style::Meaning::PageOut, style::lightPalette())};
        for (LaneKind kind : {LaneKind::Compute, LaneKind::PageIn, LaneKind::PageOut}) {
            const TimelineEvent& event = timeline.model().lane(kind).front();
            const int x = static_cast<int>(timeline.axis().mapTimeToX(event.begin)) + 2;
            const int y = static_cast<int>(timeline.laneRect(kind).bottom()) - 4;
            QVERIFY2(isNear(QColor(image.pixel(x, y)), wanted[static_cast<int>(kind)]), qPrintable(QColor(image.pixel(x, y)).name()));
        }
        // Recompute, page-in and page-out differ by more than colour.
        QVERIFY(style::hatch(style::Meaning::Recompute, style::lightPalette()).style() != Qt::SolidPattern);
        QVERIFY(!style::badge(style::Meaning::PageIn).isEmpty() && style::badge(style::Meaning::PageIn) != style::badge(style::Meaning::PageOut));
    }

    void everyBoxLiesInTheScene()
    {
        m_window->showProblem(chainProblem(30), nullptr);
        settle();
        DagView& view = m_window->dagView();
        QCOMPARE(view.model().boxes.size(), m_window->state().problem()->graph->nodes.size());
        for (NodeId node = 0; node < m_window->state().problem()->graph->size(); ++node) {
            BoxItem* item = view.itemOf(node);
            QVERIFY(item);
            QVERIFY(view.sceneRect().contains(item->sceneBoundingRect()));
        }
        QCOMPARE(view.layout().engine, std::string("ladder"));
    }

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

    void dragMeasuresARange()
    {
        m_window->showProblem(chainProblem(14), nullptr);
        settle();
        TimelineView& timeline = m_window->timelineView();
        const QRectF lane = timeline.memoryRect();
        const QPoint from(static_cast<int>(lane.left() + lane.width() * 0.2), static_cast<int>(lane.center().y()));
        const QPoint to(static_cast<int>(lane.left() + lane.width() * 0.5), static_cast<int>(lane.center().y()));
        QTest::mousePress(timeline.viewport(), Qt::LeftButton, {}, from);
        QTest::mouseMove(timeline.viewport(), to);
        QTest::mouseRelease(timeline.viewport(), Qt::LeftButton, {}, to);
        QVERIFY(timeline.range());
        QVERIFY(timeline.rangeText().contains(u"ms"_s));
        QTest::keyClick(&timeline, Qt::Key_Escape);
        QVERIFY(!timeline.range());
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

    void sliderBandsShowWhatIsKnown()
    {
        LimitSlider slider;
        slider.resize(400, 50);
        slider.setRange(0, 100);
        slider.setBands(20, 60);
        slider.setValue(90);
        const QImage image = slider.grab().toImage();
        const auto ink = [&](double from, double to) {  // pixels unlike their left neighbour: pattern
            int changes = 0;
            for (int y = 11; y < 17; ++y)
                for (int x = static_cast<int>(slider.positionOf(from)) + 3; x < static_cast<int>(slider.positionOf(to)) - 3; ++x)
                    changes += image.pixel(x, y) != image.pixel(x - 1, y);
            return changes;
        };
        QVERIFY(ink(0, 20) > 5);    // hatched
        QVERIFY(ink(20, 60) > 5);   // dotted
        QCOMPARE(ink(62, 85), 0);   // solid
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
        QVERIFY(m_window->writeSchedule(out));
        m_window->openFile(out);
        QTRY_COMPARE(m_window->state().problem()->title, u"plan.json"_s);
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

    void paretoPointsAreWhereTheyAreClicked()
    {
        m_window->showProblem(chainProblem(14), nullptr);
        settle();
        solveAt(m_window->state().problem()->wallBytes + 9000);
        ParetoChart& chart = m_window->paretoChart();
        for (const ParetoPoint& point : m_window->paretoModel().points()) {
            const auto found = chart.pointAt(chart.positionOf(point).toPoint());
            QVERIFY(found);
            QCOMPARE(found->memoryBytes, point.memoryBytes);
        }
        chart.setPercent(true);
        chart.setLogarithmic(true);
        QVERIFY(!chart.isLogarithmic());  // 0 % has no logarithm
        chart.setPercent(false);
        chart.setLogarithmic(true);
        QVERIFY(chart.isLogarithmic());
        QCOMPARE(chart.hiddenPoints(), 0);
    }

    void exportsAreWrittenOrRefusedWithAReason()
    {
        QTemporaryDir folder;
        ExportPicture picture;
        picture.title = u"Title"_s;
        picture.size = QSize(300, 200);
        picture.draw = [](QPainter& painter, const QRect& area) { painter.fillRect(area.adjusted(50, 50, -50, -50), Qt::red); };
        for (const QString& ending : {u"png"_s, u"svg"_s, u"pdf"_s}) {
            const QString path = folder.filePath(u"a."_s + ending);
            QVERIFY(ViewExporter::write(picture, path));
            QVERIFY(QFileInfo(path).size() > 300);
        }
        const QImage image(folder.filePath(u"a.png"_s));
        QCOMPARE(image.size(), QSize(600, 2 * (200 + ViewExporter::kTitleHeight)));
        QCOMPARE(QColor(image.pixel(300, 2 * 128)), QColor(Qt::red));
        QVERIFY(!ViewExporter::write(picture, folder.filePath(u"a.xyz"_s)));
        QVERIFY(!ViewExporter::write(picture, u"/nonexistent/a.png"_s));
        picture.emptyReason = u"nothing"_s;
        const auto refused = ViewExporter::write(picture, folder.filePath(u"b.png"_s));
        QVERIFY(!refused);
        QCOMPARE(refused.error().message, std::string("nothing"));
    }

    void reportIsWritten()
    {
        QTemporaryDir folder;
        m_window->showProblem(chainProblem(14), nullptr);
        settle();
        const QString path = folder.filePath(u"report.pdf"_s);
        QVERIFY(m_window->writeReport(path));
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

    void paletteContrastsAreReadable()
    {
        for (const QPalette& palette : {style::lightPalette(), style::darkPalette()}) {
            QVERIFY(style::contrast(palette.color(QPalette::Text), palette.color(QPalette::Base)) >= 4.5);
            QVERIFY(style::contrast(palette.color(QPalette::WindowText), palette.color(QPalette::Window)) >= 4.5);
            QVERIFY(style::contrast(palette.color(QPalette::PlaceholderText), palette.color(QPalette::Base)) >= 4.5);
            QVERIFY(style::contrast(palette.color(QPalette::PlaceholderText), palette.color(QPalette::Window)) >= 4.5);
            QVERIFY(style::contrast(palette.color(QPalette::HighlightedText), palette.color(QPalette::Highlight)) >= 4.5);
            QVERIFY(style::contrast(palette.color(QPalette::Link), palette.color(QPalette::Base)) >= 4.5);
            for (style::Meaning meaning : {style::Meaning::Forward, style::Meaning::Backward, style::Meaning::Recompute, style::Meaning::PageOut, style::Meaning::PageIn, style::Meaning::OverBudget}) {
                const QColor fill = style::color(meaning, palette);
                QVERIFY(style::contrast(style::textOn(fill), fill) >= 4.5);
            }
        }
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

POET_QTEST_MAIN(ViewsTest)
#include "views_test.moc"

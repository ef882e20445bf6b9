// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/support/window_fixture.h"
#include "widgets/inspector/compare_panel.h"
#include "widgets/teaching/side_by_side.h"

#include <QSignalSpy>

using namespace poet;
using namespace poet::test;
using namespace Qt::StringLiterals;

class ViewsTest : public WindowFixture {
    Q_OBJECT

private Q_SLOTS:
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

    /// Once read past the end of the old plan's steps: the document has a new plan, the view hears of it a turn later.
    void paintingBetweenAChangeAndItsNewsReadsNoOldSteps()
    {
        m_window->showProblem(chainProblem(14), nullptr);
        settle();
        solveAt(m_window->state().problem()->keepAllPeakBytes);
        m_window->state().selectNode(3);
        settle();
        TimelineView& timeline = m_window->timelineView();
        const std::size_t before = timeline.model().beginOf.size();
        const ProblemPtr problem = m_window->state().problem();
        const PlanPtr paged = planOf(*problem, pagedSchedule(*problem->graph, {1, 2, 3, 4, 5, 6, 7, 8}));
        m_window->state().cache().insert(*problem, paged);
        Controls controls = m_window->state().controls();
        controls.query.memoryBytes = memoryNeed(*problem->graph, *paged);
        m_window->state().setControlsDirectly(controls);
        QCOMPARE(m_window->state().plan(), paged);
        QVERIFY(paged->replay.schedule.steps.size() > before);
        timeline.viewport()->grab();
        QCOMPARE(timeline.model().beginOf.size(), paged->replay.schedule.steps.size());
    }

    void strategiesStandSideBySide()
    {
        m_window->showProblem(chainProblem(14), nullptr);
        settle();
        solveAt(m_window->state().problem()->wallBytes + 9000);
        SideBySide view(m_window->state());
        QSignalSpy picked(&view, &SideBySide::strategyPicked);
        view.resize(900, 220);
        view.show();
        settle();
        QCOMPARE(view.columns().size(), 4U);
        QVERIFY(!view.columns()[0].fits && view.columns()[0].plan);  // keep-all: drawn, over the budget
        QVERIFY(view.columns()[1].fits);                             // the scripted plan pages only
        QVERIFY(!view.columns()[2].plan);                            // nothing is known of recomputing
        QVERIFY(view.columns()[3].fits);
        const QImage image = picture(view, u"side-by-side"_s);
        const QColor over = style::color(style::Meaning::OverBudget, style::lightPalette());
        const auto hits = [&](int column) {
            int count = 0;
            const QRect area = view.columnRect(column).toRect();
            for (int y = area.top() + 60; y < area.bottom() - 3; ++y)
                for (int x = area.left() + 8; x < area.right() - 8; x += 2)
                    count += isNear(QColor(image.pixel(x, y)), over);
            return count;
        };
        QVERIFY(hits(0) > 2 * hits(1));  // the excess is hatched
        QTest::mouseClick(&view, Qt::LeftButton, {}, view.columnRect(1).center().toPoint());
        QCOMPARE(picked.count(), 1);
        QCOMPARE(picked.first().first().value<Strategy>(), Strategy::Paging);
    }

    void comparingTellsWhatDiffers()
    {
        const ProblemPtr a = chainProblem(14);
        const ProblemPtr b = chainProblem(20);
        const auto same = compareProblems(*a, *a, a->keepAll.get());
        for (const ComparedFigure& figure : same)
            QVERIFY2(figure.difference.isEmpty(), qPrintable(figure.name));
        QVERIFY(same.size() > 9);  // the shown plan is replayed there, too
        const auto different = compareProblems(*a, *b, a->keepAll.get());
        QCOMPARE(different.size(), same.size() - 3);  // another graph: its plan cannot be replayed
        QVERIFY(!different[2].difference.isEmpty());
    }
};

POET_QTEST_MAIN(ViewsTest)
#include "views_test.moc"

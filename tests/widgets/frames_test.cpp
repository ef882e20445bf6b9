// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/support/hand_made.h"
#include "tests/widgets/support/test_main.h"
#include "widgets/dag/dag_view.h"
#include "widgets/timeline/timeline_view.h"

#include <QScrollBar>
#include <QSignalSpy>

#include <cmath>
#include <cstdio>
#include <ctime>

using namespace poet;
using namespace poet::test;
using namespace Qt::StringLiterals;

/// Frame times of large views while they are panned and zoomed: each frame shows another part. Time on the processor,
/// which a shared machine cannot spoil; printed, and checked with room for a slow one.
class FramesTest : public QObject {
    Q_OBJECT

    static constexpr double kPromisedMilliseconds = 16;

    static double processorMilliseconds() { return 1000.0 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

    static void figure(const QString& what, double milliseconds)
    {
        std::printf("FIGURE %-72s %8.2f ms (16 promised)\n", qPrintable(what), milliseconds);
        std::fflush(stdout);
    }

    template <class Move>
    static double meanFrame(QWidget& viewport, const Move& move)
    {
        QImage canvas(viewport.size(), QImage::Format_ARGB32_Premultiplied);
        constexpr int kFrames = 20;
        const double start = processorMilliseconds();
        for (int i = 0; i < kFrames; ++i) {
            move(static_cast<double>(i) / (kFrames - 1));
            viewport.render(&canvas);
        }
        return (processorMilliseconds() - start) / kFrames;
    }

    static void scroll(QScrollBar& bar, double share) { bar.setValue(bar.minimum() + static_cast<int>((bar.maximum() - bar.minimum()) * share)); }

private Q_SLOTS:
    void aGraphOf2000Boxes()
    {
        DocumentState state;
        LayoutService layouts{QString()};
        DagView view(state, layouts);
        QSignalSpy shown(&view, &DagView::layoutShown);
        view.resize(900, 700);
        view.show();
        state.setProblem(chainProblem(1000));
        QTRY_VERIFY_WITH_TIMEOUT(!shown.isEmpty(), 20000);
        QVERIFY(view.model().boxes.size() > 1900);
        for (double scale : {1.0, 0.5, 0.4, 0.35, 0.2, 0.1, 0.05, 0.02}) {
            view.zoomTo(scale);
            const double frame = meanFrame(*view.viewport(), [&](double share) { scroll(*view.verticalScrollBar(), share); });
            figure(u"panning %1 boxes at scale %2"_s.arg(view.model().boxes.size()).arg(scale), frame);
            QVERIFY(frame < 2 * kPromisedMilliseconds);
        }
        const double zooming = meanFrame(*view.viewport(), [&](double share) { view.zoomTo(0.02 * std::pow(60.0, share)); });
        figure(u"zooming from all to one box"_s, zooming);
        QVERIFY(zooming < 2 * kPromisedMilliseconds);
    }

    void aTimelineOf20000Steps()
    {
        // About 6,000 runs of nodes, 6,000 transfers and 9,000 frees.
        const ProblemPtr problem = chainProblem(3000);
        std::set<NodeId> paged;
        for (NodeId node = 1; node < 2999; ++node)
            paged.insert(node);
        const PlanPtr plan = planOf(*problem, pagedSchedule(*problem->graph, paged));
        QVERIFY(plan->replay.schedule.steps.size() >= 20000);
        DocumentState state;
        state.setProblem(problem);
        state.cache().insert(*problem, plan);
        Controls controls = state.controls();
        controls.query.memoryBytes = memoryNeed(*problem->graph, *plan);
        state.setControlsDirectly(controls);
        state.cacheGrew();
        QCOMPARE(state.plan(), plan);
        TimelineView view(state);
        view.resize(1400, 300);
        view.show();
        view.setUnit(TimelineUnit::Time);
        for (const auto& [name, form] : {std::pair("total", MemoryForm::Total), std::pair("stacked", MemoryForm::Stacked), std::pair("blocks", MemoryForm::Blocks)}) {
            view.setMemoryForm(form);
            view.fitAll();
            for (const double zoom : {1.0, 8.0, 8.0, 8.0}) {
                view.zoomBy(zoom);
                const double frame = meanFrame(*view.viewport(), [&](double share) { scroll(*view.horizontalScrollBar(), share); });
                figure(u"panning %1 steps, %2, %3 of %4 s shown"_s.arg(plan->replay.schedule.steps.size()).arg(QString::fromLatin1(name)).arg(view.axis().end - view.axis().begin, 0, 'g', 3).arg(view.model().length, 0, 'g', 3), frame);
                QVERIFY(frame < 2 * kPromisedMilliseconds);
            }
        }
    }
};

POET_QTEST_MAIN(FramesTest)
#include "frames_test.moc"

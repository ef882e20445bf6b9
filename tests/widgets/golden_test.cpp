// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/support/hand_made.h"
#include "tests/widgets/support/picture_map.h"
#include "tests/widgets/support/test_main.h"
#include "widgets/dag/dag_view.h"
#include "widgets/pareto/heat_map.h"
#include "widgets/pareto/pareto_chart.h"
#include "widgets/timeline/timeline_view.h"

#include <QFile>
#include <QDir>
#include <QSignalSpy>

using namespace poet;
using namespace poet::test;
using namespace Qt::StringLiterals;

/// Stored appearance of each view: what colour is where, in cells of a few pixels. POET_UPDATE_GOLDEN=1 writes the files
/// anew; look at the differences before you commit them.
class GoldenTest : public QObject {
    Q_OBJECT

    static constexpr double kTolerancePercent = 4;

    std::unique_ptr<DocumentState> m_state;

    static void settle()
    {
        for (int i = 0; i < 5; ++i)
            QCoreApplication::processEvents();
    }

    static QString pathOf(const QString& name) { return QStringLiteral(POET_SOURCE_DIR "/tests/golden/views/") + name + u".txt"_s; }

    static QStringList stored(const QString& name)
    {
        QFile file(pathOf(name));
        return file.open(QIODevice::ReadOnly) ? QString::fromLatin1(file.readAll()).split(u'\n', Qt::SkipEmptyParts) : QStringList();
    }

    static QImage imageOf(QWidget& view, const QSize& size)
    {
        view.resize(size);
        view.show();
        settle();
        return view.grab().toImage().convertToFormat(QImage::Format_RGB32);
    }

    static void compare(const QString& name, const QImage& image)
    {
        const QStringList map = pictureMap(image);
        QDir().mkpath(QStringLiteral(POET_PICTURE_DIR));
        image.save(QStringLiteral(POET_PICTURE_DIR "/golden-") + name + u".png"_s);
        if (qEnvironmentVariableIsSet("POET_UPDATE_GOLDEN")) {
            QFile file(pathOf(name));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(map.join(u'\n').toLatin1() + '\n');
            return;
        }
        const double difference = mapDifferencePercent(stored(name), map);
        if (difference > kTolerancePercent)
            qWarning("%s", qPrintable(u"now:\n"_s + map.join(u'\n') + u"\nstored:\n"_s + stored(name).join(u'\n')));
        QVERIFY2(difference <= kTolerancePercent, qPrintable(u"%1: %2 % of the coloured cells differ"_s.arg(name).arg(difference)));
    }

private Q_SLOTS:
    void init()
    {
        m_state = std::make_unique<DocumentState>();
        m_state->setProblem(chainProblem(14));
        const Problem& problem = *m_state->problem();
        for (const std::set<NodeId>& paged : {std::set<NodeId>{7}, std::set<NodeId>{6, 7}, std::set<NodeId>{3, 4, 5, 6, 7}})
            m_state->cache().insert(problem, planOf(problem, pagedSchedule(*problem.graph, paged)));
        Controls controls = m_state->controls();
        controls.query.memoryBytes = memoryNeed(*problem.graph, *m_state->cache().plans(problem)[1]);
        m_state->setControlsDirectly(controls);
        m_state->cacheGrew();
        settle();
        QVERIFY(m_state->planFits());
        QVERIFY(m_state->plan()->replay.pagedOutBytes > 0);
    }

    void graphLooksAsStored()
    {
        LayoutService layouts{QString()};
        DagView view(*m_state, layouts);
        QSignalSpy shown(&view, &DagView::layoutShown);
        view.resize(480, 640);
        view.show();
        const Controls controls = m_state->controls();
        m_state->setProblem(m_state->problem());  // the view hears of it
        m_state->setControlsDirectly(controls);
        QTRY_VERIFY(!shown.isEmpty());
        view.fitAll();
        compare(u"graph"_s, imageOf(view, {480, 640}));
    }

    void timelineLooksAsStored_data()
    {
        QTest::addColumn<int>("form");
        QTest::newRow("timeline-total") << static_cast<int>(MemoryForm::Total);
        QTest::newRow("timeline-stacked") << static_cast<int>(MemoryForm::Stacked);
        QTest::newRow("timeline-blocks") << static_cast<int>(MemoryForm::Blocks);
    }
    void timelineLooksAsStored()
    {
        QFETCH(int, form);
        TimelineView view(*m_state);
        view.setMemoryForm(static_cast<MemoryForm>(form));
        settle();
        view.setUnit(TimelineUnit::Time);
        compare(QString::fromLatin1(QTest::currentDataTag()), imageOf(view, {840, 300}));
    }

    void paretoLooksAsStored()
    {
        ParetoModel model(*m_state);
        ParetoChart chart(model, *m_state);
        m_state->cacheGrew();
        compare(u"pareto"_s, imageOf(chart, {480, 320}));
    }

    void heatMapLooksAsStored()
    {
        HeatMap map(*m_state);
        compare(u"heat-map"_s, imageOf(map, {480, 320}));
    }

    /// The comparison must see what a user would see.
    void aVisibleBreakIsNoticed()
    {
        if (qEnvironmentVariableIsSet("POET_UPDATE_GOLDEN"))
            QSKIP("golden files are being written");
        TimelineView view(*m_state);
        view.setUnit(TimelineUnit::Time);
        view.setLaneHidden(LaneKind::PageOut, true);
        QVERIFY(mapDifferencePercent(stored(u"timeline-total"_s), pictureMap(imageOf(view, {840, 300}))) > kTolerancePercent);
        QImage blank(840, 300, QImage::Format_RGB32);
        blank.fill(Qt::white);
        QVERIFY(mapDifferencePercent(stored(u"timeline-total"_s), pictureMap(blank)) > 50);
        QVERIFY(mapDifferencePercent(stored(u"timeline-total"_s), stored(u"timeline-blocks"_s)) > kTolerancePercent);
    }

    /// Another font must not: only text differs.
    void anotherFontIsNoBreak()
    {
        if (qEnvironmentVariableIsSet("POET_UPDATE_GOLDEN"))
            QSKIP("golden files are being written");
        HeatMap map(*m_state);
        QFont font = map.font();
        font.setItalic(true);
        map.setFont(font);
        QVERIFY(mapDifferencePercent(stored(u"heat-map"_s), pictureMap(imageOf(map, {480, 320}))) <= kTolerancePercent);
    }
};

POET_QTEST_MAIN(GoldenTest)
#include "golden_test.moc"

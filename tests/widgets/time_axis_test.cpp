// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/support/test_main.h"
#include "widgets/timeline/time_axis.h"

using poet::TimeAxis;

class TimeAxisTest : public QObject {
    Q_OBJECT

private:
    static TimeAxis axis()
    {
        TimeAxis a;
        a.left = 100;
        a.width = 800;
        a.setFull(0, 4);
        return a;
    }

private Q_SLOTS:
    void mapsBothWays_data()
    {
        QTest::addColumn<double>("time");
        QTest::addColumn<double>("x");
        QTest::newRow("begin") << 0.0 << 100.0;
        QTest::newRow("quarter") << 1.0 << 300.0;
        QTest::newRow("end") << 4.0 << 900.0;
        QTest::newRow("left of the window") << -1.0 << -100.0;
    }
    void mapsBothWays()
    {
        QFETCH(double, time);
        QFETCH(double, x);
        QCOMPARE(axis().mapTimeToX(time), x);
        QCOMPARE(axis().mapXToTime(x) + 1, time + 1);
    }

    void zoomKeepsTheTimeUnderTheCursor_data()
    {
        QTest::addColumn<double>("factor");
        QTest::addColumn<double>("x");
        QTest::newRow("in, middle") << 2.0 << 500.0;
        QTest::newRow("in, left") << 3.0 << 220.0;
        QTest::newRow("in a lot") << 1000.0 << 777.0;
    }
    void zoomKeepsTheTimeUnderTheCursor()
    {
        QFETCH(double, factor);
        QFETCH(double, x);
        TimeAxis a = axis();
        const double before = a.mapXToTime(x);
        a.zoom(factor, x);
        QVERIFY(std::abs(a.mapXToTime(x) - before) < 1e-9);
        QVERIFY(a.end - a.begin < 4);
    }

    void neverLeavesTheFullRange()
    {
        TimeAxis a = axis();
        a.zoom(4, 200);
        a.pan(-1e6);
        QCOMPARE(a.begin, 0.0);
        a.pan(1e6);
        QCOMPARE(a.end, 4.0);
        a.zoom(1e-9, 500);
        QCOMPARE(a.begin, 0.0);
        QCOMPARE(a.end, 4.0);
        for (int i = 0; i < 100; ++i)
            a.zoom(10, 333);
        QVERIFY(a.end > a.begin);
    }

    void snapsToTheNearestEdgeWithinTolerance_data()
    {
        QTest::addColumn<double>("x");
        QTest::addColumn<double>("time");
        QTest::newRow("on it") << 300.0 << 1.0;
        QTest::newRow("near") << 305.0 << 1.0;
        QTest::newRow("too far") << 340.0 << 1.2;
        QTest::newRow("nearer of two") << 310.0 << 1.05;
    }
    void snapsToTheNearestEdgeWithinTolerance()
    {
        QFETCH(double, x);
        QFETCH(double, time);
        QVERIFY(std::abs(axis().snap(x, {0, 1.0, 1.05, 3}, 8) - time) < 1e-9);
    }

    void ticksAreRoundAndApart()
    {
        for (double length : {1e-6, 0.0123, 1.0, 7.3, 12345.0}) {
            TimeAxis a;
            a.left = 0;
            a.width = 900;
            a.setFull(0, length);
            const auto ticks = a.ticks(90);
            QVERIFY(ticks.size() >= 2);
            QVERIFY(ticks.size() <= 11);
            for (std::size_t i = 1; i < ticks.size(); ++i)
                QVERIFY(a.mapTimeToX(ticks[i]) - a.mapTimeToX(ticks[i - 1]) >= 89.9);
        }
    }

    void ensureVisibleMovesWithoutZooming()
    {
        TimeAxis a = axis();
        a.zoom(8, 100);
        const double span = a.end - a.begin;
        a.ensureVisible(3.5);
        QVERIFY(a.begin <= 3.5 && 3.5 <= a.end);
        QVERIFY(std::abs(a.end - a.begin - span) < 1e-12);
    }
};

POET_QTEST_MAIN(TimeAxisTest)
#include "time_axis_test.moc"

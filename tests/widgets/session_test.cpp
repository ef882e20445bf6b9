// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/cost_graph.h"
#include "tests/widgets/support/window_fixture.h"
#include "widgets/controls/device_box.h"
#include "widgets/pareto/plans_table.h"
#include "widgets/window/quit_signals.h"

#include <QAbstractItemModelTester>
#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QSignalSpy>

#include <csignal>

using namespace poet;
using namespace poet::test;
using namespace Qt::StringLiterals;

/// What stays from one start to the next, and the lists of plans and devices.
class SessionTest : public WindowFixture {
    Q_OBJECT

    DocumentState& state() { return m_window->state(); }

    static std::unique_ptr<MainWindow> windowOn(const QString& folder)
    {
        WindowServices services;
        services.interactive = new ScriptedBackend;
        services.sweep = new ScriptedBackend;
        services.timer = new ManualTimer;
        services.autosaveFolder = folder;
        auto window = std::make_unique<MainWindow>(std::move(services));
        window->show();
        return window;
    }

    static QString modelIn(const QTemporaryDir& folder)
    {
        const QString path = folder.filePath(u"chain.json"_s);
        QFile file(path);
        if (file.open(QIODevice::WriteOnly))
            file.write(QByteArray::fromStdString(toJson(chainGraph(9))));
        return path;
    }

    PlansTable& plansTable() { return *m_window->findChild<PlansTable*>(); }

    /// A plan for limits that were asked, in the cache.
    PlanPtr learn(std::int64_t memory, int paged)
    {
        auto plan = std::make_shared<Plan>(*planOf(*state().problem(), pagedSchedule(*state().problem()->graph, {static_cast<NodeId>(paged)})));
        plan->memoryBytes = memory;
        state().cache().insert(*state().problem(), plan);
        state().cacheGrew();
        settle();
        return plan;
    }

private Q_SLOTS:
    void quittingLosesNoPlan()
    {
        QTemporaryDir folder;
        const QString model = modelIn(folder);
        std::size_t plans = 0;
        {
            const auto window = windowOn(folder.path());
            window->openFile(model);
            QTRY_VERIFY(window->state().problem());
            Problem const& problem = *window->state().problem();
            for (const int node : {2, 3, 4})
                window->state().cache().insert(problem, planOf(problem, pagedSchedule(*problem.graph, {static_cast<NodeId>(node)})));
            Controls controls = window->state().controls();
            controls.query.memoryBytes = problem.wallBytes + 5000;
            controls.query.strategy = Strategy::Paging;
            window->state().editControls(controls, u"limits"_s);
            plans = window->state().cache().plans(problem).size();
            QVERIFY(window->close());
        }
        const auto next = windowOn(folder.path());
        QVERIFY(next->restoreSession());
        QTRY_VERIFY(next->state().problem());
        QCOMPARE(next->state().cache().plans(*next->state().problem()).size(), plans);
        QCOMPARE(next->state().controls().query.strategy, Strategy::Paging);
        QTRY_VERIFY(next->messageBar().text().contains(u"last session"_s));
        // It can be sent away.
        for (QPushButton* button : next->messageBar().findChildren<QPushButton*>())
            if (button->text() == u"Close it"_s)
                button->click();
        QVERIFY(!next->state().problem());
        QVERIFY(next->close());
        const auto empty = windowOn(folder.path());
        QVERIFY(!empty->restoreSession());
    }

    void asksOfTheSystemToEndAreHeard()
    {
        const QuitSignals wishes;
        QSignalSpy asked(&wishes, &QuitSignals::quitAsked);
        std::raise(SIGTERM);
        QTRY_COMPARE(asked.count(), 1);
    }

    /// The program itself: what is open is kept and nothing looks like a crash.
    void terminatingTheProgramIsNoCrash()
    {
        const QString program = QFileInfo(QStringLiteral(POET_COMMAND)).absolutePath() + u"/poet-explorer"_s;
        if (!QFileInfo(program).isExecutable())
            QSKIP("the explorer is not built");
        QTemporaryDir folder;
        const QString model = modelIn(folder);
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* name : {"HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"})
            environment.insert(QString::fromLatin1(name), folder.path());
        environment.insert(u"QT_QPA_PLATFORM"_s, u"offscreen"_s);
        process.setProcessEnvironment(environment);
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(program, {model});
        QVERIFY(process.waitForStarted());
        const auto files = [&](const QString& pattern) {
            QStringList found;
            QDirIterator all(folder.path(), {pattern}, QDir::Files, QDirIterator::Subdirectories);
            while (all.hasNext())
                found << all.next();
            return found;
        };
        // Saved for the case of a crash: the model is open.
        QTRY_VERIFY_WITH_TIMEOUT(!files(u"session-*.poet.json"_s).isEmpty(), 30000);
        process.terminate();
        QVERIFY(process.waitForFinished(20000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 0);
        QCOMPARE(files(u"session-*.poet.json"_s), QStringList());
        const QStringList kept = files(u"last.poet.json"_s);
        QCOMPARE(kept.size(), 1);
        const auto workspace = readWorkspace(kept.first());
        QVERIFY(workspace);
        QCOMPARE(QFileInfo(workspace->modelPath).canonicalFilePath(), QFileInfo(model).canonicalFilePath());
    }

    void anotherModelIsNotMistakenForTheLastOne()
    {
        QTemporaryDir folder;
        const QString model = modelIn(folder);
        {
            const auto window = windowOn(folder.path());
            window->openFile(model);
            QTRY_VERIFY(window->state().problem());
            window->close();
        }
        const auto next = windowOn(folder.path());
        QVERIFY(!next->restoreSession(folder.filePath(u"other.onnx"_s)));
        QVERIFY(next->restoreSession(model));
        QSettings().setValue(u"restoreSession"_s, false);
        QVERIFY(!windowOn(folder.path())->restoreSession());
        QSettings().remove(u"restoreSession"_s);
    }

    void plansOnTheWayAreHiddenUnlessNamedOrPinned()
    {
        m_window->showProblem(chainProblem(12), nullptr);
        settle();
        PlansFilter& filter = plansTable().filter();
        QAbstractItemModelTester tester(&filter, QAbstractItemModelTester::FailureReportingMode::QtTest);
        // A drag: three positions, of which only the last one was meant.
        const std::int64_t peak = state().problem()->keepAllPeakBytes;
        Controls controls = state().controls();
        std::vector<PlanPtr> plans;
        for (int i = 0; i < 3; ++i) {
            controls.query.memoryBytes = peak - 1 - i;
            state().editControls(controls, u"memory"_s, 77);
            plans.push_back(learn(controls.query.memoryBytes, 3 + i));
        }
        const auto isListed = [&](const PlanPtr& plan) {
            for (int row = 0; row < filter.rowCount(); ++row)
                if (filter.pointAt(filter.index(row, 0)).plan == plan)
                    return true;
            return false;
        };
        QVERIFY(state().isPassing({peak - 1, std::nullopt, Strategy::Integrated}));
        QVERIFY(!state().isPassing({peak - 3, std::nullopt, Strategy::Integrated}));
        const PlanPtr hidden = plans[0] == state().plan() ? plans[1] : plans[0];
        QVERIFY(!isListed(hidden));
        filter.setShowsAll(true);
        QVERIFY(isListed(hidden));
        filter.setShowsAll(false);
        state().setComparePlan(hidden);
        settle();
        QVERIFY(isListed(hidden));
        state().setComparePlan(nullptr);
        settle();
        QVERIFY(!isListed(hidden));
        state().setPlanName(*hidden, u"thrifty"_s);
        settle();
        QVERIFY(isListed(hidden));
    }

    void aNameIsTypedInTheTable()
    {
        m_window->showProblem(chainProblem(12), nullptr);
        settle();
        const PlanPtr plan = learn(state().problem()->keepAllPeakBytes, 4);
        PlansFilter& filter = plansTable().filter();
        QVERIFY(filter.rowCount() >= 1);
        const QModelIndex cell = filter.index(0, ParetoModel::NameColumn);
        QVERIFY(filter.flags(cell) & Qt::ItemIsEditable);
        QVERIFY(!(filter.flags(filter.index(0, ParetoModel::EnergyColumn)) & Qt::ItemIsEditable));
        const PlanPtr named = filter.pointAt(cell).plan;
        QVERIFY(filter.setData(cell, u" best so far "_s, Qt::EditRole));
        QCOMPARE(state().planName(*named), u"best so far"_s);
        settle();
        QVERIFY(filter.setData(filter.index(0, ParetoModel::NameColumn), QString(), Qt::EditRole));
        QVERIFY(state().planNames().isEmpty());
    }

    void devicesAreGroupedAndNamedInFull()
    {
        QTemporaryDir folder;
        const QString own = folder.filePath(u"mine.json"_s);
        QFile file(own);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.close();
        DeviceBox box;
        box.setDevices({{u"paper-m4"_s, u"nRF52840 as published"_s, u"256 KiB RAM"_s, DeviceGroup::Published},
                        {u"rpi4b"_s, u"Raspberry Pi 4 B with a very long name indeed"_s, u"4 GiB RAM, SD card"_s, DeviceGroup::Corrected}});
        const auto isHeading = [&](int row) { return !(box.model()->flags(box.model()->index(row, 0)) & Qt::ItemIsEnabled); };
        QCOMPARE(box.count(), 4);
        QVERIFY(isHeading(0) && !isHeading(1) && isHeading(2) && !isHeading(3));
        QCOMPARE(box.currentIndex(), -1);
        box.setDevice(u"rpi4b"_s);
        QCOMPARE(box.device(), u"rpi4b"_s);
        QVERIFY(box.currentText().contains(u"4 GiB RAM"_s));
        QVERIFY(box.toolTip().contains(u"a very long name indeed"_s));
        box.resize(120, box.sizeHint().height());
        QVERIFY(box.minimumSizeHint().width() < box.fontMetrics().horizontalAdvance(box.currentText()));
        box.setDevice(own);
        QCOMPARE(box.device(), own);
        DeviceBox next;
        next.setDevices({});
        QVERIFY(next.findData(own) > 0);  // below its heading
        QVERIFY(QFile::remove(own));
        next.setDevices({});
        QCOMPARE(next.count(), 0);
        box.setDevice(u"nosuch"_s);
        QVERIFY(box.device().isEmpty());
    }
};

POET_QTEST_MAIN(SessionTest)
#include "session_test.moc"

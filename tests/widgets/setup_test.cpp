// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explorer/model_readers.h"
#include "core/device/profile_store.h"
#include "core/device/resource_folder.h"
#include "core/export/plan_file.h"
#include "tests/widgets/support/waiting.h"
#include "tests/widgets/support/window_fixture.h"
#include "widgets/device/device_editor.h"
#include "widgets/device/flip_slider.h"
#include "widgets/device/quantity_model.h"
#include "widgets/device/sensitivity_panel.h"
#include "widgets/document/point_chooser.h"
#include "widgets/document/process_backend.h"

#include <QAbstractItemModelTester>
#include <QProcess>
#include <QSignalSpy>

using namespace poet;
using namespace poet::test;
using namespace Qt::StringLiterals;

/// Device, operating point and dimensions of a real model: changed, undone, edited. With the real readers.
class SetupTest : public WindowFixture {
    Q_OBJECT

    std::unique_ptr<MainWindow> m_real;
    ScriptedBackend* m_worker = nullptr;

    DocumentState& state() { return m_real->state(); }
    static QByteArray contentOf(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    bool hasDevice(const char* device) { return QTest::qWaitFor([&] { return state().problem() && state().problem()->setup.device == QLatin1String(device); }, 20000); }

    void choose(const QString& device)
    {
        m_real->modelPanel().setDevice(device);
        Q_EMIT m_real->modelPanel().setupEdited(m_real->modelPanel().setup());
    }

private Q_SLOTS:
    void init()
    {
        WindowServices services;
        services.readers = makeModelReaders();
        m_worker = new ScriptedBackend;
        services.interactive = m_worker;
        services.sweep = new ScriptedBackend;
        services.overhead = new ScriptedBackend;
        services.timer = new ManualTimer;
        services.overhead = new ProcessBackend(QStringLiteral(POET_COMMAND));
        m_real = std::make_unique<MainWindow>(std::move(services));
        m_real->show();
        m_real->openFile(QStringLiteral(POET_SOURCE_DIR "/examples/lenet5.onnx"), u"paper-m0"_s);
        QVERIFY(hasDevice("paper-m0"));
        settle();
    }
    void cleanup() { m_real.reset(); }

    void aDeviceChangeIsUndoneWithItsLimits()
    {
        Controls controls = state().controls();
        controls.query.memoryBytes = state().problem()->wallBytes + 1234;
        controls.query.strategy = Strategy::Paging;
        state().editControls(controls, u"memory"_s);
        choose(u"nrf52840"_s);
        QVERIFY(hasDevice("nrf52840"));
        const std::int64_t onNew = state().controls().query.memoryBytes;
        controls = state().controls();
        controls.query.memoryBytes = onNew + 100;
        state().editControls(controls, u"memory"_s);
        QCOMPARE(state().undoStack().count(), 3);
        // Two steps back at once: the second waits for no reading.
        state().undoStack().undo();
        state().undoStack().undo();
        QVERIFY(hasDevice("paper-m0"));
        QCOMPARE(state().controls().query.memoryBytes, state().problem()->wallBytes + 1234);
        QCOMPARE(state().controls().query.strategy, Strategy::Paging);
        settle();
        QCOMPARE(m_real->modelPanel().device(), u"paper-m0"_s);
        state().undoStack().redo();
        state().undoStack().redo();
        QVERIFY(hasDevice("nrf52840"));
        QCOMPARE(state().controls().query.memoryBytes, onNew + 100);
        state().undoStack().undo();
        QCOMPARE(state().controls().query.memoryBytes, onNew);
    }

    void dimensionsAreUndoneToo()
    {
        const std::int64_t one = state().problem()->keepAllPeakBytes;
        ModelSetup setup = m_real->modelPanel().setup();
        setup.dims = QStringList{u"batch=4"_s};
        Q_EMIT m_real->modelPanel().setupEdited(setup);
        QTRY_VERIFY(state().problem()->setup.dims == setup.dims);
        QVERIFY(state().problem()->keepAllPeakBytes > one);
        state().undoStack().undo();
        QTRY_COMPARE(state().problem()->keepAllPeakBytes, one);
    }

    void frozenLayersSaveAndItIsSaid()
    {
        const std::int64_t before = state().problem()->keepAllPeakBytes;
        ModelSetup setup = m_real->modelPanel().setup();
        setup.freeze = QStringList{u"last:1"_s};
        Q_EMIT m_real->modelPanel().setupEdited(setup);
        QTRY_VERIFY(state().problem()->setup.freeze == setup.freeze);
        settle();
        QVERIFY(state().problem()->keepAllPeakBytes < before);
        const auto* line = m_real->modelPanel().findChild<QLabel*>(u"setupChange"_s);
        QVERIFY(!line->isHidden());
        QVERIFY2(line->text().contains(text::bytes(state().problem()->keepAllPeakBytes)), qPrintable(line->text()));
        QCOMPARE(m_real->modelPanel().setup(), state().problem()->setup);
    }

    void typeAndStoreLimitsReachTheCosts()
    {
        const std::int64_t before = state().problem()->keepAllPeakBytes;
        ModelSetup setup = m_real->modelPanel().setup();
        setup.type = u"f16"_s;
        setup.maxWritten = u"1KiB"_s;
        setup.period = u"2s"_s;
        Q_EMIT m_real->modelPanel().setupEdited(setup);
        QTRY_VERIFY(state().problem()->setup.type == setup.type);
        QVERIFY(state().problem()->keepAllPeakBytes < before * 6 / 10);  // half of the bytes, but for indices
        QCOMPARE(state().problem()->graph->device.writeLimitBytesPerStep, std::optional<std::int64_t>(1024));
        QCOMPARE(state().problem()->graph->device.periodSeconds, std::optional(2.0));
        // Nonsense is refused and named, and the problem stays.
        setup.lifetimeSteps = u"many"_s;
        const ProblemPtr open = state().problem();
        Q_EMIT m_real->modelPanel().setupEdited(setup);
        QTRY_VERIFY(m_real->messageBar().text().contains(u"many"_s));
        QCOMPARE(state().problem(), open);
    }

    void anExportedPlanKnowsItsModel()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"plan.json"_s);
        QVERIFY(waitFor([&](const WhenWritten& then) { m_real->writeSchedule(path, then); }));
        const auto file = parsePlanFile(text::to(QString::fromUtf8(contentOf(path))), "plan");
        QVERIFY(file);
        const PlanSource& source = file->plan.source;
        QVERIFY(QFileInfo::exists(text::from(source.model)));
        QCOMPARE(source.device, std::string("paper-m0"));
        QCOMPARE(source.loss, std::string("cross-entropy"));
        // The command builds kernels from it.
        if (!QFileInfo(QStringLiteral(POET_COMMAND)).isExecutable())
            QSKIP("the command poet is not built");
        QProcess process;
        process.start(QStringLiteral(POET_COMMAND), {u"export"_s, path, u"--format"_s, u"c"_s, u"--with-kernels"_s, u"-o"_s, folder.filePath(u"firmware"_s)});
        QVERIFY(process.waitForFinished(60000));
        const QByteArray said = process.readAllStandardError();
        // The example ships without the content of its weights; that it was found and read is what counts here.
        QVERIFY2(process.exitCode() == 0 || said.contains("holds only the shape"), said.constData());
    }

    void anUnreadableSetupLeavesEverythingAsItWas()
    {
        ModelSetup setup = m_real->modelPanel().setup();
        setup.dims = QStringList{u"batch=fish"_s};
        const ProblemPtr before = state().problem();
        Q_EMIT m_real->modelPanel().setupEdited(setup);
        QTRY_VERIFY(!m_real->messageBar().text().isEmpty());
        QCOMPARE(state().problem(), before);
        QVERIFY(!state().undoStack().canUndo());
    }

    void operatingPointsOfTheDeviceCanBeChosen()
    {
        std::string device;
        std::string second;
        for (const std::string& id : ProfileStore().deviceIds()) {
            const auto profile = loadDevice(id);
            if (profile && profile->operatingPoints.size() > 1) {
                device = id;
                second = profile->operatingPoints[1].name;
                break;
            }
        }
        if (device.empty())
            QSKIP("no shipped device has two operating points");
        choose(text::from(device));
        QVERIFY(hasDevice(device.c_str()));
        QComboBox* box = m_real->constraints().operatingPointBox();
        QVERIFY(box->count() > 1);
        const double before = state().problem()->keepAll->replay.seconds;
        box->setCurrentIndex(box->findData(text::from(second)));
        Q_EMIT box->activated(box->currentIndex());
        QTRY_COMPARE(state().problem()->setup.operatingPoint, text::from(second));
        QVERIFY(state().problem()->keepAll->replay.seconds != before);
        state().undoStack().undo();
        QTRY_VERIFY(state().problem()->setup.operatingPoint.isEmpty());
        QCOMPARE(state().problem()->keepAll->replay.seconds, before);
    }

    void theBestPointIsAskedForAsTheCommandTakesIt()
    {
        Controls controls = state().controls();
        controls.query = {100000, 2.5, Strategy::Paging};
        const QStringList line = PointChooser::arguments(*state().problem(), controls);
        QCOMPARE(line[0], u"solve"_s);
        for (const auto& [option, value] : {std::pair(u"--operating-point"_s, u"auto"_s), std::pair(u"--memory"_s, u"100000"_s), std::pair(u"--deadline"_s, u"2.5s"_s),
                                            std::pair(u"--strategy"_s, u"paging"_s), std::pair(u"--device"_s, u"paper-m0"_s)})
            QCOMPARE(line.value(line.indexOf(option) + 1), value);
        if (!QFileInfo(QStringLiteral(POET_COMMAND)).isExecutable())
            QSKIP("the command poet is not built");
        PointChooser chooser(QStringLiteral(POET_COMMAND));
        QSignalSpy chosen(&chooser, &PointChooser::chosen);
        QSignalSpy failed(&chooser, &PointChooser::failed);
        controls = state().controls();
        controls.query.memoryBytes = state().problem()->keepAllPeakBytes;
        controls.query.deadlineSeconds.reset();
        chooser.ask(*state().problem(), controls);
        QTRY_VERIFY_WITH_TIMEOUT(!chosen.isEmpty() || !failed.isEmpty(), 30000);
        QVERIFY2(!chosen.isEmpty(), failed.isEmpty() ? "" : qPrintable(failed.first().first().toString()));
        controls.query.memoryBytes = 1;
        chooser.ask(*state().problem(), controls);
        QTRY_VERIFY_WITH_TIMEOUT(!failed.isEmpty(), 30000);
        chosen.clear();
        chooser.ask(*state().problem(), controls, 20.0);  // the memory is looked for then
        QTRY_VERIFY_WITH_TIMEOUT(!chosen.isEmpty(), 30000);
        const auto choice = chosen.first().first().value<PointChoice>();
        QVERIFY(choice.memoryBytes >= choice.boundBytes && choice.boundBytes >= state().problem()->wallBytes);
        QVERIFY(choice.memoryBytes <= state().problem()->keepAllPeakBytes);
    }

    void theSmallestMemoryAtAnyPointIsTakenWithItsPoint()
    {
        const auto ask = PointChooser::arguments(*state().problem(), state().controls(), 7.5);
        QCOMPARE(ask.value(ask.indexOf(u"--overhead-at-most"_s) + 1), u"7.5%"_s);
        QVERIFY(!ask.contains(u"--memory"_s));
        if (!QFileInfo(QStringLiteral(POET_COMMAND)).isExecutable())
            QSKIP("the command poet is not built");
        qputenv("POET_WORKER", POET_COMMAND);
        choose(u"stm32h743"_s);
        QVERIFY(hasDevice("stm32h743"));
        QComboBox* box = m_real->constraints().operatingPointBox();
        const int item = box->findData(QString::fromLatin1(ConstraintsPanel::kBestPointForOverhead));
        QVERIFY(item > 0);
        const qint64 before = state().controls().query.memoryBytes;
        box->setCurrentIndex(item);
        Q_EMIT box->activated(item);
        QTRY_VERIFY_WITH_TIMEOUT(!state().problem()->setup.operatingPoint.isEmpty(), 60000);
        QVERIFY(state().controls().query.memoryBytes != before);
        QVERIFY(state().controls().query.memoryBytes >= state().problem()->wallBytes);
    }

    void draftsAreValidProfilesAndNeverOverwriteShippedOnes()
    {
        auto draft = DeviceDraft::copyOf("nrf52840");
        QVERIFY(draft);
        QVERIFY(!draft->isEdited());
        QVERIFY(draft->complaints().empty());
        const std::string path = quantities(draft->profile()).front().path;
        QVERIFY(!draft->setText(path, "12 parsecs"));
        QVERIFY(!draft->setText(path, "fish"));
        QVERIFY(!draft->setValue("no.such.number", 1));
        QVERIFY(!draft->setValue(path, -1));
        const auto named = quantities(draft->profile());
        const auto power = std::find_if(named.begin(), named.end(), [](const NamedQuantity& one) { return one.dimension == Dimension::Power && one.path.find("active") != std::string::npos; });
        QVERIFY(power != named.end());
        const std::string powerPath = power->path;
        QVERIFY(draft->setText(powerPath, "123 mW"));
        QVERIFY(draft->isEdited());
        QTemporaryDir folder;
        const QString file = folder.filePath(u"mine.json"_s);
        QVERIFY(draft->save(text::to(file)));
        const auto again = loadDevice(text::to(file));
        QVERIFY(again);
        QCOMPARE(again->profileClass, ProfileClass::User);
        for (const NamedQuantity& one : quantities(*again))
            if (one.path == powerPath)
                QVERIFY(std::abs(one.quantity->value - 0.123) < 1e-12);
        const auto shipped = (resourceFolder() / "devices" / "nrf52840.json").string();
        const QByteArray before = [&] { QFile f(text::from(shipped)); return f.open(QIODevice::ReadOnly) ? f.readAll() : QByteArray(); }();
        const auto refused = draft->save(shipped);
        QVERIFY(!refused && !before.isEmpty());
        QVERIFY(!draft->save((resourceFolder() / "devices" / ".." / "devices" / "new.json").string()));
        draft->reset(powerPath);
        QVERIFY(!draft->isEdited());
        QVERIFY(draft->setValue(powerPath, 0));  // below idle: no valid profile, so it is not written
        QVERIFY(!draft->complaints().empty());
        QVERIFY(!draft->save(text::to(folder.filePath(u"bad.json"_s))));
        QVERIFY(!QFileInfo::exists(folder.filePath(u"bad.json"_s)));
    }

    void editorComparesImportsAndSaves()
    {
        DeviceEditor editor(state());
        QAbstractItemModelTester tester(&editor.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QVERIFY(editor.edit(u"nrf52840"_s));
        editor.setDevices({{u"nrf52840"_s, {}, {}}, {u"rpi4b"_s, {}, {}}});
        editor.compareWith(u"nrf52840"_s);
        for (int i = 0; i < editor.model().rowCount(); ++i)
            QVERIFY(!editor.model().isDifferent(i));
        editor.compareWith(u"rpi4b"_s);
        int different = 0;
        for (int i = 0; i < editor.model().rowCount(); ++i)
            different += editor.model().isDifferent(i);
        QVERIFY(different > 5);
        // The first operating point stands beside the other's first, whatever their names.
        for (int i = 0; i < editor.model().rowCount(); ++i)
            if (editor.model().pathAt(i).ends_with("].active_power") && editor.model().pathAt(i).starts_with("operating_points")) {
                QVERIFY(editor.model().index(i, QuantityModel::OtherColumn).data().toString().endsWith(u"W"_s));
                break;
            }
        QTemporaryDir folder;
        QFile rows(folder.filePath(u"rows.csv"_s));
        QVERIFY(rows.open(QIODevice::WriteOnly));
        rows.write("op,type,shape,seconds,joules\nstore.write,-,bytes=1024,0.002,0.0001\nstore.write,-,bytes=4096,0.005,0.0003\nstore.write,-,bytes=16384,0.017,0.0011\n");
        rows.close();
        editor.importRows(rows.fileName());
        QVERIFY2(editor.note().contains(u"3 rows"_s) && editor.draft().isEdited(), qPrintable(editor.note()));
        editor.importRows(folder.filePath(u"missing.csv"_s));
        QVERIFY(editor.note().contains(u"missing.csv"_s));
        const QString file = folder.filePath(u"mine.json"_s);
        QSignalSpy saved(&editor, &DeviceEditor::deviceSaved);
        QVERIFY(editor.save(file));
        QCOMPARE(saved.count(), 1);
        QVERIFY(loadDevice(text::to(file)));
    }

    void aHiddenEditorDoesNotMixTheNextModelWithThePlansOfTheLast()
    {
        DeviceEditor editor(state());
        QVERIFY(editor.edit(u"nrf52840"_s));
        Controls controls = state().controls();
        controls.query.memoryBytes = state().problem()->keepAllPeakBytes;  // keep-all fits: there is a plan to ask about
        state().editControls(controls, u"memory"_s);
        editor.sensitivity().plansChanged();
        QTRY_VERIFY(editor.sensitivity().verdict().contains(u"With these numbers"_s));
        m_real->showProblem(chainProblem(9), nullptr);  // a cost graph has no training graph to cost anew
        settle();
        editor.sensitivity().draftChanged();
        QTRY_VERIFY2(editor.sensitivity().verdict().contains(u"ONNX"_s), qPrintable(editor.sensitivity().verdict()));
        state().setProblem(nullptr);
        editor.sensitivity().draftChanged();
        QVERIFY(editor.sensitivity().verdict().contains(u"ONNX"_s));
    }

    void slidersTellWhereDecisionsFlip()
    {
        // Two plans: keep everything, and one that pages; the page store's energy decides between dear and cheap.
        const Problem& problem = *state().problem();
        std::set<NodeId> paged;
        for (NodeId node = 0; node < problem.graph->size() && paged.size() < 2; ++node)
            if (problem.graph->nodes[static_cast<std::size_t>(node)].phase == Phase::Forward && problem.graph->nodes[static_cast<std::size_t>(node)].pageable)
                paged.insert(node);
        Controls controls = state().controls();
        controls.query.memoryBytes = problem.keepAllPeakBytes;
        state().setControlsDirectly(controls);
        DeviceEditor editor(state());
        QVERIFY(editor.edit(u"paper-m0"_s));
        editor.show();
        SensitivityPanel& panel = editor.sensitivity();
        QVERIFY(panel.sliderCount() > 0);
        QTRY_VERIFY_WITH_TIMEOUT(!panel.isBusy(), 20000);
        QVERIFY2(panel.verdict().contains(u"A:"_s), qPrintable(panel.verdict()));
        FlipSlider& slider = *panel.slider(0);
        const double own = slider.value();
        slider.setFocus();
        QTest::keyClick(&slider, Qt::Key_PageUp);
        QVERIFY(std::abs(slider.value() / own - 1.1) < 1e-9);
        QVERIFY(editor.draft().isEdited());
        QTRY_VERIFY_WITH_TIMEOUT(!panel.isBusy(), 20000);
        QVERIFY(!panel.flipText(0).isEmpty());
        QTest::keyClick(&slider, Qt::Key_Home);
        QVERIFY(std::abs(slider.value() - own) < 1e-9 * own);
    }
};

POET_QTEST_MAIN(SetupTest)
#include "setup_test.moc"

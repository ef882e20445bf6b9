// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explorer/model_readers.h"
#include "tests/widgets/support/window_fixture.h"
#include "widgets/report/report_panel.h"
#include "widgets/report/report_texts.h"
#include "widgets/style/text_translator.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QDirIterator>
#include <QRegularExpression>
#include <QTableView>

using namespace poet;
using namespace poet::test;
using namespace Qt::StringLiterals;

/// The panel of the import report. With the real readers.
class ReportTest : public WindowFixture {
    Q_OBJECT

    std::unique_ptr<MainWindow> m_real;

    DocumentState& state() { return m_real->state(); }
    ReportPanel& panel() { return m_real->reportPanel(); }
    QAbstractItemModel* shown() { return panel().table().model(); }

    void openLenet(const QStringList& freeze = {})
    {
        const ProblemPtr before = state().problem();
        if (freeze.isEmpty()) {
            m_real->openFile(QStringLiteral(POET_SOURCE_DIR "/examples/lenet5.onnx"), u"paper-m4"_s);
        } else {
            ModelSetup setup = before->setup;
            setup.freeze = freeze;
            Q_EMIT m_real->modelPanel().setupEdited(setup);
        }
        QVERIFY(QTest::qWaitFor([&] { return state().problem() && state().problem() != before; }, 20000));
        settle();
    }

    /// Row of the first item with that name; -1 when there is none.
    int rowOf(const QString& item, const QString& section = {})
    {
        for (int row = 0; row < shown()->rowCount(); ++row)
            if (shown()->index(row, ReportModel::ItemColumn).data().toString() == item &&
                (section.isEmpty() || shown()->index(row, ReportModel::SectionColumn).data().toString() == section))
                return row;
        return -1;
    }

private Q_SLOTS:
    void init()
    {
        QApplication::setPalette(style::lightPalette());
        WindowServices services;
        services.readers = makeModelReaders();
        services.interactive = new ScriptedBackend;
        services.sweep = new ScriptedBackend;
        services.timer = new ManualTimer;
        m_real = std::make_unique<MainWindow>(std::move(services));
        m_real->resize(1280, 800);
        m_real->show();
        settle();
    }
    void cleanup() { m_real.reset(); }

    void withoutAModelItSaysWhatToDo()
    {
        const QAbstractItemModelTester tester(shown(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(shown()->rowCount(), 0);
        QVERIFY(panel().csv().isEmpty());
        QVERIFY(!panel().searchField()->isEnabled());
    }

    /// Line by line the text that `poet inspect` prints: the same rows, by the same code.
    void itHoldsTheTextOfPoetInspect()
    {
        openLenet();
        const auto rows = reportRows(*state().problem()->report);
        const QString text = text::from(reportText(*state().problem()->report));
        QCOMPARE(shown()->rowCount(), static_cast<int>(rows.size()));
        for (int row = 0; row < shown()->rowCount(); ++row)
            for (int column = 0; column < ReportModel::ColumnCount; ++column)
                QVERIFY2(text.contains(shown()->index(row, column).data().toString()), qPrintable(shown()->index(row, column).data().toString()));
        QCOMPARE(shown()->index(rowOf(u"largest working set"_s), ReportModel::ValueColumn).data(ReportModel::kSortRole).toDouble(), static_cast<double>(state().problem()->wallBytes));
        QCOMPARE(shown()->index(rowOf(u"energy"_s), ReportModel::ValueColumn).data(ReportModel::kSortRole).toDouble(), state().problem()->keepAll->replay.energyJoules);
        const QStringList csv = panel().csv().split(u'\n', Qt::SkipEmptyParts);
        QCOMPARE(csv.size(), static_cast<qsizetype>(rows.size()) + 1);
        QCOMPARE(csv.front(), u"part,item,value,number,unit"_s);
    }

    void aRowSelectsItsNode()
    {
        openLenet();
        state().selectNode(-1);
        const QModelIndex wall = shown()->index(rowOf(u"largest working set"_s), ReportModel::ValueColumn);
        QVERIFY(wall.isValid());
        Q_EMIT panel().table().clicked(wall);
        QCOMPARE(state().selection().node, state().problem()->wallNode);
    }

    void wordsAreSearchedInEveryColumn()
    {
        openLenet();
        const int all = shown()->rowCount();
        panel().searchField()->setText(u"CONV"_s);
        QVERIFY(shown()->rowCount() > 0 && shown()->rowCount() < all);
        for (int row = 0; row < shown()->rowCount(); ++row) {
            QString line;
            for (int column = 0; column < ReportModel::ColumnCount; ++column)
                line += shown()->index(row, column).data().toString() + u' ';
            QVERIFY2(line.contains(u"conv"_s, Qt::CaseInsensitive), qPrintable(line));
        }
        panel().searchField()->setText(u"no such thing"_s);
        QCOMPARE(shown()->rowCount(), 0);
        QVERIFY(!panel().table().isVisibleTo(&panel()));
        panel().searchField()->clear();
        QCOMPARE(shown()->rowCount(), all);
    }

    /// As in every table: Ctrl+C copies the rows that are selected, Export writes them all, as text, picture or pages.
    void rowsAreCopiedAndExported()
    {
        openLenet();
        m_real->findChild<QDockWidget*>(u"reportDock"_s)->raise();
        settle();
        panel().table().setFocus();
        panel().table().selectRow(rowOf(u"weights"_s));
        m_real->actions().action(u"edit.copy"_s)->trigger();
        QCOMPARE(QApplication::clipboard()->text(), u"Memory\tweights\t%1\n"_s.arg(text::bytes(state().problem()->training->parameterBytes())));
        const QList<ExportPicture> pictures = m_real->pictures();
        const auto report = std::find_if(pictures.begin(), pictures.end(), [&](const ExportPicture& picture) { return picture.view == &panel(); });
        QVERIFY(report != pictures.end());
        QVERIFY2(report->emptyReason.isEmpty(), qPrintable(report->emptyReason));
        QCOMPARE(report->defaultName, u"lenet5-report"_s);
        QCOMPARE(report->csv(), panel().csv());
        QTemporaryDir folder;
        for (const QString& ending : {u"pdf"_s, u"png"_s, u"csv"_s}) {
            const QString path = folder.filePath(u"report."_s + ending);
            QVERIFY(ViewExporter::write(*report, path));
            QVERIFY(QFileInfo(path).size() > 500);
        }
    }

    void figuresAreSortedBySizeAndReadingOrderComesBack()
    {
        openLenet();
        const QString first = shown()->index(0, ReportModel::ItemColumn).data().toString();
        panel().searchField()->setText(u"bytes kept"_s);
        panel().table().sortByColumn(ReportModel::ValueColumn, Qt::DescendingOrder);
        double before = 1e300;
        for (int row = 0; row < shown()->rowCount(); ++row) {
            const QVariant number = shown()->index(row, ReportModel::ValueColumn).data(ReportModel::kSortRole);
            if (number.typeId() != QMetaType::Double)
                continue;
            QVERIFY(number.toDouble() <= before);
            before = number.toDouble();
        }
        panel().searchField()->clear();
        panel().table().sortByColumn(-1, Qt::AscendingOrder);
        QCOMPARE(shown()->index(0, ReportModel::ItemColumn).data().toString(), first);
    }

    /// Frozen layers: what they save stands in the model panel and in the report as soon as the model is read.
    void freezingIsComparedWithTrainingEverything()
    {
        openLenet();
        const ProblemPtr whole = state().problem();
        auto* label = m_real->findChild<QLabel*>(u"freezeSavings"_s);
        QVERIFY(label && label->isHidden());
        QVERIFY(!whole->report->freezing);
        openLenet({u"last:1"_s});
        const ProblemPtr part = state().problem();
        QVERIFY(part->report->freezing);
        QCOMPARE(part->report->freezing->whole.keepAllPeakBytes, whole->keepAllPeakBytes);
        QCOMPARE(part->report->freezing->whole.wallBytes, whole->wallBytes);
        QCOMPARE(part->report->freezing->whole.keepAllJoules, whole->keepAll->replay.energyJoules);
        QVERIFY(!label->isHidden());
        QVERIFY2(label->text().contains(text::bytes(whole->keepAllPeakBytes - part->keepAllPeakBytes)), qPrintable(label->text()));
        QVERIFY2(label->text().contains(text::joules(whole->keepAll->replay.energyJoules - part->keepAll->replay.energyJoules)), qPrintable(label->text()));
        QVERIFY(rowOf(u"energy"_s, u"Freezing saves"_s) >= 0);
        // Against everything, also when the setup before was another frozen one.
        openLenet({u"biases-only"_s});
        QCOMPARE(state().problem()->report->freezing->whole.keepAllPeakBytes, whole->keepAllPeakBytes);
    }

    void theModelPanelLeadsToTheReport()
    {
        openLenet();
        Q_EMIT m_real->modelPanel().reportAsked();
        settle();
        QVERIFY(!panel().visibleRegion().isEmpty());
        for (const bool isDark : {false, true}) {
            QApplication::setPalette(isDark ? style::darkPalette() : style::lightPalette());
            settle();
            QVERIFY(differentColors(picture(*m_real, isDark ? u"report-dark"_s : u"report-light"_s)) > 20);
        }
    }

    /// Scans core for the fixed texts of notes and rows: each must be in the German table, with the same place holders.
    void germanIsCompleteForCoresTexts()
    {
        TextTranslator german;
        QVERIFY(german.loadLanguage(u"de"_s));
        static const QRegularExpression note(u"NoteKind::\\w+,\\s*(?:\\w+ \\? )?(\"(?:[^\"\\\\]|\\\\.)*\")(?: : (\"(?:[^\"\\\\]|\\\\.)*\"))?"_s);
        static const QRegularExpression literal(u"\"((?:[^\"\\\\]|\\\\.)*)\""_s);
        static const QRegularExpression holder(u"%[0-9]"_s);
        QStringList texts;
        for (const char* folder : {"/core/onnx", "/core/training"}) {
            QDirIterator files(QStringLiteral(POET_SOURCE_DIR) + QLatin1String(folder), {u"*.cpp"_s}, QDir::Files, QDirIterator::Subdirectories);
            while (files.hasNext()) {
                QFile file(files.next());
                QVERIFY(file.open(QIODevice::ReadOnly));
                const QString source = QString::fromUtf8(file.readAll());
                for (auto match = note.globalMatch(source); match.hasNext();) {
                    const auto found = match.next();
                    for (int group = 1; group <= found.lastCapturedIndex(); ++group)
                        texts << found.captured(group).mid(1).chopped(1);
                }
            }
        }
        QVERIFY(texts.size() >= 18);
        texts << u"Weights transposed on the fly"_s << u"Products by a weight, with their bias,"_s << u"Rotary position embedding"_s << u"Keys or values shared by grouped queries"_s;
        QFile file(QStringLiteral(POET_SOURCE_DIR "/core/export/inspect_report.cpp"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString source = QString::fromUtf8(file.readAll());
        const QString rows = source.mid(source.indexOf(u"void writeRead("_s), source.indexOf(u"std::vector<ReportRow> reportRows("_s) - source.indexOf(u"void writeRead("_s));
        static const QStringList units{u"B"_s, u"s"_s, u"J"_s, u"FLOP"_s, u"FLOP/B"_s, u"MAC"_s, u"-"_s, u""_s};
        for (auto match = literal.globalMatch(rows); match.hasNext();)
            if (const QString text = match.next().captured(1); !units.contains(text) && !QString(text).remove(holder).remove(QRegularExpression(u"[^a-z]"_s)).isEmpty())
                texts << text;
        for (QString text : std::as_const(texts)) {
            text.replace(u"\\\""_s, u"\""_s);
            for (qsizetype at; (at = text.indexOf(u"\\u"_s)) >= 0;)
                text.replace(at, 6, QChar(text.mid(at + 2, 4).toUShort(nullptr, 16)));
            const QString translated = german.texts().value(text);
            QVERIFY2(!translated.isEmpty(), qPrintable(text));
            for (auto match = holder.globalMatch(text); match.hasNext();)
                QVERIFY2(translated.contains(match.next().captured()), qPrintable(translated));
        }
        QCoreApplication::installTranslator(&german);
        QCOMPARE(report::note({NoteKind::Read, "The shape of %1 \"%2\" is taken from the file.", {"Magic", "m%1"}}), u"Die Form von Magic \"m%1\" ist der Datei entnommen."_s);
        QCOMPARE(report::note({NoteKind::Recognised, "%1 recognised (%2 \u00d7).", {"Rotary position embedding", "4"}}), u"Drehende Positionskodierung erkannt (4 \u00d7)."_s);
        QCoreApplication::removeTranslator(&german);
    }
};

POET_QTEST_MAIN(ReportTest)
#include "report_test.moc"

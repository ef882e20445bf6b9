// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/support/window_fixture.h"
#include "widgets/controls/device_options.h"
#include "widgets/controls/training_fields.h"
#include "widgets/dag/legend.h"
#include "widgets/inspector/compare_panel.h"
#include "widgets/style/scrolled.h"
#include "widgets/style/text_translator.h"

#include <QAbstractItemModelTester>
#include <QAbstractSpinBox>
#include <QSignalSpy>
#include <QTableView>

using namespace poet;
using namespace poet::test;
using namespace Qt::StringLiterals;

/// Nothing is cut: every pane at small sizes of the window, in both languages.
class PanelLayoutTest : public WindowFixture {
    Q_OBJECT

    DocumentState& state() { return m_window->state(); }

    /// Labels of one line, buttons and fields that are narrower than they must be, or that stick out of what they are in.
    static QStringList cutIn(const QWidget& pane)
    {
        QStringList cut;
        const QList<QWidget*> widgets = pane.findChildren<QWidget*>();
        for (const QWidget* widget : widgets) {
            const auto* label = qobject_cast<const QLabel*>(widget);
            const bool isOfInterest = (label && !label->wordWrap() && !label->text().isEmpty()) || qobject_cast<const QAbstractButton*>(widget) ||
                                      qobject_cast<const QComboBox*>(widget) || qobject_cast<const QLineEdit*>(widget) || qobject_cast<const QAbstractSpinBox*>(widget);
            if (!isOfInterest || !widget->isVisibleTo(&pane) || qobject_cast<QAbstractSpinBox*>(widget->parentWidget()) || widget->objectName().startsWith(u"qt_"_s))
                continue;
            const int needed = label ? label->sizeHint().width() : widget->minimumSizeHint().width();
            const bool isNarrow = widget->width() < needed;
            const bool sticksOut = widget->geometry().right() > widget->parentWidget()->width();
            if (isNarrow || sticksOut)
                cut << QString::fromLatin1(widget->metaObject()->className()) + u' ' + widget->objectName() + u' ' + (label ? label->text() : widget->accessibleName()) +
                           u" %1 of %2"_s.arg(widget->width()).arg(needed);
        }
        // A column that scrolls up and down has all its width in sight.
        const QList<ColumnScroll*> columns = pane.findChildren<ColumnScroll*>();
        for (const ColumnScroll* column : columns)
            if (column->isVisibleTo(&pane) && column->widget()->minimumSizeHint().width() > column->viewport()->width())
                cut << u"column %1 of %2"_s.arg(column->viewport()->width()).arg(column->widget()->minimumSizeHint().width());
        return cut;
    }

private Q_SLOTS:
    void nothingIsCut_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<QString>("language");
        for (const QSize& size : {QSize(1100, 700), QSize(1280, 800)})
            for (const QString& language : {u"en"_s, u"de"_s})
                QTest::addRow("%dx%d %s", size.width(), size.height(), qPrintable(language)) << size << language;
    }

    void nothingIsCut()
    {
        QFETCH(QSize, size);
        QFETCH(QString, language);
        TextTranslator translator;
        if (language != u"en"_s) {
            QVERIFY(translator.loadLanguage(language));
            QCoreApplication::installTranslator(&translator);
        }
        makeWindow();
        m_window->showProblem(chainProblem(40, TransferModel::Blocking, true), nullptr);
        m_window->resize(size);
        settle();
        m_window->actions().action(u"view.reset"_s)->trigger();  // sizes that suit this window
        settle();
        QVERIFY2(m_window->constraints().deadlineField()->mapTo(&m_window->constraints(), QPoint()).y() < m_window->constraints().height(), "the deadline is out of sight");
        QVERIFY2(m_window->width() <= size.width(), qPrintable(QString::number(m_window->width())));
        QStringList cut;
        for (QDockWidget* dock : m_window->findChildren<QDockWidget*>()) {
            if (dock->objectName() == u"lessonDock"_s) {  // its pages only, not what they do with the window
                auto* lesson = m_window->findChild<LessonPanel*>();
                const QSignalBlocker quiet(lesson);
                lesson->start(shippedLessons().front());
            }
            dock->show();
            dock->raise();
            settle();
            for (const QString& what : cutIn(*dock))
                cut << dock->objectName() + u": "_s + what;
            picture(*m_window, u"layout-%1-%2-%3"_s.arg(language).arg(size.width()).arg(dock->objectName()));
        }
        const auto* legend = m_window->dagView().findChild<DagLegend*>();
        QVERIFY(legend);
        if (!m_window->dagView().rect().contains(legend->geometry()))
            cut << u"legend sticks out"_s;
        QCoreApplication::removeTranslator(&translator);
        QVERIFY2(cut.isEmpty(), qPrintable(cut.join(u'\n')));
    }

    void theLegendWrapsAndShortens()
    {
        QWidget parent;
        DagLegend legend(&parent);
        QList<LegendEntry> row;
        for (int i = 0; i < 6; ++i)
            row.append({LegendEntry::Mark::Fill, 0, Qt::blue, u"an operator of long name %1"_s.arg(i)});
        legend.show({row});
        const QSize wide = legend.sizeHint();
        legend.setRoom(wide.width() / 2);
        const QSize narrow = legend.sizeHint();
        QVERIFY(narrow.width() <= wide.width() / 2);
        QVERIFY(narrow.height() > wide.height());
        legend.setRoom(130);
        QVERIFY(legend.sizeHint().width() <= 132);
    }

    void trainingFieldsSpeakTheCommandsLanguage()
    {
        TrainingFields fields;
        QSignalSpy edited(&fields, &TrainingFields::edited);
        ModelSetup setup;
        setup.loss = u"logits=cross-entropy,box=mse:0.5"_s;
        setup.type = u"f16"_s;
        setup.keep = u"pytorch"_s;
        setup.data = QStringList{u"mask"_s};
        setup.freeze = QStringList{u"last:2"_s};
        setup.dims = QStringList{u"batch=8"_s, u"sequence=128"_s};
        fields.showSetup(setup);
        ModelSetup read;
        fields.fill(read);
        QCOMPARE(read, setup);
        auto* losses = fields.findChild<QLineEdit*>(u"lossesField"_s);
        losses->selectAll();
        QTest::keyClicks(losses, u"logits=bce:2, box=mse"_s);
        QTest::keyClick(losses, Qt::Key_Return);
        QCOMPARE(edited.count(), 1);
        fields.fill(read);
        QCOMPARE(read.loss, u"logits=bce:2,box=mse"_s);
        losses->clear();
        fields.fill(read);
        QCOMPARE(read.loss, u"cross-entropy"_s);
        fields.setOutputs({u"logits"_s, u"box"_s});
        QVERIFY(losses->toolTip().contains(u"box"_s));
    }

    void deviceOptionsFoldButNeverHideWhatCounts()
    {
        DeviceOptions options;
        options.setChoices({{u"cmsis"_s, u"plain"_s}, {u"sd"_s}});
        options.show();
        auto* library = options.findChild<QComboBox*>(u"libraryBox"_s);
        QVERIFY(!library->isVisible());
        ModelSetup setup;
        setup.library = u"plain"_s;
        setup.storeCapacity = u"64MiB"_s;
        setup.maxWritten = u"1MiB"_s;
        setup.lifetimeSteps = u"1000000"_s;
        setup.period = u"1s"_s;
        setup.isConservative = true;
        setup.transfer = TransferModel::Dma;
        options.showSetup(setup);
        QVERIFY(library->isVisible());
        ModelSetup read;
        options.fill(read);
        QCOMPARE(read, setup);
        const QStringList arguments = modelArguments(read);
        for (const char* option : {"--library", "--store-capacity", "--max-written", "--lifetime", "--period", "--conservative", "--transfer"})
            QVERIFY2(arguments.contains(QLatin1String(option)), option);
        // Another device does not have that library: its first one counts.
        options.setChoices({{u"other"_s}, {}});
        options.fill(read);
        QVERIFY(read.library.isEmpty() && read.store.isEmpty());
    }

    void aChangeOfTheSetupSaysWhatItSaves()
    {
        ProblemPtr before = chainProblem(14);
        ProblemPtr after = chainProblem(9);
        auto changed = std::make_shared<Problem>(*after);
        changed->path = before->path;
        changed->setup.freeze = QStringList{u"last:1"_s};
        m_window->showProblem(before, nullptr);
        settle();
        const auto* line = m_window->modelPanel().findChild<QLabel*>(u"setupChange"_s);
        QVERIFY(line->isHidden());
        m_window->showProblem(changed, nullptr);
        settle();
        QVERIFY(!line->isHidden());
        QVERIFY2(line->text().contains(QChar(0x2212)) && line->text().contains(text::bytes(changed->keepAllPeakBytes)), qPrintable(line->text()));
    }

    void plansAreComparedSideBySide()
    {
        m_window->showProblem(chainProblem(14), nullptr);
        settle();
        auto* panel = m_window->findChild<ComparePanel*>();
        QVERIFY(panel->figures().empty());
        const Problem& problem = *state().problem();
        const PlanPtr pinned = planOf(problem, pagedSchedule(*problem.graph, {3, 5}));
        state().setComparePlan(pinned);
        settle();
        QCOMPARE(panel->what(), ComparePanel::Plans);
        panel->catchUp();
        QVERIFY(!panel->figures().empty());
        const std::vector<Fate> a = fatesOf(*problem.graph, state().plan()->replay.schedule);
        const std::vector<Fate> b = fatesOf(*problem.graph, pinned->replay.schedule);
        std::size_t different = 0;
        for (std::size_t i = 0; i < a.size(); ++i)
            different += a[i] != b[i];
        QCOMPARE(panel->details().size(), different);
        QVERIFY(different > 0);
        // A click on such a tensor selects it everywhere.
        auto* table = panel->findChild<QTableView*>(u"compareDetails"_s);
        QCOMPARE(table->model()->rowCount(), static_cast<int>(different));
        const QAbstractItemModelTester contract(table->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        Q_EMIT table->clicked(table->model()->index(0, 0));
        QVERIFY(state().selection().node >= 0);
        QCOMPARE(problem.facts[static_cast<std::size_t>(state().selection().node)].name, panel->details().front().name);
        // What is equal is not marked.
        const auto same = comparePlans(problem, *pinned, *pinned);
        for (const ComparedFigure& figure : same)
            QVERIFY2(figure.difference.isEmpty(), qPrintable(figure.name));
        QVERIFY(decisionDifferences(problem, *pinned, *pinned).empty());
        QVERIFY(operatorDifferences(problem, problem).empty());
    }
};

POET_QTEST_MAIN(PanelLayoutTest)
#include "panel_layout_test.moc"

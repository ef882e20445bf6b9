// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/support/window_fixture.h"
#include "widgets/help/manual_window.h"
#include "widgets/help/whats_this.h"
#include "widgets/style/text_translator.h"
#include "widgets/teaching/tour.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>

using namespace poet;
using namespace poet::test;
using namespace Qt::StringLiterals;

/// The manual, the answers to "What's this?" and the tour.
class HelpTest : public WindowFixture {
    Q_OBJECT

    Tour* takeTour()
    {
        m_window->showProblem(chainProblem(12), nullptr);
        settle();
        m_window->actions().action(u"help.tour"_s)->trigger();
        settle();
        return m_window->findChild<Tour*>();
    }

private Q_SLOTS:
    void bothLanguagesExplainTheSame()
    {
        const std::vector<HelpTopic> english = readManual(u"en"_s);
        const std::vector<HelpTopic> german = readManual(u"de"_s);
        QVERIFY(english.size() > 35);
        QMap<QString, const HelpTopic*> byId;
        for (const HelpTopic& topic : german) {
            QVERIFY2(!byId.contains(topic.id), qPrintable(topic.id));
            byId.insert(topic.id, &topic);
        }
        QCOMPARE(byId.size(), static_cast<qsizetype>(english.size()));
        for (const HelpTopic& topic : english) {
            QVERIFY2(byId.contains(topic.id), qPrintable(topic.id));
            const HelpTopic& other = *byId.value(topic.id);
            QCOMPARE(other.isWord, topic.isWord);
            QVERIFY2(topic.markdown.trimmed().size() > 30 && other.markdown.trimmed().size() > 30, qPrintable(topic.id));
            // The same paragraphs: nothing was left out in one of them.
            QCOMPARE(other.markdown.count(u"\n\n"_s), topic.markdown.count(u"\n\n"_s));
        }
        QVERIFY(readManual(u"xx"_s).empty());
    }

    void theWordsOfTheWindowAreInTheGlossary()
    {
        const std::vector<HelpTopic> topics = readManual(u"en"_s);
        for (const char* word : {"activation", "recompute", "page out", "working set", "wall", "keep-all", "budget", "deadline", "incumbent", "bound", "gap", "stage", "%span", "resident", "overhead", "break-even"}) {
            const bool isThere = std::any_of(topics.begin(), topics.end(), [&](const HelpTopic& topic) { return topic.isWord && topic.title.contains(QLatin1String(word), Qt::CaseInsensitive); });
            QVERIFY2(isThere, word);
        }
    }

    void searchFindsTitlesFirst()
    {
        const std::vector<HelpTopic> topics = readManual(u"en"_s);
        const std::vector<int> found = searchManual(topics, u"wall"_s);
        QVERIFY(found.size() > 2);
        QCOMPARE(topics[static_cast<std::size_t>(found.front())].id, u"wall"_s);
        QVERIFY(searchManual(topics, u"wall deadline"_s).size() < found.size());
        QVERIFY(searchManual(topics, u"nosuchword"_s).empty());
        QCOMPARE(searchManual(topics, {}).size(), topics.size());
    }

    void f1ExplainsThePartThatHasTheFocus()
    {
        m_window->showProblem(chainProblem(9), nullptr);
        settle();
        QCOMPARE(topicOf(m_window->constraints().memoryField()), u"memory"_s);
        QCOMPARE(topicOf(&m_window->timelineView()), u"timeline"_s);
        QCOMPARE(topicOf(m_window.get()), u"start"_s);
        m_window->constraints().deadlineField()->setFocus();
        m_window->actions().action(u"help.manual"_s)->trigger();
        auto* manual = m_window->findChild<ManualWindow*>();
        QVERIFY(manual && manual->isVisible());
        const QWidget* focus = QApplication::focusWidget();
        QVERIFY(focus != nullptr || manual->topic() == u"start"_s);
        QVERIFY(manual->showTopic(u"overhead"_s));
        QVERIFY(manual->text().contains(u"Find smallest"_s));
        QVERIFY(!manual->showTopic(u"nosuchtopic"_s));
    }

    void theWindowsKeysWorkWhileOneTypes()
    {
        m_window->showProblem(chainProblem(9), nullptr);
        settle();
        QLineEdit* field = m_window->constraints().memoryField();
        // Ctrl+E, the export, is the end of the line to a text field of its own accord.
        for (const QKeyCombination& keys : {QKeyCombination(Qt::ControlModifier, Qt::Key_E), QKeyCombination(Qt::ControlModifier, Qt::Key_K)}) {
            QKeyEvent press(QEvent::ShortcutOverride, keys.key(), keys.keyboardModifiers());
            QCoreApplication::sendEvent(field, &press);
            QVERIFY(!press.isAccepted());
        }
        for (const Qt::Key key : {Qt::Key_C, Qt::Key_V, Qt::Key_Z, Qt::Key_A}) {
            QKeyEvent press(QEvent::ShortcutOverride, key, Qt::ControlModifier);
            QCoreApplication::sendEvent(field, &press);
            QVERIFY2(press.isAccepted(), qPrintable(QKeySequence(key).toString()));
        }
    }

    void typingFiltersAndEnterReads()
    {
        ManualWindow manual;
        manual.show();
        const int all = manual.shownCount();
        QTest::keyClicks(manual.searchField(), u"rematerialise"_s);
        QVERIFY(manual.shownCount() < all && manual.shownCount() >= 1);
        QTest::keyClick(manual.searchField(), Qt::Key_Return);
        QCOMPARE(manual.topic(), u"recompute"_s);
    }

    void theManualSpeaksTheWindowsLanguage()
    {
        QCOMPARE(helpLanguage(), u"en"_s);
        TextTranslator translator;
        QVERIFY(translator.loadLanguage(u"de"_s));
        QCoreApplication::installTranslator(&translator);
        QCOMPARE(helpLanguage(), u"de"_s);
        ManualWindow manual;
        QVERIFY(manual.text().contains(u"Rückwärtslauf"_s));
        QCoreApplication::removeTranslator(&translator);
    }

    void everyControlAnswersWhatsThis()
    {
        m_window->showProblem(chainProblem(9), nullptr);
        settle();
        int controls = 0;
        const QList<QWidget*> widgets = m_window->findChildren<QWidget*>();
        for (const QWidget* widget : widgets) {
            const bool isInside = qobject_cast<QComboBox*>(widget->parentWidget()) || qobject_cast<QAbstractSpinBox*>(widget->parentWidget()) || qobject_cast<QAbstractScrollArea*>(widget->parentWidget());
            const auto* button = qobject_cast<const QAbstractButton*>(widget);
            const bool isControl = qobject_cast<const QComboBox*>(widget) || qobject_cast<const QLineEdit*>(widget) || qobject_cast<const QAbstractSpinBox*>(widget) ||
                                   qobject_cast<const TrackSlider*>(widget) || qobject_cast<const QAbstractItemView*>(widget) || (button && !button->text().isEmpty());
            if (!isControl || isInside || widget->objectName().startsWith(u"qt_"_s) || widget->window() != m_window.get())
                continue;
            ++controls;
            QVERIFY2(!widget->whatsThis().isEmpty(), qPrintable(QString::fromLatin1(widget->metaObject()->className()) + u' ' + widget->objectName() + u' ' + widget->accessibleName()));
        }
        QVERIFY(controls > 20);
    }

    void theTourPointsAtPartsThatAreInSight()
    {
        Tour* tour = takeTour();
        QVERIFY(tour && tour->isRunning());
        QVERIFY(tour->stopCount() >= 5 && tour->stopCount() <= 7);
        QSet<QWidget*> targets;
        for (int stop = 0; stop < tour->stopCount(); ++stop) {
            QCOMPARE(tour->stop(), stop);
            QVERIFY(tour->target());
            const QRect part(tour->target()->mapTo(m_window.get(), QPoint()), tour->target()->size());
            QVERIFY2(tour->target()->isVisible() && m_window->rect().contains(part.center()), qPrintable(QString::number(stop)));
            QVERIFY(m_window->rect().contains(tour->geometry()));
            targets.insert(tour->target());
            picture(*m_window, u"tour-%1"_s.arg(stop + 1));
            QTest::keyClick(tour, Qt::Key_Right);
            settle();
        }
        QVERIFY(!tour->isRunning());
        QVERIFY(!tour->isVisible());
        QCOMPARE(targets.size(), tour->stopCount());
    }

    void theTourGoesBackAndIsLeftByEscape()
    {
        Tour* tour = takeTour();
        QTest::keyClick(tour, Qt::Key_Left);
        QCOMPARE(tour->stop(), 0);
        QTest::keyClick(tour, Qt::Key_Return);
        QCOMPARE(tour->stop(), 1);
        QTest::keyClick(tour, Qt::Key_Left);
        QCOMPARE(tour->stop(), 0);
        m_window->resize(1100, 700);
        settle();
        QVERIFY(m_window->rect().contains(tour->geometry()));
        QTest::keyClick(tour, Qt::Key_Escape);
        QVERIFY(!tour->isRunning());
        QVERIFY(!tour->isVisible());
    }
};

POET_QTEST_MAIN(HelpTest)
#include "help_test.moc"

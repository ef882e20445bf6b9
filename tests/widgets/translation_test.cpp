// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/support/test_main.h"
#include "widgets/style/text.h"
#include "widgets/style/text_translator.h"
#include "widgets/teaching/lesson.h"

#include <QDirIterator>
#include <QRegularExpression>
#include <QSet>

using namespace poet;

/// The German table against the sources: nothing missing, nothing left over.
class TranslationTest : public QObject {
    Q_OBJECT

    /// Neighbouring literals as the one text that they are.
    static QString literalOf(const QString& source)
    {
        static const QRegularExpression part(QStringLiteral("\"((?:[^\"\\\\]|\\\\.)*)\""));
        QString text;
        for (auto piece = part.globalMatch(source); piece.hasNext();)
            text += piece.next().captured(1);
        text.replace(QStringLiteral("\\n"), QStringLiteral("\n")).replace(QStringLiteral("\\\""), QStringLiteral("\""));
        for (qsizetype at; (at = text.indexOf(QStringLiteral("\\u"))) >= 0;)
            text.replace(at, 6, QChar(text.mid(at + 2, 4).toUShort(nullptr, 16)));
        return text;
    }

private Q_SLOTS:
    /// Scans the sources for translatable texts: each must be in the German table, with the same place holders.
    void germanIsComplete()
    {
        TextTranslator translator;
        const auto loaded = translator.loadLanguage(QStringLiteral("de"));
        QVERIFY2(loaded.has_value(), loaded ? "" : loaded.error().text().c_str());
        static const QRegularExpression call(QStringLiteral("(?:\\btr|QT_TR_NOOP|QT_TRANSLATE_NOOP)\\(\\s*(?:\"poet::Alternatives\",\\s*)?((?:\"(?:[^\"\\\\]|\\\\.)*\"\\s*)+)"));
        static const QRegularExpression holder(QStringLiteral("%L?[0-9n]"));
        int found = 0;
        for (const char* folder : {"/widgets", "/app/explorer"}) {
            QDirIterator files(QStringLiteral(POET_SOURCE_DIR) + QLatin1String(folder), {QStringLiteral("*.cpp")}, QDir::Files, QDirIterator::Subdirectories);
            while (files.hasNext()) {
                QFile file(files.next());
                QVERIFY(file.open(QIODevice::ReadOnly));
                const QString source = QString::fromUtf8(file.readAll());
                for (auto match = call.globalMatch(source); match.hasNext();) {
                    const QString text = literalOf(match.next().captured(1));
                    const QString german = translator.texts().value(text);
                    QVERIFY2(!german.isEmpty(), qPrintable(file.fileName() + QStringLiteral(": ") + text));
                    QStringList a;
                    QStringList b;
                    for (auto m = holder.globalMatch(text); m.hasNext();)
                        a.append(m.next().captured());
                    for (auto m = holder.globalMatch(german); m.hasNext();)
                        b.append(m.next().captured());
                    a.sort();
                    b.sort();
                    QVERIFY2(a == b, qPrintable(text));
                    ++found;
                }
            }
        }
        QVERIFY(found > 300);
        for (const Fate fate : {Fate::Kept, Fate::Paged, Fate::Recomputed, Fate::PagedAndRecomputed})
            QVERIFY2(text::fate(fate) == text::from(name(fate)) && translator.texts().contains(text::fate(fate)), qPrintable(text::fate(fate)));
    }

    /// A German text whose English stands in no source and in no lesson is left over.
    void germanHasNoLeftovers()
    {
        TextTranslator translator;
        QVERIFY(translator.loadLanguage(QStringLiteral("de")));
        static const QRegularExpression literals(QStringLiteral("(?:\"(?:[^\"\\\\\n]|\\\\.)*\"\\s*)+"));
        QSet<QString> used;
        for (const char* folder : {"/widgets", "/app/explorer", "/core"}) {
            QDirIterator files(QStringLiteral(POET_SOURCE_DIR) + QLatin1String(folder), {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files, QDirIterator::Subdirectories);
            while (files.hasNext()) {
                QFile file(files.next());
                QVERIFY(file.open(QIODevice::ReadOnly));
                const QString source = QString::fromUtf8(file.readAll());
                for (auto match = literals.globalMatch(source); match.hasNext();)
                    used.insert(literalOf(match.next().captured()));
            }
        }
        for (const Lesson& lesson : shippedLessons()) {
            used.insert(lesson.title);
            for (const LessonStep& step : lesson.steps)
                used.insert(step.text);
        }
        QStringList unused;
        for (auto it = translator.texts().begin(); it != translator.texts().end(); ++it)
            if (!used.contains(it.key()))
                unused << it.key();
        QVERIFY2(unused.isEmpty(), qPrintable(unused.join(u'\n')));
    }

    void lessonsAreTranslated()
    {
        TextTranslator translator;
        QVERIFY(translator.loadLanguage(QStringLiteral("de")));
        for (const Lesson& lesson : shippedLessons()) {  // in English here
            QVERIFY2(translator.texts().contains(lesson.title), qPrintable(lesson.title));
            for (const LessonStep& step : lesson.steps)
                QVERIFY2(translator.texts().contains(step.text), qPrintable(step.text));
        }
    }
};

POET_QTEST_MAIN(TranslationTest)
#include "translation_test.moc"

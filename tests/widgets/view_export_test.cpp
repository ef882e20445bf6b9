// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/support/waiting.h"
#include "tests/widgets/support/window_fixture.h"
#include "widgets/export/view_tables.h"
#include "widgets/inspector/compare_panel.h"
#include "widgets/inspector/properties_panel.h"

#include <QTextBlock>
#include <QTextBrowser>

using namespace poet;
using namespace poet::test;
using namespace Qt::StringLiterals;

/// Every view as PNG, SVG, PDF and CSV; always on white paper, and without a trace in the window.
class ViewExportTest : public WindowFixture {
    Q_OBJECT

    QTemporaryDir m_folder;

    static QByteArray contentOf(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    void open()
    {
        m_window->showProblem(chainProblem(14, TransferModel::Blocking, true), nullptr);
        settle();
        solveAt((m_window->state().problem()->wallBytes + m_window->state().problem()->keepAllPeakBytes) / 2);
    }

private Q_SLOTS:
    void everyViewIsWrittenInEveryFormat()
    {
        open();
        int written = 0;
        for (const ExportPicture& picture : m_window->pictures()) {
            if (!picture.emptyReason.isEmpty()) {
                QVERIFY(picture.defaultName.endsWith(u"comparison"_s));  // nothing was compared
                continue;
            }
            for (const QString& ending : {u"png"_s, u"svg"_s, u"pdf"_s, u"csv"_s}) {
                const QString path = m_folder.filePath(picture.defaultName + u'.' + ending);
                const auto done = ViewExporter::write(picture, path);
                QVERIFY2(done, done ? "" : done.error().text().c_str());
                const QByteArray bytes = contentOf(path);
                if (ending == u"png"_s) {
                    const QImage image = QImage::fromData(bytes);
                    if (picture.draw)
                        QCOMPARE(image.size(), (picture.size + QSize(0, ViewExporter::kTitleHeight)) * 2);
                    QVERIFY2(differentColors(image) > 5, qPrintable(path));
                } else if (ending == u"svg"_s) {
                    QVERIFY2(bytes.contains("</svg>") && bytes.count("<") > 40, qPrintable(path));
                } else if (ending == u"pdf"_s) {
                    QVERIFY(bytes.startsWith("%PDF") && bytes.size() > 3000);
                } else {
                    const QList<QByteArray> lines = bytes.trimmed().split('\n');
                    QVERIFY2(lines.size() > 1, qPrintable(path));
                    for (const QByteArray& line : lines)
                        QCOMPARE(line.count(','), lines.first().count(','));
                }
                ++written;
            }
        }
        QVERIFY2(written >= 8 * 4, qPrintable(QString::number(written)));
    }

    void exportsAreLightAndLeaveTheScreenDark()
    {
        open();
        m_window->actions().action(u"view.themeDark"_s)->trigger();
        settle();
        const QColor base = style::darkPalette().color(QPalette::Base);
        for (const ExportPicture& picture : m_window->pictures()) {
            if (!picture.emptyReason.isEmpty())
                continue;
            const QImage image = ViewExporter::image(picture, 1);
            int dark = 0;
            for (int y = 0; y < image.height(); y += 3)
                for (int x = 0; x < image.width(); x += 3)
                    dark += isNear(image.pixelColor(x, y), base, 6);
            // Text is dark, too, but grounds are what covers a picture.
            QVERIFY2(dark * 9 < image.width() * image.height() / 8, qPrintable(picture.defaultName));
            QVERIFY2(style::isDark(picture.view->palette()), qPrintable(picture.defaultName));
        }
        m_window->actions().action(u"view.themeLight"_s)->trigger();
        settle();
        for (const ExportPicture& picture : m_window->pictures())
            QVERIFY2(!style::isDark(picture.view->palette()), qPrintable(picture.defaultName));
    }

    void tablesHoldWhatIsShown()
    {
        open();
        const DocumentState& state = m_window->state();
        const QStringList lines = nodesCsv(*state.problem(), state.facts().fates).split(u'\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), state.problem()->graph->size() + 1);
        QCOMPARE(csvLine({u"a,b"_s, u"say \"x\""_s, u"c"_s}), u"\"a,b\",\"say \"\"x\"\"\",c\n"_s);
        QVERIFY(summaryCsv(*state.problem(), *state.plan(), nullptr).contains(text::from(formatDouble(state.plan()->replay.energyJoules))));
    }

    void longTablesKeepEveryRow()
    {
        Sheet sheet;
        sheet.tables.push_back({u"Numbers"_s, {u"#"_s, u"name"_s}, {true, false}, {}, {}});
        for (int i = 0; i < 1000; ++i)
            sheet.tables.front().rows.push_back({QString::number(i), u"tensor %1"_s.arg(i)});
        SheetPages pages(sheet, QApplication::font());
        pages.breakUp(600);
        QVERIFY(pages.count() > 20);
        QCOMPARE(pages.rowCount(), 1000U);
        QVERIFY(pages.pageSize().height() <= 600);
        // The last row is on the last page, and it is drawn.
        QImage image(pages.pageSize(), QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        pages.paint(painter, pages.count() - 1);
        painter.end();
        QVERIFY(differentColors(image) > 3);
        ExportPicture picture;
        picture.title = u"Table"_s;
        picture.sheet = [sheet] { return sheet; };
        const QString path = m_folder.filePath(u"long.pdf"_s);
        QVERIFY(waitFor([&](const WhenWritten& then) { ViewExporter::writeBeside(this, picture, path, then); }));
        QVERIFY(contentOf(path).count("/Type /Page\n") > 10);
        // A picture has the same rows, in columns beside each other.
        const QImage broad = ViewExporter::image(picture, 1);
        QVERIFY2(broad.width() > pages.pageSize().width() * 5, qPrintable(QString::number(broad.width())));
        const qint64 area = static_cast<qint64>(broad.width()) * broad.height();
        QVERIFY(area > 1000LL * pages.pageSize().width() * QFontMetrics(QApplication::font()).height());
    }

    void theEventsOfAPlanAreAllExported()
    {
        open();
        for (std::size_t i = 0; i < 10; ++i) {
            const ExportPicture picture = m_window->picture(i);
            if (!picture.defaultName.endsWith(u"events"_s))
                continue;
            const Sheet sheet = picture.sheet();
            QCOMPARE(sheet.tables.front().rows.size(), m_window->state().plan()->replay.schedule.steps.size());
            QCOMPARE(picture.csv().count(u'\n'), static_cast<qsizetype>(sheet.tables.front().rows.size()) + 1);
            return;
        }
        QFAIL("there is no table of events");
    }

    void linksFollowTheAppearance()
    {
        open();
        m_window->state().selectNode(3);
        settle();
        auto* browser = m_window->findChild<QTextBrowser*>(u"propertiesText"_s);
        const auto linkColors = [&] {
            QSet<QRgb> colors;
            for (QTextBlock block = browser->document()->begin(); block.isValid(); block = block.next())
                for (auto it = block.begin(); !it.atEnd(); ++it)
                    if (it.fragment().charFormat().isAnchor())
                        colors.insert(it.fragment().charFormat().foreground().color().rgb());
            return colors;
        };
        QCOMPARE(linkColors(), QSet<QRgb>{style::lightPalette().color(QPalette::Link).rgb()});
        m_window->actions().action(u"view.themeDark"_s)->trigger();
        settle();
        QCOMPARE(linkColors(), QSet<QRgb>{style::darkPalette().color(QPalette::Link).rgb()});
        m_window->actions().action(u"view.themeLight"_s)->trigger();
        settle();
        QCOMPARE(linkColors(), QSet<QRgb>{style::lightPalette().color(QPalette::Link).rgb()});
    }
};

POET_QTEST_MAIN(ViewExportTest)
#include "view_export_test.moc"

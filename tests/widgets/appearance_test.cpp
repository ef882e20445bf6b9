// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/support/real_services.h"
#include "tests/widgets/support/test_main.h"
#include "widgets/controls/status_text.h"
#include "widgets/document/process_backend.h"
#include "widgets/document/sweep_controller.h"
#include "widgets/teaching/lesson_panel.h"
#include "widgets/window/action_registry.h"
#include "widgets/window/main_window.h"

#include <QDir>
#include <QDockWidget>
#include <QFileInfo>

using namespace poet;
using namespace poet::test;
using namespace Qt::StringLiterals;

/// Every view with a real plan, light and dark, in a small window: pictures for the eye in the build folder, and checks
/// that a change of appearance reaches everything and leaves no trace.
class AppearanceTest : public QObject {
    Q_OBJECT

    std::unique_ptr<MainWindow> m_window;

    QImage picture(const QString& name)
    {
        const QImage image = m_window->grab().toImage().convertToFormat(QImage::Format_RGB32);
        QDir().mkpath(QStringLiteral(POET_PICTURE_DIR "/appearance"));
        image.save(QStringLiteral(POET_PICTURE_DIR "/appearance/") + name + u".png"_s);
        return image;
    }

    static double lightness(const QImage& image)
    {
        double sum = 0;
        int count = 0;
        for (int y = 0; y < image.height(); y += 7)
            for (int x = 0; x < image.width(); x += 7, ++count)
                sum += qGray(image.pixel(x, y));
        return sum / count;
    }

    /// Share of pixels that differ visibly.
    static double difference(const QImage& a, const QImage& b)
    {
        if (a.size() != b.size())
            return 1;
        int different = 0;
        for (int y = 0; y < a.height(); ++y)
            for (int x = 0; x < a.width(); ++x)
                different += std::abs(qGray(a.pixel(x, y)) - qGray(b.pixel(x, y))) > 12;
        return different / static_cast<double>(a.width() * a.height());
    }

    void settle()
    {
        QVERIFY(QTest::qWaitFor([this] { return m_window->isSettled() && !m_window->sweep().isRunning(); }, 120000));
        QTest::qWait(120);
    }

    void setTheme(const char* id)
    {
        m_window->actions().action(QString::fromLatin1(id))->trigger();
        QTest::qWait(60);
    }

    void setMemory(std::int64_t bytes)
    {
        Controls controls = m_window->state().controls();
        controls.query.memoryBytes = bytes;
        m_window->state().editControls(controls, u"memory"_s);
        QTest::qWait(300);
        settle();
    }

private Q_SLOTS:
    void initTestCase()
    {
        if (!QFileInfo(QStringLiteral(POET_COMMAND)).isExecutable())
            QSKIP("the command poet is not built");
        WindowServices services = realServices();
        services.examples = {{u"LeNet-5"_s, u"A lesson"_s, QStringLiteral(POET_SOURCE_DIR "/examples/lenet5.onnx"), u"paper-m4"_s}};
        m_window = std::make_unique<MainWindow>(std::move(services));
        m_window->resize(1280, 800);
        m_window->show();
        QTest::qWait(100);
        picture(u"start-light"_s);
        setTheme("view.themeDark");
        picture(u"start-dark"_s);
        setTheme("view.themeLight");
        m_window->openFile(QStringLiteral(POET_SOURCE_DIR "/examples/resnet18.onnx"), u"paper-a72"_s);
        QVERIFY(QTest::qWaitFor([this] { return m_window->isGraphShown(); }, 30000));
        const Problem& problem = *m_window->state().problem();
        m_window->sweep().start(SweepAxes::Memory, 6);
        settle();
        setMemory(problem.wallBytes + (problem.keepAllPeakBytes - problem.wallBytes) * 3 / 10);
        m_window->state().selectNode(12);
        QTest::qWait(100);
    }
    void cleanupTestCase() { m_window.reset(); }

    void everyViewIsReadableInBothAppearances_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("1280x800") << QSize(1280, 800);
        QTest::newRow("1100x700") << QSize(1100, 700);
    }
    void everyViewIsReadableInBothAppearances()
    {
        QFETCH(QSize, size);
        m_window->resize(size);
        QTest::qWait(80);
        QVERIFY2(m_window->width() <= size.width() && m_window->height() <= size.height(),
                 qPrintable(u"%1 x %2"_s.arg(m_window->width()).arg(m_window->height())));
        for (QDockWidget* dock : m_window->findChildren<QDockWidget*>()) {
            if (dock->isHidden())
                continue;
            dock->raise();
            QTest::qWait(40);
            const QString name = dock->objectName() + u'-' + QString::fromLatin1(QTest::currentDataTag());
            const QImage light = picture(name + u"-light"_s);
            QVERIFY2(lightness(light) > 190, qPrintable(name));
            setTheme("view.themeDark");
            const QImage dark = picture(name + u"-dark"_s);
            QVERIFY2(lightness(dark) < 80, qPrintable(name));
            setTheme("view.themeLight");
            const QImage again = picture(name + u"-again"_s);
            QVERIFY2(difference(light, again) < 0.002, qPrintable(u"%1: %2"_s.arg(name).arg(difference(light, again))));
        }
    }

    void everyPageOfEveryLessonShowsWhatItTalksAbout()
    {
        m_window->resize(1280, 800);
        auto* lesson = m_window->findChild<LessonPanel*>();
        for (int number = 1; number <= 4; ++number) {
            m_window->actions().action(u"lesson.%1"_s.arg(number))->trigger();
            while (lesson->isRunning()) {
                QTest::qWait(50);
                settle();
                picture(u"lesson-%1-%2"_s.arg(number).arg(lesson->page() + 1));
                const StatusKind kind = describeStatus(m_window->state()).kind;
                QVERIFY2(kind == StatusKind::Optimal || kind == StatusKind::Infeasible || kind == StatusKind::Gap,
                         qPrintable(u"lesson %1, page %2"_s.arg(number).arg(lesson->page() + 1)));
                lesson->move(1);
            }
        }
        QCOMPARE(m_window->state().problem()->title, u"resnet18.onnx"_s);
    }
};

POET_QTEST_MAIN(AppearanceTest)
#include "appearance_test.moc"

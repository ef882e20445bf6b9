// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explorer/model_readers.h"
#include "widgets/document/process_backend.h"
#include "widgets/document/qt_timer.h"
#include "widgets/document/worker_protocol.h"
#include "widgets/style/colors.h"
#include "widgets/style/outlined_style.h"
#include "widgets/style/text_translator.h"
#include "widgets/window/main_window.h"
#include "widgets/window/quit_signals.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QIcon>
#include <QLocale>
#include <QSettings>
#include <QStandardPaths>
#include <QTimer>

#include <cstdio>
#include <memory>

namespace {

using namespace Qt::StringLiterals;

constexpr qint64 kBetterPlanMilliseconds = 8000;

/// Examples lie beside the installed programs or in the source tree.
QString exampleFolder()
{
    const QString program = QCoreApplication::applicationDirPath();
    for (const QString& folder : {qEnvironmentVariable("POET_EXAMPLES"), program + "/../share/poet/examples"_L1, program + "/../../examples"_L1,
                                  QStringLiteral(POET_EXAMPLE_DIR)})
        if (!folder.isEmpty() && QFileInfo::exists(folder + "/resnet18.onnx"_L1))
            return QFileInfo(folder).canonicalFilePath();
    return {};
}

std::vector<poet::Example> shippedExamples()
{
    const QString folder = exampleFolder();
    std::vector<poet::Example> examples{
        {QObject::tr("ResNet-18 on a Raspberry Pi"), QObject::tr("Recomputing and paging together: what half of the memory costs"), u"resnet18.onnx"_s, u"paper-a72"_s},
        {QObject::tr("LeNet-5 on a Cortex-M0"), QObject::tr("A core so slow that paging nearly everything pays"), u"lenet5.onnx"_s, u"paper-m0"_s},
        {QObject::tr("Keyword spotting on an nRF52840"), QObject::tr("A real microcontroller: the deadline decides what may be paged"), u"dscnn_kws.onnx"_s, u"nrf52840"_s},
        {QObject::tr("MobileNetV2 on a Raspberry Pi 4"), QObject::tr("Fast arithmetic: cheap operations are computed twice rather than paged"), u"mobilenet_v2.onnx"_s, u"rpi4b"_s},
    };
    std::erase_if(examples, [&](poet::Example& example) {
        example.path = folder + u'/' + example.path;
        return !QFileInfo::exists(example.path);
    });
    return examples;
}

/// Waits for the graph and the first plan (and a little for a better one), saves the picture, leaves. Exit code 1 when
/// the picture cannot be written.
void takeScreenshot(poet::MainWindow& window, const QString& file, int timeoutSeconds)
{
    auto* timer = new QTimer(&window);
    const auto clock = std::make_shared<QElapsedTimer>();
    const auto planSince = std::make_shared<QElapsedTimer>();
    clock->start();
    planSince->start();
    QObject::connect(timer, &QTimer::timeout, &window, [&window, file, timer, clock, planSince, timeoutSeconds] {
        const bool isLate = clock->elapsed() > timeoutSeconds * 1000;
        const bool hasProblem = window.state().problem() != nullptr;
        const bool hasPlan = hasProblem && window.isGraphShown() && window.state().planFits();
        if (!hasPlan)
            planSince->start();
        const bool isDone = hasProblem ? window.isGraphShown() && (window.isSettled() || planSince->elapsed() > kBetterPlanMilliseconds)
                                       : window.isSettled() && clock->elapsed() > 1500;
        if (!isDone && !isLate)
            return;
        timer->stop();
        // One more turn for the merged refreshes.
        QTimer::singleShot(300, &window, [&window, file] {
            const bool isSaved = window.grab().save(file);
            if (!isSaved)
                std::fprintf(stderr, "poet-explorer: the picture cannot be written to %s.\n", qPrintable(file));
            QCoreApplication::exit(isSaved ? 0 : 1);
        });
    });
    timer->start(100);
}

}  // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    QCoreApplication::setOrganizationName(u"POET Explorer"_s);
    QCoreApplication::setApplicationName(u"poet-explorer"_s);
    QCoreApplication::setApplicationVersion(QStringLiteral(POET_VERSION));
    QApplication::setStyle(new poet::style::OutlinedStyle);
    QApplication::setWindowIcon(QIcon(u":/poet-explorer.svg"_s));
    QGuiApplication::setDesktopFileName(u"org.poet.Explorer"_s);
    QCommandLineParser parser;
    parser.setApplicationDescription(QObject::tr("Plans paging and recomputation so that training fits in little memory."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(u"file"_s, QObject::tr("ONNX model, cost graph or schedule to open"));
    parser.addOptions({{u"screenshot"_s, QObject::tr("Open the file, wait for its plan, save a picture and leave."), u"file"_s},
                       {u"device"_s, QObject::tr("Device profile: id or file."), u"device"_s},
                       {u"theme"_s, QObject::tr("light, dark or system."), u"theme"_s},
                       {u"language"_s, QObject::tr("Language: en or de; default: the system's."), QObject::tr("language")},
                       {u"timeout"_s, QObject::tr("Seconds that a screenshot waits at most."), u"seconds"_s, u"90"_s}});
    parser.process(application);
    const QString language = parser.isSet(u"language"_s) ? parser.value(u"language"_s)
                                                         : QSettings().value(u"language"_s, QLocale::system().name().section(u'_', 0, 0)).toString();
    // Numbers as the texts: a comma in German, unless the system's own locale is of that language.
    if (QLocale::system().name().section(u'_', 0, 0) != language)
        QLocale::setDefault(QLocale(language));
    poet::TextTranslator translator;
    if (language != "en"_L1 && translator.loadLanguage(language))
        QCoreApplication::installTranslator(&translator);
    const QString theme = parser.isSet(u"theme"_s) ? parser.value(u"theme"_s) : QSettings().value(u"theme"_s).toString();
    const bool isSystemDark = poet::style::isDark(QApplication::palette());
    QApplication::setPalette(theme == "dark"_L1 || (theme != "light"_L1 && isSystemDark) ? poet::style::darkPalette() : poet::style::lightPalette());

    poet::WindowServices services;
    services.readers = poet::makeModelReaders();
    const QString worker = poet::findWorkerProgram();
    services.interactive = new poet::ProcessBackend(worker);
    services.sweep = new poet::ProcessBackend(worker);
    services.overhead = new poet::ProcessBackend(worker);
    services.timer = new poet::QtDelayTimer;
    services.layoutProgram = worker;
    services.examples = shippedExamples();
    const bool isPicture = parser.isSet(u"screenshot"_s);
    if (!isPicture)
        services.autosaveFolder = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + u"/autosave"_s;
    poet::MainWindow window(std::move(services));
    const poet::QuitSignals quitSignals;
    QObject::connect(&quitSignals, &poet::QuitSignals::quitAsked, &window, &poet::MainWindow::quitUnasked);
    window.show();
    const QStringList files = parser.positionalArguments();
    QString device = parser.value(u"device"_s);
    if (device.isEmpty() && window.modelPanelDevice().isEmpty())
        device = u"rpi4b"_s;
    const bool isRestored = !isPicture && !parser.isSet(u"device"_s) && window.restoreSession(files.value(0));
    if (!files.isEmpty() && !isRestored)
        window.openFile(files.first(), device);
    if (!isPicture)
        window.offerRestore();
    else
        takeScreenshot(window, parser.value(u"screenshot"_s), parser.value(u"timeout"_s).toInt());
    return QApplication::exec();
}

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/support/window_fixture.h"
#include "core/export/plan_file.h"
#include "widgets/export/export_dialog.h"

#include <QCryptographicHash>
#include <QFileInfo>
#include <QLabel>
#include <QProcess>

using namespace poet;
using namespace poet::test;
using namespace Qt::StringLiterals;

/// The export dialog with the real command: what is previewed is what is written.
class ExportTest : public QObject {
    Q_OBJECT

    static QByteArray schedule()
    {
        const ProblemPtr problem = chainProblem(9);
        return QByteArray::fromStdString(toJson(PlanFile{*problem->graph, *planOf(*problem, pagedSchedule(*problem->graph, {3}))}));
    }
    static QByteArray contentOf(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

private Q_SLOTS:
    void initTestCase()
    {
        if (!QFileInfo(QStringLiteral(POET_COMMAND)).isExecutable())
            QSKIP("the command poet is not built");
    }

    void everyFormatIsPreviewedAsTheCommandWritesIt()
    {
        QTemporaryDir folder;
        QFile input(folder.filePath(u"plan.json"_s));
        QVERIFY(input.open(QIODevice::WriteOnly));
        input.write(schedule());
        input.close();
        ExportDialog dialog(QStringLiteral(POET_COMMAND), [] { return schedule(); }, u"chain"_s, {}, {});
        QStringList purposes;
        for (int i = 0; i < exportFormats().size(); ++i) {
            const ExportFormat& format = exportFormats()[i];
            dialog.formatBox()->setCurrentIndex(i);
            QTRY_VERIFY_WITH_TIMEOUT(dialog.preview().isReady(), 20000);
            QVERIFY(!dialog.preview().files().isEmpty());
            QVERIFY(!dialog.preview().excerpt(0).isEmpty());
            QVERIFY(dialog.summary().contains(QString::fromLatin1(dialog.preview().checksum())));
            const QString purpose = dialog.findChild<QLabel*>(u"exportPurpose"_s)->text();
            QVERIFY2(purpose.size() > 20 && !purposes.contains(purpose), qPrintable(purpose));  // what each format suits
            purposes << purpose;
            if (format.isFolder) {
                QVERIFY(dialog.preview().files().size() > 3);
                continue;
            }
            const QString out = folder.filePath(format.id);
            QCOMPARE(QProcess::execute(QStringLiteral(POET_COMMAND), {u"export"_s, input.fileName(), u"--format"_s, format.id, u"-o"_s, out}), 0);
            const QByteArray bytes = contentOf(out);
            QCOMPARE(bytes.size(), dialog.preview().totalBytes());
            if (format.id != u"binary"_s && format.id != u"buffers"_s)  // these carry the name of the input
                QCOMPARE(QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex(), dialog.preview().checksum());
        }
    }

    void theWrittenFolderIsThePreviewedOne()
    {
        QTemporaryDir folder;
        ExportDialog dialog(QStringLiteral(POET_COMMAND), [] { return schedule(); }, u"chain"_s, {}, {});
        dialog.formatBox()->setCurrentIndex(1);
        QTRY_VERIFY_WITH_TIMEOUT(dialog.preview().isReady(), 20000);
        const QString target = folder.filePath(u"firmware"_s);
        const QList<ExportedFile> files = dialog.preview().files();
        dialog.writeTo(target);
        QTRY_COMPARE(dialog.writtenPath(), target);
        for (const ExportedFile& file : files)
            QCOMPARE(QCryptographicHash::hash(contentOf(target + u'/' + file.name), QCryptographicHash::Sha256).toHex(), file.sha256);
        QCOMPARE(dialog.writtenPath(), target);
    }

    void brokenSchedulesAndMissingProgramsAreSaid()
    {
        ExportDialog broken(QStringLiteral(POET_COMMAND), [] { return QByteArray("{\"format\":\"poet-schedule\"}"); }, u"x"_s, {}, {});
        QTRY_VERIFY(!broken.summary().isEmpty() && !broken.summary().startsWith(u"Exporting"_s));
        QVERIFY(!broken.preview().isReady());
        ExportDialog lost(u"/nowhere/poet"_s, [] { return schedule(); }, u"x"_s, {}, {});
        QTRY_VERIFY(lost.summary().contains(u"cannot be started"_s));
        lost.writeTo(u"/tmp/never"_s);
        QVERIFY(lost.writtenPath().isEmpty());
        // A plan that cannot be made into a file is said, too.
        ExportDialog refused(QStringLiteral(POET_COMMAND), [] { return Expected<QByteArray>(fail(ErrorCode::InvalidSchedule, "It does not replay.")); }, u"x"_s, {}, {});
        QTRY_VERIFY(refused.summary().contains(u"does not replay"_s));
    }
};

POET_QTEST_MAIN(ExportTest)
#include "export_test.moc"

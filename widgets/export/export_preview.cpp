// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/export/export_preview.h"

#include "widgets/document/beside.h"

#include <QCryptographicHash>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QSaveFile>

#include <algorithm>
#include <limits>
#include <utility>

namespace poet {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 kExcerptBytes = 16000;
constexpr int kDumpBytes = 2048;

QByteArray contentOf(const QString& path, qint64 atMost = std::numeric_limits<qint64>::max())
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.read(std::min(atMost, file.size())) : QByteArray();
}

QString hexDump(const QByteArray& bytes)
{
    QString dump;
    for (qsizetype row = 0; row < std::min<qsizetype>(bytes.size(), kDumpBytes); row += 16) {
        const QByteArray part = bytes.mid(row, 16);
        QString letters;
        for (const char letter : part)
            letters += letter >= 32 && letter < 127 ? QChar::fromLatin1(letter) : QChar(u'.');
        dump += u"%1  %2  %3\n"_s.arg(row, 6, 16, QChar(u'0')).arg(QString::fromLatin1(part.toHex(' ')), -47).arg(letters);
    }
    return dump;
}

struct Collected {
    QList<ExportedFile> files;
    QByteArray checksum;
};

Collected collected(const QString& target, bool isFolder)
{
    QStringList names;
    if (isFolder) {
        QDirIterator all(target, QDir::Files, QDirIterator::Subdirectories);
        while (all.hasNext())
            names << QDir(target).relativeFilePath(all.next());
        names.sort();
    } else {
        names << QFileInfo(target).fileName();
    }
    Collected found;
    QCryptographicHash whole(QCryptographicHash::Sha256);
    for (const QString& name : std::as_const(names)) {
        const QByteArray bytes = contentOf(isFolder ? target + u'/' + name : target);
        found.files.append({name, bytes.size(), QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex()});
        whole.addData(name.toUtf8() + '\0');
        whole.addData(bytes);
    }
    found.checksum = isFolder || found.files.isEmpty() ? whole.result().toHex() : found.files.first().sha256;
    return found;
}

bool copyFile(const QString& from, const QString& to)
{
    QDir().mkpath(QFileInfo(to).absolutePath());
    const QByteArray bytes = contentOf(from);
    QSaveFile file(to);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit();
}

}  // namespace

const QList<ExportFormat>& exportFormats()
{
    static const QList<ExportFormat> formats{{u"json"_s, u".schedule.json"_s, false}, {u"c"_s, {}, true},          {u"binary"_s, u".bin"_s, false}, {u"csv"_s, u".csv"_s, false},
                                             {u"buffers"_s, u".csv"_s, false},        {u"dot"_s, u".dot"_s, false}, {u"svg"_s, u".svg"_s, false}};
    return formats;
}

ExportPreview::ExportPreview(QString program, QObject* parent) : QObject(parent), m_program(std::move(program)) {}

ExportPreview::~ExportPreview()
{
    if (m_process) {
        m_process->disconnect(this);
        m_process->kill();
        m_process->waitForFinished(1000);
    }
}

void ExportPreview::run(const QString& schedule, const ExportFormat& format, const QString& baseName, const QStringList& options)
{
    if (m_process) {
        m_process->disconnect(this);
        m_process->kill();
        connect(m_process, &QProcess::finished, m_process, &QObject::deleteLater);
        m_process = nullptr;
    }
    m_isReady = false;
    m_files.clear();
    m_format = format;
    m_folder = std::make_shared<QTemporaryDir>();
    ++m_run;
    m_target = m_folder->filePath(baseName + format.ending);
    m_process = new QProcess(this);
    connect(m_process, &QProcess::finished, this, [this](int code) {
        const QString said = QString::fromUtf8(m_process->readAllStandardError()).trimmed();
        m_process->deleteLater();
        m_process = nullptr;
        if (code != 0) {
            Q_EMIT failed(said.isEmpty() ? tr("The export ended with code %1.").arg(code) : said);
            return;
        }
        collect();
    });
    connect(m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart)
            return;
        m_process->deleteLater();
        m_process = nullptr;
        Q_EMIT failed(tr("The program \"poet\" cannot be started. Install it beside this program."));
    });
    m_process->start(m_program, QStringList{u"export"_s, schedule, u"--format"_s, format.id, u"-o"_s, m_target} + options);
}

/// Folders with kernels hold the weights: tens of megabytes to read.
void ExportPreview::collect()
{
    runBeside(this, [folder = m_folder, target = m_target, isFolder = m_format.isFolder] { return collected(target, isFolder); },
              [this, run = m_run](Collected found) {
                  if (run != m_run)
                      return;
                  m_files = std::move(found.files);
                  m_checksum = std::move(found.checksum);
                  m_isReady = true;
                  Q_EMIT ready();
              });
}

qint64 ExportPreview::totalBytes() const
{
    qint64 sum = 0;
    for (const ExportedFile& file : m_files)
        sum += file.bytes;
    return sum;
}

QString ExportPreview::excerpt(int file) const
{
    if (!m_isReady || file < 0 || file >= m_files.size())
        return {};
    const QByteArray bytes = contentOf(source(file), kExcerptBytes + 1);
    if (bytes.left(kDumpBytes).contains('\0'))
        return hexDump(bytes);
    const QString text = QString::fromUtf8(bytes.left(kExcerptBytes));
    return bytes.size() > kExcerptBytes ? text + u"\n\u2026"_s : text;
}

QString ExportPreview::source(int file) const { return m_format.isFolder ? m_target + u'/' + m_files[file].name : m_target; }

void ExportPreview::writeTo(const QString& path, std::function<void(const QString&)> then)
{
    if (!m_isReady) {
        then(tr("There is nothing to write yet."));
        return;
    }
    QList<std::pair<QString, QString>> copies;
    for (int i = 0; i < m_files.size(); ++i)
        copies.append({source(i), m_format.isFolder ? path + u'/' + m_files[i].name : path});
    runBeside(this,
              [folder = m_folder, copies] {
                  for (const auto& [from, to] : copies)
                      if (!copyFile(from, to))
                          return tr("%1 cannot be written. Choose another place.").arg(to);
                  return QString();
              },
              std::move(then));
}

}  // namespace poet

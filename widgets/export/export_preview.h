// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QProcess>
#include <QStringList>
#include <QTemporaryDir>

#include <functional>
#include <memory>

namespace poet {

/// A format of `poet export`.
struct ExportFormat {
    QString id;        ///< as on the command line: "c", "binary" ...
    QString ending;    ///< ".bin"; empty: a folder
    bool isFolder = false;
};
[[nodiscard]] const QList<ExportFormat>& exportFormats();

/// What one export has written: one file, or the files of a folder.
struct ExportedFile {
    QString name;        ///< relative to the folder; the file's own name otherwise
    qint64 bytes = 0;
    QByteArray sha256;   ///< hex
};

/// Runs `poet export` into a temporary place, so that what is looked at is what will be written, byte for byte.
class ExportPreview : public QObject {
    Q_OBJECT
public:
    ExportPreview(QString program, QObject* parent = nullptr);
    ~ExportPreview() override;

    /// `schedule`: a schedule file. An older run is dropped.
    void run(const QString& schedule, const ExportFormat& format, const QString& baseName, const QStringList& options);
    [[nodiscard]] bool isReady() const { return m_isReady; }
    [[nodiscard]] const QList<ExportedFile>& files() const { return m_files; }
    [[nodiscard]] qint64 totalBytes() const;
    /// Of the file, or of all files of a folder in the order of files(): SHA-256 over name, NUL and content of each.
    [[nodiscard]] QByteArray checksum() const { return m_checksum; }
    /// The beginning of a file as text, or as a hex dump when it is none.
    [[nodiscard]] QString excerpt(int file) const;
    /// Copies the result to `path`, no file half, beside the GUI thread; `then` hears what went wrong, or nothing.
    void writeTo(const QString& path, std::function<void(const QString& problem)> then);

Q_SIGNALS:
    void ready();
    void failed(const QString& message);

private:
    void collect();
    [[nodiscard]] QString source(int file) const;

    QString m_program;
    std::shared_ptr<QTemporaryDir> m_folder;  ///< shared with what still reads it
    QString m_target;
    ExportFormat m_format;
    QProcess* m_process = nullptr;
    QList<ExportedFile> m_files;
    QByteArray m_checksum;
    bool m_isReady = false;
    quint64 m_run = 0;  ///< counts the exports
};

}  // namespace poet

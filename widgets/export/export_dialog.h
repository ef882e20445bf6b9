// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/export/export_preview.h"

#include <QDialog>
#include <QTemporaryFile>

class QCheckBox;
class QComboBox;
class QLabel;
class QListWidget;
class QPlainTextEdit;
class QPushButton;

namespace poet {

/// Exports the shown schedule: choose a format, see the bytes, their number and checksum, then write exactly those.
class ExportDialog : public QDialog {
    Q_OBJECT
public:
    /// `schedule`: the schedule as a file's content. `facts`: what the plan is and needs, HTML. `warning`: why it may
    /// not be what is wanted, such as limits that it does not fit; empty if nothing.
    ExportDialog(const QString& program, const QByteArray& schedule, const QString& baseName, const QString& facts, const QString& warning, QWidget* parent = nullptr);

    [[nodiscard]] ExportPreview& preview() { return *m_preview; }
    [[nodiscard]] QComboBox* formatBox() const { return m_format; }
    [[nodiscard]] QString summary() const;
    /// Path that was written; empty when cancelled.
    [[nodiscard]] QString writtenPath() const { return m_written; }
    /// Writes the previewed bytes; false when that failed, and the dialog says why.
    bool writeTo(const QString& path);

private:
    void build(const QString& facts, const QString& warning);
    void refresh();
    [[nodiscard]] static QStringList purposes();
    void showReady();
    void askPath();

    ExportPreview* m_preview = nullptr;
    QTemporaryFile m_schedule;
    QString m_baseName;
    QComboBox* m_format = nullptr;
    QCheckBox* m_kernels = nullptr;
    QCheckBox* m_calibrate = nullptr;
    QListWidget* m_files = nullptr;
    QPlainTextEdit* m_excerpt = nullptr;
    QLabel* m_purpose = nullptr;
    QLabel* m_summary = nullptr;
    QPushButton* m_write = nullptr;
    QString m_written;
};

}  // namespace poet

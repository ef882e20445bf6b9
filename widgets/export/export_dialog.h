// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "widgets/export/export_preview.h"

#include <QDialog>
#include <QTemporaryFile>

#include <functional>

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
    /// Makes the schedule as a file's content; called on another thread.
    using ScheduleMaker = std::function<Expected<QByteArray>()>;

    /// `facts`: what the plan is and needs, HTML. `warning`: why it may
    /// not be what is wanted, such as limits that it does not fit; empty if nothing.
    ExportDialog(const QString& program, ScheduleMaker schedule, const QString& baseName, const QString& facts, const QString& warning, QWidget* parent = nullptr);

    [[nodiscard]] ExportPreview& preview() { return *m_preview; }
    [[nodiscard]] QComboBox* formatBox() const { return m_format; }
    [[nodiscard]] QString summary() const;
    /// Path that was written; empty when cancelled.
    [[nodiscard]] QString writtenPath() const { return m_written; }
    /// Writes the previewed bytes and closes; when that fails, the dialog stays and says why.
    void writeTo(const QString& path);

private:
    void build(const QString& facts, const QString& warning);
    void prepare(ScheduleMaker make);
    void refresh();
    [[nodiscard]] static QStringList purposes();
    void showReady();
    void askPath();

    ExportPreview* m_preview = nullptr;
    QTemporaryFile m_schedule;
    bool m_hasSchedule = false;  ///< it is in the file
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

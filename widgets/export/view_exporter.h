// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"

#include <QImage>
#include <QString>

#include <functional>

class QPainter;
class QWidget;

namespace poet {

/// One picture to be written: its size at 100 %, a title line, and how to draw it (in a light palette).
struct ExportPicture {
    QWidget* view = nullptr;       ///< that is drawn; for finding the one with the focus
    QString title;                 ///< "resnet18.onnx, nRF52840, 96 KiB, no deadline, optimal"
    QString defaultName;           ///< without ending
    QSize size;
    std::function<void(QPainter&, const QRect&)> draw;
    std::function<QString()> csv;  ///< the same as a table; none: pictures only
    QString emptyReason;           ///< not empty: there is nothing to export, and why
};

/// PNG, SVG, PDF or, where there is a table, CSV by the file's ending; written aside and renamed.
class ViewExporter {
public:
    static constexpr int kTitleHeight = 28;

    /// `scale`: 1 to 4, of PNG. Errors: BadUsage for an unknown ending or an empty view, FileNotFound.
    [[nodiscard]] static Expected<void> write(const ExportPicture& picture, const QString& path, double scale = 2);
    [[nodiscard]] static QImage image(const ExportPicture& picture, double scale);
    /// Text such as CSV, written aside and renamed. Errors: FileNotFound.
    [[nodiscard]] static Expected<void> writeText(const QString& text, const QString& path);
    [[nodiscard]] static Expected<void> writeBytes(const QByteArray& bytes, const QString& path);
    /// Endings of a file dialog.
    [[nodiscard]] static QString filter(bool hasTable);

private:
    static void paint(const ExportPicture& picture, QPainter& painter);
};

}  // namespace poet

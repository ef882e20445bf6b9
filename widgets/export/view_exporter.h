// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "widgets/export/sheet.h"

#include <QByteArray>
#include <QImage>
#include <QPicture>
#include <QSize>
#include <QString>

#include <functional>

class QObject;
class QPainter;
class QRect;
class QWidget;

namespace poet {

/// Called in the GUI thread once something was written, or was not.
using WhenWritten = std::function<void(const Expected<void>&)>;

/// One view to be written: as a drawing, or as tables that are drawn with all their rows; and as CSV.
struct ExportPicture {
    QWidget* view = nullptr;       ///< that is drawn; for finding the one with the focus
    QString title;                 ///< "resnet18.onnx, nRF52840, 96 KiB, no deadline, optimal"
    QString defaultName;           ///< without ending
    QSize size;                    ///< of the drawing at 100 %
    std::function<void(QPainter&, const QRect&)> draw;  ///< in a light palette; GUI thread
    std::function<Sheet()> sheet;  ///< instead of `draw`; any thread
    std::function<QString()> csv;  ///< the same as a table; none: pictures only; any thread
    QString emptyReason;           ///< not empty: there is nothing to export, and why
};

/// A view drawn once; the drawing can be put on paper on any thread.
struct RecordedView {
    QPicture drawing = QPicture();
    QSize size;
};

/// PNG, SVG, PDF or, where there is a table, CSV by the file's ending; written aside and renamed. What widgets must do is
/// done at once, in the GUI thread; drawing, packing and writing can follow on another one. Tables that are long become
/// pages in PDF, and columns beside each other in PNG and SVG.
class ViewExporter {
public:
    static constexpr int kTitleHeight = 28;

    /// `scale`: 1 to 4, of PNG. Errors: BadUsage for an unknown ending, an empty view or a table too long for a picture,
    /// FileNotFound.
    [[nodiscard]] static Expected<void> write(const ExportPicture& picture, const QString& path, double scale = 2);
    /// The same; the longer part beside the GUI thread. `then` is not called when `receiver` is gone by then.
    static void writeBeside(QObject* receiver, const ExportPicture& picture, const QString& path, WhenWritten then);
    /// Draws the view. GUI thread; `picture.draw` must be there.
    [[nodiscard]] static RecordedView record(const ExportPicture& picture);
    [[nodiscard]] static QImage image(const ExportPicture& picture, double scale);
    /// Text such as CSV, written aside and renamed. Errors: FileNotFound.
    [[nodiscard]] static Expected<void> writeText(const QString& text, const QString& path);
    [[nodiscard]] static Expected<void> writeBytes(const QByteArray& bytes, const QString& path);
    /// Endings of a file dialog.
    [[nodiscard]] static QString filter(bool hasTable);
};

}  // namespace poet

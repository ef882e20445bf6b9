// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/export/view_exporter.h"

#include "widgets/document/beside.h"
#include "widgets/style/colors.h"

#include <QApplication>
#include <QBuffer>
#include <QFileInfo>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

#include <algorithm>
#include <cmath>
#include <optional>

namespace poet {

namespace {

using namespace Qt::StringLiterals;

constexpr int kColumnHeight = 2400;      ///< of a picture of a long table
constexpr double kMostPixels = 120e6;    ///< of a PNG: beyond, few programs open it
constexpr QSize kPaper(794, 1123);       ///< A4 at 96 dots per inch

Expected<void> save(const QByteArray& bytes, const QString& path)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        return fail(ErrorCode::FileNotFound, QObject::tr("%1 cannot be written: %2.").arg(path, file.errorString()).toStdString(),
                    QObject::tr("Choose another folder.").toStdString());
    return {};
}

/// An ExportPicture without its widget: what any thread can finish.
struct Recorded {
    QString title;
    QString ending;
    QFont font;
    RecordedView view;             ///< null with `sheet`
    std::function<Sheet()> sheet;
    std::function<QString()> csv;
};

/// Pages of one size, or one page, with a title line above each.
struct Pages {
    QSize size;  ///< with the title line
    int count = 1;
    std::function<void(QPainter&, int)> paint;
};

void paintPage(const QString& title, const QSize& size, QPainter& painter, const std::function<void(QPainter&)>& content)
{
    const QPalette palette = style::lightPalette();
    painter.fillRect(QRect(QPoint(), size), palette.color(QPalette::Base));
    painter.setPen(palette.color(QPalette::Text));
    painter.drawText(QRect(10, 0, size.width() - 20, ViewExporter::kTitleHeight), Qt::AlignVCenter | Qt::AlignLeft, title);
    painter.save();
    painter.translate(0, ViewExporter::kTitleHeight);
    content(painter);
    painter.restore();
}

/// The drawing as it is: one page.
Pages pagesOf(const Recorded& picture)
{
    const QSize size = picture.view.size + QSize(0, ViewExporter::kTitleHeight);
    return {size, 1, [&picture, size](QPainter& painter, int) { paintPage(picture.title, size, painter, [&](QPainter& p) { p.drawPicture(0, 0, picture.view.drawing); }); }};
}

/// Pages of paper size, upright or broad, the sheet scaled down to their width if it must be.
Pages paperPagesOf(const Recorded& picture, SheetPages& sheet)
{
    const QSize paper = sheet.pageSize().width() > kPaper.width() * 5 / 4 ? kPaper.transposed() : kPaper;
    const double scale = std::min(1.0, static_cast<double>(paper.width()) / sheet.pageSize().width());
    sheet.breakUp(static_cast<int>((paper.height() - ViewExporter::kTitleHeight) / scale));
    return {paper, sheet.count(), [&picture, &sheet, paper, scale](QPainter& painter, int page) {
                const QString title = sheet.count() > 1 ? QObject::tr("%1 (page %2 of %3)").arg(picture.title).arg(page + 1).arg(sheet.count()) : picture.title;
                paintPage(title, paper, painter, [&](QPainter& p) {
                    p.scale(scale, scale);
                    sheet.paint(p, page);
                });
            }};
}

/// All pages of a sheet beside each other.
Pages broadPageOf(const Recorded& picture, SheetPages& sheet)
{
    sheet.breakUp(kColumnHeight);
    const QSize size(sheet.pageSize().width() * sheet.count(), sheet.pageSize().height() + ViewExporter::kTitleHeight);
    return {size, 1, [&picture, &sheet, size](QPainter& painter, int) {
                paintPage(picture.title, size, painter, [&](QPainter& p) {
                    for (int i = 0; i < sheet.count(); ++i) {
                        sheet.paint(p, i);
                        p.translate(sheet.pageSize().width(), 0);
                    }
                });
            }};
}

QByteArray svg(const Recorded& picture, const Pages& pages)
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setTitle(picture.title);
    generator.setSize(pages.size);
    generator.setViewBox(QRect(QPoint(), pages.size));
    QPainter painter(&generator);
    painter.setFont(picture.font);
    pages.paint(painter, 0);
    painter.end();
    return buffer.data();
}

QByteArray pdf(const Recorded& picture, const Pages& pages)
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setTitle(picture.title);
    writer.setResolution(96);
    writer.setPageSize(QPageSize(QSizeF(pages.size.width() * 0.75, pages.size.height() * 0.75), QPageSize::Point));
    writer.setPageMargins(QMarginsF(0, 0, 0, 0));
    QPainter painter(&writer);
    for (int i = 0; i < pages.count; ++i) {
        if (i > 0)
            writer.newPage();
        painter.setFont(picture.font);
        pages.paint(painter, i);
    }
    painter.end();
    return buffer.data();
}

QImage raster(const Recorded& picture, const Pages& pages, double scale)
{
    scale = std::clamp(scale, 1.0, 4.0);
    QImage image(pages.size * scale, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(scale);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setFont(picture.font);
    pages.paint(painter, 0);
    return image;
}

/// What widgets must do. GUI thread.
Recorded recordAll(const ExportPicture& picture, const QString& ending)
{
    const bool isDrawn = picture.draw && ending != "csv"_L1;
    return {picture.title, ending, QApplication::font(), isDrawn ? ViewExporter::record(picture) : RecordedView{}, picture.sheet, picture.csv};
}

Expected<QByteArray> packed(const Recorded& picture, const Pages& pages, double scale)
{
    if (picture.ending == "svg"_L1)
        return svg(picture, pages);
    if (picture.ending == "pdf"_L1)
        return pdf(picture, pages);
    if (picture.ending != "png"_L1)
        return fail(ErrorCode::BadUsage, QObject::tr("Pictures are written as PNG, SVG or PDF, not as \"%1\".").arg(picture.ending).toStdString(),
                    QObject::tr("Give the file one of these endings.").toStdString());
    const double most = std::sqrt(kMostPixels / (static_cast<double>(pages.size.width()) * pages.size.height()));
    if (most < 1)
        return fail(ErrorCode::BadUsage, QObject::tr("The view is too large for a picture.").toStdString(), QObject::tr("Write it as PDF or as a table (CSV).").toStdString());
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    raster(picture, pages, std::min(scale, most)).save(&buffer, "PNG");
    return buffer.data();
}

/// The rest, on any thread.
Expected<void> finish(const Recorded& picture, const QString& path, double scale)
{
    if (picture.ending == "csv"_L1 && picture.csv)
        return ViewExporter::writeText(picture.csv(), path);
    if (!picture.sheet) {
        POET_TRY(drawing, packed(picture, pagesOf(picture), scale));
        return save(drawing, path);
    }
    const Sheet sheet = picture.sheet();
    SheetPages pages(sheet, picture.font);
    POET_TRY(bytes, packed(picture, picture.ending == "pdf"_L1 ? paperPagesOf(picture, pages) : broadPageOf(picture, pages), scale));
    return save(bytes, path);
}

}  // namespace

QString ViewExporter::filter(bool hasTable)
{
    const QString pictures = QObject::tr("PNG picture (*.png);;SVG drawing (*.svg);;PDF document (*.pdf)");
    return hasTable ? pictures + u";;"_s + QObject::tr("Table (*.csv)") : pictures;
}

RecordedView ViewExporter::record(const ExportPicture& picture)
{
    RecordedView recorded;
    recorded.size = picture.size;
    QPainter painter(&recorded.drawing);
    painter.setFont(QApplication::font());
    picture.draw(painter, QRect(QPoint(), picture.size));
    return recorded;
}

QImage ViewExporter::image(const ExportPicture& picture, double scale)
{
    const Recorded recorded = recordAll(picture, u"png"_s);
    if (!picture.sheet)
        return raster(recorded, pagesOf(recorded), scale);
    const Sheet sheet = picture.sheet();
    SheetPages pages(sheet, recorded.font);
    return raster(recorded, broadPageOf(recorded, pages), scale);
}

Expected<void> ViewExporter::write(const ExportPicture& picture, const QString& path, double scale)
{
    if (!picture.emptyReason.isEmpty())
        return fail(ErrorCode::BadUsage, picture.emptyReason.toStdString());
    return finish(recordAll(picture, QFileInfo(path).suffix().toLower()), path, scale);
}

void ViewExporter::writeBeside(QObject* receiver, const ExportPicture& picture, const QString& path, WhenWritten then)
{
    if (!picture.emptyReason.isEmpty()) {
        then(fail(ErrorCode::BadUsage, picture.emptyReason.toStdString()));
        return;
    }
    runBeside(receiver, [recorded = recordAll(picture, QFileInfo(path).suffix().toLower()), path] { return finish(recorded, path, 2); }, std::move(then));
}

Expected<void> ViewExporter::writeText(const QString& text, const QString& path) { return save(text.toUtf8(), path); }

Expected<void> ViewExporter::writeBytes(const QByteArray& bytes, const QString& path) { return save(bytes, path); }

}  // namespace poet

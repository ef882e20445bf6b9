// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/export/view_exporter.h"

#include "widgets/style/colors.h"

#include <QBuffer>
#include <QFileInfo>
#include <QObject>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

#include <algorithm>

namespace poet {

namespace {

using namespace Qt::StringLiterals;

Expected<void> save(const QByteArray& bytes, const QString& path)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        return fail(ErrorCode::FileNotFound, QObject::tr("%1 cannot be written: %2.").arg(path, file.errorString()).toStdString(),
                    QObject::tr("Choose another folder.").toStdString());
    return {};
}

QByteArray svg(const ExportPicture& picture, const std::function<void(QPainter&)>& draw)
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setTitle(picture.title);
    generator.setSize(picture.size + QSize(0, ViewExporter::kTitleHeight));
    generator.setViewBox(QRect(QPoint(), picture.size + QSize(0, ViewExporter::kTitleHeight)));
    QPainter painter(&generator);
    draw(painter);
    painter.end();
    return buffer.data();
}

QByteArray pdf(const ExportPicture& picture, const std::function<void(QPainter&)>& draw)
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setTitle(picture.title);
    writer.setResolution(96);
    const QSize size = picture.size + QSize(0, ViewExporter::kTitleHeight);
    writer.setPageSize(QPageSize(QSizeF(size.width() * 0.75, size.height() * 0.75), QPageSize::Point));
    writer.setPageMargins(QMarginsF(0, 0, 0, 0));
    QPainter painter(&writer);
    draw(painter);
    painter.end();
    return buffer.data();
}

}  // namespace

QString ViewExporter::filter(bool hasTable)
{
    const QString pictures = QObject::tr("PNG picture (*.png);;SVG drawing (*.svg);;PDF document (*.pdf)");
    return hasTable ? pictures + u";;"_s + QObject::tr("Table (*.csv)") : pictures;
}

void ViewExporter::paint(const ExportPicture& picture, QPainter& painter)
{
    const QPalette palette = style::lightPalette();
    painter.fillRect(QRect(QPoint(), picture.size + QSize(0, kTitleHeight)), palette.color(QPalette::Base));
    painter.setPen(palette.color(QPalette::Text));
    painter.drawText(QRect(10, 0, picture.size.width() - 20, kTitleHeight), Qt::AlignVCenter | Qt::AlignLeft, picture.title);
    painter.save();
    picture.draw(painter, QRect(QPoint(0, kTitleHeight), picture.size));
    painter.restore();
}

QImage ViewExporter::image(const ExportPicture& picture, double scale)
{
    scale = std::clamp(scale, 1.0, 4.0);
    const QSize size = picture.size + QSize(0, kTitleHeight);
    QImage image(size * scale, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(scale);
    image.fill(Qt::white);
    QPainter painter(&image);
    paint(picture, painter);
    return image;
}

Expected<void> ViewExporter::write(const ExportPicture& picture, const QString& path, double scale)
{
    if (!picture.emptyReason.isEmpty())
        return fail(ErrorCode::BadUsage, picture.emptyReason.toStdString());
    const QString ending = QFileInfo(path).suffix().toLower();
    const auto draw = [&](QPainter& painter) { paint(picture, painter); };
    if (ending == "svg"_L1)
        return save(svg(picture, draw), path);
    if (ending == "pdf"_L1)
        return save(pdf(picture, draw), path);
    if (ending == "csv"_L1 && picture.csv)
        return writeText(picture.csv(), path);
    if (ending != "png"_L1)
        return fail(ErrorCode::BadUsage, QObject::tr("Pictures are written as PNG, SVG or PDF, not as \"%1\".").arg(ending).toStdString(),
                    QObject::tr("Give the file one of these endings.").toStdString());
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    image(picture, scale).save(&buffer, "PNG");
    return save(buffer.data(), path);
}

Expected<void> ViewExporter::writeText(const QString& text, const QString& path) { return save(text.toUtf8(), path); }

Expected<void> ViewExporter::writeBytes(const QByteArray& bytes, const QString& path) { return save(bytes, path); }

}  // namespace poet

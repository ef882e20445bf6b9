// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/export/report_page.h"

#include <QBuffer>
#include <QPainter>
#include <QPdfWriter>
#include <QTextDocument>
#include <QUrl>

namespace poet {

using namespace Qt::StringLiterals;

namespace {

constexpr int kViewWidth = 560;  ///< of a view on the paper

QImage imageOf(const RecordedView& view)
{
    QImage image(view.size * 2, QImage::Format_RGB32);
    image.setDevicePixelRatio(2);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.drawPicture(0, 0, view.drawing);
    return image;
}

}  // namespace

QByteArray reportPdf(const ReportPage& page)
{
    QTextDocument document;
    QString html = u"<h2>%1</h2><p>%2</p>"_s.arg(page.title.toHtmlEscaped(), page.subtitle.toHtmlEscaped()) + page.html;
    for (std::size_t i = 0; i < page.views.size(); ++i) {
        const QString name = u"view%1"_s.arg(i);
        document.addResource(QTextDocument::ImageResource, QUrl(name), imageOf(page.views[i]));
        html += u"<p><img src='%1' width='%2'></p>"_s.arg(name).arg(kViewWidth);
    }
    document.setHtml(html);
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setPageSize(QPageSize(QPageSize::A4));
    writer.setTitle(page.subtitle);
    document.print(&writer);
    return buffer.data();
}

}  // namespace poet

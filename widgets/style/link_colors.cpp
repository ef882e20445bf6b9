// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style/link_colors.h"

#include <QEvent>
#include <QLabel>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextCursor>

namespace poet::style {

namespace {

void colorLinks(QTextDocument& document, const QColor& color)
{
    std::vector<std::pair<int, int>> anchors;  // position and length: changing a format moves the iterators
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
        for (auto it = block.begin(); !it.atEnd(); ++it)
            if (it.fragment().charFormat().isAnchor())
                anchors.emplace_back(it.fragment().position(), it.fragment().length());
    QTextCharFormat format;
    format.setForeground(color);
    for (const auto& [position, length] : anchors) {
        QTextCursor cursor(&document);
        cursor.setPosition(position);
        cursor.setPosition(position + length, QTextCursor::KeepAnchor);
        cursor.mergeCharFormat(format);
    }
}

}  // namespace

LinkColors::LinkColors(QWidget* window) : QObject(window)
{
    for (QLabel* label : window->findChildren<QLabel*>())
        label->installEventFilter(this);
    for (QTextBrowser* browser : window->findChildren<QTextBrowser*>())
        browser->installEventFilter(this);
}

bool LinkColors::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::PaletteChange)
        return false;
    if (auto* browser = qobject_cast<QTextBrowser*>(watched)) {
        colorLinks(*browser->document(), browser->palette().color(QPalette::Link));
    } else if (auto* label = qobject_cast<QLabel*>(watched); label && label->text().contains(QLatin1String("<a "))) {
        const QString text = label->text();
        label->clear();  // the same text again would be ignored
        label->setText(text);
    }
    return false;
}

}  // namespace poet::style

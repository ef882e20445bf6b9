// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/tool_row.h"

#include "widgets/window/main_window.h"

#include <QButtonGroup>
#include <QDockWidget>
#include <QHBoxLayout>
#include <QLabel>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

namespace poet {

QWidget* withTools(QLayout* row, QWidget* content)
{
    auto* box = new QWidget;
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    row->setContentsMargins(8, 2, 8, 2);
    layout->addLayout(row);
    layout->addWidget(content, 1);
    return box;
}

void setTools(QDockWidget* dock, QHBoxLayout* row)
{
    auto* bar = new QWidget;
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(8, 2, 4, 2);
    layout->setSpacing(4);
    layout->addWidget(new QLabel(dock->windowTitle()));
    layout->addSpacing(14);
    layout->addLayout(row, 1);
    const auto add = [&](QStyle::StandardPixmap icon, const QString& tip, auto work) {
        auto* button = new QToolButton;
        button->setIcon(dock->style()->standardIcon(icon));
        button->setIconSize(QSize(12, 12));
        button->setAutoRaise(true);
        button->setToolTip(tip);
        button->setAccessibleName(tip);
        QObject::connect(button, &QToolButton::clicked, dock, work);
        layout->addWidget(button);
    };
    add(QStyle::SP_TitleBarNormalButton, MainWindow::tr("Float or dock"), [dock] { dock->setFloating(!dock->isFloating()); });
    add(QStyle::SP_TitleBarCloseButton, MainWindow::tr("Hide"), [dock] { dock->close(); });
    dock->setTitleBarWidget(bar);
}

QToolButton* flatButton(const QString& text, const QString& tip)
{
    auto* button = new QToolButton;
    button->setText(text);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setAutoRaise(true);
    return button;
}

QButtonGroup* addChoice(QHBoxLayout* row, QWidget* parent, const QStringList& names, const QStringList& tips)
{
    auto* group = new QButtonGroup(parent);
    for (int i = 0; i < names.size(); ++i) {
        QToolButton* button = flatButton(names[i], tips[i]);
        button->setCheckable(true);
        button->setChecked(i == 0);
        group->addButton(button, i);
        row->addWidget(button);
    }
    return group;
}

}  // namespace poet

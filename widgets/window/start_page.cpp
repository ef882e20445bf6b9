// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/start_page.h"

#include "widgets/style/scrolled.h"

#include <QCommandLinkButton>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace poet {

namespace {

void clear(QLayout* layout)
{
    while (QLayoutItem* item = layout->takeAt(0)) {
        delete item->widget();
        delete item;
    }
}

QLabel* heading(const QString& text, double factor)
{
    auto* label = new QLabel(text);
    QFont font = label->font();
    font.setPointSizeF(font.pointSizeF() * factor);
    font.setBold(true);
    label->setFont(font);
    return label;
}

}  // namespace

StartPage::StartPage(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("startPage"));
    auto* content = new QWidget;
    content->setMaximumWidth(760);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(32, 28, 32, 28);
    column->setSpacing(10);
    column->addWidget(heading(tr("POET Explorer"), 1.9));
    auto* what = new QLabel(tr("Train a neural network on a device whose memory is too small for it: see what to keep, what to page to flash, "
                               "and what to compute twice, and what that costs in energy and time."));
    what->setWordWrap(true);
    column->addWidget(what);
    auto* buttons = new QHBoxLayout;
    auto* open = new QPushButton(tr("Open a model\u2026"));
    open->setDefault(true);
    auto* tour = new QPushButton(tr("Take the tour"));
    buttons->addWidget(open);
    buttons->addWidget(tour);
    buttons->addStretch();
    column->addLayout(buttons);
    auto* drop = new QLabel(tr("or drop an ONNX file, a cost graph, a schedule or a device profile anywhere on this window"));
    drop->setForegroundRole(QPalette::PlaceholderText);
    drop->setWordWrap(true);
    column->addWidget(drop);
    column->addSpacing(8);
    column->addWidget(heading(tr("Examples"), 1.15));
    m_examples = new QVBoxLayout;
    m_examples->setSpacing(2);
    column->addLayout(m_examples);
    m_recentBox = new QWidget;
    auto* recent = new QVBoxLayout(m_recentBox);
    recent->setContentsMargins(0, 8, 0, 0);
    recent->addWidget(heading(tr("Recent files"), 1.15));
    m_recent = new QVBoxLayout;
    m_recent->setSpacing(2);
    recent->addLayout(m_recent);
    column->addWidget(m_recentBox);
    column->addStretch();
    m_recentBox->hide();
    auto* centred = new QWidget;
    auto* row = new QHBoxLayout(centred);
    row->setContentsMargins(0, 0, 0, 0);
    row->addStretch(1);
    row->addWidget(content, 20);
    row->addStretch(1);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(new ColumnScroll(centred));
    connect(open, &QPushButton::clicked, this, &StartPage::openAsked);
    connect(tour, &QPushButton::clicked, this, &StartPage::tourAsked);
}

void StartPage::setExamples(const std::vector<Example>& examples)
{
    clear(m_examples);
    for (const Example& example : examples) {
        auto* link = new QCommandLinkButton(example.title, example.lesson);
        link->setWhatsThis(example.lesson);
        connect(link, &QCommandLinkButton::clicked, this, [this, example] { Q_EMIT exampleChosen(example); });
        m_examples->addWidget(link);
    }
    if (examples.empty())
        m_examples->addWidget(new QLabel(tr("No examples are installed.")));
}

void StartPage::setRecentFiles(const QStringList& files)
{
    clear(m_recent);
    for (const QString& file : files) {
        auto* link = new QPushButton(QFileInfo(file).fileName());
        link->setFlat(true);
        link->setToolTip(file);
        link->setWhatsThis(file);
        link->setStyleSheet(QStringLiteral("text-align: left"));
        connect(link, &QPushButton::clicked, this, [this, file] { Q_EMIT recentChosen(file); });
        m_recent->addWidget(link);
    }
    m_recentBox->setVisible(!files.isEmpty());
}

}  // namespace poet

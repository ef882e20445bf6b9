// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/message_bar.h"

#include "widgets/style/colors.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

#include <utility>

namespace poet {

MessageBar::MessageBar(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("messageBar"));
    m_mark = new QLabel;
    m_text = new QLabel;
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_choiceRow = new QHBoxLayout;
    m_copy = new QPushButton(tr("Copy details"));
    auto* close = new QToolButton;
    close->setText(QStringLiteral("\u2715"));
    close->setAutoRaise(true);
    close->setAccessibleName(tr("Close message"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(10, 5, 6, 5);
    row->addWidget(m_mark);
    row->addWidget(m_text, 1);
    row->addLayout(m_choiceRow);
    row->addWidget(m_copy);
    row->addWidget(close);
    connect(close, &QToolButton::clicked, this, &MessageBar::dismiss);
    connect(m_copy, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(m_text->text()); });
    hide();
}

void MessageBar::show(Kind kind, const QString& message, const QString& hint, const QString& actionText, std::function<void()> action)
{
    show(kind, message, hint, actionText.isEmpty() ? QList<Choice>() : QList<Choice>{{actionText, std::move(action)}});
}

void MessageBar::show(Kind kind, const QString& message, const QString& hint, const QList<Choice>& choices)
{
    m_kind = kind;
    m_mark->setText(kind == Kind::Problem ? QStringLiteral("!") : QStringLiteral("i"));
    m_text->setText(hint.isEmpty() ? message : message + QLatin1Char(' ') + hint);
    for (QPushButton* button : std::exchange(m_choices, {})) {
        button->hide();
        button->deleteLater();  // one of them may be what was just clicked
    }
    for (const Choice& choice : choices) {
        auto* button = new QPushButton(choice.text);
        button->setWhatsThis(choice.text);
        connect(button, &QPushButton::clicked, this, [this, work = choice.work] {
            dismiss();
            if (work)
                work();
        });
        m_choiceRow->addWidget(button);
        m_choices.append(button);
    }
    m_copy->setVisible(kind == Kind::Problem);
    setVisible(true);
    update();
}

void MessageBar::dismiss() { hide(); }

QString MessageBar::text() const { return isHidden() ? QString() : m_text->text(); }

void MessageBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const QColor color = style::color(m_kind == Kind::Problem ? style::Meaning::OverBudget : style::Meaning::Forward, palette());
    painter.fillRect(rect(), style::mix(palette().color(QPalette::Window), color, 0.14));
    painter.fillRect(QRect(0, 0, 4, height()), color);
}

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/limit_row.h"

#include "widgets/controls/limit_slider.h"
#include "widgets/style/colors.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>

namespace poet {

LimitRow::LimitRow(const Texts& texts, QWidget* parent) : QWidget(parent)
{
    m_slider = new LimitSlider;
    m_slider->setObjectName(texts.id + QLatin1String("Slider"));
    m_slider->setAccessibleName(texts.sliderName);
    m_field = new QLineEdit;
    m_field->setObjectName(texts.id + QLatin1String("Field"));
    m_field->setAccessibleName(texts.fieldName);
    m_field->setToolTip(texts.fieldTip);
    m_field->setMinimumWidth(70);
    auto* label = new QLabel(texts.label);
    label->setBuddy(m_field);
    auto* reset = new QToolButton;
    reset->setText(tr("reset"));
    reset->setToolTip(texts.resetTip);
    reset->setAccessibleName(texts.resetTip);
    reset->setAutoRaise(true);
    m_sign = new QLabel(QStringLiteral("\u26A0"));
    m_sign->hide();
    m_message = new QLabel;
    m_message->setObjectName(texts.id + QLatin1String("Understood"));
    m_message->setWordWrap(true);
    m_row = new QHBoxLayout;
    m_row->addWidget(label);
    m_row->addWidget(m_field, 1);
    m_row->addWidget(reset);
    auto* message = new QHBoxLayout;
    message->setSpacing(5);
    message->addWidget(m_sign, 0, Qt::AlignTop);
    message->addWidget(m_message, 1);
    m_column = new QVBoxLayout(this);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(3);
    m_column->addLayout(m_row);
    m_column->addWidget(m_slider);
    m_column->addLayout(message);
    connect(m_slider, &LimitSlider::resetAsked, this, &LimitRow::resetAsked);
    connect(reset, &QToolButton::clicked, this, &LimitRow::resetAsked);
    colorMessage();
}

void LimitRow::addBesideField(QWidget* widget) { m_row->insertWidget(2, widget); }

void LimitRow::addBelowField(QWidget* widget) { m_column->insertWidget(1, widget); }

void LimitRow::showValue(const QString& text)
{
    if (!m_field->hasFocus() || !m_field->isModified())
        m_field->setText(text);
}

bool LimitRow::isTyped() const { return m_field->isModified(); }

void LimitRow::showUnderstood(const QString& text)
{
    m_hasProblem = false;
    m_message->setText(text);
    colorMessage();
}

void LimitRow::showProblem(const QString& text)
{
    m_hasProblem = true;
    m_message->setText(text);
    colorMessage();
}

void LimitRow::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_message)
        colorMessage();
}

void LimitRow::colorMessage()
{
    m_sign->setVisible(m_hasProblem);
    m_message->setForegroundRole(m_hasProblem ? QPalette::WindowText : QPalette::PlaceholderText);
    QPalette colors;  // empty: inherits, so that a change of appearance reaches the label
    if (m_hasProblem)
        colors.setColor(QPalette::WindowText, style::errorText(palette()));
    m_message->setPalette(colors);
    m_sign->setPalette(colors);
}

}  // namespace poet

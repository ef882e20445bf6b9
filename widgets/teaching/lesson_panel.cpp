// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/teaching/lesson_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QTextBrowser>
#include <QVBoxLayout>

#include <algorithm>

namespace poet {

LessonPanel::LessonPanel(QWidget* parent) : QWidget(parent)
{
    m_title = new QLabel;
    QFont bold = font();
    bold.setBold(true);
    m_title->setFont(bold);
    m_title->setWordWrap(true);
    m_text = new QTextBrowser;
    m_text->setAccessibleName(tr("Text of the lesson"));
    m_text->setFrameShape(QFrame::NoFrame);
    m_back = new QPushButton(tr("Back"));
    m_next = new QPushButton(tr("Next"));
    auto* row = new QHBoxLayout;
    row->addWidget(m_back);
    row->addStretch();
    row->addWidget(m_next);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_title);
    column->addWidget(m_text, 1);
    column->addLayout(row);
    connect(m_back, &QPushButton::clicked, this, [this] { move(-1); });
    connect(m_next, &QPushButton::clicked, this, [this] { move(1); });
}

void LessonPanel::start(const Lesson& lesson)
{
    m_lesson = lesson;
    m_page = 0;
    showPage();
}

void LessonPanel::move(int direction)
{
    if (m_lesson.steps.empty())
        return;
    m_page = std::clamp(m_page + direction, 0, static_cast<int>(m_lesson.steps.size()) - 1);
    showPage();
}

void LessonPanel::showPage()
{
    const LessonStep& step = m_lesson.steps[static_cast<std::size_t>(m_page)];
    m_title->setText(tr("%1 (%2 of %3)").arg(m_lesson.title).arg(m_page + 1).arg(m_lesson.steps.size()));
    m_text->setHtml(step.text);
    m_back->setEnabled(m_page > 0);
    m_next->setEnabled(m_page + 1 < static_cast<int>(m_lesson.steps.size()));
    Q_EMIT stepShown(step);
}

}  // namespace poet

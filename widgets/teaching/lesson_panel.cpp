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
    m_end = new QPushButton(tr("End lesson"));
    m_end->setToolTip(tr("Back to your own model, device and limits, as they were before the lesson"));
    auto* row = new QHBoxLayout;
    row->addWidget(m_back);
    row->addWidget(m_next);
    row->addStretch();
    row->addWidget(m_end);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_title);
    column->addWidget(m_text, 1);
    column->addLayout(row);
    connect(m_back, &QPushButton::clicked, this, [this] { move(-1); });
    connect(m_next, &QPushButton::clicked, this, [this] { move(1); });
    connect(m_end, &QPushButton::clicked, this, &LessonPanel::ended);
    clear();
}

void LessonPanel::start(const Lesson& lesson)
{
    m_lesson = lesson;
    m_page = 0;
    showPage();
}

void LessonPanel::clear()
{
    m_page = -1;
    m_lesson = {};
    m_title->setText(tr("No lesson is open."));
    m_text->setHtml(tr("<p>The menu <i>Teach</i> lists the lessons. What is open now comes back when a lesson ends.</p>"));
    for (QPushButton* button : {m_back, m_next, m_end})
        button->setEnabled(false);
}

void LessonPanel::move(int direction)
{
    if (!isRunning())
        return;
    const int last = static_cast<int>(m_lesson.steps.size()) - 1;
    if (m_page + direction > last) {
        Q_EMIT ended();
        return;
    }
    m_page = std::max(m_page + direction, 0);
    showPage();
}

void LessonPanel::showPage()
{
    const LessonStep& step = m_lesson.steps[static_cast<std::size_t>(m_page)];
    m_title->setText(tr("%1 (%2 of %3)").arg(m_lesson.title).arg(m_page + 1).arg(m_lesson.steps.size()));
    m_text->setHtml(step.text);
    m_back->setEnabled(m_page > 0);
    const bool isLast = m_page + 1 == static_cast<int>(m_lesson.steps.size());
    m_next->setText(isLast ? tr("Finish") : tr("Next"));
    m_next->setEnabled(true);
    m_end->setEnabled(true);
    Q_EMIT stepShown(step);
}

}  // namespace poet

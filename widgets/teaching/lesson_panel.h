// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/teaching/lesson.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QTextBrowser;

namespace poet {

/// Shows the pages of a lesson; the window does what a page asks for, and puts its own state back when it has ended.
class LessonPanel : public QWidget {
    Q_OBJECT
public:
    explicit LessonPanel(QWidget* parent = nullptr);
    void start(const Lesson& lesson);
    /// Forgets the lesson: there is nothing to read.
    void clear();
    [[nodiscard]] bool isRunning() const { return m_page >= 0; }
    /// To the neighbouring page; past the last one the lesson ends.
    void move(int direction);
    [[nodiscard]] int page() const { return m_page; }

Q_SIGNALS:
    void stepShown(const poet::LessonStep& step);
    /// The reader is through, or wants to leave.
    void ended();

private:
    void showPage();

    Lesson m_lesson;
    int m_page = -1;
    QLabel* m_title = nullptr;
    QTextBrowser* m_text = nullptr;
    QPushButton* m_back = nullptr;
    QPushButton* m_next = nullptr;
    QPushButton* m_end = nullptr;
};

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <functional>

class QLabel;
class QPushButton;

namespace poet {

/// One inline, non-modal message above the graph: what happened, what to do, Copy details, close.
class MessageBar : public QWidget {
    Q_OBJECT
public:
    enum class Kind { Note, Problem };

    explicit MessageBar(QWidget* parent = nullptr);
    /// `actionText` empty: no extra button; else a click closes the message and runs `action`.
    void show(Kind kind, const QString& message, const QString& hint, const QString& actionText = {}, std::function<void()> action = {});
    void dismiss();
    [[nodiscard]] QString text() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Kind m_kind = Kind::Note;
    QLabel* m_mark = nullptr;
    QLabel* m_text = nullptr;
    QPushButton* m_action = nullptr;
    QPushButton* m_copy = nullptr;
    std::function<void()> m_work;
};

}  // namespace poet

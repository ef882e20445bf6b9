// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>

#include <functional>

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace poet {

/// One inline, non-modal message above the graph: what happened, what to do, Copy details, close.
class MessageBar : public QWidget {
    Q_OBJECT
public:
    enum class Kind { Note, Problem };

    explicit MessageBar(QWidget* parent = nullptr);
    /// A button of a message: a click closes the message and runs `work`.
    struct Choice {
        QString text;
        std::function<void()> work;
    };
    void show(Kind kind, const QString& message, const QString& hint, const QList<Choice>& choices);
    /// `actionText` empty: no extra button.
    void show(Kind kind, const QString& message, const QString& hint, const QString& actionText = {}, std::function<void()> action = {});
    void dismiss();
    [[nodiscard]] QString text() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Kind m_kind = Kind::Note;
    QLabel* m_mark = nullptr;
    QLabel* m_text = nullptr;
    QPushButton* m_copy = nullptr;
    QList<QPushButton*> m_choices;
    QHBoxLayout* m_choiceRow = nullptr;
};

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace poet {

/// One inline, non-modal message above the graph: what happened, what to do, Copy details, close.
class MessageBar : public QWidget {
    Q_OBJECT
public:
    enum class Kind { Note, Problem };

    explicit MessageBar(QWidget* parent = nullptr);
    /// `actionText` empty: no extra button; else actionTriggered() follows a click.
    void show(Kind kind, const QString& message, const QString& hint, const QString& actionText = {});
    void dismiss();
    [[nodiscard]] QString text() const;

Q_SIGNALS:
    void actionTriggered();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Kind m_kind = Kind::Note;
    QLabel* m_mark = nullptr;
    QLabel* m_text = nullptr;
    QPushButton* m_action = nullptr;
    QPushButton* m_copy = nullptr;
};

}  // namespace poet

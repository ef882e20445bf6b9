// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/controls/status_text.h"

#include <QWidget>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QToolButton;

namespace poet {

class LimitSlider;
class SolveController;

/// Memory, deadline, strategy, and the status that says what is known about them.
class ConstraintsPanel : public QWidget {
    Q_OBJECT
public:
    ConstraintsPanel(DocumentState& state, SolveController& solver, QWidget* parent = nullptr);

    [[nodiscard]] LimitSlider* memorySlider() const { return m_memory; }
    [[nodiscard]] LimitSlider* deadlineSlider() const { return m_deadline; }
    [[nodiscard]] QLineEdit* memoryField() const { return m_memoryField; }
    [[nodiscard]] QLineEdit* deadlineField() const { return m_deadlineField; }
    [[nodiscard]] QComboBox* strategyBox() const { return m_strategy; }
    [[nodiscard]] QString statusHeadline() const;

private:
    void buildControls();
    void refresh(DocumentState::Aspects aspects);
    void showControls();
    void showRanges();
    void showStatus();
    void takeMemoryText();
    void takeDeadlineText();
    void setMemory(std::int64_t bytes, const QString& what, int mergeKey);
    void setDeadline(std::optional<double> seconds, const QString& what, int mergeKey);
    void jump(const StatusJump& jump);
    [[nodiscard]] double deadlineMaximum() const;

    DocumentState& m_state;
    SolveController& m_solver;
    LimitSlider* m_memory = nullptr;
    LimitSlider* m_deadline = nullptr;
    QLineEdit* m_memoryField = nullptr;
    QLineEdit* m_deadlineField = nullptr;
    QLabel* m_memoryUnderstood = nullptr;
    QLabel* m_deadlineUnderstood = nullptr;
    QComboBox* m_strategy = nullptr;
    QComboBox* m_gap = nullptr;
    QSpinBox* m_limit = nullptr;
    QLabel* m_mark = nullptr;
    QLabel* m_headline = nullptr;
    QLabel* m_detail = nullptr;
    QPushButton* m_prove = nullptr;
    QPushButton* m_stop = nullptr;
    QPushButton* m_retry = nullptr;
    QHBoxLayout* m_jumps = nullptr;
    QList<QPushButton*> m_jumpButtons;
    int m_dragKey = 0;
};

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/controls/status_text.h"

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace poet {

class SolveController;

/// What is known about the limits, in words, with the ways out and the buttons of the search.
class StatusPanel : public QWidget {
    Q_OBJECT
public:
    StatusPanel(DocumentState& state, SolveController& solver, QWidget* parent = nullptr);
    [[nodiscard]] QString headline() const;

private:
    void showStatus();
    void jump(const StatusJump& target);

    DocumentState& m_state;
    SolveController& m_solver;
    QLabel* m_mark = nullptr;
    QLabel* m_headline = nullptr;
    QLabel* m_detail = nullptr;
    QPushButton* m_prove = nullptr;
    QPushButton* m_stop = nullptr;
    QPushButton* m_retry = nullptr;
    QHBoxLayout* m_jumps = nullptr;
    QList<QPushButton*> m_jumpButtons;
};

}  // namespace poet

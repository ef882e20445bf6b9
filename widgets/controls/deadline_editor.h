// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document_state.h"

#include <QWidget>

class QComboBox;
class QLineEdit;
class QSpinBox;

namespace poet {

class LimitRow;
class LimitSlider;

/// The deadline: of one training step, or of a whole job of epochs and steps. The document holds that of one step.
class DeadlineEditor : public QWidget {
    Q_OBJECT
public:
    explicit DeadlineEditor(DocumentState& state, QWidget* parent = nullptr);

    [[nodiscard]] LimitSlider* slider() const;
    [[nodiscard]] QLineEdit* field() const;
    [[nodiscard]] QComboBox* scopeBox() const { return m_scope; }
    [[nodiscard]] QSpinBox* epochsBox() const { return m_epochs; }
    [[nodiscard]] QSpinBox* stepsBox() const { return m_steps; }
    /// A new drag: later moves are another undo step.
    void endDrag() { ++m_dragKey; }

Q_SIGNALS:
    /// The user is done with a change: search at once. `isForced` also repeats a settled question.
    void solveAsked(bool isForced);

private:
    void build();
    void refresh(DocumentState::Aspects aspects);
    void showRange();
    void showControls();
    void takeText();
    void takeJob();
    void setDeadline(std::optional<double> seconds, const QString& what, int mergeKey);
    void setJob(std::optional<Job> job, const QString& what);
    [[nodiscard]] double largest() const;

    DocumentState& m_state;
    LimitRow* m_row = nullptr;
    QComboBox* m_scope = nullptr;
    QWidget* m_jobRow = nullptr;
    QSpinBox* m_epochs = nullptr;
    QSpinBox* m_steps = nullptr;
    int m_dragKey = 0;
};

}  // namespace poet

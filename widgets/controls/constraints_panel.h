// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/controls/deadline_editor.h"
#include "widgets/controls/search_settings.h"
#include "widgets/controls/status_panel.h"
#include "widgets/document/document_loader.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;

namespace poet {

class LimitSlider;
class SolveController;

/// All that a question to the planner consists of, in one place: memory, deadline, strategy, operating point, when a
/// search ends; and the status that says what is known.
class ConstraintsPanel : public QWidget {
    Q_OBJECT
public:
    ConstraintsPanel(DocumentState& state, SolveController& solver, QWidget* parent = nullptr);

    [[nodiscard]] LimitSlider* memorySlider() const { return m_memory; }
    [[nodiscard]] LimitSlider* deadlineSlider() const { return m_deadline->slider(); }
    [[nodiscard]] QLineEdit* memoryField() const { return m_memoryField; }
    [[nodiscard]] QLineEdit* deadlineField() const { return m_deadline->field(); }
    [[nodiscard]] DeadlineEditor* deadlineEditor() const { return m_deadline; }
    [[nodiscard]] SearchSettings* searchSettings() const { return m_search; }
    [[nodiscard]] QComboBox* strategyBox() const { return m_strategy; }
    [[nodiscard]] QComboBox* operatingPointBox() const { return m_point; }
    [[nodiscard]] QString statusHeadline() const { return m_status->headline(); }
    /// The points of the open problem's device, the default first; empty: it has none to choose.
    void setOperatingPoints(const QList<OperatingPointEntry>& points, const QString& current);

    /// What operatingPointChosen() says when the best point is to be found.
    static constexpr const char* kBestPoint = "auto";

Q_SIGNALS:
    void operatingPointChosen(const QString& id);

private:
    void build();
    void buildMemory();
    void refresh(DocumentState::Aspects aspects);
    void showControls();
    void showRange();
    void takeMemoryText();
    void setMemory(std::int64_t bytes, const QString& what, int mergeKey);

    DocumentState& m_state;
    SolveController& m_solver;
    QWidget* m_memoryBox = nullptr;
    LimitSlider* m_memory = nullptr;
    QLineEdit* m_memoryField = nullptr;
    QLabel* m_memoryUnderstood = nullptr;
    DeadlineEditor* m_deadline = nullptr;
    QComboBox* m_strategy = nullptr;
    QComboBox* m_point = nullptr;
    QLabel* m_pointLabel = nullptr;
    SearchSettings* m_search = nullptr;
    StatusPanel* m_status = nullptr;
    int m_dragKey = 1;
};

}  // namespace poet

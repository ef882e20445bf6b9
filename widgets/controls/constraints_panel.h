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

class LimitRow;
class LimitSlider;
class OverheadFinder;
class OverheadSearch;
class SolveController;

/// All that a question to the planner consists of, in one place: memory, deadline, strategy, operating point, when a
/// search ends; and the status that says what is known.
class ConstraintsPanel : public QWidget {
    Q_OBJECT
public:
    /// `overhead` null: there is no search for the smallest memory.
    ConstraintsPanel(DocumentState& state, SolveController& solver, OverheadSearch* overhead, QWidget* parent = nullptr);

    [[nodiscard]] LimitSlider* memorySlider() const;
    [[nodiscard]] LimitSlider* deadlineSlider() const { return m_deadline->slider(); }
    [[nodiscard]] QLineEdit* memoryField() const;
    [[nodiscard]] QLineEdit* deadlineField() const { return m_deadline->field(); }
    [[nodiscard]] DeadlineEditor* deadlineEditor() const { return m_deadline; }
    /// Null without a search for the smallest memory.
    [[nodiscard]] OverheadFinder* overheadFinder() const { return m_finder; }
    [[nodiscard]] SearchSettings* searchSettings() const { return m_search; }
    [[nodiscard]] QComboBox* strategyBox() const { return m_strategy; }
    [[nodiscard]] QComboBox* operatingPointBox() const { return m_point; }
    [[nodiscard]] QString statusHeadline() const { return m_status->headline(); }
    /// The points of the open problem's device, the default first; empty: it has none to choose.
    void setOperatingPoints(const QList<OperatingPointEntry>& points, const QString& current);

    /// What operatingPointChosen() says when the best point is to be found.
    static constexpr const char* kBestPoint = "auto";
    /// The same for the point that needs least memory for the overhead that is set.
    static constexpr const char* kBestPointForOverhead = "auto-overhead";

Q_SIGNALS:
    void operatingPointChosen(const QString& id);

private:
    void build();
    void buildMemory();
    void buildChoices();
    void refresh(DocumentState::Aspects aspects);
    void showControls();
    void showRange();
    void takeMemoryText();
    void setMemory(std::int64_t bytes, const QString& what, int mergeKey);
    /// Neighbours on the slider and named marks look different from `bytes`.
    [[nodiscard]] QString shownMemory(std::int64_t bytes) const;

    DocumentState& m_state;
    SolveController& m_solver;
    OverheadSearch* m_overhead;
    LimitRow* m_memory = nullptr;
    OverheadFinder* m_finder = nullptr;
    DeadlineEditor* m_deadline = nullptr;
    QComboBox* m_strategy = nullptr;
    QComboBox* m_point = nullptr;
    QLabel* m_pointLabel = nullptr;
    SearchSettings* m_search = nullptr;
    StatusPanel* m_status = nullptr;
    int m_dragKey = 1;
};

}  // namespace poet

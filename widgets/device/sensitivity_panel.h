// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/device/sensitivity_job.h"
#include "widgets/document/document_state.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace poet {

class DeviceDraft;
class FlipSlider;

/// Sliders for the uncertain numbers of a draft: which known plan is best with the numbers as they are set, and at
/// which value of each another one becomes better.
class SensitivityPanel : public QWidget {
    Q_OBJECT
public:
    static constexpr int kMostNumbers = 8;
    static constexpr int kMostPlans = 8;

    SensitivityPanel(DocumentState& state, DeviceDraft& draft, QWidget* parent = nullptr);

    /// The draft is another one: new rows.
    void rebuild();
    /// Numbers of the draft were changed elsewhere.
    void draftChanged();
    /// Known plans or limits changed.
    void plansChanged();
    [[nodiscard]] int sliderCount() const { return static_cast<int>(m_rows.size()); }
    [[nodiscard]] FlipSlider* slider(int row) const { return m_rows[static_cast<std::size_t>(row)].slider; }
    [[nodiscard]] QString verdict() const;
    [[nodiscard]] QString flipText(int row) const;
    [[nodiscard]] bool isBusy() const { return m_job->isRunning() || m_flipTimer.isActive(); }

Q_SIGNALS:
    /// A slider changed the draft.
    void edited();

private:
    struct Row {
        std::string path;
        FlipSlider* slider = nullptr;
        QLabel* value = nullptr;
        QLabel* flips = nullptr;
    };

    void addRow(const NamedQuantity& named);
    void collectPlans();
    void ask(bool withFlips);
    void show(const SensitivityOutput& output);
    void showFlips(Row& row, const SensitivityCurve& curve);
    [[nodiscard]] QString shownValue(const std::string& path, double value) const;
    [[nodiscard]] QString planName(int plan) const;

    DocumentState& m_state;
    DeviceDraft& m_draft;
    SensitivityJob* m_job = nullptr;
    QTimer m_flipTimer;
    QLabel* m_verdict = nullptr;
    QLabel* m_legend = nullptr;
    QVBoxLayout* m_list = nullptr;
    QWidget* m_listBox = nullptr;
    std::vector<Row> m_rows;
    ProblemPtr m_problem;          ///< that m_plans are of
    std::vector<PlanPtr> m_plans;
};

}  // namespace poet

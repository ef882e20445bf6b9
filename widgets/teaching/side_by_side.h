// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document_state.h"

#include <QWidget>

#include <memory>
#include <vector>

namespace poet {

struct TimelineModel;

/// Keep-all, paging only, recompute only and both, each as its memory curve under the same budget with its energy and
/// time: what each idea alone can do, and what they do together. A click takes that strategy.
class SideBySide : public QWidget {
    Q_OBJECT
public:
    explicit SideBySide(DocumentState& state, QWidget* parent = nullptr);
    ~SideBySide() override;

    /// Makes columns() those of what is known now; done by itself only while the view is seen.
    void catchUp() { rebuild(); }

    struct Column {
        Strategy strategy = Strategy::Integrated;
        PlanPtr plan;                          ///< the best known that the strategy allows; null: none fits
        bool fits = false;                     ///< false: keep-all over the budget, or a plan that is missing
        std::shared_ptr<TimelineModel> curve;  ///< of the plan
    };
    [[nodiscard]] const std::vector<Column>& columns() const { return m_columns; }
    [[nodiscard]] QRectF columnRect(int column) const;
    void renderTo(QPainter& painter, const QRect& area);

Q_SIGNALS:
    void strategyPicked(poet::Strategy strategy);

protected:
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void rebuild();
    void paintAll(QPainter& painter, const QRectF& area) const;
    void paintColumn(QPainter& painter, const QRectF& area, const Column& column) const;
    [[nodiscard]] QString figures(const Column& column) const;

    DocumentState& m_state;
    std::vector<Column> m_columns;
    std::int64_t m_largestBytes = 1;
    double m_longestSeconds = 1;
    int m_current = 3;
    bool m_isStale = true;
};

}  // namespace poet

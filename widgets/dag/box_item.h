// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/dag/dag_model.h"
#include "widgets/dag/dag_paint.h"

#include <QFont>
#include <QGraphicsItem>

namespace poet {

/// Scales at which the drawing gets simpler (gui.md section 4).
inline constexpr double kFullDetail = 0.5;
inline constexpr double kSomeDetail = 0.35;

/// One box. All text is drawn in paint(): no child items.
class BoxItem : public QGraphicsItem {
public:
    enum { Type = UserType + 1 };

    BoxItem(const DagBox& box, int index, const QFont& font);
    [[nodiscard]] int type() const override { return Type; }
    [[nodiscard]] int index() const { return m_index; }
    [[nodiscard]] const DagBox& box() const { return m_box; }
    /// Repaints only when something changed.
    void setLook(const BoxLook& look);
    [[nodiscard]] const BoxLook& look() const { return m_look; }

    [[nodiscard]] QRectF boundingRect() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    void paintFull(QPainter& painter, const QPalette& palette) const;
    void paintFate(QPainter& painter, const QPalette& palette, const QRectF& box) const;
    void paintBorder(QPainter& painter, const QPalette& palette, const QRectF& box) const;
    void paintTexts(QPainter& painter, const QPalette& palette, const QRectF& box) const;
    /// While stepping: the tensor is not there yet, or no longer.
    [[nodiscard]] bool isNotNeeded() const { return m_look.hasState && (m_look.state == TensorState::NotYet || m_look.state == TensorState::Dead); }
    void paintBadges(QPainter& painter, const QPalette& palette, const QRectF& rect) const;
    void paintState(QPainter& painter, const QPalette& palette, const QRectF& rect) const;
    [[nodiscard]] QRectF rect() const { return {-m_box.width / 2, -m_box.height / 2, m_box.width, m_box.height}; }

    DagBox m_box;
    int m_index;
    QFont m_font;
    BoxLook m_look;
};

}  // namespace poet

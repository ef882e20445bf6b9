// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QGraphicsView>

namespace poet {

/// The whole graph in a corner with the visible part framed; a click or drag moves the main view.
class Minimap : public QGraphicsView {
    Q_OBJECT
public:
    explicit Minimap(QGraphicsView& main);
    /// Follows the main view; hides itself when everything is visible anyway.
    void follow();
    void setContent(const QRectF& content) { m_content = content; }

protected:
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    QGraphicsView& m_main;
    QRectF m_content;  ///< what the map shows: the layout without scrolling margins
};

}  // namespace poet

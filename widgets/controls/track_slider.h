// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace poet {

/// A handle on a track, moved by mouse: what sliders over a real range have in common. The scale is linear unless
/// shareOf() and valueOf() say otherwise; painting of the track and the keys are the heirs' own.
class TrackSlider : public QWidget {
    Q_OBJECT
public:
    explicit TrackSlider(QWidget* parent = nullptr);

    /// An empty range becomes one of length 1.
    void setRange(double minimum, double maximum);
    void setValue(double value);  ///< no signal
    [[nodiscard]] double value() const { return m_value; }
    [[nodiscard]] double minimum() const { return m_minimum; }
    [[nodiscard]] double maximum() const { return m_maximum; }
    [[nodiscard]] double positionOf(double value) const;  ///< pixel; values outside stand at the ends
    [[nodiscard]] bool isDragging() const { return m_isDragging; }

Q_SIGNALS:
    /// The user moved it; `isDragging` while the button is held.
    void moved(double value, bool isDragging);
    void released();
    /// A double click: back to where it started.
    void resetAsked();

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

    [[nodiscard]] virtual QRectF track() const = 0;
    /// Place on the track, 0 to 1, and back.
    [[nodiscard]] virtual double shareOf(double value) const;
    [[nodiscard]] virtual double valueOf(double share) const;
    /// Moves within the range and says so, if that changes anything.
    void moveTo(double value, bool isDragging);
    /// The handle at the present value, over a `height` of pixels from `top`; shows focus and whether it can be moved.
    void paintHandle(QPainter& painter, double top, double height) const;

    static constexpr double kHandleWidth = 11;

private:
    [[nodiscard]] double valueAt(double x) const;

    double m_minimum = 0;
    double m_maximum = 1;
    double m_value = 0;
    bool m_isDragging = false;
};

}  // namespace poet

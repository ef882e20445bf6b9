// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/sensitivity.h"

#include <QWidget>

namespace poet {

/// The letter that stands for a known plan on sliders and in their legend: A, B, C ...
[[nodiscard]] QString planLetter(int plan);

/// One uncertain number on a logarithmic slider; the track is divided where another known plan becomes the best.
/// Keyboard: arrows 1 %, PgUp/PgDn 10 %, Home the profile's own value.
class FlipSlider : public QWidget {
    Q_OBJECT
public:
    explicit FlipSlider(QWidget* parent = nullptr);

    /// The profile's own value in SI: the range is a tenth to ten times it.
    void setOwnValue(double value);
    void setValue(double value);  ///< no signal
    [[nodiscard]] double value() const { return m_value; }
    [[nodiscard]] double lowest() const { return m_own / kReach; }
    [[nodiscard]] double highest() const { return m_own * kReach; }
    void setCurve(const SensitivityCurve& curve);
    [[nodiscard]] const SensitivityCurve& curve() const { return m_curve; }
    [[nodiscard]] double positionOf(double value) const;  ///< pixel
    [[nodiscard]] QSize sizeHint() const override;

    static constexpr double kReach = 10;

Q_SIGNALS:
    void moved(double value);
    void released();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void moveTo(double value);
    [[nodiscard]] double valueAt(double x) const;
    [[nodiscard]] QRectF track() const;

    double m_own = 1;
    double m_value = 1;
    SensitivityCurve m_curve;
};

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/sensitivity.h"
#include "widgets/controls/track_slider.h"

namespace poet {

/// The letter that stands for a known plan on sliders and in their legend: A, B, C ...
[[nodiscard]] QString planLetter(int plan);

/// One uncertain number on a logarithmic slider; the track is divided where another known plan becomes the best.
/// Keyboard: arrows 1 %, PgUp/PgDn 10 %, Home the profile's own value.
class FlipSlider : public TrackSlider {
    Q_OBJECT
public:
    explicit FlipSlider(QWidget* parent = nullptr);

    /// The profile's own value in SI: the range is a tenth to ten times it.
    void setOwnValue(double value);
    void setCurve(const SensitivityCurve& curve);
    [[nodiscard]] const SensitivityCurve& curve() const { return m_curve; }
    [[nodiscard]] QSize sizeHint() const override;

    static constexpr double kReach = 10;

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

    [[nodiscard]] QRectF track() const override;
    [[nodiscard]] double shareOf(double value) const override;
    [[nodiscard]] double valueOf(double share) const override;

private:
    double m_own = 1;
    SensitivityCurve m_curve;
};

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/controls/track_slider.h"

#include <QString>

#include <vector>

namespace poet {

/// A slider over a real range that shows what is known: hatched = proven infeasible, dotted = unknown, solid = a schedule
/// is known; with named marks. Keyboard: arrows 1 step, PgUp/PgDn 10, Home/End, Ctrl+arrows the next stop.
class LimitSlider : public TrackSlider {
    Q_OBJECT
public:
    struct Mark {
        double value = 0;
        QString label;  ///< "smallest", "keep all"
    };

    static constexpr int kSteps = 200;  ///< an arrow key moves by a 200th of the range

    explicit LimitSlider(QWidget* parent = nullptr);

    /// Below `infeasible` nothing works; from `known` on a schedule is known; between: unknown.
    void setBands(double infeasible, double known);
    void setMarks(std::vector<Mark> marks);
    void setStops(std::vector<double> stops);  ///< ascending: known Pareto points

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

    [[nodiscard]] QRectF track() const override;

private:
    void moveToStop(bool isForward);

    double m_infeasible = 0;
    double m_known = 1;
    std::vector<Mark> m_marks;
    std::vector<double> m_stops;
};

}  // namespace poet

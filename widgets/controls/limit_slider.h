// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

#include <vector>

namespace poet {

/// A slider over a real range that shows what is known: hatched = proven infeasible, dotted = unknown, solid = a schedule
/// is known; with named marks. Keyboard: arrows 1 step, PgUp/PgDn 10, Home/End, Ctrl+arrows the next stop.
class LimitSlider : public QWidget {
    Q_OBJECT
public:
    struct Mark {
        double value = 0;
        QString label;  ///< "smallest", "keep all"
    };

    explicit LimitSlider(QWidget* parent = nullptr);

    void setRange(double minimum, double maximum);
    void setValue(double value);  ///< no signal
    [[nodiscard]] double value() const { return m_value; }
    [[nodiscard]] double minimum() const { return m_minimum; }
    [[nodiscard]] double maximum() const { return m_maximum; }
    /// Below `infeasible` nothing works; from `known` on a schedule is known; between: unknown.
    void setBands(double infeasible, double known);
    void setMarks(std::vector<Mark> marks);
    void setStops(std::vector<double> stops);  ///< ascending: known Pareto points
    void setDefaultValue(double value) { m_default = value; }
    [[nodiscard]] double positionOf(double value) const;  ///< pixel
    [[nodiscard]] bool isDragging() const { return m_isDragging; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// The user moved it; `isDragging` while the button is held.
    void moved(double value, bool isDragging);
    void released();
    void resetAsked();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    void moveTo(double value, bool isDragging);
    [[nodiscard]] double valueAt(double x) const;
    [[nodiscard]] QRectF track() const;

    double m_minimum = 0;
    double m_maximum = 1;
    double m_value = 0;
    double m_default = 0;
    double m_infeasible = 0;
    double m_known = 1;
    bool m_isDragging = false;
    std::vector<Mark> m_marks;
    std::vector<double> m_stops;
};

}  // namespace poet

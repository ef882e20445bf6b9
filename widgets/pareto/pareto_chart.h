// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/pareto/pareto_model.h"

#include <QWidget>

#include <map>
#include <optional>

class QAreaSeries;
class QChart;
class QChartView;
class QLegendMarker;
class QLineSeries;
class QLogValueAxis;
class QScatterSeries;
class QValueAxis;

namespace poet {

/// Energy against memory or deadline: the only user of Qt Charts in this project. One curve per strategy, the band
/// between proven bound and best known plan, the shown point, wall, knee, keep-all and the limit marked.
class ParetoChart : public QWidget {
    Q_OBJECT
public:
    static constexpr int kLargestPointCount = 300;

    ParetoChart(ParetoModel& model, DocumentState& state, QWidget* parent = nullptr);
    ~ParetoChart() override;

    /// Against memory or against the deadline.
    void setAxis(ParetoAxis axis);
    /// Joules or overhead in percent; a logarithmic axis needs joules (overhead is 0 for keep-all).
    void setPercent(bool isPercent);
    void setLogarithmic(bool isLogarithmic);
    [[nodiscard]] bool isPercent() const { return m_isPercent; }
    [[nodiscard]] bool isLogarithmic() const { return m_isLogarithmic; }
    /// Points that a logarithmic axis cannot show.
    [[nodiscard]] int hiddenPoints() const { return m_hidden; }
    /// Nearest point within 12 pixels of a position in this widget.
    [[nodiscard]] std::optional<ParetoPoint> pointAt(const QPoint& at) const;
    [[nodiscard]] QPointF positionOf(const ParetoPoint& point) const;
    /// The point that the keyboard is on: the shown one until the arrow keys move it.
    [[nodiscard]] std::optional<ParetoPoint> currentPoint() const;
    void renderTo(QPainter& painter, const QRect& area);

Q_SIGNALS:
    void pointPicked(const poet::ParetoPoint& point);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void build();
    void refresh();
    void applyPalette();
    void endAtKeepAll(Strategy strategy, QList<QPointF>& line) const;
    void updateAxes(double lowest, double highest);
    void updateUnit();
    void updateTitle();
    /// The ends of the x axis that have names, in bytes or seconds: nothing is possible below the wall, and keep-all.
    [[nodiscard]] double wallValue() const;
    [[nodiscard]] double keepAllValue() const;
    void paintLabels(QPainter& painter, const QRectF& area) const;
    [[nodiscard]] double valueOf(double joules) const;
    [[nodiscard]] QPointF place(const ParetoPoint& point) const;
    void paintMarks(QPainter& painter) const;
    void paintCurrent(QPainter& painter) const;
    [[nodiscard]] QRectF plotRect() const;
    [[nodiscard]] QString describe(const ParetoPoint& point) const;
    friend class ParetoOverlay;

    struct Curve {
        QLineSeries* line = nullptr;
        QScatterSeries* points = nullptr;
        QScatterSeries* dominated = nullptr;  ///< dimmed: another plan of the strategy is no worse in both
    };
    Curve& curveOf(Strategy strategy);
    using PointsOf = std::map<Strategy, QList<QPointF>>;
    void showCurves(const PointsOf& lines, const PointsOf& dots, const PointsOf& dimmed);

    ParetoModel& m_model;
    DocumentState& m_state;
    QChart* m_chart = nullptr;
    QChartView* m_view = nullptr;
    QWidget* m_overlay = nullptr;
    QValueAxis* m_xAxis = nullptr;
    QValueAxis* m_yAxis = nullptr;
    QLogValueAxis* m_logAxis = nullptr;
    QLineSeries* m_bandTop = nullptr;
    QLineSeries* m_bandBottom = nullptr;
    QAreaSeries* m_band = nullptr;
    std::map<Strategy, Curve> m_curves;
    bool m_isPercent = true;
    bool m_isLogarithmic = false;
    int m_hidden = 0;
    PlanPtr m_current;  ///< of the keyboard's point; null: the shown one
    double m_xUnit = 1;  ///< bytes or seconds per unit of the axis (KiB, ms, ...)
};

}  // namespace poet

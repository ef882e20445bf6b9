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

/// Energy against memory: the only user of Qt Charts in this project. One curve per strategy, the band between proven
/// bound and best known plan, the shown point, wall, keep-all and budget marked.
class ParetoChart : public QWidget {
    Q_OBJECT
public:
    static constexpr int kLargestPointCount = 300;

    ParetoChart(ParetoModel& model, DocumentState& state, QWidget* parent = nullptr);
    ~ParetoChart() override;

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
    void renderTo(QPainter& painter, const QRect& area);

Q_SIGNALS:
    void pointPicked(const poet::ParetoPoint& point);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void build();
    void refresh();
    void applyPalette();
    void updateAxes(double lowest, double highest);
    [[nodiscard]] double valueOf(double joules) const;
    [[nodiscard]] QPointF place(const ParetoPoint& point) const;
    void paintMarks(QPainter& painter) const;
    friend class ParetoOverlay;

    struct Curve {
        QLineSeries* line = nullptr;
        QScatterSeries* points = nullptr;
    };

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
    double m_xUnit = 1;  ///< bytes per axis unit (KiB, MiB, ...)
};

}  // namespace poet

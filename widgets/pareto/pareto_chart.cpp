// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pareto/pareto_chart.h"

#include "widgets/style/colors.h"
#include "widgets/style/text.h"

#include <QAreaSeries>
#include <QChart>
#include <QChartView>
#include <QLegend>
#include <QLegendMarker>
#include <QLineSeries>
#include <QLogValueAxis>
#include <QPainter>
#include <QScatterSeries>
#include <QValueAxis>

#include <algorithm>
#include <cmath>
#include <limits>

namespace poet {

namespace {

using style::Meaning;

QScatterSeries::MarkerShape markerOf(Strategy strategy)
{
    switch (strategy) {
    case Strategy::Paging: return QScatterSeries::MarkerShapeRectangle;
    case Strategy::Recompute: return QScatterSeries::MarkerShapeTriangle;
    case Strategy::KeepAll: return QScatterSeries::MarkerShapeStar;
    case Strategy::Integrated: return QScatterSeries::MarkerShapeCircle;
    default: return QScatterSeries::MarkerShapeRotatedRectangle;
    }
}

int categoryOf(Strategy strategy)
{
    switch (strategy) {
    case Strategy::Integrated: return 0;
    case Strategy::Recompute: return 1;
    case Strategy::Paging: return 3;
    case Strategy::KeepAll: return 2;
    default: return 4 + (static_cast<int>(strategy) - static_cast<int>(Strategy::PageAll)) % 4;
    }
}

}  // namespace

/// Draws what series cannot: limits and the shown point, above the chart.
class ParetoOverlay : public QWidget {
public:
    explicit ParetoOverlay(ParetoChart& chart) : QWidget(&chart), m_chart(chart)
    {
        setAttribute(Qt::WA_TransparentForMouseEvents);
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        m_chart.paintMarks(painter);
        m_chart.paintCurrent(painter);
    }

private:
    ParetoChart& m_chart;
};

ParetoChart::ParetoChart(ParetoModel& model, DocumentState& state, QWidget* parent) : QWidget(parent), m_model(model), m_state(state)
{
    setObjectName(QStringLiteral("paretoChart"));
    setAccessibleName(tr("Energy against memory"));
    setWhatsThis(tr("Every known schedule as a point: how much RAM it needs and what it costs. The lower left is better; the band shows how "
                    "much cheaper an unknown schedule could at most be. Click a point to show its schedule."));
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(220, 150);
    build();
    connect(&m_model, &ParetoModel::refreshed, this, &ParetoChart::refresh);
}

ParetoChart::~ParetoChart() = default;

void ParetoChart::build()
{
    m_chart = new QChart;
    m_chart->setAnimationOptions(QChart::NoAnimation);
    m_chart->setLocalizeNumbers(true);
    m_chart->setMargins(QMargins(2, 2, 8, 2));
    m_chart->layout()->setContentsMargins(0, 0, 0, 0);
    m_chart->setBackgroundRoundness(0);
    m_chart->legend()->setAlignment(Qt::AlignTop);
    m_chart->legend()->setMarkerShape(QLegend::MarkerShapeFromSeries);
    m_xAxis = new QValueAxis;
    m_yAxis = new QValueAxis;
    m_logAxis = new QLogValueAxis;
    m_xAxis->setTickCount(4);
    m_yAxis->setTickCount(5);
    m_chart->addAxis(m_xAxis, Qt::AlignBottom);
    m_chart->addAxis(m_yAxis, Qt::AlignLeft);
    m_chart->addAxis(m_logAxis, Qt::AlignLeft);
    m_logAxis->setVisible(false);
    m_bandTop = new QLineSeries;
    m_bandBottom = new QLineSeries;
    m_band = new QAreaSeries(m_bandTop, m_bandBottom);
    m_band->setName(tr("bound to best known"));
    m_chart->addSeries(m_band);
    const auto bandMarkers = m_chart->legend()->markers(m_band);
    for (QLegendMarker* marker : bandMarkers)
        marker->setVisible(false);
    m_band->attachAxis(m_xAxis);
    m_band->attachAxis(m_yAxis);
    m_view = new QChartView(m_chart, this);
    m_view->setRenderHint(QPainter::Antialiasing);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setFocusPolicy(Qt::NoFocus);
    m_view->viewport()->setMouseTracking(true);
    m_view->viewport()->installEventFilter(this);
    m_overlay = new ParetoOverlay(*this);
    applyPalette();
}

void ParetoChart::applyPalette()
{
    const QPalette& p = palette();
    m_chart->setBackgroundBrush(p.color(QPalette::Base));
    QFont small = font();
    small.setPointSizeF(font().pointSizeF() * 0.88);
    m_chart->legend()->setLabelColor(p.color(QPalette::Text));
    m_chart->legend()->setFont(small);
    for (QAbstractAxis* axis : {static_cast<QAbstractAxis*>(m_xAxis), static_cast<QAbstractAxis*>(m_yAxis), static_cast<QAbstractAxis*>(m_logAxis)}) {
        axis->setLabelsColor(p.color(QPalette::Text));
        axis->setTitleBrush(p.color(QPalette::Text));
        axis->setLinePenColor(p.color(QPalette::Mid));
        axis->setGridLineColor(p.color(QPalette::Midlight));
        axis->setLabelsFont(small);
        QFont title = small;
        title.setBold(false);
        axis->setTitleFont(title);
    }
    QColor band = style::color(Meaning::Forward, p);
    band.setAlpha(50);
    m_band->setBrush(QBrush(band, Qt::SolidPattern));
    m_band->setPen(Qt::NoPen);
    for (auto& [strategy, curve] : m_curves) {
        const QColor color = style::category(categoryOf(strategy), p);
        curve.line->setPen(QPen(color, 2));
        curve.points->setColor(color);
        curve.points->setBorderColor(p.color(QPalette::Base));
        curve.dominated->setColor(style::mix(p.color(QPalette::Base), color, 0.35));
        curve.dominated->setBorderColor(p.color(QPalette::Base));
    }
}

/// The series of a strategy, made when its first point comes.
ParetoChart::Curve& ParetoChart::curveOf(Strategy strategy)
{
    Curve& curve = m_curves[strategy];
    if (curve.line)
        return curve;
    curve.line = new QLineSeries;
    curve.points = new QScatterSeries;
    curve.dominated = new QScatterSeries;
    curve.points->setName(text::strategy(strategy));
    curve.points->setMarkerSize(strategy == Strategy::KeepAll ? 13 : 9);
    curve.dominated->setMarkerSize(7);
    for (QScatterSeries* series : {curve.points, curve.dominated})
        series->setMarkerShape(markerOf(strategy));
    for (QXYSeries* series : {static_cast<QXYSeries*>(curve.dominated), static_cast<QXYSeries*>(curve.line), static_cast<QXYSeries*>(curve.points)}) {
        m_chart->addSeries(series);
        series->attachAxis(m_xAxis);
        series->attachAxis(m_isLogarithmic ? static_cast<QAbstractAxis*>(m_logAxis) : static_cast<QAbstractAxis*>(m_yAxis));
    }
    for (QAbstractSeries* unnamed : {static_cast<QAbstractSeries*>(curve.line), static_cast<QAbstractSeries*>(curve.dominated)})
        for (const QList<QLegendMarker*> markers = m_chart->legend()->markers(unnamed); QLegendMarker* marker : markers)
            marker->setVisible(false);
    applyPalette();
    return curve;
}

void ParetoChart::refresh()
{
    m_hidden = 0;
    QList<QPointF> top;
    QList<QPointF> bottom;
    double lowest = std::numeric_limits<double>::infinity();
    double highest = -lowest;
    if (m_state.problem())
        updateUnit();
    const Strategy asked = m_state.controls().query.strategy;
    const Strategy banded = asked <= Strategy::Recompute ? asked : Strategy::Integrated;  // those with proofs
    PointsOf lines;
    PointsOf dots;
    PointsOf dimmed;
    int count = 0;
    for (const ParetoPoint& point : m_model.points()) {
        const QPointF at = place(point);
        if (m_isLogarithmic && at.y() <= 0) {  // one value <= 0 would make the whole series vanish
            ++m_hidden;
            continue;
        }
        if (++count > kLargestPointCount)
            break;
        lowest = std::min(lowest, at.y());
        highest = std::max(highest, at.y());
        if (point.isDominated) {
            dimmed[point.strategy].append(at);
            continue;
        }
        dots[point.strategy].append(at);
        QList<QPointF>& line = lines[point.strategy];
        if (!line.isEmpty())  // a plan for B is valid for every larger budget: a staircase
            line.append({at.x(), line.last().y()});
        line.append(at);
        if (point.strategy == banded) {
            const double bound = std::max(valueOf(point.boundJoules), m_isLogarithmic ? 1e-300 : -1e300);
            if (!top.isEmpty()) {
                top.append({at.x(), top.last().y()});
                bottom.append({at.x(), bottom.last().y()});
            }
            top.append(at);
            bottom.append({at.x(), std::min(bound, at.y())});
        }
    }
    for (auto& [strategy, line] : lines)
        endAtKeepAll(strategy, line);
    showCurves(lines, dots, dimmed);
    m_bandTop->replace(top);
    m_bandBottom->replace(bottom);
    if (lowest > highest) {
        lowest = 0;
        highest = 1;
    }
    updateAxes(lowest, highest);
    m_overlay->update();
}

void ParetoChart::showCurves(const PointsOf& lines, const PointsOf& dots, const PointsOf& dimmed)
{
    for (const auto& [strategy, points] : dots)
        curveOf(strategy);
    const auto of = [](const PointsOf& points, Strategy strategy) {
        const auto found = points.find(strategy);
        return found == points.end() ? QList<QPointF>() : found->second;
    };
    for (auto& [strategy, curve] : m_curves) {
        curve.line->replace(of(lines, strategy));
        curve.points->replace(of(dots, strategy));
        curve.dominated->replace(of(dimmed, strategy));
        const auto markers = m_chart->legend()->markers(curve.points);
        for (QLegendMarker* marker : markers)
            marker->setVisible(!of(dots, strategy).isEmpty());
    }
}

/// Keeping everything is also what each search would do with that much memory: its curve ends there.
void ParetoChart::endAtKeepAll(Strategy strategy, QList<QPointF>& line) const
{
    if (strategy > Strategy::Recompute || line.isEmpty() || !m_state.problem() || m_model.axis() != ParetoAxis::Memory)
        return;
    const Plan& keepAll = *m_state.problem()->keepAll;
    const QPointF end(static_cast<double>(m_state.problem()->keepAllPeakBytes) / m_xUnit, valueOf(keepAll.replay.energyJoules));
    if (line.last().x() < end.x() && (!m_isLogarithmic || end.y() > 0))
        line << QPointF(end.x(), line.last().y()) << end;
}

void ParetoChart::renderTo(QPainter& painter, const QRect& area)
{
    m_view->render(&painter, area);
    painter.save();
    painter.translate(area.topLeft());
    paintMarks(painter);
    painter.restore();
}

void ParetoChart::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_view->setGeometry(rect());
    m_overlay->setGeometry(rect());
    m_overlay->raise();
    updateTitle();
}

void ParetoChart::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_chart)
        applyPalette();
}

}  // namespace poet

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
#include <QMouseEvent>
#include <QPainter>
#include <QScatterSeries>
#include <QToolTip>
#include <QValueAxis>

#include <algorithm>
#include <cmath>
#include <limits>

namespace poet {

namespace {

using style::Meaning;
constexpr double kPickPixels = 12;

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
    setMinimumSize(220, 150);
    build();
    connect(&m_model, &ParetoModel::refreshed, this, &ParetoChart::refresh);
}

ParetoChart::~ParetoChart() = default;

void ParetoChart::build()
{
    m_chart = new QChart;
    m_chart->setAnimationOptions(QChart::NoAnimation);
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
    }
}

double ParetoChart::valueOf(double joules) const
{
    if (!m_isPercent || !m_state.problem())
        return joules;
    const double reference = m_state.problem()->keepAll->replay.energyJoules;
    return reference > 0 ? (joules - reference) / reference * 100 : 0;
}

QPointF ParetoChart::place(const ParetoPoint& point) const
{
    return {static_cast<double>(point.memoryBytes) / m_xUnit, valueOf(point.energyJoules)};
}

void ParetoChart::refresh()
{
    m_hidden = 0;
    QList<QPointF> top;
    QList<QPointF> bottom;
    double lowest = std::numeric_limits<double>::infinity();
    double highest = -lowest;
    if (const ProblemPtr& problem = m_state.problem()) {
        const double largest = static_cast<double>(problem->keepAllPeakBytes);
        m_xUnit = largest >= 2 * 1024.0 * 1024 * 1024 ? 1024.0 * 1024 * 1024 : largest >= 2 * 1024.0 * 1024 ? 1024.0 * 1024 : largest >= 2048 ? 1024.0 : 1;
        m_xAxis->setTitleText(m_xUnit > 2e6 ? tr("memory, GiB") : m_xUnit > 2e3 ? tr("memory, MiB") : m_xUnit > 1 ? tr("memory, KiB") : tr("memory, bytes"));
    }
    std::map<Strategy, QList<QPointF>> lines;
    std::map<Strategy, QList<QPointF>> dots;
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
        dots[point.strategy].append(at);
        if (point.isDominated)
            continue;
        QList<QPointF>& line = lines[point.strategy];
        if (!line.isEmpty())  // a plan for B is valid for every larger budget: a staircase
            line.append({at.x(), line.last().y()});
        line.append(at);
        if (point.strategy == Strategy::Integrated) {
            const double bound = std::max(valueOf(point.boundJoules), m_isLogarithmic ? 1e-300 : -1e300);
            if (!top.isEmpty()) {
                top.append({at.x(), top.last().y()});
                bottom.append({at.x(), bottom.last().y()});
            }
            top.append(at);
            bottom.append({at.x(), std::min(bound, at.y())});
        }
    }
    for (const auto& [strategy, points] : dots) {
        Curve& curve = m_curves[strategy];
        if (!curve.line) {
            curve.line = new QLineSeries;
            curve.points = new QScatterSeries;
            curve.points->setName(text::strategy(strategy));
            curve.points->setMarkerShape(markerOf(strategy));
            curve.points->setMarkerSize(strategy == Strategy::KeepAll ? 13 : 9);
            for (QXYSeries* series : {static_cast<QXYSeries*>(curve.line), static_cast<QXYSeries*>(curve.points)}) {
                m_chart->addSeries(series);
                series->attachAxis(m_xAxis);
                series->attachAxis(m_isLogarithmic ? static_cast<QAbstractAxis*>(m_logAxis) : static_cast<QAbstractAxis*>(m_yAxis));
            }
            const auto markers = m_chart->legend()->markers(curve.line);
            for (QLegendMarker* marker : markers)
                marker->setVisible(false);
            applyPalette();
        }
    }
    for (auto& [strategy, curve] : m_curves) {
        curve.line->replace(lines[strategy]);
        curve.points->replace(dots[strategy]);
        const auto markers = m_chart->legend()->markers(curve.points);
        for (QLegendMarker* marker : markers)
            marker->setVisible(!dots[strategy].isEmpty());
    }
    m_bandTop->replace(top);
    m_bandBottom->replace(bottom);
    if (lowest > highest) {
        lowest = 0;
        highest = 1;
    }
    updateAxes(lowest, highest);
    m_overlay->update();
}

void ParetoChart::updateAxes(double lowest, double highest)
{
    if (const ProblemPtr& problem = m_state.problem()) {
        const double wall = static_cast<double>(problem->wallBytes) / m_xUnit;
        const double peak = static_cast<double>(problem->keepAllPeakBytes) / m_xUnit;
        const double margin = std::max((peak - wall) * 0.06, peak * 0.002);
        m_xAxis->setRange(std::max(0.0, wall - margin), peak + margin);
        const double span = m_xAxis->max() - m_xAxis->min();
        m_xAxis->setLabelFormat(span < 0.5 ? QStringLiteral("%.3f") : span < 5 ? QStringLiteral("%.2f") : span < 50 ? QStringLiteral("%.1f") : QStringLiteral("%.0f"));
    }
    double margin = (highest - lowest) * 0.1;
    if (margin <= 0)
        margin = std::max(std::abs(highest) * 0.05, m_isPercent ? 0.5 : 1e-12);
    const double from = m_isPercent ? std::min(0.0, lowest) : lowest - margin;
    const double span = highest + margin - from;
    m_yAxis->setRange(from, highest + margin);
    m_yAxis->setLabelFormat(span < 0.01 ? QStringLiteral("%.2g") : span < 0.5 ? QStringLiteral("%.3f") : span < 5 ? QStringLiteral("%.2f") : span < 50 ? QStringLiteral("%.1f")
                                                                                                              : QStringLiteral("%.0f"));
    m_yAxis->setTitleText(m_isPercent ? tr("overhead, %") : tr("energy, J"));
    if (m_isLogarithmic)
        m_logAxis->setRange(std::max(lowest * 0.8, 1e-15), std::max(highest * 1.2, 1e-14));
    m_logAxis->setTitleText(tr("energy, J (log)"));
    m_logAxis->setLabelFormat(QStringLiteral("%.2g"));
}

void ParetoChart::setPercent(bool isPercent)
{
    m_isPercent = isPercent;
    if (isPercent)
        setLogarithmic(false);
    refresh();
}

void ParetoChart::setLogarithmic(bool isLogarithmic)
{
    if (isLogarithmic && m_isPercent)
        return;
    m_isLogarithmic = isLogarithmic;
    m_logAxis->setVisible(isLogarithmic);
    m_yAxis->setVisible(!isLogarithmic);
    QAbstractAxis* wanted = isLogarithmic ? static_cast<QAbstractAxis*>(m_logAxis) : static_cast<QAbstractAxis*>(m_yAxis);
    QAbstractAxis* other = isLogarithmic ? static_cast<QAbstractAxis*>(m_yAxis) : static_cast<QAbstractAxis*>(m_logAxis);
    const auto allSeries = m_chart->series();
    for (QAbstractSeries* series : allSeries) {
        if (series->attachedAxes().contains(other))
            series->detachAxis(other);
        if (!series->attachedAxes().contains(wanted))
            series->attachAxis(wanted);
    }
    refresh();
}

QPointF ParetoChart::positionOf(const ParetoPoint& point) const
{
    if (m_curves.empty())
        return {};
    QAbstractSeries* series = m_curves.begin()->second.points;
    const QPointF inScene = m_chart->mapToScene(m_chart->mapToPosition(place(point), series));
    return m_view->mapTo(this, m_view->mapFromScene(inScene));
}

std::optional<ParetoPoint> ParetoChart::pointAt(const QPoint& at) const
{
    std::optional<ParetoPoint> best;
    double nearest = kPickPixels;
    for (const ParetoPoint& point : m_model.points()) {
        const double distance = QLineF(positionOf(point), at).length();
        if (distance <= nearest) {
            nearest = distance;
            best = point;
        }
    }
    return best;
}

void ParetoChart::paintMarks(QPainter& painter) const
{
    const ProblemPtr& problem = m_state.problem();
    if (!problem || m_curves.empty()) {
        painter.fillRect(rect(), palette().color(QPalette::Base));
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, tr("Known schedules appear here as points."));
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF plot = m_chart->mapToScene(m_chart->plotArea()).boundingRect();
    const QPoint offset = m_view->mapTo(const_cast<ParetoChart*>(this), m_view->mapFromScene(plot.topLeft()));
    const QRectF area(offset, plot.size());
    const double range = m_xAxis->max() - m_xAxis->min();
    const auto x = [&](std::int64_t bytes) { return area.left() + (static_cast<double>(bytes) / m_xUnit - m_xAxis->min()) / range * area.width(); };
    const QColor over = style::color(Meaning::OverBudget, palette());
    const double wall = x(problem->wallBytes);
    painter.setClipRect(area);
    painter.fillRect(QRectF(area.left(), area.top(), wall - area.left(), area.height()), style::hatch(Meaning::OverBudget, palette()));
    painter.setPen(QPen(over, 1.5));
    painter.drawLine(QPointF(wall, area.top()), QPointF(wall, area.bottom()));
    const double budget = x(m_state.controls().query.memoryBytes);
    painter.setPen(QPen(over, 1.5, Qt::DashLine));
    painter.drawLine(QPointF(budget, area.top()), QPointF(budget, area.bottom()));
    painter.setClipping(false);
    for (const ParetoPoint& point : m_model.points()) {
        if (!point.isShown || (m_isLogarithmic && valueOf(point.energyJoules) <= 0))
            continue;
        const QPointF at = positionOf(point);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(palette().color(QPalette::Base), 4));
        painter.drawEllipse(at, 8, 8);
        painter.setPen(QPen(palette().color(QPalette::Text), 2));
        painter.drawEllipse(at, 8, 8);
    }
    if (m_hidden > 0) {
        painter.setPen(palette().color(QPalette::Text));
        painter.drawText(area.adjusted(4, 2, -4, -2), Qt::AlignRight | Qt::AlignTop, tr("points not shown on a log axis: %1").arg(m_hidden));
    }
}

bool ParetoChart::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_view->viewport())
        return QWidget::eventFilter(watched, event);
    if (event->type() == QEvent::MouseMove) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        const QPoint at = m_view->viewport()->mapTo(this, mouse->position().toPoint());
        if (const auto point = pointAt(at)) {
            QToolTip::showText(mouse->globalPosition().toPoint(),
                               tr("%1\n%2, %3 (%4 over keep-all)\n%5 a step; click to show")
                                   .arg(text::strategy(point->strategy), text::bytes(point->memoryBytes), text::joules(point->energyJoules),
                                        text::percent(point->overheadPercent), text::seconds(point->seconds)),
                               this);
            m_view->viewport()->setCursor(Qt::PointingHandCursor);
        } else {
            QToolTip::hideText();
            m_view->viewport()->unsetCursor();
        }
    } else if (event->type() == QEvent::MouseButtonPress) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        if (const auto point = pointAt(m_view->viewport()->mapTo(this, mouse->position().toPoint())))
            Q_EMIT pointPicked(*point);
    }
    return QWidget::eventFilter(watched, event);
}

void ParetoChart::renderTo(QPainter& painter, const QRect& area)
{
    m_view->render(&painter, area);
}

void ParetoChart::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_view->setGeometry(rect());
    m_overlay->setGeometry(rect());
    m_overlay->raise();
}

void ParetoChart::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_chart)
        applyPalette();
}

}  // namespace poet

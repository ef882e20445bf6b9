// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pareto/pareto_chart.h"

#include <QChart>
#include <QLogValueAxis>
#include <QValueAxis>

#include <algorithm>
#include <cmath>

/// Axes of ParetoChart: what they mean, their units, ranges and titles.
namespace poet {

double ParetoChart::valueOf(double joules) const
{
    if (!m_isPercent || !m_state.problem())
        return joules;
    const double reference = m_state.problem()->keepAll->replay.energyJoules;
    return reference > 0 ? (joules - reference) / reference * 100 : 0;
}

QPointF ParetoChart::place(const ParetoPoint& point) const
{
    return {m_model.axisValue(point) / m_xUnit, valueOf(point.energyJoules)};
}

double ParetoChart::wallValue() const
{
    const Problem& problem = *m_state.problem();
    return m_model.axis() == ParetoAxis::Memory ? static_cast<double>(problem.wallBytes) : problem.shortestSeconds;
}

double ParetoChart::keepAllValue() const
{
    const Problem& problem = *m_state.problem();
    return m_model.axis() == ParetoAxis::Memory ? static_cast<double>(problem.keepAllPeakBytes) : problem.keepAll->replay.seconds;
}

void ParetoChart::setAxis(ParetoAxis axis)
{
    m_model.setAxis(axis);  // refreshes
    setAccessibleName(axis == ParetoAxis::Memory ? tr("Energy against memory") : tr("Energy against deadline"));
}

void ParetoChart::updateUnit()
{
    const double largest = m_model.points().empty() ? keepAllValue() : std::max(keepAllValue(), m_model.axisValue(m_model.points().back()));
    struct Unit {
        double size;
        QString title;
    };
    const bool isMemory = m_model.axis() == ParetoAxis::Memory;
    const std::vector<Unit> units = isMemory ? std::vector<Unit>{{1, tr("memory, bytes")}, {1024.0, tr("memory, KiB")}, {1048576.0, tr("memory, MiB")}, {1073741824.0, tr("memory, GiB")}}
                                             : std::vector<Unit>{{1e-6, tr("time of a step, us")}, {1e-3, tr("time of a step, ms")}, {1, tr("time of a step, s")}, {60, tr("time of a step, min")}};
    const Unit* chosen = &units.front();
    for (const Unit& unit : units)
        if (largest >= 2 * unit.size)
            chosen = &unit;
    m_xUnit = chosen->size;
    m_xAxis->setTitleText(chosen->title);
}

void ParetoChart::updateAxes(double lowest, double highest)
{
    if (m_state.problem()) {
        const double wall = wallValue() / m_xUnit;
        double peak = keepAllValue() / m_xUnit;
        if (m_model.axis() == ParetoAxis::Deadline) {
            for (const ParetoPoint& point : m_model.points())
                peak = std::max(peak, point.seconds / m_xUnit);
            if (m_state.controls().query.deadlineSeconds)
                peak = std::max(peak, std::min(*m_state.controls().query.deadlineSeconds / m_xUnit, 3 * keepAllValue() / m_xUnit));
        }
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
    updateTitle();
    if (m_isLogarithmic)
        m_logAxis->setRange(std::max(lowest * 0.8, 1e-15), std::max(highest * 1.2, 1e-14));
    m_logAxis->setLabelFormat(QStringLiteral("%.2g"));
}

/// The whole title where there is room for it; the charts library would cut it to "over...".
void ParetoChart::updateTitle()
{
    const bool hasRoom = height() > 220;
    m_yAxis->setTitleText(m_isPercent ? (hasRoom ? tr("energy overhead, %") : QStringLiteral("%")) : (hasRoom ? tr("energy, J") : QStringLiteral("J")));
    m_logAxis->setTitleText(hasRoom ? tr("energy, J (log)") : QStringLiteral("J"));
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

}  // namespace poet

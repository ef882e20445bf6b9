// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pareto/pareto_model.h"

#include "widgets/style/text.h"

#include <algorithm>

namespace poet {

ParetoModel::ParetoModel(DocumentState& state, QObject* parent) : QAbstractTableModel(parent), m_state(state)
{
    connect(&m_state, &DocumentState::changed, this, [this](DocumentState::Aspects aspects) {
        if (aspects & (DocumentState::ProblemAspect | DocumentState::CacheAspect | DocumentState::PlanAspect | DocumentState::ControlsAspect))
            rebuild();
    });
}

void ParetoModel::rebuild()
{
    beginResetModel();
    m_points.clear();
    if (const ProblemPtr& problem = m_state.problem()) {
        const auto& deadline = m_state.controls().query.deadlineSeconds;
        const double reference = problem->keepAll->replay.energyJoules;
        const auto add = [&](const PlanPtr& plan) {
            if (deadline && plan->replay.seconds > *deadline * (1 + 1e-9))
                return;
            ParetoPoint point;
            point.plan = plan;
            point.strategy = plan->strategy;
            point.memoryBytes = memoryNeed(*problem->graph, *plan);
            point.seconds = plan->replay.seconds;
            point.energyJoules = plan->replay.energyJoules;
            point.overheadPercent = reference > 0 ? (point.energyJoules - reference) / reference * 100 : 0;
            point.boundJoules = m_state.cache().bound(*problem, {point.memoryBytes, deadline, plan->strategy});
            point.isShown = plan == m_state.plan();
            m_points.push_back(point);
        };
        add(problem->keepAll);
        for (const PlanPtr& plan : m_state.cache().plans(*problem))
            add(plan);
        std::stable_sort(m_points.begin(), m_points.end(), [](const ParetoPoint& a, const ParetoPoint& b) {
            return a.memoryBytes != b.memoryBytes ? a.memoryBytes < b.memoryBytes : a.energyJoules < b.energyJoules;
        });
        for (std::size_t i = 0; i < m_points.size(); ++i) {
            double cheapest = std::numeric_limits<double>::infinity();
            for (std::size_t j = 0; j < i; ++j)
                if (m_points[j].strategy == m_points[i].strategy)
                    cheapest = std::min(cheapest, m_points[j].energyJoules);
            m_points[i].isDominated = cheapest <= m_points[i].energyJoules;
        }
    }
    endResetModel();
    Q_EMIT refreshed();
}

std::vector<ParetoPoint> ParetoModel::frontier(Strategy strategy) const
{
    std::vector<ParetoPoint> curve;
    for (const ParetoPoint& point : m_points)
        if (point.strategy == strategy && !point.isDominated)
            curve.push_back(point);
    return curve;
}

QString ParetoModel::csv() const
{
    QString out = QStringLiteral("strategy,memory_bytes,energy_joules,overhead_percent,seconds,bound_joules\n");
    for (const ParetoPoint& p : m_points)
        out += QStringLiteral("%1,%2,%3,%4,%5,%6\n")
                   .arg(text::from(name(p.strategy)))
                   .arg(p.memoryBytes)
                   .arg(text::from(formatDouble(p.energyJoules)), text::from(formatDouble(p.overheadPercent)),
                        text::from(formatDouble(p.seconds)), text::from(formatDouble(p.boundJoules)));
    return out;
}

int ParetoModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_points.size()); }

int ParetoModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant ParetoModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || static_cast<std::size_t>(index.row()) >= m_points.size())
        return {};
    const ParetoPoint& p = m_points[static_cast<std::size_t>(index.row())];
    if (role == Qt::ToolTipRole && index.column() == MemoryColumn)
        return tr("%L1 bytes").arg(p.memoryBytes);
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case StrategyColumn: return text::strategy(p.strategy);
    case MemoryColumn: return text::bytes(p.memoryBytes);
    case EnergyColumn: return text::joules(p.energyJoules);
    case OverheadColumn: return text::percent(p.overheadPercent);
    case TimeColumn: return text::seconds(p.seconds);
    case GapColumn: return text::percent(p.energyJoules > 0 ? (p.energyJoules - p.boundJoules) / p.energyJoules * 100 : 0);
    default: return {};
    }
}

QVariant ParetoModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole || orientation != Qt::Horizontal)
        return {};
    switch (section) {
    case StrategyColumn: return tr("Strategy");
    case MemoryColumn: return tr("Memory");
    case EnergyColumn: return tr("Energy");
    case OverheadColumn: return tr("Overhead");
    case TimeColumn: return tr("Time");
    case GapColumn: return tr("Gap at most");
    default: return {};
    }
}

}  // namespace poet

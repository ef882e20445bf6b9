// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pareto/pareto_model.h"

#include "widgets/style/text.h"

#include <algorithm>
#include <map>

namespace poet {

ParetoModel::ParetoModel(DocumentState& state, QObject* parent) : QAbstractTableModel(parent), m_state(state)
{
    connect(&m_state, &DocumentState::changed, this, [this](DocumentState::Aspects aspects) {
        if (aspects & (DocumentState::ProblemAspect | DocumentState::CacheAspect | DocumentState::PlanAspect | DocumentState::ControlsAspect))
            rebuild();
    });
}

void ParetoModel::setAxis(ParetoAxis axis)
{
    if (axis == m_axis)
        return;
    m_axis = axis;
    rebuild();
}

double ParetoModel::axisValue(const ParetoPoint& point) const
{
    return m_axis == ParetoAxis::Memory ? static_cast<double>(point.memoryBytes) : point.seconds;
}

void ParetoModel::rebuild()
{
    beginResetModel();
    m_points.clear();
    if (const ProblemPtr& problem = m_state.problem()) {
        const PlanQuery& query = m_state.controls().query;
        const double reference = problem->keepAll->replay.energyJoules;
        const auto add = [&](const PlanPtr& plan) {
            ParetoPoint point;
            point.plan = plan;
            point.strategy = plan->strategy;
            point.memoryBytes = memoryNeed(*problem->graph, *plan);
            point.seconds = plan->replay.seconds;
            const bool keepsLimit = m_axis == ParetoAxis::Memory ? !query.deadlineSeconds || point.seconds <= *query.deadlineSeconds * (1 + 1e-9)
                                                                 : point.memoryBytes <= query.memoryBytes;
            if (!keepsLimit)
                return;
            point.energyJoules = plan->replay.energyJoules;
            point.overheadPercent = reference > 0 ? (point.energyJoules - reference) / reference * 100 : 0;
            const PlanQuery own = m_axis == ParetoAxis::Memory ? PlanQuery{point.memoryBytes, query.deadlineSeconds, plan->strategy}
                                                               : PlanQuery{query.memoryBytes, point.seconds, plan->strategy};
            point.boundJoules = m_state.cache().bound(*problem, own);
            point.isShown = plan == m_state.plan();
            m_points.push_back(point);
        };
        add(problem->keepAll);
        for (const PlanPtr& plan : m_state.cache().plans(*problem))
            add(plan);
        std::stable_sort(m_points.begin(), m_points.end(), [this](const ParetoPoint& a, const ParetoPoint& b) {
            return axisValue(a) != axisValue(b) ? axisValue(a) < axisValue(b) : a.energyJoules < b.energyJoules;
        });
        std::map<Strategy, double> cheapest;
        for (ParetoPoint& point : m_points) {
            const auto [best, isFirst] = cheapest.try_emplace(point.strategy, point.energyJoules);
            point.isDominated = !isFirst && best->second <= point.energyJoules;
            best->second = std::min(best->second, point.energyJoules);
        }
        markKnee();
        markOnTheWay();
    }
    endResetModel();
    Q_EMIT refreshed();
}

void ParetoModel::markKnee()
{
    const Strategy wanted = m_state.controls().query.strategy;
    std::vector<std::pair<double, double>> curve;
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        // Keeping everything is what each strategy does with that much memory: the end of its curve.
        const bool isOnCurve = (m_points[i].strategy == wanted || m_points[i].strategy == Strategy::KeepAll) && !m_points[i].isDominated;
        if (!isOnCurve || (!curve.empty() && m_points[i].energyJoules >= curve.back().second))
            continue;
        curve.emplace_back(axisValue(m_points[i]), m_points[i].energyJoules);
        rows.push_back(i);
    }
    if (const auto knee = findKnee(curve))
        m_points[rows[*knee]].isKnee = true;
}

void ParetoModel::markOnTheWay()
{
    std::map<PlanQuery, double> best;  // energy, of each question
    const auto questionOf = [](const ParetoPoint& point) { return PlanQuery{point.plan->memoryBytes, point.plan->deadlineSeconds, point.strategy}; };
    for (const ParetoPoint& point : m_points) {
        const auto [known, isFirst] = best.try_emplace(questionOf(point), point.energyJoules);
        known->second = std::min(known->second, point.energyJoules);
    }
    for (ParetoPoint& point : m_points) {
        const PlanQuery question = questionOf(point);
        point.isOnTheWay = point.strategy != Strategy::KeepAll && (point.isDominated || point.energyJoules > best[question] || m_state.isPassing(question));
    }
}

std::optional<std::size_t> findKnee(const std::vector<std::pair<double, double>>& curve)
{
    if (curve.size() < 3)
        return std::nullopt;
    const auto [left, top] = curve.front();
    const auto [right, bottom] = curve.back();
    if (!(right > left) || !(top > bottom))
        return std::nullopt;
    std::optional<std::size_t> knee;
    double farthest = 1e-9;
    for (std::size_t i = 1; i + 1 < curve.size(); ++i) {
        const double below = 1 - (curve[i].first - left) / (right - left) - (curve[i].second - bottom) / (top - bottom);
        if (below > farthest) {
            farthest = below;
            knee = i;
        }
    }
    return knee;
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
    if (role == Qt::ToolTipRole && index.column() == NameColumn)
        return tr("Double-click to name the plan: named plans stay in the list");
    if (role == kSortRole)
        return sortValue(p, index.column());
    if (role == Qt::TextAlignmentRole && index.column() != StrategyColumn && index.column() != NameColumn)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && (role != Qt::EditRole || index.column() != NameColumn))
        return {};
    switch (index.column()) {
    case StrategyColumn: return text::strategy(p.strategy);
    case MemoryColumn: return text::bytes(p.memoryBytes);
    case EnergyColumn: return text::joules(p.energyJoules);
    case OverheadColumn: return text::percent(p.overheadPercent);
    case TimeColumn: return text::seconds(p.seconds);
    case GapColumn: return text::percent(p.energyJoules > 0 ? (p.energyJoules - p.boundJoules) / p.energyJoules * 100 : 0);
    case NameColumn: return m_state.planName(*p.plan);
    default: return {};
    }
}

QVariant ParetoModel::sortValue(const ParetoPoint& point, int column) const
{
    switch (column) {
    case StrategyColumn: return static_cast<int>(point.strategy);
    case MemoryColumn: return static_cast<qlonglong>(point.memoryBytes);
    case TimeColumn: return point.seconds;
    case GapColumn: return point.energyJoules - point.boundJoules;
    case NameColumn: return m_state.planName(*point.plan);
    default: return point.energyJoules;
    }
}

Qt::ItemFlags ParetoModel::flags(const QModelIndex& index) const
{
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return index.column() == NameColumn ? flags | Qt::ItemIsEditable : flags;
}

bool ParetoModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::EditRole || index.column() != NameColumn || static_cast<std::size_t>(index.row()) >= m_points.size())
        return false;
    m_state.setPlanName(*m_points[static_cast<std::size_t>(index.row())].plan, value.toString());
    Q_EMIT dataChanged(index, index);
    return true;
}

QVariant ParetoModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole || orientation != Qt::Horizontal)
        return {};
    switch (section) {
    case StrategyColumn: return tr("Strategy");
    case MemoryColumn: return tr("Memory");
    case EnergyColumn: return tr("Energy");
    case OverheadColumn: return tr("Energy overhead");
    case TimeColumn: return tr("Time");
    case GapColumn: return tr("Gap at most");
    case NameColumn: return tr("Name");
    default: return {};
    }
}

}  // namespace poet

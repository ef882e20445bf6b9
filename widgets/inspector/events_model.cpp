// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/events_model.h"

#include "widgets/style/text.h"

namespace poet {

EventsModel::EventsModel(DocumentState& state, QObject* parent) : QAbstractTableModel(parent), m_state(state)
{
    connect(&m_state, &DocumentState::changed, this, [this](DocumentState::Aspects aspects) {
        if (!(aspects & (DocumentState::PlanAspect | DocumentState::ProblemAspect)) || (m_plan == m_state.plan() && m_problem == m_state.problem()))
            return;
        beginResetModel();
        m_plan = m_state.plan();
        m_problem = m_state.problem();
        endResetModel();
    });
}

int EventsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_plan ? 0 : static_cast<int>(m_plan->replay.schedule.steps.size());
}

int EventsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant EventsModel::value(const Step& step, int row, int column, bool isSort) const
{
    const CostNode& node = m_problem->graph->nodes[static_cast<std::size_t>(step.node)];
    const Cost cost = step.kind == StepKind::PageIn ? node.pageIn : step.kind == StepKind::PageOut ? node.pageOut : step.kind == StepKind::Free ? Cost{} : node.compute;
    const std::int64_t ram = step.ramBytes + m_problem->residentBytes();
    switch (column) {
    case IndexColumn: return row + 1;
    case StageColumn: return step.stage;
    case KindColumn: return text::stepKind(step.kind);
    case NodeColumn: return text::from(node.name);
    case BytesColumn: return isSort ? QVariant(static_cast<qlonglong>(node.bytes)) : QVariant(text::bytes(node.bytes));
    case StartColumn: return isSort ? QVariant(step.startSeconds) : QVariant(text::seconds(step.startSeconds));
    case DurationColumn: return isSort ? QVariant(step.endSeconds - step.startSeconds) : QVariant(text::seconds(step.endSeconds - step.startSeconds));
    case EnergyColumn: return isSort ? QVariant(cost.joules) : QVariant(text::joules(cost.joules));
    case RamColumn: return isSort ? QVariant(static_cast<qlonglong>(ram)) : QVariant(text::bytes(ram));
    default: return {};
    }
}

QVariant EventsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || !m_plan || index.row() >= rowCount())
        return {};
    const Step& step = m_plan->replay.schedule.steps[static_cast<std::size_t>(index.row())];
    if (role == Qt::DisplayRole || role == kSortRole)
        return value(step, index.row(), index.column(), role == kSortRole);
    if (role == kStepRole)
        return index.row();
    if (role == Qt::ToolTipRole && (index.column() == BytesColumn || index.column() == RamColumn))
        return tr("%L1 bytes").arg(value(step, index.row(), index.column(), true).toLongLong());
    if (role == Qt::TextAlignmentRole && index.column() != KindColumn && index.column() != NodeColumn)
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    return {};
}

QVariant EventsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole || orientation != Qt::Horizontal)
        return {};
    switch (section) {
    case IndexColumn: return tr("#");
    case StageColumn: return tr("Stage");
    case KindColumn: return tr("Event");
    case NodeColumn: return tr("Tensor");
    case BytesColumn: return tr("Size");
    case StartColumn: return tr("Start");
    case DurationColumn: return tr("Duration");
    case EnergyColumn: return tr("Energy");
    case RamColumn: return tr("RAM after");
    default: return {};
    }
}

}  // namespace poet

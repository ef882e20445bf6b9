// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/events_model.h"

#include "widgets/export/view_tables.h"
#include "widgets/style/text.h"

#include <QCoreApplication>

namespace poet {

namespace {
struct EventsText {
    Q_DECLARE_TR_FUNCTIONS(poet::EventsModel)
};
}  // namespace

EventsModel::EventsModel(DocumentState& state, QObject* parent) : QAbstractTableModel(parent), m_state(state)
{
    connect(&m_state, &DocumentState::changed, this, [this](DocumentState::Aspects aspects) {
        if (!(aspects & (DocumentState::PlanAspect | DocumentState::ProblemAspect)) || (m_rows.plan == m_state.plan() && m_rows.problem == m_state.problem()))
            return;
        beginResetModel();
        m_rows.plan = m_state.plan();
        m_rows.problem = m_state.problem();
        endResetModel();
    });
}

int EventsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_rows.count();
}

int EventsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : EventRows::ColumnCount; }

QVariant EventRows::cell(int index, int column, bool isRaw) const
{
    const Step& step = plan->replay.schedule.steps[static_cast<std::size_t>(index)];
    const CostNode& node = problem->graph->nodes[static_cast<std::size_t>(step.node)];
    const Cost cost = step.kind == StepKind::PageIn ? node.pageIn : step.kind == StepKind::PageOut ? node.pageOut : step.kind == StepKind::Free ? Cost{} : node.compute;
    const std::int64_t ram = step.ramBytes + problem->residentBytes();
    switch (column) {
    case IndexColumn: return index + 1;
    case StageColumn: return step.stage;
    case KindColumn: return text::stepKind(step.kind);
    case NodeColumn: return text::from(node.name);
    case BytesColumn: return isRaw ? QVariant(static_cast<qlonglong>(node.bytes)) : QVariant(text::bytes(node.bytes));
    case StartColumn: return isRaw ? QVariant(step.startSeconds) : QVariant(text::seconds(step.startSeconds));
    case DurationColumn: return isRaw ? QVariant(step.endSeconds - step.startSeconds) : QVariant(text::seconds(step.endSeconds - step.startSeconds));
    case EnergyColumn: return isRaw ? QVariant(cost.joules) : QVariant(text::joules(cost.joules));
    case RamColumn: return isRaw ? QVariant(static_cast<qlonglong>(ram)) : QVariant(text::bytes(ram));
    default: return {};
    }
}

QVariant EventsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    if (role == Qt::DisplayRole || role == kSortRole)
        return m_rows.cell(index.row(), index.column(), role == kSortRole);
    if (role == kStepRole)
        return index.row();
    if (role == Qt::ToolTipRole && (index.column() == EventRows::BytesColumn || index.column() == EventRows::RamColumn))
        return tr("%L1 bytes").arg(m_rows.cell(index.row(), index.column(), true).toLongLong());
    if (role == Qt::TextAlignmentRole && EventRows::isNumber(index.column()))
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    return {};
}

QVariant EventsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    return role == Qt::DisplayRole && orientation == Qt::Horizontal ? QVariant(EventRows::head(section)) : QVariant();
}

QString EventRows::head(int column)
{
    switch (column) {
    case IndexColumn: return EventsText::tr("#");
    case StageColumn: return EventsText::tr("Stage");
    case KindColumn: return EventsText::tr("Event");
    case NodeColumn: return EventsText::tr("Tensor");
    case BytesColumn: return EventsText::tr("Size");
    case StartColumn: return EventsText::tr("Start");
    case DurationColumn: return EventsText::tr("Duration");
    case EnergyColumn: return EventsText::tr("Energy");
    case RamColumn: return EventsText::tr("RAM after");
    default: return {};
    }
}

QString EventRows::csv() const
{
    QStringList cells;
    for (int c = 0; c < ColumnCount; ++c)
        cells << head(c);
    QString out = csvLine(cells);
    for (int r = 0; r < count(); ++r) {
        cells.clear();
        for (int c = 0; c < ColumnCount; ++c)
            cells << cell(stepOfRow(r), c, true).toString();
        out += csvLine(cells);
    }
    return out;
}

SheetTable EventRows::table() const
{
    SheetTable table;
    for (int c = 0; c < ColumnCount; ++c) {
        table.head << head(c);
        table.isNumber.push_back(isNumber(c));
    }
    for (int r = 0; r < count(); ++r) {
        QStringList cells;
        for (int c = 0; c < ColumnCount; ++c)
            cells << cell(stepOfRow(r), c, false).toString();
        table.rows.push_back(std::move(cells));
    }
    return table;
}

}  // namespace poet

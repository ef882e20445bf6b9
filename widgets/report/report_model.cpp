// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/report_model.h"

#include "widgets/report/report_texts.h"

#include <QFont>

namespace poet {

ReportModel::ReportModel(DocumentState& state, QObject* parent) : QAbstractTableModel(parent), m_state(state)
{
    connect(&m_state, &DocumentState::changed, this, [this](DocumentState::Aspects aspects) {
        if (aspects & DocumentState::ProblemAspect)
            refresh();
    });
    refresh();
}

void ReportModel::refresh()
{
    if (m_problem == m_state.problem())
        return;
    beginResetModel();
    m_problem = m_state.problem();
    m_rows = m_problem && m_problem->report ? reportRows(*m_problem->report) : std::vector<ReportRow>{};
    endResetModel();
}

int ReportModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_rows.size()); }

int ReportModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant ReportModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || static_cast<std::size_t>(index.row()) >= m_rows.size())
        return {};
    const ReportRow& row = m_rows[static_cast<std::size_t>(index.row())];
    const auto shown = [&] { return index.column() == SectionColumn ? report::section(row) : index.column() == ItemColumn ? report::item(row) : report::value(row); };
    switch (role) {
    case Qt::DisplayRole: return shown();
    case Qt::ToolTipRole:
        return index.column() == ValueColumn && row.number && row.unit == "B" ? tr("%L1 bytes").arg(static_cast<qint64>(*row.number)) : shown();
    case Qt::FontRole: {
        // A refusal, or what is only assumed, must not be overlooked.
        QFont font;
        font.setBold(row.isWarning);
        return font;
    }
    case kSortRole: return index.column() == ValueColumn && row.number ? QVariant(*row.number) : QVariant(shown());
    case kNodeRole: return row.node;
    default: return {};
    }
}

QVariant ReportModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole || orientation != Qt::Horizontal)
        return {};
    switch (section) {
    case SectionColumn: return tr("Part");
    case ItemColumn: return tr("Item");
    case ValueColumn: return tr("Value");
    default: return {};
    }
}

}  // namespace poet

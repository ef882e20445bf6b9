// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/events_table.h"

#include <QHeaderView>

namespace poet {

EventsTable::EventsTable(DocumentState& state, QWidget* parent)
    : QTableView(parent), m_state(state), m_events(new EventsModel(state, this)), m_sorted(new QSortFilterProxyModel(this))
{
    setObjectName(QStringLiteral("eventsTable"));
    setAccessibleName(tr("Events of the schedule"));
    m_sorted->setSourceModel(m_events);
    m_sorted->setSortRole(EventsModel::kSortRole);
    setModel(m_sorted);
    setSortingEnabled(true);
    sortByColumn(-1, Qt::AscendingOrder);  // as they come: sorting every new plan by number would cost more than it shows
    setSelectionBehavior(SelectRows);
    setAlternatingRowColors(true);
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionResizeMode(EventRows::NodeColumn, QHeaderView::Stretch);
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& current) {
        if (m_isFollowing || !current.isValid() || !m_state.plan())
            return;
        const int step = current.data(EventsModel::kStepRole).toInt();
        if (static_cast<std::size_t>(step) < m_state.plan()->replay.schedule.steps.size())
            m_state.select({m_state.plan()->replay.schedule.steps[static_cast<std::size_t>(step)].node, step, -1});
    });
    connect(&m_state, &DocumentState::changed, this, [this](DocumentState::Aspects aspects) {
        if (aspects & DocumentState::SelectionAspect)
            followSelection();
    });
}

void EventsTable::followSelection()
{
    m_isFollowing = true;
    const Selection& selection = m_state.selection();
    int step = selection.step;
    if (step < 0 && selection.node >= 0 && m_state.plan() && !m_state.facts().stepsOf[static_cast<std::size_t>(selection.node)].empty())
        step = m_state.facts().stepsOf[static_cast<std::size_t>(selection.node)].front();
    if (step < 0)
        selectionModel()->clear();
    else {
        const QModelIndex index = m_sorted->mapFromSource(m_events->index(step, 0));
        selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
        scrollTo(index);
    }
    m_isFollowing = false;
}

EventRows EventsTable::rows() const
{
    EventRows rows = m_events->rows();
    if (m_sorted->sortColumn() >= 0)
        for (int r = 0; r < m_sorted->rowCount(); ++r)
            rows.order.push_back(m_sorted->mapToSource(m_sorted->index(r, 0)).row());
    return rows;
}

}  // namespace poet

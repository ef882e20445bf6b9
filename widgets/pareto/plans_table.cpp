// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pareto/plans_table.h"

#include "widgets/export/table_text.h"
#include "widgets/window/tool_row.h"

#include <QHeaderView>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

namespace poet {

using namespace Qt::StringLiterals;

PlansFilter::PlansFilter(DocumentState& state, ParetoModel& model, QObject* parent) : QSortFilterProxyModel(parent), m_state(state), m_model(model)
{
    setSourceModel(&model);
    setSortRole(ParetoModel::kSortRole);
    connect(&m_state, &DocumentState::changed, this, [this](DocumentState::Aspects aspects) {
        if (aspects & DocumentState::CompareAspect)
            invalidateFilter();
    });
}

void PlansFilter::setShowsAll(bool showsAll)
{
    m_showsAll = showsAll;
    invalidateFilter();
}

const ParetoPoint& PlansFilter::pointAt(const QModelIndex& index) const { return m_model.points().at(static_cast<std::size_t>(mapToSource(index).row())); }

bool PlansFilter::filterAcceptsRow(int row, const QModelIndex&) const
{
    const ParetoPoint& point = m_model.points()[static_cast<std::size_t>(row)];
    return m_showsAll || !point.isOnTheWay || point.isShown || point.plan == m_state.comparePlan() || !m_state.planName(*point.plan).isEmpty();
}

PlansTable::PlansTable(DocumentState& state, ParetoModel& model, QWidget* parent) : QWidget(parent), m_state(state), m_filter(new PlansFilter(state, model, this))
{
    m_table = new QTableView;
    m_table->setObjectName(u"plansTable"_s);
    m_table->setAccessibleName(tr("Known plans"));
    m_table->setModel(m_filter);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    m_table->setAlternatingRowColors(true);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setShowGrid(false);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(ParetoModel::MemoryColumn, Qt::AscendingOrder);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_all = flatButton(tr("Show all"), tr("Also plans on the way: those of limits that a drag passed through, and those that another plan beats"));
    m_all->setCheckable(true);
    m_pin = flatButton(tr("Pin as B"), tr("Compare with the plan of this row; pinned plans stay in the list"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_table);
    connect(m_all, &QToolButton::toggled, m_filter, &PlansFilter::setShowsAll);
    connect(m_pin, &QToolButton::clicked, this, [this] { m_state.setComparePlan(m_filter->pointAt(m_table->currentIndex()).plan); });
    connect(m_table, &QTableView::clicked, this, [this](const QModelIndex& index) {
        updateTools();
        if (index.column() != ParetoModel::NameColumn)  // a click there begins a name
            Q_EMIT planPicked(m_filter->pointAt(index));
    });
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex& index) {
        if (index.column() != ParetoModel::NameColumn)
            Q_EMIT planPicked(m_filter->pointAt(index));
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this, &PlansTable::updateTools);
    connect(m_filter, &QAbstractItemModel::modelReset, this, &PlansTable::updateTools);
    updateTools();
}

SheetTable PlansTable::sheetTable() const
{
    std::vector<bool> isNumber;
    for (int column = 0; column < m_filter->columnCount(); ++column)
        isNumber.push_back(column != ParetoModel::StrategyColumn && column != ParetoModel::NameColumn);
    return sheetTableOf(*m_filter, std::move(isNumber));
}

QList<QWidget*> PlansTable::tools() const { return {m_pin, m_all}; }

void PlansTable::updateTools() { m_pin->setEnabled(m_table->currentIndex().isValid()); }

}  // namespace poet

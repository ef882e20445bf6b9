// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/report_panel.h"

#include "widgets/export/table_text.h"
#include "widgets/report/report_texts.h"

#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

namespace poet {

ReportPanel::ReportPanel(DocumentState& state, QWidget* parent)
    : QWidget(parent), m_state(state), m_rows(new ReportModel(state, this)), m_found(new QSortFilterProxyModel(this))
{
    m_found->setSourceModel(m_rows);
    m_found->setSortRole(ReportModel::kSortRole);
    m_found->setFilterKeyColumn(-1);
    m_found->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_search = new QLineEdit;
    m_search->setObjectName(QStringLiteral("reportSearch"));
    m_search->setPlaceholderText(tr("Search the report"));
    m_search->setAccessibleName(m_search->placeholderText());
    m_search->setClearButtonEnabled(true);
    m_search->setMaximumWidth(fontMetrics().averageCharWidth() * 32);
    m_table = new QTableView;
    m_table->setObjectName(QStringLiteral("reportTable"));
    m_table->setAccessibleName(tr("Import report"));
    m_table->setModel(m_found);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(-1, Qt::AscendingOrder);  // in the order of reading
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setAlternatingRowColors(true);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setShowGrid(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_empty = new QLabel;
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setForegroundRole(QPalette::PlaceholderText);
    m_pages = new QStackedWidget;
    m_pages->addWidget(m_empty);
    m_pages->addWidget(m_table);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_pages);
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& words) {
        m_found->setFilterFixedString(words.trimmed());
        refresh();
    });
    connect(m_rows, &QAbstractItemModel::modelReset, this, &ReportPanel::refresh);
    const auto follow = [this](const QModelIndex& index) {
        if (const int node = index.data(ReportModel::kNodeRole).toInt(); node >= 0)
            m_state.selectNode(node);
    };
    connect(m_table, &QTableView::clicked, this, follow);
    connect(m_table, &QTableView::activated, this, follow);
    refresh();
}

void ReportPanel::refresh()
{
    const bool hasRows = m_found->rowCount() > 0;
    m_empty->setText(m_rows->rowCount() == 0 ? tr("Open a model to see what was read from it and how it was taken.") : tr("Nothing in the report matches the search."));
    m_search->setEnabled(m_rows->rowCount() > 0);
    m_pages->setCurrentIndex(hasRows ? 1 : 0);
    if (hasRows)
        for (const int column : {ReportModel::SectionColumn, ReportModel::ItemColumn})
            m_table->resizeColumnToContents(column);
}

QString ReportPanel::csv() const { return m_rows->rowCount() > 0 ? report::csv(m_rows->rows()) : QString(); }

SheetTable ReportPanel::sheetTable() const { return sheetTableOf(*m_found, {false, false, false}); }

}  // namespace poet

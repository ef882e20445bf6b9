// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/search_field.h"

#include "widgets/style/text.h"

#include <QKeyEvent>
#include <QListWidget>

#include <algorithm>

namespace poet {

namespace {
constexpr int kShownResults = 200;
}

SearchField::SearchField(DocumentState& state, QWidget* parent) : QLineEdit(parent), m_state(state)
{
    setObjectName(QStringLiteral("searchField"));
    setPlaceholderText(tr("Find node or tensor\u2026  Ctrl+F"));
    setAccessibleName(tr("Find node or tensor"));
    setToolTip(tr("Words of the name, and filters: type:Conv  shape:64  size>64K  size<1M  decision:paged  phase:backward"));
    setClearButtonEnabled(true);
    setMinimumWidth(230);
    m_list = new QListWidget;
    m_list->setObjectName(QStringLiteral("searchResults"));
    m_list->setAccessibleName(tr("Search results"));
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setUniformItemSizes(true);
    m_list->hide();
    connect(this, &QLineEdit::textEdited, this, &SearchField::search);
    connect(m_list, &QListWidget::itemClicked, this, [this](QListWidgetItem* item) { go(m_list->row(item)); });
    connect(&m_state, &DocumentState::changed, this, [this](DocumentState::Aspects aspects) {
        if (aspects & DocumentState::ProblemAspect) {
            m_results.clear();
            m_list->hide();
        }
    });
}

void SearchField::search()
{
    m_results = text().trimmed().isEmpty() ? std::vector<NodeId>{} : findNodes(m_state, parseNodeQuery(text()));
    m_current = -1;
    showResults();
}

void SearchField::showResults()
{
    m_list->clear();
    const NodeQuery query = parseNodeQuery(text());
    if (text().trimmed().isEmpty() || !m_state.problem()) {
        m_list->hide();
        return;
    }
    m_list->setParent(window());
    for (std::size_t i = 0; i < m_results.size() && i < kShownResults; ++i) {
        const NodeFacts& fact = m_state.problem()->facts[static_cast<std::size_t>(m_results[i])];
        m_list->addItem(QStringLiteral("%1   %2   %3").arg(fact.name, fact.op, text::bytes(m_state.problem()->graph->nodes[static_cast<std::size_t>(m_results[i])].bytes)));
    }
    if (m_results.empty())
        m_list->addItem(query.problem.isEmpty() ? tr("Nothing found.") : query.problem);
    const int rows = std::min(12, m_list->count());
    const int width = std::max(this->width(), 420);
    const QPoint below = mapTo(window(), QPoint(this->width() - width, height() + 1));
    m_list->setGeometry(QRect(below, QSize(width, rows * m_list->sizeHintForRow(0) + 6)));
    m_list->raise();
    m_list->show();
}

void SearchField::go(int index)
{
    if (m_results.empty())
        return;
    const int count = static_cast<int>(m_results.size());
    m_current = (index + count) % count;
    m_list->setCurrentRow(m_current);
    m_state.selectNode(m_results[static_cast<std::size_t>(m_current)]);
}

void SearchField::next(int direction)
{
    if (m_results.empty())
        search();
    go(m_current < 0 && direction < 0 ? -1 : m_current + direction);
}

void SearchField::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter: next(event->modifiers() & Qt::ShiftModifier ? -1 : 1); return;
    case Qt::Key_Down: next(1); return;
    case Qt::Key_Up: next(-1); return;
    case Qt::Key_Escape:
        m_list->hide();
        clear();
        return;
    default: QLineEdit::keyPressEvent(event);
    }
}

void SearchField::focusOutEvent(QFocusEvent* event)
{
    m_list->hide();
    QLineEdit::focusOutEvent(event);
}

}  // namespace poet

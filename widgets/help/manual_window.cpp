// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/help/manual_window.h"

#include "widgets/style/colors.h"

#include <QLineEdit>
#include <QListWidget>
#include <QSplitter>
#include <QTextBrowser>
#include <QTextDocument>
#include <QVBoxLayout>

#include <algorithm>

namespace poet {

using namespace Qt::StringLiterals;

ManualWindow::ManualWindow(QWidget* parent) : QDialog(parent), m_topics(readManual(helpLanguage()))
{
    setObjectName(u"manualWindow"_s);
    setWindowTitle(tr("Manual"));
    setModal(false);
    resize(840, 560);
    build();
    fillList();
    showTopic(u"start"_s);
}

void ManualWindow::build()
{
    m_search = new QLineEdit;
    m_search->setObjectName(u"manualSearch"_s);
    m_search->setPlaceholderText(tr("Search the manual\u2026"));
    m_search->setAccessibleName(tr("Search the manual"));
    m_search->setClearButtonEnabled(true);
    m_list = new QListWidget;
    m_list->setAccessibleName(tr("Topics of the manual"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_text = new QTextBrowser;
    m_text->setAccessibleName(tr("Text of the topic"));
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setOpenLinks(false);
    m_text->document()->setDocumentMargin(16);
    auto* left = new QWidget;
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(8, 8, 0, 8);
    column->addWidget(m_search);
    column->addWidget(m_list, 1);
    auto* splitter = new QSplitter;
    splitter->addWidget(left);
    splitter->addWidget(m_text);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({270, 570});
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(splitter);
    connect(m_search, &QLineEdit::textChanged, this, &ManualWindow::fillList);
    connect(m_search, &QLineEdit::returnPressed, this, [this] {
        for (int row = 0; row < m_list->count(); ++row)
            if (m_list->item(row)->flags() & Qt::ItemIsEnabled) {
                m_list->setCurrentRow(row);
                return;
            }
    });
    connect(m_list, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
        if (item && item->flags() & Qt::ItemIsEnabled)
            read(item->data(Qt::UserRole).toInt());
    });
    m_search->setFocus();
}

void ManualWindow::fillList()
{
    const QSignalBlocker quiet(m_list);
    m_list->clear();
    bool hasWords = false;
    std::vector<int> found = searchManual(m_topics, m_search->text());
    const bool isShownAmong = std::any_of(found.begin(), found.end(), [this](int index) { return m_topics[static_cast<std::size_t>(index)].id == m_topic; });
    if (!m_search->text().isEmpty() && !found.empty() && !isShownAmong)
        read(found.front());  // the best hit, before anything is pressed
    std::stable_partition(found.begin(), found.end(), [this](int index) { return !m_topics[static_cast<std::size_t>(index)].isWord; });
    for (const int index : found) {
        const HelpTopic& topic = m_topics[static_cast<std::size_t>(index)];
        if (topic.isWord && !std::exchange(hasWords, true)) {
            auto* heading = new QListWidgetItem(tr("Glossary"), m_list);
            QFont bold = font();
            bold.setBold(true);
            heading->setFont(bold);
            heading->setFlags(Qt::NoItemFlags);
        }
        auto* item = new QListWidgetItem(topic.title, m_list);
        item->setData(Qt::UserRole, index);
        if (topic.id == m_topic)
            m_list->setCurrentItem(item);
    }
    markFound();
}

int ManualWindow::shownCount() const
{
    int count = 0;
    for (int row = 0; row < m_list->count(); ++row)
        count += (m_list->item(row)->flags() & Qt::ItemIsEnabled) != 0;
    return count;
}

QString ManualWindow::text() const { return m_text->toPlainText(); }

bool ManualWindow::showTopic(const QString& id)
{
    const auto found = std::find_if(m_topics.begin(), m_topics.end(), [&](const HelpTopic& topic) { return topic.id == id; });
    if (found == m_topics.end())
        return false;
    const int index = static_cast<int>(found - m_topics.begin());
    read(index);
    m_search->clear();
    for (int row = 0; row < m_list->count(); ++row)
        if (m_list->item(row)->flags() & Qt::ItemIsEnabled && m_list->item(row)->data(Qt::UserRole).toInt() == index)
            m_list->setCurrentRow(row);
    return true;
}

void ManualWindow::read(int index)
{
    const HelpTopic& topic = m_topics[static_cast<std::size_t>(index)];
    m_topic = topic.id;
    m_text->document()->setMarkdown(u"### "_s + topic.title + u"\n\n"_s + topic.markdown);
    m_text->moveCursor(QTextCursor::Start);
    markFound();
}

/// The words that were searched for, on a tinted ground.
void ManualWindow::markFound()
{
    QList<QTextEdit::ExtraSelection> marks;
    const QStringList words = m_search->text().split(u' ', Qt::SkipEmptyParts);
    for (const QString& word : words)
        for (QTextCursor at = m_text->document()->find(word); !at.isNull(); at = m_text->document()->find(word, at)) {
            QTextEdit::ExtraSelection mark;
            mark.cursor = at;
            mark.format.setBackground(style::mix(palette().color(QPalette::Base), style::color(style::Meaning::Recompute, palette()), 0.45));
            marks.append(mark);
        }
    m_text->setExtraSelections(marks);
}

}  // namespace poet

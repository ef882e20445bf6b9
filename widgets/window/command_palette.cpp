// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/command_palette.h"

#include "widgets/window/action_registry.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QTextBrowser>
#include <QTimer>
#include <QVBoxLayout>

#include <map>

namespace poet {

using namespace Qt::StringLiterals;

CommandPalette::CommandPalette(const ActionRegistry& actions, QWidget* parent) : QDialog(parent, Qt::Popup), m_actions(actions)
{
    setObjectName(u"commandPalette"_s);
    m_field = new QLineEdit;
    m_field->setPlaceholderText(tr("Type what you want to do"));
    m_field->setAccessibleName(tr("Action"));
    m_list = new QListWidget;
    m_list->setUniformItemSizes(true);
    m_list->setAccessibleName(tr("Actions"));
    m_list->setFocusPolicy(Qt::NoFocus);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(6, 6, 6, 6);
    column->addWidget(m_field);
    column->addWidget(m_list);
    m_field->installEventFilter(this);
    connect(m_field, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(m_field, &QLineEdit::returnPressed, this, &CommandPalette::run);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::run);
    resize(480, 380);
    if (parent)
        move(parent->mapToGlobal(QPoint((parent->width() - width()) / 2, 80)));
    filter();
    m_field->setFocus();
}

void CommandPalette::filter()
{
    m_list->clear();
    const QStringList words = m_field->text().split(u' ', Qt::SkipEmptyParts);
    for (const ActionRegistry::Entry& entry : m_actions.entries()) {
        const QString name = entry.category + u": "_s + ActionRegistry::plainText(*entry.action);
        bool matches = entry.action->isEnabled();
        for (const QString& word : words)
            matches = matches && name.contains(word, Qt::CaseInsensitive);
        if (!matches)
            continue;
        const QKeySequence key = entry.action->shortcut();
        auto* item = new QListWidgetItem(key.isEmpty() ? name : name + u"    "_s + key.toString(QKeySequence::NativeText), m_list);
        item->setData(Qt::UserRole, entry.action->objectName());
    }
    m_list->setCurrentRow(0);
}

int CommandPalette::shownCount() const { return m_list->count(); }

void CommandPalette::run()
{
    QListWidgetItem* item = m_list->currentItem();
    QAction* action = item ? m_actions.action(item->data(Qt::UserRole).toString()) : nullptr;
    accept();
    if (action)
        QTimer::singleShot(0, action, &QAction::trigger);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_field && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Down || key->key() == Qt::Key_Up) {
            const int row = m_list->currentRow() + (key->key() == Qt::Key_Down ? 1 : -1);
            m_list->setCurrentRow(std::clamp(row, 0, std::max(0, m_list->count() - 1)));
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

ShortcutSheet::ShortcutSheet(const ActionRegistry& actions, QWidget* parent) : QDialog(parent)
{
    setObjectName(u"shortcutSheet"_s);
    setWindowTitle(tr("Keyboard shortcuts"));
    std::map<QString, QString> rows;
    QStringList order;
    for (const ActionRegistry::Entry& entry : actions.entries()) {
        const QList<QKeySequence> keys = entry.action->shortcuts();
        if (keys.isEmpty())
            continue;
        QStringList names;
        for (const QKeySequence& key : keys)
            names.append(key.toString(QKeySequence::NativeText));
        if (!rows.contains(entry.category))
            order.append(entry.category);
        rows[entry.category] += u"<tr><td style='padding-right:16px'><b>%1</b></td><td>%2</td></tr>"_s.arg(names.join(u", "_s).toHtmlEscaped(), ActionRegistry::plainText(*entry.action).toHtmlEscaped());
    }
    QString html;
    for (const QString& category : order)
        html += u"<h3>%1</h3><table>%2</table>"_s.arg(category, rows[category]);
    html += tr("<h3>Sliders</h3><p>Arrows move one step, PgUp and PgDn ten, Home and End go to the ends, Ctrl+arrows to the next known plan; a double-click resets.</p>");
    auto* text = new QTextBrowser;
    text->setHtml(html);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(text);
    resize(520, 620);
}

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/action_registry.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QWidget>

#include <algorithm>
#include <iterator>

namespace poet {

namespace {

/// What belongs to a text field while it has the focus.
constexpr QKeySequence::StandardKey kEditingKeys[] = {QKeySequence::Copy, QKeySequence::Cut, QKeySequence::Paste, QKeySequence::Undo, QKeySequence::Redo, QKeySequence::SelectAll};

}  // namespace

ActionRegistry::ActionRegistry(QWidget* window) : QObject(window), m_window(window) { QCoreApplication::instance()->installEventFilter(this); }

bool ActionRegistry::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::ShortcutOverride || !qobject_cast<QLineEdit*>(watched))
        return QObject::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool isEditing = std::any_of(std::begin(kEditingKeys), std::end(kEditingKeys), [&](QKeySequence::StandardKey standard) { return key->matches(standard); });
    if (!(key->modifiers() & Qt::ControlModifier) || isEditing)
        return QObject::eventFilter(watched, event);
    const QKeySequence pressed(key->keyCombination());
    for (const Entry& entry : m_entries)
        if (!entry.scope && entry.action->isEnabled() && entry.action->shortcuts().contains(pressed) && static_cast<QWidget*>(watched)->window() == m_window) {
            event->ignore();
            return true;
        }
    return QObject::eventFilter(watched, event);
}

QAction* ActionRegistry::add(const QString& id, const QString& category, const QString& text, const QList<QKeySequence>& keys,
                             const std::function<void()>& work, QWidget* scope)
{
    auto* action = new QAction(text, m_window);
    action->setObjectName(id);
    action->setShortcuts(keys);
    action->setShortcutContext(scope ? Qt::WidgetWithChildrenShortcut : Qt::WindowShortcut);
    QString tip = plainText(*action);
    if (!keys.isEmpty())
        tip += QStringLiteral(" (%1)").arg(keys.first().toString(QKeySequence::NativeText));
    action->setToolTip(tip);
    action->setWhatsThis(tip);  // a tool button takes it from its action
    connect(action, &QAction::triggered, m_window, work);
    (scope ? scope : m_window)->addAction(action);
    m_entries.push_back({action, category, scope});
    return action;
}

QAction* ActionRegistry::action(const QString& id) const
{
    for (const Entry& entry : m_entries)
        if (entry.action->objectName() == id)
            return entry.action;
    return nullptr;
}

QString ActionRegistry::plainText(const QAction& action)
{
    QString text = action.text();
    text.remove(QLatin1Char('&'));
    while (text.endsWith(QChar(0x2026)))
        text.chop(1);
    return text;
}

QStringList ActionRegistry::clashes() const
{
    QStringList found;
    for (std::size_t a = 0; a < m_entries.size(); ++a)
        for (std::size_t b = a + 1; b < m_entries.size(); ++b) {
            if (m_entries[a].scope && m_entries[b].scope && m_entries[a].scope != m_entries[b].scope)
                continue;
            const auto keys = m_entries[a].action->shortcuts();
            for (const QKeySequence& key : keys)
                if (m_entries[b].action->shortcuts().contains(key))
                    found.append(QStringLiteral("%1: %2 and %3").arg(key.toString(), m_entries[a].action->objectName(), m_entries[b].action->objectName()));
        }
    return found;
}

}  // namespace poet

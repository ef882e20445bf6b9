// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QKeySequence>
#include <QObject>

#include <functional>
#include <vector>

class QMenu;
class QWidget;

namespace poet {

/// Every action of the window with its keys; feeds menus, palette, shortcut sheet and the test that finds clashes.
class ActionRegistry : public QObject {
    Q_OBJECT
public:
    struct Entry {
        QAction* action = nullptr;
        QString category;          ///< menu or view: "File", "Timeline"
        QWidget* scope = nullptr;  ///< keys work only while this has focus; null: everywhere in the window
    };

    explicit ActionRegistry(QWidget* window);

    /// `id` is the object name. With a scope the keys belong to that view alone.
    QAction* add(const QString& id, const QString& category, const QString& text, const QList<QKeySequence>& keys,
                 const std::function<void()>& work, QWidget* scope = nullptr);
    [[nodiscard]] QAction* action(const QString& id) const;
    [[nodiscard]] const std::vector<Entry>& entries() const { return m_entries; }
    /// Text without the mnemonic ampersand.
    [[nodiscard]] static QString plainText(const QAction& action);
    /// Pairs of actions whose keys clash: same scope, or one of them everywhere.
    [[nodiscard]] QStringList clashes() const;

protected:
    /// Keys of the window that a text field would take for its own, such as Ctrl+E for the end of the line.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* m_window;
    std::vector<Entry> m_entries;
};

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QLineEdit;
class QListWidget;

namespace poet {

class ActionRegistry;

/// Every action by name: type a part of it, Enter runs it.
class CommandPalette : public QDialog {
    Q_OBJECT
public:
    CommandPalette(const ActionRegistry& actions, QWidget* parent);
    [[nodiscard]] int shownCount() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void filter();
    void run();

    const ActionRegistry& m_actions;
    QLineEdit* m_field = nullptr;
    QListWidget* m_list = nullptr;
};

/// The sheet of all keys, by category, made from the registry.
class ShortcutSheet : public QDialog {
    Q_OBJECT
public:
    ShortcutSheet(const ActionRegistry& actions, QWidget* parent);
};

}  // namespace poet

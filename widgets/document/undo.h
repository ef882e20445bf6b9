// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QUndoCommand>

#include <functional>
#include <utility>

namespace poet {

/// A change of a view's setting that undo takes back: `apply` sets the setting, whoever holds it.
template <class Value>
class SettingCommand : public QUndoCommand {
public:
    SettingCommand(const QString& what, Value before, Value after, std::function<void(const Value&)> apply)
        : QUndoCommand(what), m_before(std::move(before)), m_after(std::move(after)), m_apply(std::move(apply))
    {
    }
    void undo() override { m_apply(m_before); }
    void redo() override { m_apply(m_after); }

private:
    Value m_before;
    Value m_after;
    std::function<void(const Value&)> m_apply;
};

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

class QButtonGroup;
class QDockWidget;
class QHBoxLayout;
class QLayout;
class QToolButton;
class QWidget;

/// The small rows of tools of the docks.
namespace poet {

/// A row of tools above its view.
[[nodiscard]] QWidget* withTools(QLayout* row, QWidget* content);
/// A dock's title bar with the tools of its view: two rows in the height of one. Dragging still moves the dock.
void setTools(QDockWidget* dock, QHBoxLayout* row);
[[nodiscard]] QToolButton* flatButton(const QString& text, const QString& tip);
/// Buttons of which exactly one is down; their ids are their places.
QButtonGroup* addChoice(QHBoxLayout* row, QWidget* parent, const QStringList& names, const QStringList& tips);

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <functional>

class QComboBox;
class QLineEdit;
class QObject;

/// Small fields of the panels, made alike.
namespace poet {

/// A field for text; what it shows while it is empty is what then counts.
[[nodiscard]] QLineEdit* textField(const QString& objectName, const QString& name, const QString& whenEmpty, const QString& tip);
/// A list to choose from, as wide as its panel and not as its longest entry.
[[nodiscard]] QComboBox* choiceBox(const QString& objectName, const QString& name, const QString& tip);
/// Calls `work` when the user has changed the text and is done.
void whenEdited(QLineEdit* field, QObject* context, const std::function<void()>& work);
/// "a, b c" as three.
[[nodiscard]] QStringList listed(const QString& text);

}  // namespace poet

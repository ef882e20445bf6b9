// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

class QWidget;

namespace poet {

/// One part of the manual, or one word of the glossary.
struct HelpTopic {
    QString id;        ///< the same in every language
    QString title;
    QString markdown;  ///< without its title
    bool isWord = false;
};

/// The shipped manual and its glossary in a language ("en", "de"), in reading order: parts, then words by title. Each
/// begins with a line "## Title {#id}". Empty for a language without one.
[[nodiscard]] std::vector<HelpTopic> readManual(const QString& language);
/// The language that the window speaks.
[[nodiscard]] QString helpLanguage();
/// The topics that hold every word of `query`, in a title or in the text; all for an empty query. Indices into `topics`.
[[nodiscard]] std::vector<int> searchManual(const std::vector<HelpTopic>& topics, const QString& query);
/// Id of the part that explains a widget, by the names of the widget and of those around it; "start" if none does.
[[nodiscard]] QString topicOf(const QWidget* widget);

}  // namespace poet

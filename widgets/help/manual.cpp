// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/help/manual.h"

#include <QCoreApplication>
#include <QFile>
#include <QRegularExpression>
#include <QWidget>

#include <algorithm>
#include <array>

/// A static library's resources are linked in only when asked for; the macro must stand outside namespaces.
static void initHelp() { Q_INIT_RESOURCE(help); }

namespace poet {

using namespace Qt::StringLiterals;

namespace {

struct ManualText {
    Q_DECLARE_TR_FUNCTIONS(poet::Manual)
};

std::vector<HelpTopic> readTopics(const QString& file, bool areWords)
{
    QFile source(u":/help/"_s + file);
    if (!source.open(QIODevice::ReadOnly))
        return {};
    static const QRegularExpression heading(u"^## (.+) \\{#([a-z-]+)\\}$"_s);
    std::vector<HelpTopic> topics;
    const QStringList lines = QString::fromUtf8(source.readAll()).split(u'\n');
    for (const QString& line : lines) {
        if (const auto match = heading.match(line); match.hasMatch())
            topics.push_back({match.captured(2), match.captured(1), {}, areWords});
        else if (!topics.empty())
            topics.back().markdown += line + u'\n';
    }
    return topics;
}

/// Names of widgets, and the part of the manual that is about them.
constexpr std::array<std::pair<const char*, const char*>, 25> kPlaces{{
    {"overheadFinder", "overhead"}, {"memorySlider", "memory"},   {"memoryField", "memory"},       {"deadlineSlider", "deadline"},
    {"deadlineField", "deadline"},  {"deadlineScope", "deadline"}, {"strategyBox", "strategy"},    {"gapBox", "strategy"},
    {"timeLimitBox", "strategy"},   {"statusPanel", "status"},    {"constraintsDock", "memory"},   {"modelDock", "model"},
    {"propertiesDock", "why"},      {"paretoDock", "pareto"},     {"plansDock", "pareto"},         {"timelineDock", "timeline"},
    {"tableDock", "timeline"},      {"summaryDock", "compare"},   {"breakEvenDock", "why"},        {"sideBySideDock", "strategy"},
    {"compareDock", "compare"},     {"exportDialog", "export"},   {"deviceEditor", "device"},      {"graphView", "graph"},
    {"preferencesDialog", "session"},
}};

}  // namespace

QString helpLanguage()
{
    // The translation of this text begins with its language.
    return ManualText::tr("en (language of the manual)").left(2);
}

std::vector<HelpTopic> readManual(const QString& language)
{
    initHelp();
    std::vector<HelpTopic> topics = readTopics(u"manual.%1.md"_s.arg(language), false);
    std::vector<HelpTopic> words = readTopics(u"glossary.%1.md"_s.arg(language), true);
    std::stable_sort(words.begin(), words.end(), [](const HelpTopic& a, const HelpTopic& b) { return QString::localeAwareCompare(a.title, b.title) < 0; });
    topics.insert(topics.end(), std::make_move_iterator(words.begin()), std::make_move_iterator(words.end()));
    return topics;
}

std::vector<int> searchManual(const std::vector<HelpTopic>& topics, const QString& query)
{
    const QStringList words = query.split(u' ', Qt::SkipEmptyParts);
    std::vector<int> found;
    for (std::size_t i = 0; i < topics.size(); ++i) {
        const bool holdsAll = std::all_of(words.begin(), words.end(), [&](const QString& word) {
            return topics[i].title.contains(word, Qt::CaseInsensitive) || topics[i].markdown.contains(word, Qt::CaseInsensitive);
        });
        if (holdsAll)
            found.push_back(static_cast<int>(i));
    }
    // What carries the word in its title is what was looked for.
    std::stable_partition(found.begin(), found.end(), [&](int index) {
        return std::any_of(words.begin(), words.end(), [&](const QString& word) { return topics[static_cast<std::size_t>(index)].title.contains(word, Qt::CaseInsensitive); });
    });
    return found;
}

QString topicOf(const QWidget* widget)
{
    for (; widget; widget = widget->parentWidget())
        for (const auto& [name, topic] : kPlaces)
            if (widget->objectName() == QLatin1String(name))
                return QString::fromLatin1(topic);
    return u"start"_s;
}

}  // namespace poet

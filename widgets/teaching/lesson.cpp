// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/teaching/lesson.h"

#include <QCoreApplication>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

/// A static library's resources are linked in only when asked for; the macro must stand outside namespaces.
static void initLessonResources() { Q_INIT_RESOURCE(lessons); }

namespace poet {

using namespace Qt::StringLiterals;

Expected<Lesson> parseLesson(const QByteArray& json, const QString& where)
{
    QJsonParseError error;
    const QJsonObject root = QJsonDocument::fromJson(json, &error).object();
    if (root.value("format"_L1).toString() != "poet-lesson"_L1 || root.value("version"_L1).toInt() != 1)
        return fail(ErrorCode::BadModel, where.toStdString() + " is no lesson of version 1: " + error.errorString().toStdString() + ".");
    Lesson lesson;
    lesson.title = root.value("title"_L1).toString();
    static const QStringList known{u"text"_s, u"model"_s, u"device"_s, u"transfer"_s, u"memory"_s, u"deadline"_s, u"strategy"_s, u"dock"_s};
    const QJsonArray steps = root.value("steps"_L1).toArray();
    for (const QJsonValue& value : steps) {
        const QJsonObject item = value.toObject();
        const QStringList keys = item.keys();
        for (const QString& key : keys)
            if (!known.contains(key))
                return fail(ErrorCode::BadModel, where.toStdString() + " has the unknown key \"" + key.toStdString() + "\".");
        lesson.steps.push_back({item.value("text"_L1).toString(), item.value("model"_L1).toString(), item.value("device"_L1).toString(),
                                item.value("transfer"_L1).toString(), item.value("memory"_L1).toString(), item.value("deadline"_L1).toString(),
                                item.value("strategy"_L1).toString(), item.value("dock"_L1).toString()});
    }
    if (lesson.title.isEmpty() || lesson.steps.empty())
        return fail(ErrorCode::BadModel, where.toStdString() + " has no title or no steps.");
    return lesson;
}

namespace {

/// Lessons are written in English; other languages are in the tables of translations, under the whole text.
void translate(Lesson& lesson)
{
    const auto inLanguage = [](QString& text) { text = QCoreApplication::translate("poet::Lesson", text.toUtf8().constData()); };
    inLanguage(lesson.title);
    for (LessonStep& step : lesson.steps)
        inLanguage(step.text);
}

}  // namespace

const std::vector<Lesson>& shippedLessons()
{
    static const std::vector<Lesson> lessons = [] {
        initLessonResources();
        std::vector<Lesson> all;
        for (const QString& name : {u"memory"_s, u"recompute-or-page"_s, u"deadline"_s, u"dma"_s}) {
            QFile file(u":/lessons/"_s + name + u".json"_s);
            if (!file.open(QIODevice::ReadOnly))
                continue;
            if (auto lesson = parseLesson(file.readAll(), name)) {
                translate(*lesson);
                all.push_back(std::move(*lesson));
            }
        }
        return all;
    }();
    return lessons;
}

}  // namespace poet

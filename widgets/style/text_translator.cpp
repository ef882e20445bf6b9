// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style/text_translator.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>

/// A static library's resources are linked in only when asked for; the macro must stand outside namespaces.
static void initTranslations() { Q_INIT_RESOURCE(translations); }

namespace poet {

using namespace Qt::StringLiterals;

Expected<void> TextTranslator::loadLanguage(const QString& language)
{
    initTranslations();
    QFile file(u":/translations/"_s + language + u".json"_s);
    if (!file.open(QIODevice::ReadOnly))
        return fail(ErrorCode::BadUsage, "There is no translation for \"" + language.toStdString() + "\".", "Use en or de.");
    QJsonParseError error;
    const QJsonObject root = QJsonDocument::fromJson(file.readAll(), &error).object();
    if (root.value("format"_L1).toString() != "poet-translation"_L1 || root.value("version"_L1).toInt() != 1)
        return fail(ErrorCode::BadModel, "The table of " + language.toStdString() + " is broken: " + error.errorString().toStdString() + ".");
    const QJsonObject texts = root.value("texts"_L1).toObject();
    for (auto it = texts.begin(); it != texts.end(); ++it)
        m_texts.insert(it.key(), it.value().toString());
    return {};
}

QString TextTranslator::translate(const char*, const char* source, const char*, int) const
{
    return m_texts.value(QString::fromUtf8(source));
}

}  // namespace poet

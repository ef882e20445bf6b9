// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/report_texts.h"

#include "widgets/export/view_tables.h"
#include "widgets/style/text.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace poet::report {

using namespace Qt::StringLiterals;

namespace {

/// Amounts in the reader's way; names as they are.
QString shownArgument(const std::string& argument)
{
    static const QRegularExpression amount(u"^(< )?-?[0-9]+([.][0-9]+)?( [A-Za-z/%]+)?$"_s);
    const QString plain = text::from(argument);
    return amount.match(plain).hasMatch() ? text::shown(argument) : plain;
}

/// Core's own text; as it is when the table has none, as of names.
QString inUsersLanguage(const std::string& text) { return text.empty() ? QString() : QCoreApplication::translate("poet::report", text.c_str()); }

/// `isNamed`: the first argument is the name of something recognised, which may be one of core's texts.
QString filled(const std::string& pattern, const std::vector<std::string>& arguments, bool isNamed)
{
    std::vector<std::string> shown;
    for (const std::string& argument : arguments)
        shown.push_back(text::to(isNamed && shown.empty() ? inUsersLanguage(argument) : shownArgument(argument)));
    return text::from(filledIn(text::to(inUsersLanguage(pattern)), shown));
}

}  // namespace

QString section(const ReportRow& row) { return inUsersLanguage(row.section); }
QString item(const ReportRow& row) { return inUsersLanguage(row.item); }
QString value(const ReportRow& row) { return filled(row.pattern, row.arguments, row.isRecognised); }
QString note(const Note& note) { return filled(note.pattern, note.arguments, note.kind == NoteKind::Recognised); }

QStringList freezingLines(const InspectReport& report)
{
    QStringList lines;
    for (const ReportRow& row : freezingRows(report))
        lines << item(row) + u' ' + value(row);
    return lines;
}

QString csv(const std::vector<ReportRow>& rows)
{
    QString out = csvLine({u"part"_s, u"item"_s, u"value"_s, u"number"_s, u"unit"_s});
    for (const ReportRow& row : rows)
        out += csvLine({section(row), item(row), value(row), row.number ? text::from(formatDouble(*row.number)) : QString(), text::from(row.unit)});
    return out;
}

}  // namespace poet::report

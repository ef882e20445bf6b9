// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style/text.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <string>

namespace poet::text {

namespace {
QString tr(const char* text) { return QCoreApplication::translate("poet::text", text); }
}  // namespace

QString shown(std::string_view number)
{
    QString text = from(number);
    if (const QString point = QLocale().decimalPoint(); point != QLatin1String("."))
        text.replace(QLatin1Char('.'), point);
    if (const qsizetype unit = text.indexOf(QLatin1String(" u")); unit >= 0)
        text[unit + 1] = QChar(0x00B5);
    return text;
}

std::string typed(const QString& text)
{
    QString plain = text;
    if (QLocale().decimalPoint() == QLatin1String(",") && plain.contains(QLatin1Char(',')))
        plain.remove(QLatin1Char('.')).replace(QLatin1Char(','), QLatin1Char('.'));
    plain.replace(QChar(0x00B5), QLatin1Char('u')).replace(QChar(0x03BC), QLatin1Char('u'));  // micro sign, Greek mu
    return to(plain);
}

QString bytesApart(std::int64_t value, const QList<std::int64_t>& others)
{
    QString text = from(formatBytes(value));
    const QString unit = text.section(QLatin1Char(' '), -1);
    const qsizetype point = text.indexOf(QLatin1Char('.'));
    const int digits = point < 0 ? 0 : static_cast<int>(text.indexOf(QLatin1Char(' ')) - point - 1);
    const auto factor = parseBytes("1" + to(unit));
    if (!factor || *factor < 1024)
        return shown(to(text));
    const auto withDigits = [&](std::int64_t number, int more) {
        return QString::number(static_cast<double>(number) / static_cast<double>(*factor), 'f', digits + more) + QLatin1Char(' ') + unit;
    };
    for (int more = 0; more <= 4; ++more) {
        text = withDigits(value, more);
        const bool isApart = std::all_of(others.begin(), others.end(), [&](std::int64_t other) { return other == value || withDigits(other, more) != text; });
        if (isApart)
            break;
    }
    return shown(to(text));
}

QString morePercent(double value)
{
    const QString plain = percent(value);
    return plain.startsWith(QLatin1Char('<')) || value <= 0 ? plain : QLatin1Char('+') + plain;
}

QString strategy(Strategy strategy)
{
    switch (strategy) {
    case Strategy::Integrated: return tr("Recompute + page");
    case Strategy::Paging: return tr("Page only");
    case Strategy::Recompute: return tr("Recompute only");
    case Strategy::KeepAll: return tr("Keep all");
    case Strategy::PageAll: return tr("Page everything");
    case Strategy::Sqrt: return tr("Every \u221An-th checkpoint");
    case Strategy::Revolve: return tr("Revolve");
    case Strategy::Greedy: return tr("Greedy");
    case Strategy::Capuchin: return tr("Capuchin-like");
    case Strategy::Dtr: return tr("DTR-like");
    }
    return {};
}

QString stepKind(StepKind kind)
{
    switch (kind) {
    case StepKind::Compute: return tr("Compute");
    case StepKind::Recompute: return tr("Recompute");
    case StepKind::PageOut: return tr("Page-out");
    case StepKind::PageIn: return tr("Page-in");
    case StepKind::Free: return tr("Free");
    }
    return {};
}

QString fate(Fate fate) { return tr(std::string(name(fate)).c_str()); }

QString transfer(TransferModel model)
{
    switch (model) {
    case TransferModel::Paper: return tr("paper (as published)");
    case TransferModel::Blocking: return tr("blocking");
    case TransferModel::Dma: return tr("DMA");
    }
    return {};
}

QString shortNodeName(const QString& name, int length)
{
    QString text = name;
    while (text.size() > length) {
        const qsizetype cut = text.indexOf(QLatin1Char('/'), 1);
        if (cut < 0 || cut + 1 >= text.size())
            break;
        text = text.mid(cut + 1);
    }
    if (text.startsWith(QLatin1Char('/')))
        text.remove(0, 1);
    if (text.size() > length)
        text = text.left(length / 2) + QChar(0x2026) + text.right(length - length / 2 - 1);
    return text;
}

}  // namespace poet::text

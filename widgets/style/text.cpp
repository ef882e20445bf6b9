// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style/text.h"

#include <QCoreApplication>

namespace poet::text {

namespace {
QString tr(const char* text) { return QCoreApplication::translate("poet::text", text); }
}  // namespace

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

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/schedule/alternatives.h"
#include "core/schedule/plan.h"

#include <QList>
#include <QString>

/// Core's texts as QString, and the words that the window uses for core's names.
namespace poet::text {

[[nodiscard]] inline QString from(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }
[[nodiscard]] inline std::string to(const QString& text) { return text.toStdString(); }
/// A number with its unit as core writes it, in the reader's way: with the decimal point of the locale, and a micro sign.
[[nodiscard]] QString shown(std::string_view number);
/// The other way round: what was typed, as core reads it. A point is one also where the locale has a comma.
[[nodiscard]] std::string typed(const QString& text);
[[nodiscard]] inline QString bytes(std::int64_t value) { return shown(formatBytes(value)); }
[[nodiscard]] inline QString seconds(double value) { return shown(formatSeconds(value)); }
[[nodiscard]] inline QString joules(double value) { return shown(formatJoules(value)); }
[[nodiscard]] inline QString percent(double value) { return shown(formatPercent(value)); }

/// As bytes(), with as many more digits as tell `value` from each of `others` that is not the same ("9.187 MiB" beside
/// 9.19 MiB); at most four more.
[[nodiscard]] QString bytesApart(std::int64_t value, const QList<std::int64_t>& others);

/// "+1.2 %", "less than 0.1 % more" never reads "+< 0.1 %".
[[nodiscard]] QString morePercent(double value);
/// "Recompute + page", "Page only", ... as the strategy list shows them.
[[nodiscard]] QString strategy(Strategy strategy);
/// "Compute", "Recompute", "Page-out", "Page-in", "Free".
[[nodiscard]] QString stepKind(StepKind kind);
/// What a plan does with a tensor, in the window's language. Tables for scripts have the name of core instead.
[[nodiscard]] QString fate(Fate fate);
/// "paper (published)", "blocking", "DMA".
[[nodiscard]] QString transfer(TransferModel model);
/// Name of the last path part of a node name ("/layer1/conv1/Conv" -> "conv1/Conv"), at most `length` characters.
[[nodiscard]] QString shortNodeName(const QString& name, int length = 22);

}  // namespace poet::text

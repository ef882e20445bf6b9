// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/export/inspect_report.h"

#include <QString>
#include <QStringList>

#include <vector>

/// The import report in the user's language: core's fixed texts are looked up in the table of translations.
namespace poet::report {

[[nodiscard]] QString section(const ReportRow& row);
/// A figure's name, or an operator as it is called.
[[nodiscard]] QString item(const ReportRow& row);
[[nodiscard]] QString value(const ReportRow& row);
[[nodiscard]] QString note(const Note& note);
/// "keep-all peak 1.2 MiB (30 %) of 4 MiB", ...; empty when nothing is frozen.
[[nodiscard]] QStringList freezingLines(const InspectReport& report);
/// One line of names, then one a row: the raw number where there is one.
[[nodiscard]] QString csv(const std::vector<ReportRow>& rows);

}  // namespace poet::report

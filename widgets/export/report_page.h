// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/export/view_exporter.h"

namespace poet {

/// The one-page report: what is said of the plan, then its views, as wide as the paper.
struct ReportPage {
    QString title;
    QString subtitle;
    QString html;  ///< key figures
    std::vector<RecordedView> views;
};

/// The report as PDF on A4. Threads: any.
[[nodiscard]] QByteArray reportPdf(const ReportPage& page);

}  // namespace poet

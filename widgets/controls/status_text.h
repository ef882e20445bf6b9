// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document_state.h"

#include <QList>

namespace poet {

enum class StatusKind { None, Optimal, Gap, Preview, Searching, Stale, Infeasible, Unknown, Failed };

/// A way out that the status offers: one click sets a limit.
struct StatusJump {
    QString label;                          ///< "Go to 46 KiB"
    std::optional<std::int64_t> memoryBytes;
    std::optional<double> deadlineSeconds;  ///< +inf: no deadline
};

/// The status line: what is known about the question that the controls ask, and nothing more.
struct StatusLine {
    StatusKind kind = StatusKind::None;
    QString mark;      ///< ● ◐ ◑ ◌ ▷ ◇ ✕ ? !
    QString headline;
    QString detail;    ///< numbers of the shown plan, or why
    QString scope;     ///< what an optimum is one of; for whoever points at the headline
    QList<StatusJump> jumps;
    bool canProve = false;
    bool canStop = false;
    bool canRetry = false;
};

/// Pure: reads the document, decides the truth (gui.md section 5). Gaps come from proven bounds only.
[[nodiscard]] StatusLine describeStatus(const DocumentState& state);

/// Gap in percent of the shown plan against the proven bound for the controls.
[[nodiscard]] double shownGapPercent(const DocumentState& state);

}  // namespace poet

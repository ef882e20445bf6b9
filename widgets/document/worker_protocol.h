// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/solver_backend.h"

#include <QByteArray>
#include <QStringList>

#include <optional>

namespace poet {

/// One line of `poet solve --events` as an event. Errors: WorkerFailed for anything that is no event of the format.
[[nodiscard]] Expected<WorkerEvent> parseWorkerLine(const QByteArray& line);

/// The arguments of `poet` for a request; the cost graph goes in on standard input.
[[nodiscard]] QStringList workerArguments(const SolveRequest& request);

/// The memory of a question, or in its place the overhead for which the smallest is looked for.
[[nodiscard]] QStringList memoryArguments(qint64 memoryBytes, std::optional<double> overheadPercent);

/// The `poet` program: beside this program, else on the search path; empty when there is none.
[[nodiscard]] QString findWorkerProgram();

}  // namespace poet

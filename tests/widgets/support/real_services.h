// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/explorer/model_readers.h"
#include "widgets/document/process_backend.h"
#include "widgets/document/qt_timer.h"
#include "widgets/window/main_window.h"

namespace poet::test {

/// What a window needs to work as in the program: real readers, and the command `poet` as worker of searches, sweeps and
/// layouts. The caller owns it until the window takes it over. Needs app/explorer/model_readers.cpp in the program.
[[nodiscard]] inline WindowServices realServices()
{
    const QString command = QStringLiteral(POET_COMMAND);
    WindowServices services;
    services.readers = makeModelReaders();
    services.interactive = new ProcessBackend(command);
    services.sweep = new ProcessBackend(command);
    services.timer = new QtDelayTimer;
    services.layoutProgram = command;
    return services;
}

}  // namespace poet::test

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document_state.h"

#include <QByteArray>
#include <QStringList>

namespace poet {

/// What a project file (`.poet.json`, format `poet-workspace` version 1) holds beside the model itself.
struct Workspace {
    QString modelPath;          ///< relative to the file when below its folder
    QByteArray problemHash;     ///< of the cost graph: known plans are for it alone
    ModelSetup setup;
    Controls controls;
    std::vector<PlanPtr> plans; ///< known schedules, as claimed: to be replayed before use
    QStringList collapsed;
    int coloring = 0;
};

/// Errors: FileNotFound.
[[nodiscard]] Expected<void> writeWorkspace(const QString& path, const Workspace& workspace);
/// Strict about format and version. Errors: FileNotFound, BadModel.
[[nodiscard]] Expected<Workspace> readWorkspace(const QString& path);
/// True for the ending of project files.
[[nodiscard]] bool isWorkspacePath(const QString& path);

/// Replays the workspace's plans on the problem and puts those that are for it into the cache; returns how many were not.
int adoptPlans(const Workspace& workspace, const Problem& problem, PlanCache& cache);

}  // namespace poet

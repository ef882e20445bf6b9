// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document_state.h"

#include <QByteArray>
#include <QStringList>

#include <functional>

namespace poet {

/// How the window looked; what an older file does not say is as by default.
struct WorkspaceView {
    QStringList collapsed;     ///< blocks of the graph
    int coloring = 0;          ///< DagColoring
    bool isHorizontal = false; ///< the graph
    bool isInSteps = false;    ///< x axis of the timeline
    int memoryForm = 0;        ///< MemoryForm
    int paretoAxis = 0;        ///< memory, deadline, both
    QString lanes;             ///< TimelineView::laneSettings()
    QByteArray docks;          ///< QMainWindow::saveState()
    bool operator==(const WorkspaceView&) const = default;
};

/// What a project file (`.poet.json`, format `poet-workspace` version 1) holds beside the model itself.
struct Workspace {
    QString modelPath;          ///< relative to the file when below its folder
    QByteArray problemHash;     ///< of the cost graph: known plans are for it alone
    ModelSetup setup;
    Controls controls;
    std::vector<PlanPtr> plans; ///< known schedules, as claimed: to be replayed before use
    QMap<QString, QString> planNames;  ///< DocumentState::planNames()
    WorkspaceView view;
};

/// Makes a workspace from what was taken from the document and the views before: on any thread, as long plans take long.
using WorkspaceMaker = std::function<Workspace()>;

/// Errors: FileNotFound. Threads: any.
[[nodiscard]] Expected<void> writeWorkspace(const QString& path, const Workspace& workspace);
/// Strict about format and version. Errors: FileNotFound, BadModel.
[[nodiscard]] Expected<Workspace> readWorkspace(const QString& path);
/// True for the ending of project files.
[[nodiscard]] bool isWorkspacePath(const QString& path);

/// The workspace's plans, each replayed on the problem; those that are not for it are left out. Threads: pure.
[[nodiscard]] std::vector<PlanPtr> replayPlans(const Workspace& workspace, const Problem& problem);

}  // namespace poet

// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/workspace.h"

#include <QLockFile>
#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include <functional>
#include <memory>

namespace poet {

/// Keeps what is open in a file of this session, so that a crash loses little. The file goes when the session ends in
/// order; a lock beside it tells living sessions from dead ones. Written on a pool thread, at most every few seconds.
class Autosave : public QObject {
    Q_OBJECT
public:
    static constexpr int kQuietMilliseconds = 3000;

    explicit Autosave(const QString& folder, QObject* parent = nullptr);
    ~Autosave() override;

    /// Writes soon; `capture` is called then, in this thread, and what it returns elsewhere.
    void schedule(std::function<WorkspaceMaker()> capture);
    /// Writes now; for tests.
    void flush();
    /// Files of sessions that ended without removing them, newest first.
    [[nodiscard]] QStringList leftovers() const;
    static void discard(const QStringList& paths);
    /// At an orderly end: writes what is open, now, to the file that the next start opens. Errors: FileNotFound.
    [[nodiscard]] Expected<void> keep(const Workspace& workspace);
    /// The session's file stays at the end, as after a crash: it is the best that there is.
    void leaveBehind() { m_isLeft = true; }
    /// Nothing is open at the end: the next start opens nothing.
    void keepNothing();
    /// That file, whether it exists or not.
    [[nodiscard]] QString keptPath() const { return m_folder + QStringLiteral("/last.poet.json"); }
    [[nodiscard]] QString path() const { return m_path; }

private:
    [[nodiscard]] static QString lockOf(const QString& path);

    QString m_folder;
    QString m_path;
    std::unique_ptr<QLockFile> m_lock;
    QTimer m_timer;
    std::function<WorkspaceMaker()> m_capture;
    bool m_isWriting = false;
    bool m_isLeft = false;
    QThreadPool m_thread;
};

}  // namespace poet

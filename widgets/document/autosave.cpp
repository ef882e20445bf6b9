// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/autosave.h"

#include "widgets/document/beside.h"

#include <QDir>
#include <QFile>
#include <QUuid>

#include <utility>

namespace poet {

using namespace Qt::StringLiterals;

Autosave::Autosave(const QString& folder, QObject* parent)
    : QObject(parent), m_folder(folder)
{
    QDir().mkpath(folder);
    m_path = folder + u"/session-"_s + QUuid::createUuid().toString(QUuid::Id128) + u".poet.json"_s;
    m_lock = std::make_unique<QLockFile>(lockOf(m_path));
    m_lock->setStaleLockTime(0);  // stale only when its process is gone
    m_lock->tryLock(0);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &Autosave::flush);
}

Autosave::~Autosave()
{
    m_timer.stop();
    m_thread.waitForDone();
    if (!m_isLeft)
        QFile::remove(m_path);
}

QString Autosave::lockOf(const QString& path) { return path.chopped(QStringLiteral(".poet.json").size()) + u".lock"_s; }

void Autosave::schedule(std::function<WorkspaceMaker()> capture)
{
    m_capture = std::move(capture);
    if (!m_timer.isActive())
        m_timer.start(kQuietMilliseconds);
}

void Autosave::flush()
{
    if (!m_capture)
        return;
    if (std::exchange(m_isWriting, true)) {
        m_timer.start(kQuietMilliseconds);
        return;
    }
    // A full disk must not disturb: the next change tries again.
    runBeside(this, [path = m_path, make = m_capture()] { return writeWorkspace(path, make()).has_value(); }, [this](bool) { m_isWriting = false; }, &m_thread);
}

QStringList Autosave::leftovers() const
{
    QStringList left;
    const QFileInfoList files = QDir(m_folder).entryInfoList({u"session-*.poet.json"_s}, QDir::Files, QDir::Time);
    for (const QFileInfo& file : files) {
        const QString path = file.absoluteFilePath();
        if (path == QFileInfo(m_path).absoluteFilePath())
            continue;
        QLockFile lock(lockOf(path));
        lock.setStaleLockTime(0);
        if (lock.tryLock(0))  // its process is gone; a living session keeps its lock
            left << path;
    }
    return left;
}

Expected<void> Autosave::keep(const Workspace& workspace)
{
    m_timer.stop();
    return writeWorkspace(keptPath(), workspace);
}

void Autosave::keepNothing() { QFile::remove(keptPath()); }

void Autosave::discard(const QStringList& paths)
{
    for (const QString& path : paths) {
        QFile::remove(path);
        QFile::remove(lockOf(path));
    }
}

}  // namespace poet

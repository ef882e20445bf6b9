// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/graph_view.h"

#include <QObject>
#include <QPointer>
#include <QProcess>
#include <QTimer>

namespace poet {

/// Node positions from a `poet layout` worker, one at a time; the in-process ladder when there is no worker, when it
/// fails, or when the user does not want to wait. Late answers are dropped.
class LayoutService : public QObject {
    Q_OBJECT
public:
    static constexpr int kSlowMilliseconds = 1000;

    /// An empty `program` means: always the ladder.
    explicit LayoutService(QString program, QObject* parent = nullptr);
    ~LayoutService() override;

    /// Asks for a layout; ready() follows, later or at once, exactly once unless another request comes first.
    void request(const GraphView& view);
    /// Stops the worker and answers with the ladder now.
    void useLadder();
    /// Stops the worker; no answer follows.
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_process != nullptr; }
    [[nodiscard]] int layoutsRun() const { return m_layoutsRun; }
    /// True: never start the worker.
    void setLadderOnly(bool isLadderOnly) { m_isLadderOnly = isLadderOnly; }

Q_SIGNALS:
    void ready(const poet::Layout& layout);
    /// After a second: "Laying out 1,840 nodes, 2,610 edges..."
    void slow(int nodes, int edges);
    /// No layout is being made any more: it is ready, was given up, or another one was asked for.
    void ended();

private:
    void stopWorker();
    void finished(QProcess* process);

    QString m_program;
    QPointer<QProcess> m_process;
    QTimer m_slowTimer;
    GraphView m_view;
    int m_layoutsRun = 0;
    bool m_isLadderOnly = false;
};

}  // namespace poet

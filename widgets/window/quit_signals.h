// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace poet {

/// Turns the system's wish that the program ends (SIGTERM, SIGINT, SIGHUP) into a signal of Qt in the GUI thread, so that
/// what is open can be kept: an end that was asked for is no crash. One at a time; a second wish while the first is being
/// answered ends the program at once.
class QuitSignals : public QObject {
    Q_OBJECT
public:
    explicit QuitSignals(QObject* parent = nullptr);
    ~QuitSignals() override;

Q_SIGNALS:
    void quitAsked();

private:
    void answer();

    int m_sockets[2] = {-1, -1};  ///< what a handler may do is to write a byte; the other end is watched
};

}  // namespace poet

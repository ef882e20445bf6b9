// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/quit_signals.h"

#include <QSocketNotifier>

#include <csignal>

#include <sys/socket.h>
#include <unistd.h>

namespace poet {

namespace {

constexpr int kQuitSignals[] = {SIGTERM, SIGINT, SIGHUP};

volatile std::sig_atomic_t quitSocket = -1;

void noteQuit(int signal)
{
    const char byte = 1;
    static_cast<void>(!write(quitSocket, &byte, 1));
    std::signal(signal, SIG_DFL);  // who asks twice does not want to wait
}

}  // namespace

QuitSignals::QuitSignals(QObject* parent) : QObject(parent)
{
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, m_sockets) != 0)
        return;
    quitSocket = m_sockets[0];
    auto* notifier = new QSocketNotifier(m_sockets[1], QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, &QuitSignals::answer);
    for (const int signal : kQuitSignals)
        std::signal(signal, noteQuit);
}

QuitSignals::~QuitSignals()
{
    for (const int signal : kQuitSignals)
        std::signal(signal, SIG_DFL);
    quitSocket = -1;
    for (const int socket : m_sockets)
        if (socket >= 0)
            ::close(socket);
}

void QuitSignals::answer()
{
    char byte = 0;
    while (read(m_sockets[1], &byte, 1) > 0) {
    }
    Q_EMIT quitAsked();
}

}  // namespace poet

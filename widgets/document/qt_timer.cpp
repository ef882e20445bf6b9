// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/qt_timer.h"

namespace poet {

QtDelayTimer::QtDelayTimer(QObject* parent) : DelayTimer(parent)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &DelayTimer::fired);
}

void QtDelayTimer::start(int milliseconds) { m_timer.start(milliseconds); }

void QtDelayTimer::stop() { m_timer.stop(); }

bool QtDelayTimer::isActive() const { return m_timer.isActive(); }

}  // namespace poet

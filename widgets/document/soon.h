// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>

#include <functional>
#include <utility>

namespace poet {

/// Work of a view that follows a change of the document: done in a turn of the event loop of its own, because other views
/// have work in the turn of the change, and only while the view is seen. The view asks again when it is shown.
class Soon {
public:
    /// `work` makes `view` show what the document is now.
    Soon(QWidget& view, std::function<void()> work) : m_view(view), m_work(std::move(work))
    {
        m_timer.setSingleShot(true);
        m_timer.setInterval(0);
        QObject::connect(&m_timer, &QTimer::timeout, [this] { now(); });
    }
    void ask()
    {
        m_isStale = true;
        if (m_view.isVisible())
            m_timer.start();
    }
    /// The view is shown: what was asked for while it was hidden.
    void shown()
    {
        if (m_isStale)
            m_timer.start();
    }
    /// What was asked for is done when this returns.
    void now()
    {
        m_timer.stop();
        if (std::exchange(m_isStale, false))
            m_work();
    }

private:
    QWidget& m_view;
    std::function<void()> m_work;
    QTimer m_timer;
    bool m_isStale = false;
};

}  // namespace poet

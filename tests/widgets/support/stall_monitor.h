// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QMap>
#include <QObject>
#include <QStringList>
#include <QTimer>

#include <algorithm>
#include <ctime>

namespace poet::test {

/// Beats every 5 ms in the event loop and notes when a beat is late: by the clock, which a loaded machine spoils, and in
/// processor time of this thread, which it does not.
class StallMonitor : public QObject {
public:
    static constexpr double kStallMilliseconds = 100;

    StallMonitor()
    {
        m_timer.setTimerType(Qt::PreciseTimer);
        connect(&m_timer, &QTimer::timeout, this, [this] { beat(); });
        m_timer.start(5);
    }
    void stop() { m_timer.stop(); }
    /// What is being done now; named in the report.
    void setWhat(const char* what) { m_what = what; }
    [[nodiscard]] double longestWallMilliseconds() const { return m_longestWall; }
    [[nodiscard]] double longestProcessorMilliseconds() const { return m_longestProcessor; }
    [[nodiscard]] int wallStalls() const { return m_wallStalls; }
    [[nodiscard]] int processorStalls() const { return m_processorStalls; }
    /// One line for each action after which a beat was late, the worst first.
    [[nodiscard]] QStringList report() const
    {
        QList<QPair<double, QString>> worst;
        for (auto it = m_worst.begin(); it != m_worst.end(); ++it)
            worst.append({-it.value(), QStringLiteral("%1: %2 ms on the processor").arg(it.key()).arg(it.value(), 0, 'f', 0)});
        std::sort(worst.begin(), worst.end());
        QStringList lines;
        for (const auto& entry : worst)
            lines << entry.second;
        return lines;
    }

private:
    static double processorMilliseconds()
    {
        timespec now{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
    }
    void beat()
    {
        const double processor = processorMilliseconds();
        if (m_clock.isValid()) {
            const double wall = static_cast<double>(m_clock.nsecsElapsed()) / 1e6;
            const double spent = processor - m_processor;
            m_longestWall = std::max(m_longestWall, wall);
            m_longestProcessor = std::max(m_longestProcessor, spent);
            m_wallStalls += wall > kStallMilliseconds;
            m_processorStalls += spent > kStallMilliseconds;
            if (spent > kStallMilliseconds / 2) {
                double& known = m_worst[QString::fromLatin1(m_what)];
                known = std::max(known, spent);
            }
        }
        m_clock.start();
        m_processor = processor;
    }

    QTimer m_timer;
    QElapsedTimer m_clock;
    double m_processor = 0;
    const char* m_what = "start";
    double m_longestWall = 0;
    double m_longestProcessor = 0;
    int m_wallStalls = 0;
    int m_processorStalls = 0;
    QMap<QString, double> m_worst;
};

}  // namespace poet::test

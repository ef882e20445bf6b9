// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QMap>
#include <QObject>
#include <QStringList>
#include <QTimer>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <ctime>
#include <thread>

#include <execinfo.h>
#include <pthread.h>
#include <unistd.h>

namespace poet::test {

/// Writes to standard error where a thread is while its beats are late: with POET_STALL_TRACE set, for finding causes
/// (the addresses are for addr2line).
class StallTracer {
public:
    StallTracer()
    {
        if (!qEnvironmentVariableIsSet("POET_STALL_TRACE"))
            return;
        void* warm[1];
        backtrace(warm, 1);  // loads what a signal handler must not load
        std::signal(SIGUSR2, [](int) {
            void* frames[40];
            const int count = backtrace(frames, 40);
            static_cast<void>(!write(STDERR_FILENO, "STALL\n", 6));
            backtrace_symbols_fd(frames, count, STDERR_FILENO);
        });
        clockid_t clock{};
        pthread_getcpuclockid(pthread_self(), &clock);
        m_thread = std::thread([this, watched = pthread_self(), clock] { watch(watched, clock); });
    }
    ~StallTracer()
    {
        m_isEnding = true;
        if (m_thread.joinable())
            m_thread.join();
    }
    /// `milliseconds` of processor time that the thread has used at this beat.
    void beat(double milliseconds) { m_lastBeat = milliseconds; }

private:
    void watch(pthread_t watched, clockid_t clock)
    {
        double told = -1;
        while (!m_isEnding) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
            timespec now{};
            clock_gettime(clock, &now);
            const double used = static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
            if (const double last = m_lastBeat; used - last > 80 && last != told) {
                told = last;
                pthread_kill(watched, SIGUSR2);
            }
        }
    }
    std::atomic<double> m_lastBeat = 0;
    std::atomic<bool> m_isEnding = false;
    std::thread m_thread;
};

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
        m_tracer.beat(processor);
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
    StallTracer m_tracer;
};

}  // namespace poet::test

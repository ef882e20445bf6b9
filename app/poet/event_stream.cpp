// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "app/poet/event_stream.h"

#include "core/base/units.h"
#include "core/export/plan_file.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <sys/prctl.h>
#include <unistd.h>

namespace poet {
namespace {

std::atomic<bool> g_isInterrupted = false;

extern "C" void onInterrupt(int signal)
{
    g_isInterrupted = true;
    std::signal(signal, SIG_DFL);  // a second Ctrl+C ends at once
}

}  // namespace

void watchInterrupts()
{
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        if (std::signal(signal, onInterrupt) == SIG_IGN)  // nohup, or a job in the background: the caller's wish stays
            std::signal(signal, SIG_IGN);
}

bool wasInterrupted() { return g_isInterrupted; }

void dieWithParent()
{
    const pid_t parent = getppid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)  // it died before the request took effect
        std::_Exit(130);
}

ProgressReporter::ProgressReporter(ProgressStyle style, double keepAllEnergyJoules) : m_style(style), m_keepAllEnergyJoules(keepAllEnergyJoules)
{
    if (m_style == ProgressStyle::Events)
        write(head("hello") + ",\"version\":\"" POET_VERSION "\"}");
    if (m_style != ProgressStyle::None)
        m_heart = std::thread([this] { beat(); });
}

ProgressReporter::~ProgressReporter()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isDone = true;
    }
    m_changed.notify_all();
    if (m_heart.joinable())
        m_heart.join();
}

double ProgressReporter::elapsed() const
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_begin).count();
}

std::string ProgressReporter::head(const char* event) const
{
    return std::string("{\"event\":\"") + event + "\",\"elapsed\":" + formatDouble(elapsed());
}

void ProgressReporter::write(const std::string& line)
{
    std::cout << line << '\n';
    std::cout.flush();
}

void ProgressReporter::beat()
{
    std::unique_lock lock(m_mutex);
    while (!m_isDone) {
        m_changed.wait_for(lock, std::chrono::milliseconds(500));
        if (m_isDone)
            break;
        if (m_style == ProgressStyle::Events)
            write(head("heartbeat") + "}");
        else
            drawLine();
    }
    if (m_style == ProgressStyle::Line)
        std::cerr << "\r\033[K";
}

void ProgressReporter::drawLine()
{
    const double seconds = std::floor(elapsed() * 10) / 10;
    std::string text = "searching " + formatSeconds(seconds);
    text += m_range;
    if (m_best >= 0 && m_range.empty())
        text += ", best " + formatJoules(m_best) + ", gap " + formatPercent(100 * std::max(0.0, m_best - m_bound) / m_best);
    std::cerr << "\r\033[K" << text << std::flush;
}

void ProgressReporter::incumbent(const ReplayReport& report)
{
    const std::lock_guard lock(m_mutex);
    m_best = report.energyJoules;
    if (m_style == ProgressStyle::Events && !m_isDone)
        write(head("incumbent") + ",\"energy_joules\":" + formatDouble(report.energyJoules) +
              ",\"overhead_joules\":" + formatDouble(report.energyJoules - m_keepAllEnergyJoules) + ",\"peak_bytes\":" + std::to_string(report.peakBytes) +
              ",\"seconds\":" + formatDouble(report.seconds) + ",\"schedule\":" + stepsToJson(report.schedule) + "}");
}

void ProgressReporter::bound(double joules)
{
    const std::lock_guard lock(m_mutex);
    m_bound = joules;
    if (m_style == ProgressStyle::Events && !m_isDone)
        write(head("bound") + ",\"bound_joules\":" + formatDouble(joules) + "}");
}

void ProgressReporter::narrowed(const planning::MemoryRange& range)
{
    const std::lock_guard lock(m_mutex);
    if (!range.best || m_isDone)
        return;
    m_range = ", smallest memory " + formatBytes(range.bound) + " to " + formatBytes(*range.best);
    if (m_style == ProgressStyle::Events)
        write(head("range") + ",\"memory_bytes\":" + std::to_string(*range.best) + ",\"memory_bound_bytes\":" + std::to_string(range.bound) + "}");
}

bool ProgressReporter::wantsStop() { return wasInterrupted(); }

void ProgressReporter::done(const std::string& resultJson)
{
    const std::lock_guard lock(m_mutex);
    m_isDone = true;
    m_changed.notify_all();
    if (m_style != ProgressStyle::Events)
        return;
    std::string oneLine = resultJson;
    std::erase(oneLine, '\n');
    const auto brace = oneLine.find('{');
    write(head("done") + "," + oneLine.substr(brace + 1));
}

}  // namespace poet

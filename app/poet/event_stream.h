// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planning/smallest_memory.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace poet {

/// How a search shows itself while it runs.
enum class ProgressStyle {
    None,
    Line,   ///< one rewritten line on a terminal's stderr
    Events  ///< one JSON object a line on stdout (architecture.md, `--events`)
};

/// Reports a search; a thread of its own gives the heartbeat every 500 ms.
class ProgressReporter : public planning::MemorySink {
public:
    ProgressReporter(ProgressStyle style, double keepAllEnergyJoules);
    ~ProgressReporter() override;
    void incumbent(const ReplayReport& report) override;
    void bound(double joules) override;
    void narrowed(const planning::MemoryRange& range) override;
    [[nodiscard]] bool wantsStop() override;
    /// Ends the heartbeat and writes the `done` event with the result; `resultJson` is one JSON object.
    void done(const std::string& resultJson);

private:
    void beat();
    void write(const std::string& line);
    void drawLine();
    [[nodiscard]] std::string head(const char* event) const;
    [[nodiscard]] double elapsed() const;

    ProgressStyle m_style;
    double m_keepAllEnergyJoules;
    std::chrono::steady_clock::time_point m_begin = std::chrono::steady_clock::now();
    std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_isDone = false;
    double m_best = -1;
    double m_bound = 0;
    std::string m_range;  ///< of the smallest memory, for the line
    std::thread m_heart;
};

/// Lets Ctrl+C, a termination request and the end of the terminal end the search with the best plan; see wasInterrupted.
void watchInterrupts();
[[nodiscard]] bool wasInterrupted();
/// Ends this process as soon as its parent dies (Linux).
void dieWithParent();

}  // namespace poet

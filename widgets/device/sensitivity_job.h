// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/sensitivity.h"
#include "widgets/document/problem.h"

#include <QObject>

#include <memory>
#include <optional>

namespace poet {

/// The question: with this profile, which of the known plans is best, and where does that change?
struct SensitivityInput {
    std::shared_ptr<const TrainingGraph> training;
    DeviceProfile profile;
    CostOptions options;
    std::vector<PlanPtr> plans;
    std::optional<double> deadlineSeconds;
    std::vector<std::string> paths;   ///< numbers to find flips for; empty: only how the plans stand now
    std::vector<double> lows;         ///< per path, SI: the range to look at
    std::vector<double> highs;
};

/// One plan under the profile's numbers.
struct PlanStanding {
    double joules = 0;
    double seconds = 0;
    bool isInTime = true;
};

struct SensitivityOutput {
    std::vector<PlanStanding> standings;   ///< per plan
    int best = -1;                         ///< cheapest in time; -1: none is
    std::vector<SensitivityCurve> curves;  ///< per path; may lack those that could not be asked
    std::string error;                     ///< why nothing is known; empty when all went well
};

/// Replays, never solves. Cost: a replay a plan, and about 60 more a plan and path. Threads: pure.
[[nodiscard]] SensitivityOutput analyseSensitivity(const SensitivityInput& input);

/// Answers in the background, one question at a time; a newer question replaces one that waits.
class SensitivityJob : public QObject {
    Q_OBJECT
public:
    explicit SensitivityJob(QObject* parent = nullptr);
    void ask(SensitivityInput input);
    [[nodiscard]] bool isRunning() const { return m_isRunning; }

Q_SIGNALS:
    void answered(const poet::SensitivityOutput& output);

private:
    void start(SensitivityInput input);

    std::optional<SensitivityInput> m_waiting;
    bool m_isRunning = false;
};

}  // namespace poet

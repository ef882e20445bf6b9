// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/planning/neighbourhood.h"

#include "core/planning/cbc_driver.h"
#include "core/planning/reduction.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace poet::planning {
namespace {

constexpr double kLongestRelaxation = 10;  ///< seconds
constexpr int kMostRoundings = 3;
constexpr double kRoundingShare = 2;       ///< of the time of a move

}  // namespace

/// One to three windows of neighbouring stages (or nodes), `size` in all.
std::vector<bool> Neighbourhoods::pickWindows(double size, bool prefersLate)
{
    const auto count = static_cast<unsigned>(m_program.stageCount());
    std::vector<bool> isPicked(count, false);
    const unsigned windows = 1 + draw(3);
    const auto width = std::max(1U, static_cast<unsigned>(size / windows));
    for (unsigned w = 0; w < windows; ++w) {
        // Most choices are made where backward needs what forward made, in the second half.
        const bool isLate = prefersLate && draw(4) != 0;
        const unsigned begin = isLate ? count / 2 + draw((count + 1) / 2) : draw(count);
        for (unsigned i = begin; i < std::min(count, begin + width); ++i)
            isPicked[i] = true;
    }
    return isPicked;
}

/// Optimum of the linear relaxation of the program as it is now; `fallback` where that takes too long.
const std::vector<double>& Neighbourhoods::relaxed(const std::vector<double>& fallback, const std::function<bool()>& wantsStop)
{
    if (m_relaxedRevision != m_program.revision()) {
        m_relaxedRevision = m_program.revision();
        MipEvents events;
        events.wantsStop = wantsStop;
        const auto found = solveRelaxation(m_program.linear(), kLongestRelaxation, events);
        m_relaxed = found && !found->values.empty() ? found->values : fallback;
    }
    return m_relaxed;
}

/// The columns at which the values are no whole numbers, and the continuous ones.
std::vector<bool> Neighbourhoods::freeFractions(const std::vector<double>& values) const
{
    constexpr double kWhole = 1e-4;
    std::vector<bool> isFree(values.size());
    for (std::size_t c = 0; c < values.size(); ++c)
        isFree[c] = !m_program.linear().columns[c].isInteger || std::abs(values[c] - std::round(values[c])) > kWhole;
    return isFree;
}

/// A share of the columns in which plan and relaxation disagree, and a smaller one of the others to get there.
std::vector<bool> Neighbourhoods::freeDisagreements(const std::vector<double>& start, double share, const std::function<bool()>& wantsStop)
{
    constexpr double kAgreement = 0.05;
    const auto& columns = m_program.linear().columns;
    const std::vector<double>& values = relaxed(start, wantsStop);
    std::vector<bool> isFree(columns.size());
    for (std::size_t c = 0; c < columns.size(); ++c) {
        const bool disagrees = std::abs(values[c] - start[c]) > kAgreement;
        const double chance = disagrees ? share : 0.3 * share * share;
        isFree[c] = !columns[c].isInteger || static_cast<double>(m_random()) < chance * static_cast<double>(std::mt19937::max());
    }
    return isFree;
}

std::vector<bool> Neighbourhoods::pickFree(Kind kind, const std::vector<double>& start, const std::function<bool()>& wantsStop)
{
    if (kind == Stages)
        return m_program.freeAround(pickWindows(m_sizes[kind], true));
    if (kind == Tensors)
        return m_program.freeTensors(pickWindows(m_sizes[kind], false));
    return freeDisagreements(start, m_sizes[kind], wantsStop);
}

/// Larger neighbourhoods while they are quick, smaller ones where the time ran out.
void Neighbourhoods::adapt(Kind kind, double tookShare)
{
    const double least = kind == Disagreements ? 0.02 : 2;
    const double most = kind == Disagreements ? 1 : m_program.stageCount();
    const double factor = tookShare < 0.05 ? 1.4 : tookShare < 0.25 ? 1.1 : tookShare > 0.8 ? 0.75 : 1;
    m_sizes[kind] = std::clamp(m_sizes[kind] * factor, least, std::max(least, most));
}

std::vector<double> Neighbourhoods::improve(const std::vector<double>& start, double cost, double leastGain, double seconds,
                                            const std::function<bool()>& wantsStop)
{
    const double below = cost - leastGain;
    if (m_roundings < kMostRoundings && m_roundedRevision != m_program.revision()) {
        ++m_roundings;
        m_roundedRevision = m_program.revision();
        const std::vector<double>& values = relaxed(start, wantsStop);
        return solve(reduce(m_program.linear(), freeFractions(values), values), below, leastGain, kRoundingShare * seconds, wantsStop);
    }
    const auto kind = static_cast<Kind>(draw(kKinds));
    const auto begin = std::chrono::steady_clock::now();
    auto better = solve(reduce(m_program.linear(), pickFree(kind, start, wantsStop), start), below, leastGain, seconds, wantsStop);
    adapt(kind, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / seconds);
    return better;
}

/// The best solution of the reduced program that costs less than `below`; empty if none.
std::vector<double> Neighbourhoods::solve(const ReducedProgram& reduced, double below, double leastGain, double seconds,
                                          const std::function<bool()>& wantsStop) const
{
    MipLimits limits;
    limits.seconds = seconds;
    limits.absoluteGap = leastGain / 2;
    limits.cutoff = below - reduced.constant;
    if (reduced.columns.empty())
        return limits.cutoff < 0 ? std::vector<double>{} : reduced.values;
    MipEvents events;
    events.wantsStop = wantsStop;
    const auto result = solveMip(reduced.program, limits, events);
    return result && !result->solution.empty() ? reduced.expand(result->solution) : std::vector<double>{};
}

}  // namespace poet::planning

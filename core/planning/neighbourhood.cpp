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

/// A share of the columns in which plan and relaxation disagree, and a smaller one of the others to get there.
std::vector<bool> Neighbourhoods::freeDisagreements(const std::vector<double>& start, double share, const std::function<bool()>& wantsStop)
{
    constexpr double kAgreement = 0.05;
    const auto& columns = m_program.linear().columns;
    if (m_relaxed.size() != columns.size()) {
        MipEvents events;
        events.wantsStop = wantsStop;
        const auto relaxed = solveRelaxation(m_program.linear(), kLongestRelaxation, events);
        m_relaxed = relaxed && !relaxed->values.empty() ? relaxed->values : start;
    }
    std::vector<bool> isFree(columns.size());
    for (std::size_t c = 0; c < columns.size(); ++c) {
        const bool disagrees = std::abs(m_relaxed[c] - start[c]) > kAgreement;
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

std::vector<double> Neighbourhoods::improve(const std::vector<double>& start, double leastGain, double seconds, const std::function<bool()>& wantsStop)
{
    const auto kind = static_cast<Kind>(draw(kKinds));
    const ReducedProgram reduced = reduce(m_program.linear(), pickFree(kind, start, wantsStop), start);
    double before = 0;
    for (std::size_t c = 0; c < start.size(); ++c)
        if (m_program.linear().columns[c].isInteger)
            before += m_program.linear().columns[c].cost * start[c];
    MipLimits limits;
    limits.seconds = seconds;
    limits.absoluteGap = leastGain / 2;
    limits.cutoff = before - reduced.constant - leastGain;
    MipEvents events;
    events.wantsStop = wantsStop;
    const auto begin = std::chrono::steady_clock::now();
    const auto result = solveMip(reduced.program, limits, events);
    adapt(kind, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / seconds);
    if (!result || result->solution.empty())
        return {};
    return reduced.expand(result->solution);
}

}  // namespace poet::planning
